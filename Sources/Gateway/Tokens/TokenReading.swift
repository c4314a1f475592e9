//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import Money
import Payments
import Redaction

/// What the gateway takes out of an opened token, in the terms of the core.
struct TokenReading: Sendable {
    let amount: Money
    let summary: InstrumentSummary
    let networkToken: NetworkToken

    /// - Throws: ``GatewayRefusal/tokenAmountUnreadable``.
    init(_ token: DecryptedToken) throws(GatewayRefusal) {
        let payload = token.payload
        // Every sample counts in the minor unit and writes an integer (token-format.md, section 7); anything else is
        // refused, not rounded.
        guard let currency = Currency.numeric(payload.currencyCode.numericCode),
            let minorUnits = payload.transactionAmount.integer,
            minorUnits >= 0
        else { throw .tokenAmountUnreadable }
        self.amount = Money(minorUnits: minorUnits, currency: currency)
        let pan = payload.applicationPrimaryAccountNumber
        let expiry = payload.applicationExpirationDate.yearAndMonth
        let proof: NetworkToken.Proof
        var eci: String?
        switch payload.paymentData {
        case .threeDSecure(let data):
            proof = .cryptogram(data.cryptogram)
            eci = data.eciIndicator
        case .emv(let data): proof = .emv(data: data.emvData, encryptedPIN: data.encryptedPINData)
        }
        self.networkToken = NetworkToken(pan: pan, expiryYearMonth: expiry, proof: proof, eci: eci)
        // The device names girocard and cobadged cards better than a range does; the number decides for all others,
        // since nobody signed what the device says.
        let ranged = CardNetwork(pan: pan)
        let named = token.verified.paymentMethod?.network.flatMap(CardNetwork.init(passKitName:))
        self.summary = InstrumentSummary(
            maskedPAN: MaskedPAN(pan), network: ranged == .other ? named ?? .other : ranged, expiryYearMonth: expiry,
            eci: eci, displayName: token.verified.paymentMethod?.displayName.map { String($0.prefix(64)) })
    }
}
