//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
public import Redaction

/// A merchant as a dialect sees it: recognised by its account, with what can be done with the account's keys but not
/// the keys. A class, because each step of a call hands it on, and it never changes.
public final class MerchantContext: Sendable {
    public let merchant: Merchant
    public let dialect: DialectName
    /// What the wire calls the account.
    public let accountKey: String
    public let settings: [String: String]
    let keys: AccountKeys
    /// Of each of the merchant's accounts with acquirers.
    let acceptors: [AcquirerAccountID: CardAcceptor]

    init(
        merchant: Merchant, dialect: DialectName, accountKey: String, settings: [String: String], keys: AccountKeys,
        acceptors: [AcquirerAccountID: CardAcceptor]
    ) {
        self.merchant = merchant
        self.dialect = dialect
        self.accountKey = accountKey
        self.settings = settings
        self.keys = keys
        self.acceptors = acceptors
    }

    /// Who takes the card of a payment, as its acquirer knows him: for answers that show it.
    public func acceptor(of payment: Payment) -> CardAcceptor {
        self.acceptors[payment.accountID] ?? CardAcceptor()
    }

    /// Signs with the RSA private key of that name, RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017, section 8.2).
    ///
    /// - Throws: ``AccountKeyError`` when the account has no such key.
    public func rsaSignature(over message: some Collection<UInt8>, key name: String) throws -> [UInt8] {
        try self.keys.rsaSignature(over: Array(message), key: name)
    }

    /// Whether a signature is by the RSA public key in the setting of that name, RSASSA-PKCS1-v1_5 with SHA-256.
    public func isValidRSASignature(
        _ signature: [UInt8], over message: some Collection<UInt8>, key name: String
    ) -> Bool {
        self.keys.isValidRSASignature(signature, over: Array(message), key: name)
    }

    /// Whether a candidate is the secret of that name. Takes the same time whatever differs.
    public func matches(_ candidate: Redacted<String>, secret name: String) -> Bool {
        self.keys.matches(candidate, secret: name)
    }

    /// Which of two secrets a candidate is: the one that counts, or the one that it has replaced. Both are compared
    /// always, so that the time does not show which one it was.
    ///
    /// - Parameter digest: what the candidate is of the secret; the secret itself if left out.
    /// - Returns: its name; `nil` where it is neither.
    public func matching(
        _ candidate: Redacted<String>, _ digest: SecretDigest? = nil, of first: String, or second: String
    ) -> String? {
        let isFirst: Bool
        let isSecond: Bool
        if let digest {
            isFirst = self.matches(candidate, digest: digest, of: first)
            isSecond = self.matches(candidate, digest: digest, of: second)
        } else {
            isFirst = self.matches(candidate, secret: first)
            isSecond = self.matches(candidate, secret: second)
        }
        return isFirst ? first : isSecond ? second : nil
    }

    /// How a secret is digested for the wire.
    public enum SecretDigest: Hashable, Sendable {
        /// For PAYONE alone, whose merchants send it; it proves no more than the secret's MD5 does.
        case md5
        case sha384
    }

    /// Whether a candidate is the digest of the secret of that name, in hexadecimal of either case. Takes the same time
    /// whatever differs.
    public func matches(_ candidate: Redacted<String>, digest: SecretDigest, of name: String) -> Bool {
        self.keys.matches(candidate, digest: digest, of: name)
    }

    /// The digest of the secret of that name in lower-case hexadecimal, for messages that carry it.
    public func digest(_ digest: SecretDigest, of name: String) -> Redacted<String>? {
        self.keys.digest(digest, of: name)
    }

    /// HMAC-SHA256 (RFC 2104) over a message with the secret of that name for a key.
    ///
    /// - Throws: ``AccountKeyError`` when the account has no such secret.
    public func hmacSHA256(over message: some Collection<UInt8>, secret name: String) throws -> [UInt8] {
        try self.keys.hmacSHA256(over: Array(message), secret: name)
    }

    /// Whether the account has a secret of that name.
    public func hasSecret(_ name: String) -> Bool { self.keys.secret(name) != nil }

    /// The secret of that name, for schemes that have to put it into a message (PAYONE's notification key).
    public func secret(_ name: String) -> Redacted<String>? {
        self.keys.secret(name)
    }

    /// All of the account's secrets, for whoever takes them out of a text.
    @_spi(Administration)
    public var everySecret: [Redacted<String>] {
        // One that was replaced is kept as one text with its end.
        self.keys.everySecret + [self.webhookSecrets?.previous?.secret].compactMap(\.self)
    }
}

/// An account lacks what its dialect needs: an operator's mistake, not the caller's.
public struct AccountKeyError: Error, Hashable, Sendable, CustomStringConvertible {
    public let name: String

    public var description: String { "the account has no usable key named \(self.name)" }
}
