//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Clients
import Money
import Payments
import Redaction
import StrictJSON

/// What AUTHORIZE, PAY and VERIFY are asked for.
struct ChargeRequest: Sendable {
    let operation: APIOperation
    let amount: Money
    let charge: Charge
    let acceptor: CardAcceptor
    let notificationURL: String?
    /// Whether the version of the API knows agreements.
    let hasAgreements: Bool

    /// - Parameter withDetails: whether what a payment can do without is sent too.
    /// - Returns: `nil` for an instrument for which the gateway has no field.
    func body(withDetails: Bool) -> Redacted<JSON>? {
        guard let source = CommWebClient.Source(self.charge.instrument) else { return nil }
        var body = CommWebClient.ChargeBody(self.operation, self.amount, source)
        body.notificationURL = self.notificationURL
        // Not one of the details that a payment can do without: what the merchant asks for alone must not pass for the
        // customer's.
        body.initiation = CommWebClient.Initiation(self.charge, hasAgreements: self.hasAgreements)
        body.acceptsPartialAmount = self.charge.acceptsPartialApproval
        if withDetails {
            body.details = CommWebClient.Details(
                self.charge.details, self.acceptor, movesMoney: self.operation != .verify)
        }
        return Redacted(body.json)
    }
}

extension CommWebClient.Source {
    fileprivate init?(_ instrument: PaymentInstrument) {
        switch instrument {
        case .sealedApplePayToken(let token):
            // As it came.
            self = .paymentToken(token.paymentData.map { String(decoding: $0, as: UTF8.self) })
        case .networkToken(let token):
            switch token.proof {
            case .cryptogram(let cryptogram):
                self = .device(
                    OpenedToken(
                        number: token.pan, expiryYearMonth: token.expiryYearMonth,
                        cryptogram: cryptogram.map { Base64.encode($0) }, eci: token.eci))
            case .securityCode(let code):
                self = .card(
                    TypedCard(number: token.pan, expiryYearMonth: token.expiryYearMonth, securityCode: code))
            case .emv: return nil
            }
        }
    }
}
