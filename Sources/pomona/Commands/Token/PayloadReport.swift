//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import Money
import Redaction
import StrictJSON

/// What was inside a token, for people and as JSON. Without `reveals` the account number is masked and what could be
/// used to pay is left out.
struct PayloadReport {
    private let payload: PaymentPayload
    private let reveals: Bool

    init(_ payload: PaymentPayload, reveals: Bool) {
        self.payload = payload
        self.reveals = reveals
    }

    /// Keys as Apple names them.
    var json: JSON {
        var object = JSONObject()
        object["applicationPrimaryAccountNumber"] = .string(self.accountNumber)
        object["applicationExpirationDate"] = .string(self.payload.applicationExpirationDate.description)
        object["currencyCode"] = .string(self.payload.currencyCode.numericCode)
        object["transactionAmount"] = .number(self.payload.transactionAmount.text)
        object["cardholderName"] = self.payload.cardholderName.map { .string(self.shown($0)) }
        object["deviceManufacturerIdentifier"] = .string(self.payload.deviceManufacturerIdentifier)
        object["paymentDataType"] = .string(self.payload.paymentData.type.rawValue)
        object["paymentData"] = self.paymentDataJSON
        if !self.payload.authenticationResponses.isEmpty {
            object["authenticationResponses"] = .array(self.payload.authenticationResponses.map(self.json))
        }
        object["merchantTokenIdentifier"] = self.payload.merchantTokenIdentifier.map {
            .string(self.shown(Redacted($0)))
        }
        object["merchantTokenMetadata"] = self.payload.merchantTokenMetadata?.json
        return .object(object)
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

    private var paymentDataJSON: JSON {
        var object = JSONObject()
        switch self.payload.paymentData {
        case .threeDSecure(let data):
            if self.reveals { object["onlinePaymentCryptogram"] = .string(data.cryptogramText.reveal()) }
            object["eciIndicator"] = data.eciIndicator.map { .string($0) }
        case .emv(let data):
            if self.reveals {
                object["emvData"] = .string(data.emvDataText.reveal())
                object["encryptedPINData"] = data.encryptedPINData.map { .string($0.reveal()) }
            }
        }
        return .object(object)
    }

    private func json(_ response: AuthenticationResponse) -> JSON {
        var object = JSONObject()
        object["merchantIdentifier"] = .string(response.merchantIdentifier)
        if self.reveals { object["authenticationData"] = .string(response.authenticationData.reveal()) }
        object["transactionAmount"] = .string(response.transactionAmount)
        return .object(object)
    }
}

extension MerchantTokenMetadata {
    fileprivate var json: JSON {
        var object = JSONObject()
        if !self.cardArt.isEmpty {
            object["cardArt"] = .array(
                self.cardArt.map { art in
                    var member = JSONObject()
                    member["name"] = art.name.map { .string($0) }
                    member["type"] = art.type.map { .string($0) }
                    member["url"] = art.url.map { .string($0) }
                    return .object(member)
                })
        }
        if let card = self.cardMetadata {
            var member = JSONObject()
            member["cardCountry"] = card.cardCountry.map { .string($0) }
            member["expirationDate"] = card.expirationDate.map { .string($0) }
            member["fpanSuffix"] = card.fpanSuffix.map { .string($0) }
            member["longDescription"] = card.longDescription.map { .string($0) }
            member["shortDescription"] = card.shortDescription.map { .string($0) }
            object["cardMetadata"] = .object(member)
        }
        return .object(object)
    }
}
