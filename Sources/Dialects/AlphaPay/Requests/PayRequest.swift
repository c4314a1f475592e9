//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import DialectKit
import Gateway
import Payments
import StrictJSON

/// The body of `apple-pay/pay`.
struct PayRequest: Sendable {
    let paymentID: String
    /// The token as the gateway reads it.
    let tokenJSON: JSON
    /// Which token, as far as the wire says so.
    let tokenIdentifier: String
    /// What the shop calls its customer; of any length that a body can have.
    let customerID: String?
    private let tokenFields: [JSON]

    init(reading body: RequestObject) throws(AlphaPayResult) {
        do throws(FieldError) {
            self.paymentID = try body.string("paymentId", charactersMax: 64)
            self.customerID = try body.optionalString("customerId", charactersMax: AlphaPay.bodyBytesMax, as: .text)
            let token = try body.object("token")
            let identifier = try token.optionalString("transactionIdentifier", charactersMax: 128)
            // What it holds is nobody's word (apps have its type as a number): the token's reader takes what it can.
            _ = try token.optionalObject("paymentMethod")
            let paymentData = try token.object("paymentData")
            let header = try paymentData.object("header")
            let headerIdentifier = try header.optionalString("transactionId", charactersMax: 128)
            self.tokenIdentifier = (headerIdentifier ?? identifier ?? "").lowercased()
            let version = try paymentData.string("version", charactersMax: 16)
            // "ephemeralPublicKey REQUIRED" (AlphaPay, "Apple Pay", pay); Apple's RSA_v1, which that page does not have,
            // has another key in its place.
            let isRSA = version == "RSA_v1"
            self.tokenFields = [
                .string(version),
                .string(try paymentData.string("data", charactersMax: AlphaPay.bodyBytesMax)),
                .string(try paymentData.string("signature", charactersMax: AlphaPay.bodyBytesMax)),
                .string(try header.string("publicKeyHash", charactersMax: 128)),
                try Self.key("ephemeralPublicKey", in: header, isRequired: !isRSA),
                try Self.key("wrappedKey", in: header, isRequired: isRSA),
                try header.optionalString("applicationData", charactersMax: 128).json,
            ]
            self.tokenJSON = Self.completed(body.value("token") ?? .null, transactionIdentifier: identifier)
        } catch {
            throw AlphaPayResult(error)
        }
    }

    /// Once for each order and token: sent again, the same token has the same answer; after a decline another one may
    /// be tried.
    var idempotency: CallContext.Idempotency {
        let fields = JSON.array([.string(self.paymentID), .string(self.tokenIdentifier)] + self.tokenFields)
        return CallContext.Idempotency(
            operation: "pay", key: "\(self.paymentID)/\(self.tokenIdentifier)",
            digest: requestDigest(fields.serialized()))
    }

    /// What is kept with the payment for those who look into it. A customer id that is longer than any id in use is kept
    /// as its digest.
    var keptFields: [String: String] {
        guard let id = self.customerID else { return [:] }
        let isOrdinary = id.unicodeScalars.count <= 256
        return ["customerId": isOrdinary ? id : "sha256:" + Hex.encode(requestDigest(id.utf8))]
    }

    private static func key(
        _ name: String, in header: RequestObject, isRequired: Bool
    ) throws(FieldError) -> JSON {
        guard isRequired else { return try header.optionalString(name, charactersMax: 1024).json }
        return .string(try header.string(name, charactersMax: 1024))
    }

    /// The token with its transaction identifier in the header too: there the vendor calls it optional, but Apple's
    /// signature covers it.
    private static func completed(_ token: JSON, transactionIdentifier: String?) -> JSON {
        guard var object = token.object, let paymentData = object["paymentData"]?.object,
            let header = paymentData["header"]?.object
        else { return token }
        let isThere = header["transactionId"]?.string.map { !$0.isEmpty } ?? false
        guard !isThere, let transactionIdentifier else { return token }
        var completedHeader = header
        completedHeader["transactionId"] = .string(transactionIdentifier)
        var completedData = paymentData
        completedData["header"] = .object(completedHeader)
        object["paymentData"] = .object(completedData)
        return .object(object)
    }
}
