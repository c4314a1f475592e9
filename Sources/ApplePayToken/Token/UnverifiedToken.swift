//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
public import StrictJSON

/// A payment token that has been read and nothing more: every part has its shape, and nobody has vouched for any of it.
///
/// ``TokenVerifier/verify(_:at:expecting:)`` makes a ``VerifiedToken`` of it, and only that can be decrypted.
public struct UnverifiedToken: Hashable, Sendable {
    public let version: TokenVersion
    public let header: TokenHeader
    /// What the device says about the card; untrusted, and nil when only paymentData was given.
    public let paymentMethod: TokenPaymentMethod?

    /// Cipher text followed by the 16-byte tag.
    let data: [UInt8]
    /// The detached CMS signature (BER).
    let signature: [UInt8]

    /// A token whose parts came apart, as some payment APIs carry them: raw bytes, already decoded.
    ///
    /// - Parameters:
    ///   - version: Must go with the kind of key in the header.
    ///   - data: Cipher text and tag, more than 16 bytes.
    ///   - signature: The CMS as BER.
    /// - Throws: ``TokenError`` of the stage `parse`.
    public init(
        version: TokenVersion, data: [UInt8], signature: [UInt8], header: TokenHeader,
        paymentMethod: TokenPaymentMethod? = nil
    ) throws(TokenError) {
        guard header.key.version == version else {
            throw TokenError(
                .headerKeyConflict, .parse,
                "The token says \(version), but its header carries the \(header.key) of \(header.key.version).")
        }
        guard data.count > TokenCipher.tagLength else {
            throw TokenError(
                .dataTooShort, .parse,
                "data has \(data.count) bytes; there must be cipher text and a tag of \(TokenCipher.tagLength) bytes.")
        }
        guard !signature.isEmpty else {
            throw TokenError(.signatureEmpty, .parse, "signature is empty; an unsigned token cannot be accepted.")
        }
        self.version = version
        self.header = header
        self.paymentMethod = paymentMethod
        self.data = data
        self.signature = signature
    }

    /// The token as the paymentData object of Apple's format, for an acquirer that opens tokens itself.
    public var paymentDataJSON: JSON {
        var header = JSONObject()
        switch self.header.key {
        case .ephemeralPublicKey(let bytes): header["ephemeralPublicKey"] = .string(Base64.encode(bytes))
        case .wrappedKey(let bytes): header["wrappedKey"] = .string(Base64.encode(bytes))
        }
        header["publicKeyHash"] = .string(self.header.publicKeyHashText)
        header["transactionId"] = .string(self.header.transactionIdentifierText)
        if let hash = self.header.applicationDataHash { header["applicationData"] = .string(Hex.encode(hash)) }
        return [
            "version": .string(self.version.rawValue),
            "data": .string(Base64.encode(self.data)),
            "signature": .string(Base64.encode(self.signature)),
            "header": .object(header),
        ]
    }
}

extension UnverifiedToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Names the version and the transaction; data, signature and keys are not shown.
    public var description: String {
        "UnverifiedToken(\(self.version), transactionId: \(self.header.transactionIdentifierText))"
    }

    public var debugDescription: String { self.description }

    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
