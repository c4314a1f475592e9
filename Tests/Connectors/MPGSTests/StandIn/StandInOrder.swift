//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// An order as the stand-in has booked it: its own book, against which the gateway's is held. Amounts are in cents.
struct StandInOrder: Sendable {
    struct Transaction: Sendable {
        enum Kind: String, Sendable {
            case authorization = "AUTHORIZATION"
            case payment = "PAYMENT"
            case capture = "CAPTURE"
            case refund = "REFUND"
            case update = "AUTHORIZATION_UPDATE"
            case voidAuthorization = "VOID_AUTHORIZATION"
            case voidPayment = "VOID_PAYMENT"
            case voidCapture = "VOID_CAPTURE"
            case voidRefund = "VOID_REFUND"

            /// What voids it.
            var void: Kind? {
                switch self {
                case .authorization: .voidAuthorization
                case .payment: .voidPayment
                case .capture: .voidCapture
                case .refund: .voidRefund
                default: nil
                }
            }
        }

        let id: String
        let kind: Kind
        let amount: Int64
        /// Of a void.
        var target: String?
        var result = "SUCCESS"
        var gatewayCode = "APPROVED"
        var acquirerCode = "00"
        /// What the answer and the record say before ``result`` comes out.
        var shown: (result: String, gatewayCode: String)?
        /// How many queries do not find it.
        var hiddenFromQueries = 0
        /// The request, by which a repeat is known.
        let request: String

        var stands: Bool { self.result == "SUCCESS" }
    }

    let id: String
    let currency: String
    let amount: Int64
    var transactions: [Transaction] = []

    func isVoided(_ id: String) -> Bool {
        self.transactions.contains { $0.target == id && $0.stands }
    }

    private func sum(_ kinds: Set<Transaction.Kind>) -> Int64 {
        self.transactions.filter { kinds.contains($0.kind) && $0.stands && !self.isVoided($0.id) }
            .reduce(0) { $0 + $1.amount }
    }

    /// The last total that was set.
    var authorized: Int64 {
        guard let first = self.transactions.first(where: { $0.stands && $0.kind.opensAnOrder }),
            !self.isVoided(first.id)
        else { return 0 }
        return self.transactions.last { $0.kind == .update && $0.stands }?.amount ?? first.amount
    }

    /// What was approved of the payment with which the order began, whatever the total was set to later.
    var opened: Int64 {
        self.transactions.filter { $0.stands && $0.kind.opensAnOrder && !self.isVoided($0.id) }
            .reduce(0) { $0 + $1.amount }
    }

    var captured: Int64 { self.sum([.capture, .payment]) }
    var refunded: Int64 { self.sum([.refund]) }

    /// "CANCELLED": the initial transaction was voided.
    var status: String {
        guard let first = self.transactions.first(where: { $0.stands && $0.kind.opensAnOrder }) else { return "FAILED" }
        if self.isVoided(first.id) { return "CANCELLED" }
        if self.refunded > 0 { return self.refunded == self.captured ? "REFUNDED" : "PARTIALLY_REFUNDED" }
        if self.captured > 0 { return self.captured < self.authorized ? "PARTIALLY_CAPTURED" : "CAPTURED" }
        return "AUTHORIZED"
    }
}

extension StandInOrder.Transaction.Kind {
    var opensAnOrder: Bool { self == .authorization || self == .payment }
}
