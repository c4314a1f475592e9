//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money
public import Redaction
public import StrictJSON

// What stands in the gateway's requests: the one place that names its fields.

extension CommWebClient {
    /// With what is paid.
    public enum Source: Sendable {
        /// The `paymentData` of an Apple Pay token as a text: the gateway opens it. "The gateway considers this value to
        /// be a string" (API reference).
        case paymentToken(Redacted<String>)
        /// What was in a token.
        case device(OpenedToken)
        case card(TypedCard)

        /// - Throws: `instrumentNotTaken` for a prime.
        init(_ instrument: WireInstrument) throws(ClientError) {
            switch instrument {
            case .sealed(let token): self = .paymentToken(token.paymentData.map { $0.text() })
            case .opened(let token): self = .device(token)
            case .card(let card): self = .card(card)
            case .prime:
                throw ClientError(.instrumentNotTaken, "CommWeb takes tokens and cards. A prime is TapPay's.")
            }
        }
    }

    /// The body of AUTHORIZE, PAY and VERIFY.
    public struct ChargeBody: Sendable {
        public var operation: Operation
        /// A verification is for none; its currency is sent.
        public var amount: Money
        public var source: Source
        /// Where the gateway reports what becomes of the order: an https URL of at most 255 characters.
        public var notificationURL: String?
        public var acceptsPartialAmount = false
        public var initiation = Initiation()
        public var details = Details()
        public var extra: [ExtraField] = []

        public init(_ operation: Operation, _ amount: Money, _ source: Source) {
            self.operation = operation
            self.amount = amount
            self.source = source
        }

        public var json: JSON {
            var fields = JSONFields()
            fields.set("apiOperation", self.operation.rawValue)
            if self.operation != .verify { fields.set("order.amount", self.amount.decimalText) }
            fields.set("order.currency", self.amount.currency.code)
            self.source.set(&fields)
            self.initiation.set(&fields)
            fields.set("order.notificationUrl", self.notificationURL)
            if self.operation != .verify, self.acceptsPartialAmount { fields.set("order.acceptPartialAmount", true) }
            self.details.set(&fields)
            for field in self.extra { fields.set(field.name, field.value) }
            return fields.json
        }
    }

    /// Of CAPTURE, REFUND and UPDATE_AUTHORIZATION, whose amount is the new total.
    ///
    /// - Parameter target: the transaction that it is about; where it is left out, the order's.
    public static func body(_ operation: Operation, _ amount: Money, target: String? = nil) -> JSON {
        var fields = JSONFields()
        fields.set("apiOperation", operation.rawValue)
        fields.set("transaction.amount", amount.decimalText)
        fields.set("transaction.currency", amount.currency.code)
        fields.set("transaction.targetTransactionId", target)
        return fields.json
    }

    public static func voidBody(of target: String) -> JSON {
        ["apiOperation": .string(Operation.void.rawValue), "transaction": ["targetTransactionId": .string(target)]]
    }
}

extension CommWebClient.Source {
    fileprivate func set(_ fields: inout JSONFields) {
        let card = "sourceOfFunds.provided.card"
        switch self {
        case .paymentToken(let text):
            fields.set("order.walletProvider", "APPLE_PAY")
            fields.set("sourceOfFunds.type", "CARD")
            fields.set("\(card).devicePayment.paymentToken", text.reveal())
        case .device(let token):
            fields.set("order.walletProvider", "APPLE_PAY")
            Self.set(token.number, token.expiryYearMonth, &fields)
            fields.set("\(card).devicePayment.cryptogramFormat", "3DSECURE")
            fields.set("\(card).devicePayment.onlinePaymentCryptogram", token.cryptogram.reveal())
            // Only where the token has one: Mastercard's have none.
            fields.set("\(card).devicePayment.eciIndicator", token.eci)
        case .card(let typed):
            Self.set(typed.number, typed.expiryYearMonth, &fields)
            fields.set("\(card).securityCode", typed.securityCode?.reveal())
        }
    }

    private static func set(_ number: Redacted<String>, _ expiryYearMonth: String, _ fields: inout JSONFields) {
        fields.set("sourceOfFunds.type", "CARD")
        fields.set("sourceOfFunds.provided.card.number", number.reveal())
        fields.set("sourceOfFunds.provided.card.expiry.month", String(expiryYearMonth.suffix(2)))
        fields.set("sourceOfFunds.provided.card.expiry.year", String(expiryYearMonth.prefix(2)))
    }
}
