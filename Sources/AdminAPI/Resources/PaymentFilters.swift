//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import HTTPTypes
import Money
import Payments
import StrictJSON

extension AdminEndpoints {
    private static let states = PaymentState.allCases.map(\.rawValue).joined(separator: "|")

    /// By what payments are narrowed down, in lists and exports alike.
    static let paymentFilters: [Endpoint.Parameter] = [
        .init("merchant", .name(""), "Only this merchant's."),
        .init(
            "state",
            .text(
                Schema.Text(
                    charactersMin: 1, charactersMax: 255, pattern: "^(\(states))(,(\(states))){0,11}$",
                    isValid: { Call.states($0) != nil })),
            "Only those in one of these states, with commas between them."),
        .init(
            "outcome", .choice(["unknown"]), "Only those of which an operation's outcome is unknown, whatever it is."),
        .init("order", .line(255), "What the merchant calls the order."),
        .init(
            "reference", .line(255),
            "What the merchant, the acquirer or a dialect calls one of the payment's operations."),
        .init(
            "last4", .line(4), "The last digits of the number that was charged, or of the one that the wallet displays."
        ),
        .init("dialect", .line(32), "Only those that came in this dialect."),
        .init("acquirer", .name(""), "Only those under this acquirer account; with merchant."),
        .init("connector", .line(32), "Only those under an acquirer of this kind."),
        .init("network", .choice(CardNetwork.allCases.map(\.rawValue)), "Only cards of this network."),
        .init("currency", .currency, "Only those in this currency."),
        .init("amountFrom", .amount("In the currency's major unit."), "Of at least so much; with currency."),
        .init("amountTo", .amount("In the currency's major unit."), "Of at most so much; with currency."),
        .init("from", .moment(), "Created at or after (RFC 3339)."),
        .init("to", .moment(), "Created before (RFC 3339)."),
        .init(
            "sort", .choice(["newest", "oldest", "largest", "smallest"]), "Which come first; the newest if left out."),
    ]
}

extension Call {
    /// - Returns: `nil` where one of them is none.
    static func states(_ text: String) -> Set<PaymentState>? {
        let states = text.split(separator: ",", omittingEmptySubsequences: false).map {
            PaymentState(rawValue: String($0))
        }
        return states.contains(nil) ? nil : Set(states.compactMap(\.self))
    }

    /// The payments that the call's filters are about.
    func paymentQuery() async throws -> PaymentQuery {
        var query = PaymentQuery()
        query.merchantID = try await self.merchantFilter()
        let states = self.query["state"].flatMap(Self.states) ?? []
        // One state may have an index of its own.
        if states.count == 1 { query.state = states.first } else { query.states = states }
        query.hasUnknownOutcome = self.query["outcome"] == "unknown"
        query.orderReference = self.query["order"]
        query.cardSuffix = self.query["last4"]
        query.dialect = try self.query["dialect"].map { try self.house.plan($0).dialect }
        query.network = self.query["network"].flatMap(CardNetwork.init(rawValue:))
        query.acquirer = self.query["connector"].map { AcquirerName($0) }
        if let name = self.query["acquirer"] {
            guard let merchant = query.merchantID else { throw Problem.unfit("acquirer needs a merchant beside it.") }
            let accounts = try await self.administration.read { try $0.acquirerAccounts(of: merchant) }
            guard let account = accounts.first(where: { $0.name == name }) else {
                throw Problem.unfit("The merchant has no acquirer account of that name.")
            }
            query.accountID = account.id
        }
        query.currency = try self.query["currency"].map { code in
            guard let currency = Currency.alphabetic(code) else {
                throw Problem.parameter("currency", "is no currency of ISO 4217")
            }
            return currency
        }
        let bounds = (
            try self.bound("amountFrom", query.currency) ?? 0, try self.bound("amountTo", query.currency) ?? .max
        )
        guard bounds.0 <= bounds.1 else { throw Problem.unfit("amountTo is less than amountFrom.") }
        if bounds != (0, .max) { query.minorUnits = bounds.0...bounds.1 }
        query.from = try self.moment("from")
        query.to = try self.moment("to")
        query.order =
            switch self.query["sort"] {
            case "oldest": .oldestFirst
            case "largest": .largestFirst
            case "smallest": .smallestFirst
            default: .newestFirst
            }
        if let reference = self.query["reference"] { query.operationName = try await self.named(reference, query) }
        return query
    }

    /// By whom an operation that fits is called so: the first of the acquirer, the merchant and the dialects by whom any is.
    /// After the first two nobody else is left, and the page itself asks the dialects.
    private func named(_ reference: String, _ query: PaymentQuery) async throws -> PaymentQuery.OperationName {
        let found = try await self.administration.read { reader in
            try [PaymentQuery.OperationName.acquirer(reference), .merchant(reference)].first { name in
                var one = query
                (one.operationName, one.after, one.limit) = (name, nil, 1)
                return try !reader.payments(one).isEmpty
            }
        }
        return found ?? .dialects(self.house.plans, calling: reference)
    }

    private func bound(_ name: String, _ currency: Currency?) throws(Problem) -> Int64? {
        guard let text = self.query[name] else { return nil }
        guard let currency else { throw Problem.unfit("\(name) needs a currency beside it.") }
        guard let money = try? Money(decimalText: text, currency: currency) else {
            throw Problem.unfit("\(name) has more decimals than \(currency.code), or is too large.")
        }
        return money.minorUnits
    }
}
