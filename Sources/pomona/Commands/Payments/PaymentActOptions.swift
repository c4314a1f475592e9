//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import BaseEncoding
import DialectKit
import Gateway
import Money
import Payments
import StrictJSON

/// What the commands that capture, void and refund have alike.
struct PaymentActOptions: ParsableArguments {
    static let discussion = """
        The command talks to the acquirer itself, also beside a running gateway, whose merchant it notifies: \
        the shop is reported what was done as its interface reports such things. The payment may be named as for \
        pomona payments show. Exit status: 0 done, or taken by the acquirer; 1 refused or declined; 2 not known yet, \
        which a running gateway finds out.
        """

    static let amountHelp: String =
        "How much, with the currency's decimals (12.50, or 12 of JPY); without it, all that is left."

    @OptionGroup var directory: DataOptions

    @Argument(help: ArgumentHelp("The payment, as for pomona payments show.", valueName: "payment"))
    var payment: String

    @Option(help: ArgumentHelp("Why, and for whom; for the audit log.", valueName: "text"))
    var reason: String?

    @Option(
        help: ArgumentHelp(
            "Names the act: given again, it is answered again and not done again. Without it, one is made and shown.",
            valueName: "text"))
    var key: String?

    @Option(help: ArgumentHelp("Only this merchant's payments.", valueName: "name"))
    var merchant: String?

    @Option(
        help: ArgumentHelp(
            "Where pomona acquirer serve runs, tcp://HOST:PORT, for a gateway whose simulator is a process of its own.",
            valueName: "address"))
    var acquirer: String?

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func validate() throws {
        guard (1...255).contains(self.payment.unicodeScalars.count) else {
            throw ValidationError("A reference has 1 to 255 characters.")
        }
    }

    /// Runs an act and reports what has become of it.
    func run(_ body: (PaymentAct) async throws -> OperationOutcome) async throws {
        try await CommandRunner.run(json: self.json) { console in
            let directory = self.directory.directory
            let (payment, merchantName) = try await self.found(in: directory)
            let key = self.key ?? "cli-" + Hex.encode(Surroundings.system.random(12))
            let report = try await PaymentAcquirer(address: self.acquirer).withConnectors(of: payment, directory) {
                try await DirectoryAccess.withOpenGateway(directory, connectors: $0) { open in
                    let act = PaymentAct(administration: open.administration, payment: payment, key: key)
                    do {
                        return PaymentActReport(
                            outcome: try await body(act), merchantName: merchantName, key: key, isAlone: open.isAlone)
                    } catch let error as PaymentActError {
                        throw CommandFailure(of: error.code.rawValue, stage: .payment, error.message)
                    }
                }
            }
            report.write(to: console, json: self.json)
            if let exit = report.exit { throw exit }
        }
    }

    private func found(in directory: DataDirectory) async throws -> (Payment, merchantName: String) {
        let store = try await DirectoryAccess.readOnly(directory)
        let (text, name) = (self.payment, self.merchant)
        let found = try await store.read { reader in
            let merchant = try name.map { try Administration.merchant(named: $0, in: reader) }
            let payment = try PaymentSearch(text: text, merchant: merchant).payment(in: reader)
            return (payment, try reader.merchant(payment.merchantID)?.name ?? payment.merchantID.text)
        }
        try await store.close()
        return found
    }
}

/// What one of the commands does, and with what.
struct PaymentAct: Sendable {
    let administration: Administration
    let payment: Payment
    let key: String

    var plans: [AccountPlan] { DialectModule.all.map(\.plan) }

    /// An amount of a command line, in the payment's currency.
    func amount(_ text: String?) throws(CommandFailure) -> Money? {
        try text.map { text throws(CommandFailure) in try Self.money(text, of: self.payment.amount.currency) }
    }

    /// An amount that a command line gives as `--amount`.
    static func money(_ text: String, of currency: Currency) throws(CommandFailure) -> Money {
        do {
            return try Money(decimalText: text, currency: currency)
        } catch {
            throw CommandFailure(
                .amountMalformed, stage: .input,
                "--amount must be an amount of \(currency.code), like \(currency.amountExample).")
        }
    }
}

extension Currency {
    /// An amount with as many decimals as the currency has: "12.50"; "12" of JPY.
    var amountExample: String {
        self.exponent == 0 ? "12" : "12.5" + String(repeating: "0", count: self.exponent - 1)
    }
}
