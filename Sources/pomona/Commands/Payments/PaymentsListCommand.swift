//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Administration
import ArgumentParser
import Money
import Payments
import StrictJSON
import Time

/// `pomona payments list`: the newest payments.
struct PaymentsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List payments, newest first.",
        usage: """
            pomona payments list [--merchant <name>] [--state <state>] [--last-four <digits>]
                [--limit <count>] [--json]
            """)

    /// Counting goes no further, so that a page takes as long however many payments there are.
    static let countMax = 10_000

    @OptionGroup var directory: DataOptions

    @Option(help: ArgumentHelp("Only this merchant's.", valueName: "name"))
    var merchant: String?

    @Option(help: ArgumentHelp("Only those in this state: captured, authorizationUnknown …", valueName: "state"))
    var state: String?

    @Option(
        name: .customLong("last-four"),
        help: ArgumentHelp(
            "Only those of cards that end so: the device's number, or the one that the wallet displays.",
            valueName: "digits"))
    var lastFour: String?

    @OptionGroup var page: LimitOption

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func validate() throws {
        if let digits = self.lastFour, !ASCII.isDigits(digits, 4...4) {
            throw ValidationError("--last-four must be four digits.")
        }
        guard let state = self.state, PaymentState(rawValue: state) == nil else { return }
        let states = PaymentState.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("--state must be one of: \(states).")
    }

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let store = try await DirectoryAccess.readOnly(self.directory.directory)
            let (name, lastFour) = (self.merchant, self.lastFour)
            let (limit, state) = (self.page.limit, self.state.flatMap(PaymentState.init(rawValue:)))
            let page = try await store.read { reader in
                var query = PaymentQuery(cardSuffix: lastFour, limit: limit)
                query.state = state
                if let name { query.merchantID = try Administration.merchant(named: name, in: reader).id }
                var (payments, rest): ([Payment], PaymentQuery) = ([], query)
                repeat {
                    rest.limit = limit - payments.count
                    let page = try reader.paymentPage(rest)
                    payments += page.payments
                    rest.after = page.next
                } while rest.after != nil && payments.count < limit
                return Page(
                    payments: payments,
                    totalCount: try reader.paymentsCount(query, max: Self.countMax),
                    merchantNames: try Administration.merchantNames(in: reader))
            }
            if self.json {
                console.line(page.json.text(pretty: true))
            } else {
                self.write(page, to: console)
            }
        }
    }

    private func write(_ page: Page, to console: Console) {
        guard !page.payments.isEmpty else {
            let isNarrowed = self.merchant != nil || self.state != nil || self.lastFour != nil
            console.line(isNarrowed ? "There are no such payments." : "There are no payments yet.")
            return
        }
        var table = Table([
            ("payment", .left), ("created", .left), ("merchant", .left), ("state", .left), ("amount", .right),
        ])
        for payment in page.payments {
            table.add([
                payment.id.text, payment.createdAt.rfc3339Seconds, page.name(of: payment.merchantID),
                payment.stateWords,
                payment.amount.description,
            ])
        }
        for (index, line) in table.lines().enumerated() {
            console.line(index == 0 ? console.styled(line, .strong) : line)
        }
        if page.totalCount > page.payments.count {
            console.line()
            let total = page.isCounted ? "\(page.totalCount)" : "\(page.totalCount) or more"
            console.line("The newest \(page.payments.count) of \(total). See more with --limit.")
        }
    }

    private struct Page: Sendable {
        let payments: [Payment]
        /// No more than ``PaymentsListCommand/countMax``.
        let totalCount: Int
        let merchantNames: [MerchantID: String]

        var isCounted: Bool { self.totalCount < PaymentsListCommand.countMax }

        func name(of merchant: MerchantID) -> String { self.merchantNames[merchant] ?? merchant.text }

        var json: JSON {
            [
                "payments": .array(
                    self.payments.map { PaymentReport($0, merchantName: self.name(of: $0.merchantID)).summaryJSON }),
                "total": self.isCounted ? JSON(self.totalCount) : .null,
                "totalMin": JSON(self.totalCount),
            ]
        }
    }
}
