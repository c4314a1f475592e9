//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Redaction
public import StrictJSON

extension PaymentPayload {
    /// The opened data for machines, with Apple's names ("Payment token format reference", Payment data keys).
    ///
    /// - Parameter reveals: False masks the account number and the cardholder's name, and leaves out what could be used
    ///   to pay. True gives all of it in clear: such a value must not reach a log.
    public func json(reveals: Bool) -> JSON {
        func shown(_ secret: Redacted<String>) -> JSON {
            .string(reveals ? secret.reveal() : secret.description)
        }
        var object = JSONObject()
        object["applicationPrimaryAccountNumber"] = .string(
            reveals
                ? self.applicationPrimaryAccountNumber.reveal()
                : MaskedPAN(self.applicationPrimaryAccountNumber).description)
        object["applicationExpirationDate"] = .string(self.applicationExpirationDate.description)
        object["currencyCode"] = .string(self.currencyCode.numericCode)
        object["transactionAmount"] = .number(self.transactionAmount.text)
        object["cardholderName"] = self.cardholderName.map(shown)
        object["deviceManufacturerIdentifier"] = .string(self.deviceManufacturerIdentifier)
        object["paymentDataType"] = .string(self.paymentData.type.rawValue)
        object["paymentData"] = self.paymentData.json(reveals: reveals)
        if !self.authenticationResponses.isEmpty {
            object["authenticationResponses"] = .array(
                self.authenticationResponses.map { $0.json(reveals: reveals) })
        }
        object["merchantTokenIdentifier"] = self.merchantTokenIdentifier.map { shown(Redacted($0)) }
        object["merchantTokenMetadata"] = self.merchantTokenMetadata?.json
        return .object(object)
    }
}

extension PaymentData {
    fileprivate func json(reveals: Bool) -> JSON {
        var object = JSONObject()
        switch self {
        case .threeDSecure(let data):
            if reveals { object["onlinePaymentCryptogram"] = .string(data.cryptogramText.reveal()) }
            object["eciIndicator"] = data.eciIndicator.map { .string($0) }
        case .emv(let data):
            if reveals {
                object["emvData"] = .string(data.emvDataText.reveal())
                object["encryptedPINData"] = data.encryptedPINData.map { .string($0.reveal()) }
            }
        }
        return .object(object)
    }
}

extension AuthenticationResponse {
    fileprivate func json(reveals: Bool) -> JSON {
        var object = JSONObject()
        object["merchantIdentifier"] = .string(self.merchantIdentifier)
        if reveals { object["authenticationData"] = .string(self.authenticationData.reveal()) }
        object["transactionAmount"] = .string(self.transactionAmount)
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
