//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import Money
import Redaction

/// What was inside a token, for people. Without `reveals` the account number is masked and what could be used to pay is
/// left out.
struct PayloadReport {
    private let payload: PaymentPayload
    private let reveals: Bool

    init(_ payload: PaymentPayload, reveals: Bool) {
        self.payload = payload
        self.reveals = reveals
    }

    var fields: Fields {
        var fields = Fields()
        fields.add("account number", "\(self.accountNumber) (of the device, not of the card)")
        fields.add("expires", "\(self.payload.applicationExpirationDate.year)-\(self.month)")
        fields.add("amount", self.amount)
        fields.add("cardholder", self.payload.cardholderName.map(self.shown))
        fields.add("device", self.payload.deviceManufacturerIdentifier)
        fields.add("proof", self.payload.paymentData.type.rawValue)
        switch self.payload.paymentData {
        case .threeDSecure(let data):
            fields.add("ECI", data.eciIndicator ?? "none (the network gives none)")
            fields.add("cryptogram", self.proof(data.cryptogramText, bytesCount: data.cryptogram.reveal().count))
        case .emv(let data):
            fields.add("EMV data", self.proof(data.emvDataText, bytesCount: data.emvData.reveal().count))
            fields.add("encrypted PIN", data.encryptedPINData.map(self.shown) ?? "none")
        }
        for response in self.payload.authenticationResponses {
            fields.add(
                "also for",
                "merchant \(Text.abbreviated(response.merchantIdentifier)), amount \(response.transactionAmount)")
            if self.reveals { fields.add("", "cryptogram \(response.authenticationData.reveal())") }
        }
        fields.add("merchant token", self.payload.merchantTokenIdentifier.map { self.shown(Redacted($0)) })
        fields.add("", self.payload.merchantTokenMetadata?.cardMetadata?.longDescription)
        return fields
    }

    private var accountNumber: String {
        self.reveals
            ? self.payload.applicationPrimaryAccountNumber.reveal()
            : MaskedPAN(self.payload.applicationPrimaryAccountNumber).description
    }

    private var month: String {
        let month = self.payload.applicationExpirationDate.month
        return month < 10 ? "0\(month)" : "\(month)"
    }

    /// "10.99 CAD"; as written where the currency is none of ISO 4217 or the amount no whole number.
    private var amount: String {
        guard let currency = Currency.numeric(self.payload.currencyCode.numericCode),
            let minorUnits = self.payload.transactionAmount.integer
        else { return "\(self.payload.transactionAmount) in currency \(self.payload.currencyCode)" }
        return Money(minorUnits: minorUnits, currency: currency).description
    }

    private func shown(_ secret: Redacted<String>) -> String {
        self.reveals ? secret.reveal() : secret.description
    }

    private func proof(_ text: Redacted<String>, bytesCount: Int) -> String {
        self.reveals ? text.reveal() : "\(bytesCount) bytes, not shown"
    }
}
