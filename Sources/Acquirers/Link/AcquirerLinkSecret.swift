//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
public import Redaction

/// What both ends of a link know, and prove to each other before anything else is said.
///
/// The proof says who is at the other end; it hides nothing of what follows, and does not stop anybody who can change
/// what is on the wire. A link that leaves the machine needs ``AcquirerLinkTLS`` or a tunnel.
public struct AcquirerLinkSecret: Sendable {
    /// 128 bits. Take 32 bytes where you can: as many as the hash has (RFC 2104, section 3).
    public static let bytesMin = 16

    private let key: Redacted<[UInt8]>

    /// - Parameter bytes: from a random source; at least ``bytesMin``.
    /// - Throws: ``AcquirerLinkError`` with `secret_too_short`.
    public init(_ bytes: Redacted<[UInt8]>) throws(AcquirerLinkError) {
        guard bytes.reveal().count >= Self.bytesMin else {
            throw AcquirerLinkError(
                code: .secretTooShort,
                reason: "the link's secret must have at least \(Self.bytesMin) bytes; make one with a random source")
        }
        self.key = bytes
    }

    func proof(over transcript: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: transcript, using: SymmetricKey(data: self.key.reveal())))
    }

    /// Takes the same time wherever a wrong proof differs.
    func accepts(_ proof: [UInt8], over transcript: [UInt8]) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(
            proof, authenticating: transcript, using: SymmetricKey(data: self.key.reveal()))
    }
}
