//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Foundation
import StrictJSON
import Time

/// The payload of a token, before it is encrypted (Payment token format reference, "Payment data keys").
struct PaymentPayload {
    let request: PaymentRequest
    let card: SimulatedCard
    let random: RandomSource
    let time: CivilTime

    /// The keys in the order in which devices write them.
    func json() throws(SimulatorError) -> JSON {
        guard self.request.amountMinorUnits >= 0 else {
            throw SimulatorError(.amountOutOfRange, "the amount must not be negative")
        }
        guard (1...3).contains(self.request.currencyCode.utf8.count),
            self.request.currencyCode.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else {
            throw SimulatorError(
                .currencyMalformed, "the currency must be an ISO 4217 numeric code of up to three digits, such as 124")
        }
        var members = JSONObject()
        members["applicationPrimaryAccountNumber"] = .string(self.card.dpan)
        members["applicationExpirationDate"] = .string(self.card.expirationDate)
        members["currencyCode"] = .string(self.request.currencyCode)
        members["transactionAmount"] = JSON(self.request.amountMinorUnits)
        members["cardholderName"] = self.request.cardholderName.map(JSON.string)
        members["deviceManufacturerIdentifier"] = .string(self.request.deviceManufacturerIdentifier)
        members["paymentDataType"] = .string(self.request.kind.rawValue)
        members["paymentData"] =
            switch self.request.kind {
            case .threeDSecure: self.threeDSecure()
            case .emv: try self.emv()
            }
        if !self.request.authenticationResponses.isEmpty {
            members["authenticationResponses"] = .array(
                self.request.authenticationResponses.map { response in
                    [
                        "merchantIdentifier": .string(response.merchantIdentifier),
                        "authenticationData": .string(Data(response.authenticationData).base64EncodedString()),
                        "transactionAmount": .string(String(response.amountMinorUnits)),
                    ]
                })
        }
        members["merchantTokenIdentifier"] = self.request.merchantToken.map { .string($0.identifier) }
        members["merchantTokenMetadata"] = self.request.merchantToken?.metadata
        return .object(members)
    }

    private func threeDSecure() -> JSON {
        var members = JSONObject()
        let cryptogram = self.random.bytes(self.card.cryptogramByteCount)
        members["onlinePaymentCryptogram"] = .string(Data(cryptogram).base64EncodedString())
        members["eciIndicator"] = self.card.eci.map(JSON.string)
        return .object(members)
    }

    private func emv() throws(SimulatorError) -> JSON {
        var members = JSONObject()
        let chipData = try ChipData(request: self.request, random: self.random, time: self.time).bytes()
        members["emvData"] = .string(Data(chipData).base64EncodedString())
        members["encryptedPINData"] = self.request.encryptedPINData.map { .string(Hex.encode($0, isUpperCase: true)) }
        return .object(members)
    }
}
