//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Payments
import StrictJSON

/// How the two ends find out that they belong together, before anything else is said:
///
/// 1. the client: `hello` with the version and a nonce;
/// 2. the server: `challenge` with the version, its own nonce, what the acquirer is called and can do, which book it
///    keeps (``AcquirerBookID``, where it keeps one), and its proof;
/// 3. the client: `proof`;
/// 4. the server: `ready`, with whether it takes operations (``LinkSignOn``).
///
/// A proof is HMAC-SHA-256 under the shared secret over the side's own label and everything that was said before it.
/// The labels differ, so that no side's proof can be played back to it; the nonces make every handshake another.
///
/// Both ends must speak the same version. What has been added since is said only where both know it: each names its revision
/// at the end of its nonce, as a server of TLS 1.3 does in its random (RFC 8446, section 4.1.3), where an older end sees
/// random bytes, and the proofs cover it. So either end may be replaced first.
enum LinkHandshake {
    static let version: Int64 = 12
    /// 0 has no mark. 1 says how long a call may take (``LinkTime``), and of a token that it was refused
    /// (`NotProcessedReason.tokenRefused`).
    static let revision: UInt8 = 1
    static let nonceBytesCount = 32
    private static let revisionMark = Array("LINKREV".utf8)
    static let proofBytesCount = 32

    /// What a server says of itself.
    struct Offer: Hashable, Sendable {
        let acquirer: AcquirerLinkDescription
        let book: AcquirerBookID?
    }

    private static func transcript(_ label: String, _ nonces: Nonces, _ offer: Offer) -> [UInt8] {
        Array("pomona acquirer link 3 \(label)\n\(offer.book?.text ?? "")\n".utf8) + nonces.client + nonces.server
            + offer.acquirer.json.serialized()
    }

    struct Nonces: Sendable {
        let client: [UInt8]
        let server: [UInt8]
    }

    /// A nonce that names the revision; 24 bytes of it are random.
    static func nonce(
        _ random: (Int) -> [UInt8], revision: UInt8 = LinkHandshake.revision
    ) -> [UInt8] {
        random(self.nonceBytesCount - self.revisionMark.count - 1) + self.revisionMark + [revision]
    }

    /// The revision that this end and the other speak, whose nonce it is.
    static func revision(with nonce: [UInt8]) -> UInt8 {
        guard let last = nonce.last, nonce.dropLast().suffix(self.revisionMark.count) == self.revisionMark[...] else {
            return 0
        }
        return min(last, self.revision)
    }

    static func hello(_ nonce: [UInt8]) -> JSON {
        ["type": "hello", "version": JSON(self.version), "nonce": .string(Hex.encode(nonce))]
    }

    static func readHello(_ body: [UInt8]) throws(LinkViolation) -> [UInt8] {
        var reader = try LinkFrame.decode(body)
        try reader.expect("hello")
        try reader.expectVersion()
        let nonce = try reader.hex("nonce", count: self.nonceBytesCount)
        try reader.end()
        return nonce
    }

    static func challenge(_ nonces: Nonces, _ offer: Offer, _ secret: AcquirerLinkSecret) -> JSON {
        let proof = secret.proof(over: self.transcript("server", nonces, offer))
        return .link([
            "type": "challenge", "version": JSON(self.version), "nonce": .string(Hex.encode(nonces.server)),
            "acquirer": offer.acquirer.json, "book": offer.book.map { JSON.string($0.text) },
            "proof": .string(Hex.encode(proof)),
        ])
    }

    /// Reads a challenge and checks the server's proof.
    /// - Returns: what the server offers, the client's proof, and the revision that both speak.
    static func answer(
        _ body: [UInt8], nonce: [UInt8], _ secret: AcquirerLinkSecret
    ) throws(LinkViolation) -> (offer: Offer, proof: JSON, revision: UInt8) {
        var reader = try LinkFrame.decode(body)
        try reader.expect("challenge")
        try reader.expectVersion()
        let nonces = Nonces(client: nonce, server: try reader.hex("nonce", count: self.nonceBytesCount))
        let proof = try reader.hex("proof", count: self.proofBytesCount)
        let offer = Offer(
            acquirer: try AcquirerLinkDescription(try reader.reader("acquirer")), book: try reader.optionalID("book"))
        try reader.end()
        guard secret.accepts(proof, over: self.transcript("server", nonces, offer)) else {
            throw LinkViolation("wrong_proof")
        }
        let own = secret.proof(over: self.transcript("client", nonces, offer))
        return (offer, ["type": "proof", "proof": .string(Hex.encode(own))], self.revision(with: nonces.server))
    }

    static func checkProof(
        _ body: [UInt8], _ nonces: Nonces, _ offer: Offer, _ secret: AcquirerLinkSecret
    ) throws(LinkViolation) {
        var reader = try LinkFrame.decode(body)
        try reader.expect("proof")
        let proof = try reader.hex("proof", count: self.proofBytesCount)
        try reader.end()
        guard secret.accepts(proof, over: self.transcript("client", nonces, offer)) else {
            throw LinkViolation("wrong_proof")
        }
    }

    static func ready(_ signOn: LinkSignOn) -> JSON { ["type": "ready", "signedOff": .bool(signOn.isSignedOff)] }

    static func readReady(_ body: [UInt8]) throws(LinkViolation) -> LinkSignOn {
        var reader = try LinkFrame.decode(body)
        try reader.expect("ready")
        return try LinkSignOn(after: reader)
    }
}

extension LinkReader {
    mutating func expect(_ type: String) throws(LinkViolation) {
        guard try self.text("type") == type else { throw LinkViolation("not_a_\(type)") }
    }

    fileprivate mutating func expectVersion() throws(LinkViolation) {
        guard try self.integer("version") == LinkHandshake.version else { throw LinkViolation("other_version") }
    }
}
