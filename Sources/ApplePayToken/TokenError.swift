//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Why a token, a key or a certificate was refused.
///
/// It says what did not match and what to do, and never carries data: no PAN, no cryptogram, no key, none of the
/// token's bytes. What it may name are hashes of public keys, times, lengths and member names.
public struct TokenError: Error, Sendable, CustomStringConvertible {
    /// The stable name of the check that failed, in snake case. The set is open: a later version may add codes.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public var description: String { self.rawValue }
    }

    /// How far the token had come: the stages follow each other in the order of Apple's "Payment token format
    /// reference".
    public struct Stage: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public var description: String { self.rawValue }

        /// Reading the JSON, its base64 and its hexadecimal.
        public static let parse = Self(rawValue: "parse")
        /// The CMS structure, the digest and the signature.
        public static let signature = Self(rawValue: "signature")
        /// The certificates of the signer, up to the trust anchor.
        public static let chain = Self(rawValue: "chain")
        /// The age of the signature.
        public static let window = Self(rawValue: "window")
        /// What the merchant's own request said.
        public static let expectation = Self(rawValue: "expectation")
        /// Finding the merchant's key by its hash.
        public static let keySelection = Self(rawValue: "key_selection")
        /// Restoring the symmetric key and opening the data.
        public static let decryption = Self(rawValue: "decryption")
        /// Reading the opened data.
        public static let payload = Self(rawValue: "payload")
        /// Reading or making certificates, keys and signing requests of a merchant.
        public static let certificate = Self(rawValue: "certificate")
    }

    public let code: Code
    public let stage: Stage
    /// A sentence for the engineer who has to act.
    public let message: String

    public init(_ code: Code, _ stage: Stage, _ message: String) {
        self.code = code
        self.stage = stage
        self.message = message
    }

    /// "signature_invalid (signature): …"
    public var description: String { "\(self.code) (\(self.stage)): \(self.message)" }
}

/// Two errors are equal when the same check failed; the sentence is for people.
extension TokenError: Hashable {
    public static func == (lhs: TokenError, rhs: TokenError) -> Bool {
        lhs.code == rhs.code
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(self.code)
    }
}
