//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Payments
import Redaction
import StrictJSON

// What is paid with, on the wire.

extension JSON {
    static func link(_ instrument: PaymentInstrument) -> JSON {
        switch instrument {
        case .sealedApplePayToken(let token):
            return .link([
                "form": "sealedApplePayToken", "paymentData": .string(Base64.encode(token.paymentData.reveal())),
                "transactionIdentifier": .string(token.transactionIdentifier),
                "networkName": token.network.map(JSON.string), "methodType": token.methodType.map(JSON.string),
                "displayName": token.displayName.map(JSON.string),
            ])
        case .networkToken(let token):
            var members: JSONObject = JSONObject()
            members["form"] = "networkToken"
            members["pan"] = .string(token.pan.reveal())
            members["expiry"] = .string(token.expiryYearMonth)
            members["eci"] = token.eci.map(JSON.string)
            switch token.proof {
            case .cryptogram(let bytes):
                members["proof"] = "cryptogram"
                members["cryptogram"] = .string(Base64.encode(bytes.reveal()))
            case .emv(let data, let pin):
                members["proof"] = "emv"
                members["emv"] = .string(Base64.encode(data.reveal()))
                members["encryptedPIN"] = pin.map { .string($0.reveal()) }
            case .securityCode(let code):
                members["proof"] = "securityCode"
                members["securityCode"] = code.map { .string($0.reveal()) }
            }
            return .object(members)
        }
    }
}

extension LinkReader {
    mutating func instrument() throws(LinkViolation) -> PaymentInstrument {
        var reader = try self.reader("instrument")
        let instrument: PaymentInstrument
        switch try reader.text("form") {
        case "sealedApplePayToken":
            instrument = .sealedApplePayToken(
                SealedApplePayToken(
                    paymentData: Redacted(try reader.base64("paymentData")),
                    transactionIdentifier: try reader.text("transactionIdentifier"),
                    network: try reader.optionalLongText("networkName"),
                    methodType: try reader.optionalLongText("methodType"),
                    displayName: try reader.optionalLongText("displayName")))
        case "networkToken":
            instrument = .networkToken(
                NetworkToken(
                    pan: Redacted(try reader.text("pan")), expiryYearMonth: try reader.text("expiry"),
                    proof: try reader.proof(), eci: try reader.optionalText("eci")))
        default: throw LinkViolation("bad_form")
        }
        try reader.end()
        return instrument
    }

    private mutating func proof() throws(LinkViolation) -> NetworkToken.Proof {
        switch try self.text("proof") {
        case "cryptogram": return .cryptogram(Redacted(try self.base64("cryptogram")))
        case "emv":
            return .emv(
                data: Redacted(try self.base64("emv")),
                encryptedPIN: try self.optionalLongText("encryptedPIN").map { Redacted($0) })
        case "securityCode": return .securityCode(try self.optionalText("securityCode").map { Redacted($0) })
        default: throw LinkViolation("bad_proof")
        }
    }
}
