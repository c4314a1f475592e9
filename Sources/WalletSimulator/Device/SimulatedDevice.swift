//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Crypto
import CryptoExtras
public import Foundation
import StrictJSON
import Time

/// A pretend iPhone: mints the payment token that a real one would hand to the merchant, had Apple signed it.
///
/// ```swift
/// let authority = try TestAuthority.make(now: now)
/// let device = SimulatedDevice(authority: authority)
/// let request = PaymentRequest(
///     merchantIdentifier: "merchant.com.example", amountMinorUnits: 1099, currencyCode: "124")
/// let token = try device.mint(
///     request, card: .visa, recipient: ProcessingPublicKey(key.publicKey), signingTime: now)
/// let body = token.paymentDataText
/// ```
public struct SimulatedDevice: Sendable {
    public let authority: TestAuthority
    private let random: RandomSource

    public init(authority: TestAuthority, random: RandomSource = .system) {
        self.authority = authority
        self.random = random
    }

    /// Mints a token.
    ///
    /// - Parameters:
    ///   - recipient: the merchant's payment processing key; P-256 for EC_v1, RSA-2048 for RSA_v1.
    ///   - signingTime: the time of the signature, to the second.
    ///   - options: how the token is to differ from Apple's, for tests.
    /// - Throws: ``SimulatorError`` `recipient_key_differs`, `amount_out_of_range`, `currency_malformed`,
    ///   `signing_time_out_of_range`, `content_key_malformed`, `forgery_does_not_apply`.
    public func mint(
        _ request: PaymentRequest, card: SimulatedCard, recipient: ProcessingPublicKey, signingTime: Date,
        options: MintOptions = MintOptions()
    ) throws -> MintedToken {
        try self.check(request, recipient: recipient, options: options)
        let time = CivilTime(signingTime)
        let payload = PaymentPayload(request: request, card: card, random: self.random, time: time)
        let plaintext =
            try options.plaintext ?? MintedToken.written(payload.json(), escapesSolidus: options.escapesSolidus)
        let seal = PayloadSeal(merchantIdentifier: request.merchantIdentifier, random: self.random, options: options)
        let sealed = try seal.seal(plaintext, to: recipient)
        var parts = MintedToken.Parts(
            key: sealed.key, data: sealed.data, signature: [],
            transactionIdentifier: options.transactionIdentifier ?? self.random.bytes(32),
            publicKeyHash: self.publicKeyHash(of: recipient, options: options),
            applicationDataHash: request.applicationData.map { Array(SHA256.hash(data: $0)) },
            signedMessage: [], plaintext: plaintext)
        parts.signedMessage = self.signedMessage(parts, options: options)
        parts.signature = try TokenSignature(
            message: parts.signedMessage,
            chain: SigningChain(
                authority: self.authority, version: request.version, signingTime: signingTime, options: options),
            signingTime: time, options: options
        ).bytes()
        self.replaceAfterSigning(&parts, options: options)
        return MintedToken(
            paymentData: self.paymentData(parts, version: request.version, options: options),
            paymentMethod: [
                "displayName": .string(card.displayName), "network": .string(card.network.rawValue),
                "type": .string(card.kind.rawValue),
            ],
            transactionIdentifier: Hex.encode(parts.transactionIdentifier), parts: parts,
            billingContact: request.billingContact, shippingContact: request.shippingContact,
            escapesSolidus: options.escapesSolidus)
    }

    private func check(
        _ request: PaymentRequest, recipient: ProcessingPublicKey, options: MintOptions
    ) throws(SimulatorError) {
        guard recipient.version == request.version else {
            throw SimulatorError(
                .recipientKeyDiffers,
                "the request wants \(request.version.rawValue), but the key opens \(recipient.version.rawValue) tokens"
            )
        }
        for forgery in options.forgeries where !forgery.applies(to: request, recipient: recipient) {
            throw SimulatorError(
                .forgeryDoesNotApply, "the forgery \(forgery.rawValue) means nothing for this request and key")
        }
    }

    private func publicKeyHash(of recipient: ProcessingPublicKey, options: MintOptions) -> [UInt8] {
        if options.has(.publicKeyHashUnknown) { return self.random.bytes(32) }
        if options.has(.publicKeyHashOfCertificate), let der = recipient.certificateDER {
            return Array(SHA256.hash(data: der))
        }
        if options.has(.publicKeyHashOfBareKey) {
            switch recipient.key {
            case .p256(let key): return Array(SHA256.hash(data: key.x963Representation))
            case .rsa(let key): return Array(SHA256.hash(data: key.pkcs1DERRepresentation))
            }
        }
        return recipient.publicKeyHash
    }

    /// Key, data, transaction identifier and application data hash as raw bytes, one after the other; the last is
    /// empty if there is none (Payment token format reference, "Verifying the signature").
    private func signedMessage(_ parts: MintedToken.Parts, options: MintOptions) -> [UInt8] {
        var message = parts.key + parts.data
        message +=
            options.has(.transactionIdentifierSignedAsText)
            ? Array(Hex.encode(parts.transactionIdentifier).utf8) : parts.transactionIdentifier
        if let hash = parts.applicationDataHash, !options.has(.applicationDataUnsigned) {
            message += options.has(.applicationDataSignedAsText) ? Array(Hex.encode(hash).utf8) : hash
        }
        return message
    }

    private func replaceAfterSigning(_ parts: inout MintedToken.Parts, options: MintOptions) {
        if options.has(.applicationDataReplaced) || options.has(.applicationDataAdded) {
            parts.applicationDataHash = self.random.bytes(32)
        }
        if options.has(.applicationDataRemoved) { parts.applicationDataHash = nil }
        if options.has(.transactionIdentifierReplaced) { parts.transactionIdentifier = self.random.bytes(32) }
        if options.has(.ciphertextReplaced) { parts.data[0] ^= 0x01 }
        if options.has(.keyReplaced) {
            // Another key on the curve, or another wrapped key: well formed either way.
            let isWrapped = parts.key.count == 256
            parts.key =
                isWrapped
                ? [parts.key[0]] + self.random.bytes(255)
                : Array(P256.KeyAgreement.PrivateKey().publicKey.derRepresentation)
        }
    }

    private func paymentData(
        _ parts: MintedToken.Parts, version: PaymentRequest.Version, options: MintOptions
    ) -> JSON {
        func base64(_ bytes: [UInt8]) -> JSON {
            let text = Data(bytes).base64EncodedString()
            guard options.omitsBase64Padding else { return .string(text) }
            return .string(String(text.prefix { $0 != "=" }))
        }
        var header = JSONObject()
        switch version {
        case .ecV1: header["ephemeralPublicKey"] = base64(parts.key)
        case .rsaV1: header["wrappedKey"] = base64(parts.key)
        }
        header["publicKeyHash"] = base64(parts.publicKeyHash)
        header["transactionId"] = .string(Hex.encode(parts.transactionIdentifier))
        header["applicationData"] = parts.applicationDataHash.map { .string(Hex.encode($0)) }
        return [
            "version": .string(version.rawValue), "data": base64(parts.data), "signature": base64(parts.signature),
            "header": .object(header),
        ]
    }
}
