//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding

/// All of a merchant's payment processing keys, found by public key hash.
///
/// Any number of keys may be active at once, so that a new certificate needs no downtime: add the new key before it is
/// activated at Apple, and drop the old one when its hash no longer arrives.
public struct TokenKeyring: Sendable {
    /// Usually one key for each hash. Two, when the same key pair was certified for two merchant identifiers.
    private let keysByHash: [[UInt8]: [PaymentProcessingKey]]
    public let keys: [PaymentProcessingKey]

    public init(_ keys: [PaymentProcessingKey] = []) {
        self.keys = keys
        self.keysByHash = Dictionary(grouping: keys, by: \.publicKeyHash)
    }

    /// The keys that the header asks for, never any other one.
    func keys(for header: TokenHeader) throws(TokenError) -> [PaymentProcessingKey] {
        guard let keys = self.keysByHash[header.publicKeyHash] else {
            let known = self.keysByHash.keys.map(Base64.encode).sorted()
            let what =
                switch known.count {
                case 0: "this merchant has no key"
                case 1: "this merchant has \(known[0])"
                default:
                    "this merchant has " + known.dropLast().joined(separator: ", ") + " and \(known[known.count - 1])"
                }
            throw TokenError(
                .keyUnknown, .keySelection,
                "The token is encrypted to the key with the hash \(header.publicKeyHashText); \(what).")
        }
        let version = header.key.version
        let fitting = keys.filter { $0.version == version }
        guard !fitting.isEmpty else {
            throw TokenError(
                .keyAlgorithmMismatch, .keySelection,
                "The token is of version \(version), and the key that it asks for opens \(keys[0].version).")
        }
        return fitting
    }
}
