//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
public import StrictJSON

extension UnverifiedToken {
    /// Reads a token from JSON text (UTF-8): paymentData, a whole PKPaymentToken, or a whole Apple Pay JS payment
    /// object.
    ///
    /// Base64 is strict, with the standard alphabet and without white space; only the signature may come without
    /// padding, as it does in genuine tokens. An API that wraps lines or uses another alphabet must undo that itself
    /// and use the memberwise initializer.
    ///
    /// - Throws: ``TokenError`` of the stage `parse`.
    public init(parsing bytes: some Collection<UInt8>) throws(TokenError) {
        let json: JSON
        do {
            json = try JSON.parse(bytes, limits: UnverifiedToken.limits)
        } catch {
            throw TokenError(.jsonMalformed, .parse, "The token is not JSON as RFC 8259 has it: \(error).")
        }
        try self.init(json: json)
    }

    /// A token with its payment object is 3–6 KB; these bounds leave room for long contact names and nothing else.
    private static let limits = JSONLimits(bytesMax: 1 << 17, depthMax: 16, valuesMax: 2_000)

    /// Reads a token from JSON: paymentData, a whole PKPaymentToken, or a whole Apple Pay JS payment object.
    ///
    /// - Throws: ``TokenError`` of the stage `parse`.
    public init(json: JSON) throws(TokenError) {
        let outer = TokenMembers(try UnverifiedToken.outerObject(json), path: "")
        guard outer.object["paymentData"] != nil else {
            try self.init(paymentData: outer, paymentMethod: nil)
            return
        }
        let paymentData = try UnverifiedToken.paymentData(outer)
        try self.init(paymentData: paymentData, paymentMethod: try UnverifiedToken.paymentMethod(outer))
        if let identifier = try outer.optionalString("transactionIdentifier") {
            guard Hex.decode(identifier) == self.header.transactionIdentifier else {
                throw TokenError(
                    .transactionIdentifierMismatch, .parse,
                    "transactionIdentifier is not header.transactionId; the parts are of two different tokens.")
            }
        }
    }

    /// The object that holds paymentData, or paymentData itself.
    private static func outerObject(_ json: JSON) throws(TokenError) -> JSONObject {
        guard let object = json.object else {
            throw TokenError(.tokenShapeUnknown, .parse, "The token is \(json.kind); an object is expected.")
        }
        if object["paymentData"] != nil || object["version"] != nil { return object }
        if let token = object["token"] {
            guard let inner = token.object, inner["paymentData"] != nil else {
                throw TokenError(
                    .tokenShapeUnknown, .parse,
                    "The member token is not a PKPaymentToken: it has no paymentData.")
            }
            return inner
        }
        throw TokenError(
            .tokenShapeUnknown, .parse,
            "The object is neither paymentData (version, data, signature, header), nor a PKPaymentToken (paymentData), "
                + "nor an Apple Pay JS payment (token).")
    }

    private static func paymentData(_ outer: TokenMembers) throws(TokenError) -> TokenMembers {
        let value = outer.object["paymentData"]
        if value == .null || value == "" || value?.object?.isEmpty == true {
            throw TokenError(
                .paymentDataEmpty, .parse,
                "paymentData is empty, as the iOS simulator sends it. Use a device, or mint a token with the "
                    + "wallet simulator."
            )
        }
        return try outer.members("paymentData")
    }

    /// Nobody signs what is in it and nothing is decided by it: a member of another type is as good as absent.
    private static func paymentMethod(_ outer: TokenMembers) throws(TokenError) -> TokenPaymentMethod? {
        guard let method = outer.object["paymentMethod"], method != .null else { return nil }
        let members = try outer.members("paymentMethod")
        return TokenPaymentMethod(
            displayName: members.fittingString("displayName"), network: members.fittingString("network"),
            type: members.fittingString("type")
                ?? members.object["type"]?.integer.flatMap(TokenPaymentMethod.typeName))
    }

    private init(paymentData: TokenMembers, paymentMethod: TokenPaymentMethod?) throws(TokenError) {
        let versionText = try paymentData.string("version")
        guard let version = TokenVersion(rawValue: versionText) else {
            let known = TokenVersion.allCases.map(\.rawValue).joined(separator: " and ")
            throw TokenError(.versionUnsupported, .parse, "The version is not supported; known are \(known).")
        }
        let header = try paymentData.members("header")
        try self.init(
            version: version,
            data: try paymentData.base64("data"),
            signature: try paymentData.base64("signature", padding: .optional),
            header: try TokenHeader(members: header, version: version),
            paymentMethod: paymentMethod)
    }
}

extension TokenHeader {
    fileprivate init(members: TokenMembers, version: TokenVersion) throws(TokenError) {
        let (name, foreignName) =
            switch version {
            case .ecV1: ("ephemeralPublicKey", "wrappedKey")
            case .rsaV1: ("wrappedKey", "ephemeralPublicKey")
            }
        if try members.optionalString(foreignName) != nil {
            throw TokenError(
                .headerKeyConflict, .parse, "header.\(foreignName) does not belong into a token of version \(version).")
        }
        let keyBytes = try members.base64(name)
        try self.init(
            publicKeyHash: try members.base64("publicKeyHash"),
            transactionIdentifier: try members.hex("transactionId"),
            applicationDataHash: try members.optionalHex("applicationData"),
            key: version == .ecV1 ? .ephemeralPublicKey(keyBytes) : .wrappedKey(keyBytes))
    }
}
