//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The version of a payment token, which decides the algorithms of its signature and of its encryption.
public enum TokenVersion: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// ECDSA signature, ECDH key agreement, AES-256-GCM. Everywhere but in some regions.
    case ecV1 = "EC_v1"
    /// RSA signature, RSA-OAEP key transport, AES-128-GCM. China mainland, and a few cards elsewhere.
    case rsaV1 = "RSA_v1"

    public var description: String { self.rawValue }
}
