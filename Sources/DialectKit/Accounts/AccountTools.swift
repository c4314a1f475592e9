//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
public import Payments
public import Redaction

/// What credentials are made with.
public struct AccountTools: Sendable {
    /// Makes a key and a certificate for TLS clients, both PEM.
    public typealias MakeClientIdentity =
        @Sendable (_ name: String) throws -> (certificatePEM: String, privateKeyPEM: String)

    /// That many bytes of a cryptographically secure source.
    public let random: @Sendable (Int) -> [UInt8]
    public let keys: AccountKeyTools
    /// By an authority that this gateway's listeners trust; `nil` where there is no such authority.
    public var makeClientIdentity: MakeClientIdentity?
    /// Whether the wire knows an account by that name already.
    public var isTaken: @Sendable (DialectName, _ key: String) async throws -> Bool

    public init(
        random: @escaping @Sendable (Int) -> [UInt8], keys: AccountKeyTools,
        makeClientIdentity: MakeClientIdentity? = nil,
        isTaken: @escaping @Sendable (DialectName, _ key: String) async throws -> Bool = { _, _ in false }
    ) {
        self.random = random
        self.keys = keys
        self.makeClientIdentity = makeClientIdentity
        self.isTaken = isTaken
    }

    /// A password: 128 random bits as hexadecimal digits.
    public func password() -> String { Hex.encode(self.random(16)) }

    /// An id: capital letters and digits, without those that people take for one another. Five bits each.
    public func letters(_ count: Int) -> String {
        let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789".utf8)
        return String(decoding: self.random(count).map { alphabet[Int($0 & 0x1F)] }, as: UTF8.self)
    }

    /// A number of so many digits, the first not 0.
    public func number(digits: Int) -> String {
        let least = (1..<digits).reduce(UInt64(1)) { power, _ in power * 10 }
        let drawn = self.random(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // Of 64 bits, so that no number is noticeably more likely than another.
        return String(least + drawn % (9 * least))
    }
}

/// What is to be known of keys and certificates to make and to check accounts. Dialects know nothing of cryptography: the
/// composition root does.
public struct AccountKeyTools: Sendable {
    /// A key pair, PEM.
    public struct KeyPair: Sendable {
        public let privateKeyPEM: Redacted<String>
        public let publicKeyPEM: String

        public init(privateKeyPEM: Redacted<String>, publicKeyPEM: String) {
            self.privateKeyPEM = privateKeyPEM
            self.publicKeyPEM = publicKeyPEM
        }
    }

    /// A new RSA key of 2048 bits.
    public let makeRSAKey: @Sendable () throws -> KeyPair
    /// The key pair of an RSA private key, PEM; `nil` for anything else, and for one of less than 2048 bits.
    public let rsaKey: @Sendable (_ privateKeyPEM: String) -> KeyPair?
    /// An RSA public key, PEM, as it is kept; `nil` for anything else, and for one of less than 2048 bits.
    public let rsaPublicKey: @Sendable (_ publicKeyPEM: String) -> String?
    /// SHA-256 of a certificate's DER, in hexadecimal digits, of its PEM; `nil` for anything else.
    public let certificateSHA256: @Sendable (_ certificatePEM: String) -> String?

    public init(
        makeRSAKey: @escaping @Sendable () throws -> KeyPair, rsaKey: @escaping @Sendable (String) -> KeyPair?,
        rsaPublicKey: @escaping @Sendable (String) -> String?,
        certificateSHA256: @escaping @Sendable (String) -> String?
    ) {
        self.makeRSAKey = makeRSAKey
        self.rsaKey = rsaKey
        self.rsaPublicKey = rsaPublicKey
        self.certificateSHA256 = certificateSHA256
    }
}
