//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Crypto
import CryptoExtras
import Foundation
import StrictJSON

@testable import OpenIDConnect

/// A key of the stand-in's, with which it signs and which it publishes.
struct StandInKey: Sendable {
    enum Kind: Sendable {
        case rsa(_RSA.Signing.PrivateKey)
        case ec(P256.Signing.PrivateKey)
    }

    let id: String?
    let kind: Kind

    /// Made once: RSA keys take their time.
    static let rsa = StandInKey(id: "rsa-1", kind: .rsa(Self.makeRSA(2048)))
    static let otherRSA = StandInKey(id: "rsa-2", kind: .rsa(Self.makeRSA(2048)))
    static let ec = StandInKey(id: "ec-1", kind: .ec(P256.Signing.PrivateKey()))

    static func makeRSA(_ bits: Int) -> _RSA.Signing.PrivateKey {
        do {
            return try bits < 2048
                ? _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: bits)) : .init(keySize: .init(bitCount: bits))
        } catch {
            preconditionFailure("no RSA key: \(error)")
        }
    }

    func named(_ id: String?) -> StandInKey { StandInKey(id: id, kind: self.kind) }

    var algorithm: String {
        switch self.kind {
        case .rsa: "RS256"
        case .ec: "ES256"
        }
    }

    /// As it is published.
    var jwk: JSONObject {
        var object = JSONObject()
        object["kid"] = self.id.map(JSON.string)
        switch self.kind {
        case .rsa(let key):
            let numbers = try? key.publicKey.getKeyPrimitives()
            object["kty"] = "RSA"
            object["n"] = .string(Base64URL.encode(Array(numbers?.modulus ?? Data())))
            object["e"] = .string(Base64URL.encode(Array(numbers?.publicExponent ?? Data())))
        case .ec(let key):
            let point = Array(key.publicKey.rawRepresentation)
            object["kty"] = "EC"
            object["crv"] = "P-256"
            object["x"] = .string(Base64URL.encode(point[..<32]))
            object["y"] = .string(Base64URL.encode(point[32...]))
        }
        return object
    }

    var publicPEM: String {
        switch self.kind {
        case .rsa(let key): key.publicKey.pemRepresentation
        case .ec(let key): key.publicKey.pemRepresentation
        }
    }

    func sign(_ input: String) throws -> [UInt8] {
        switch self.kind {
        case .rsa(let key):
            Array(try key.signature(for: Data(input.utf8), padding: .insecurePKCS1v1_5).rawRepresentation)
        case .ec(let key): Array(try key.signature(for: Data(input.utf8)).rawRepresentation)
        }
    }
}
