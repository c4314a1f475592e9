//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import StrictJSON

/// `pay_token_data`: the token as the device gave it.
///
/// Pages send paymentData as it is. Apps may send it inside a whole PKPaymentToken, or as the text of either, since on iOS
/// paymentData is a blob.
struct PayTokenData: Sendable {
    let json: JSON

    private static let partCharactersMax = 16 * 1024
    private static let jsonLimits = JSONLimits.ofRequest(bytesMax: 48 * 1024, depthMax: 8, valuesMax: 100)

    init(reading fields: FrontEndFields) throws(TapPayFailure) {
        guard let value = fields.value(["pay_token_data"]) else { throw TapPayFailure(.missingPayTokenData) }
        let json = Self.unwrapped(value)
        guard let object = json.object, !object.isEmpty else {
            throw TapPayFailure(.missingPayTokenData, "pay_token_data must be the token's paymentData, an object.")
        }
        let hasToken = object["paymentData"] != nil
        let paymentData = hasToken ? Self.unwrapped(object["paymentData"] ?? .null) : json
        guard let members = paymentData.object, !members.isEmpty else {
            throw TapPayFailure(
                .missingPayTokenData,
                "paymentData is empty, as the iOS simulator sends it. Use a device, or the wallet simulator.")
        }
        try Self.check(FrontEndFields(members))
        guard hasToken else {
            self.json = paymentData
            return
        }
        var token = object
        token["paymentData"] = paymentData
        self.json = .object(token)
    }

    /// A JSON value that came as its own text.
    private static func unwrapped(_ value: JSON) -> JSON {
        guard let text = value.string, let json = try? JSON.parse(Array(text.utf8), limits: self.jsonLimits) else {
            return value
        }
        return json
    }

    /// Apple, "Payment token format reference".
    private static func check(_ data: FrontEndFields) throws(TapPayFailure) {
        _ = try data.text(
            "data", max: self.partCharactersMax, missing: .missingTokenData, outOfRange: .tokenDataOutOfRange)
        let version = try data.text(
            "version", max: 16, missing: .missingTokenVersion, outOfRange: .tokenVersionOutOfRange)
        _ = try data.text(
            "signature", max: self.partCharactersMax, missing: .missingTokenSignature,
            outOfRange: .tokenSignatureOutOfRange)
        guard let header = data.object("header") else { throw TapPayFailure(.missingTokenHeader) }
        if version == "RSA_v1" {
            // Apple's other version has another key in its place; the vendor has no number of its own for it.
            _ = try header.text(
                "wrappedKey", max: 1024, missing: .missingTokenEphemeralPublicKey,
                outOfRange: .tokenEphemeralPublicKeyOutOfRange)
        } else {
            _ = try header.text(
                "ephemeralPublicKey", max: 1024, missing: .missingTokenEphemeralPublicKey,
                outOfRange: .tokenEphemeralPublicKeyOutOfRange)
        }
        _ = try header.text(
            "publicKeyHash", max: 128, missing: .missingTokenPublicKeyHash, outOfRange: .tokenPublicKeyHashOutOfRange)
        _ = try header.text(
            "transactionId", max: 128, missing: .missingTokenTransactionID,
            outOfRange: .tokenTransactionIDOutOfRange)
    }
}
