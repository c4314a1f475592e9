//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import DialectKit
import Ledger
import Payments
import StrictJSON

/// `pomona payments show`: one payment, with all that has been kept of it.
struct PaymentsShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a payment with its operations, approvals, journal and notifications.",
        discussion: """
            The payment may be named by an id of the gateway's, or by any reference that a dialect or the acquirer gave out: \
            TapPay's rec_trade_id, PAYONE's txid, an order's id, ORDER/TRANSACTION of CommWeb, a requestId or a \
            token of Radial's, an authorization code. Where several payments have it, they are listed.
            """)

    @OptionGroup var directory: DataOptions

    @Argument(
        help: ArgumentHelp(
            "An id of the payment's (pay_…, op_…, ord_…, evt_…), or a reference of a dialect's or the acquirer's.",
            valueName: "id"))
    var id: String

    @Option(help: ArgumentHelp("Only this merchant's.", valueName: "name"))
    var merchant: String?

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func validate() throws {
        guard (1...255).contains(self.id.unicodeScalars.count) else {
            throw ValidationError("A reference has 1 to 255 characters.")
        }
    }

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let store = try await DirectoryAccess.readOnly(self.directory.directory)
            let (id, name) = (self.id, self.merchant)
            let payment = try await store.read { reader in
                let merchant = try name.map { try Administration.merchant(named: $0, in: reader) }
                return try PaymentSearch(text: id, merchant: merchant).payment(in: reader)
            }
            let possible = await self.possibleActs(of: payment)
            let now = Surroundings.system.clock()
            let record = try await store.read { reader in
                PaymentRecord(
                    payment: payment,
                    merchantName: try reader.merchant(payment.merchantID)?.name ?? payment.merchantID.text,
                    order: try payment.orderID.flatMap { try reader.order($0) },
                    journal: try reader.journal(of: payment.id),
                    events: try reader.events(of: payment.id).withWaits(in: reader),
                    recovery: try reader.job(.recover, of: payment.id), possible: possible,
                    approvals: try PaymentApprovals(of: payment, at: now, in: reader),
                    proof: try payment.proofView(in: reader))
            }
            if self.json {
                console.line(record.json.text(pretty: true))
            } else {
                record.write(to: console)
            }
        }
    }

    /// What the acquirer offers is in its account, which only who has the master key opens; without it, what the payment's own
    /// rules and its dialect let through.
    private func possibleActs(of payment: Payment) async -> PossibleActs {
        let plans = DialectModule.all.map(\.plan)
        let known = try? await DirectoryAccess.withReadingAdministration(self.directory.directory) {
            try await $0.possibleActs(of: payment.id, plans: plans)
        }
        return known ?? payment.possibleActs(nil, plans.first { $0.dialect == payment.dialect })
    }
}
