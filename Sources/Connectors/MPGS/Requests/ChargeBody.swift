//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import ConnectorKit
import Money
import Payments
import Redaction
import StrictJSON

/// The body of AUTHORIZE, PAY and VERIFY.
struct ChargeBody: Sendable {
    let operation: APIOperation
    let amount: Money
    let charge: Charge
    let acceptor: CardAcceptor
    let notificationURL: String?

    /// - Parameter withDetails: whether what a payment can do without is sent too.
    /// - Returns: `nil` for an instrument for which the gateway has no field.
    func bytes(withDetails: Bool) -> Redacted<[UInt8]>? {
        var fields = JSONFields()
        fields.set("apiOperation", self.operation.rawValue)
        if self.operation != .verify { fields.set("order.amount", self.amount.decimalText) }
        fields.set("order.currency", self.amount.currency.code)
        guard self.setInstrument(&fields) else { return nil }
        fields.set("transaction.source", "INTERNET")
        fields.set("order.notificationUrl", self.notificationURL)
        if self.operation != .verify, self.charge.acceptsPartialApproval {
            fields.set("order.acceptPartialAmount", true)
        }
        if withDetails {
            DetailFields(details: self.charge.details, acceptor: self.acceptor)
                .set(&fields, movesMoney: self.operation != .verify)
        }
        return Redacted(fields.json.serialized())
    }

    private func setInstrument(_ fields: inout JSONFields) -> Bool {
        let card = "sourceOfFunds.provided.card"
        switch self.charge.instrument {
        case .sealedApplePayToken(let token):
            fields.set("order.walletProvider", "APPLE_PAY")
            fields.set("sourceOfFunds.type", "CARD")
            // The JSON as a text, not as JSON: "The gateway considers this value to be a string".
            let text = String(decoding: token.paymentData.reveal(), as: UTF8.self)
            fields.set("\(card).devicePayment.paymentToken", text)
        case .networkToken(let token):
            switch token.proof {
            case .cryptogram(let cryptogram):
                fields.set("order.walletProvider", "APPLE_PAY")
                self.set(token, &fields)
                fields.set("\(card).devicePayment.cryptogramFormat", "3DSECURE")
                fields.set(
                    "\(card).devicePayment.onlinePaymentCryptogram", Base64.encode(cryptogram.reveal()))
                // Only where the token has one: Mastercard's have none.
                fields.set("\(card).devicePayment.eciIndicator", token.eci)
            case .securityCode(let code):
                self.set(token, &fields)
                fields.set("\(card).securityCode", code?.reveal())
            case .emv: return false
            }
        }
        return true
    }

    private func set(_ token: NetworkToken, _ fields: inout JSONFields) {
        fields.set("sourceOfFunds.type", "CARD")
        fields.set("sourceOfFunds.provided.card.number", token.pan.reveal())
        fields.set("sourceOfFunds.provided.card.expiry.month", String(token.expiryYearMonth.suffix(2)))
        fields.set("sourceOfFunds.provided.card.expiry.year", String(token.expiryYearMonth.prefix(2)))
    }
}

extension Money {
    /// Amounts are "a string that consists of the characters 0-9 and '.'" of at most 14 characters (API reference),
    /// with at most three decimals.
    var isTakenByMPGS: Bool {
        self.minorUnits >= 0 && self.currency.exponent <= 3 && self.decimalText.utf8.count <= 14
    }
}
