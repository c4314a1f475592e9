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
enum LinkHandshake {
    static let version: Int64 = 12
    static let nonceBytesCount = 32
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
    /// - Returns: what the server offers, and the client's proof.
    static func answer(
        _ body: [UInt8], nonce: [UInt8], _ secret: AcquirerLinkSecret
    ) throws(LinkViolation) -> (Offer, JSON) {
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
        return (offer, ["type": "proof", "proof": .string(Hex.encode(own))])
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
