//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import JWTKit
import StrictJSON

/// How ID tokens may be signed: never with "none", and never with a secret that the client has as well.
enum SigningAlgorithm: String, Hashable, Sendable, CaseIterable {
    /// RSASSA-PKCS1-v1_5 with SHA-256, which every provider has (OpenID Connect Core 1.0, section 15.1).
    case rs256 = "RS256"
    /// ECDSA with P-256 and SHA-256.
    case es256 = "ES256"
}

/// The keys that a provider publishes (RFC 7517, section 5), those that sign.
struct ProviderKeys: Sendable {
    struct Key: Sendable {
        let id: String?
        let algorithm: SigningAlgorithm
        fileprivate let verifier: any JWTAlgorithm

        /// - Parameter input: the first two parts of the token, as they came (RFC 7515, section 5.2).
        func verifies(_ signature: [UInt8], of input: [UInt8]) -> Bool {
            (try? self.verifier.verify(signature, signs: input)) ?? false
        }
    }

    private static let keysMax = 64
    /// Of 8192 bits. A longer key only makes whoever verifies work.
    private static let modulusCharactersMax = 1366

    let keys: [Key]

    init(_ json: JSON) async throws(OpenIDFailure) {
        guard let entries = json["keys"]?.array, entries.count <= Self.keysMax else {
            throw OpenIDFailure(.providerAnswerUnreadable)
        }
        var keys: [Key] = []
        // Keys of other kinds and uses stand beside them, and are none of ours (section 5).
        for entry in entries {
            guard let object = entry.object, let key = await Self.key(object) else { continue }
            keys.append(key)
        }
        self.keys = keys
    }

    /// The key of a token. One without a name is found where there is only one that it could be (OpenID Connect Core 1.0,
    /// section 10.1).
    func key(_ id: String?, _ algorithm: SigningAlgorithm) -> Key? {
        let fitting = self.keys.filter { $0.algorithm == algorithm }
        guard let id else { return fitting.count == 1 ? fitting.first : nil }
        return fitting.first { $0.id?.isExactly(id) == true }
    }

    private static func key(_ object: JSONObject) async -> Key? {
        guard object["use"]?.string ?? "sig" == "sig",
            object["key_ops"]?.array?.contains(.string("verify")) ?? true
        else { return nil }
        let algorithm: SigningAlgorithm
        let collection = JWTKeyCollection()
        do {
            switch object["kty"]?.string {
            case "RSA":
                guard let modulus = object["n"]?.string, let exponent = object["e"]?.string,
                    modulus.utf8.count <= self.modulusCharactersMax, Base64URL.decode(modulus) != nil,
                    let exponentBytes = Base64URL.decode(exponent), exponentBytes.count <= 8
                else { return nil }
                algorithm = .rs256
                // Refuses less than 2048 bits.
                await collection.add(
                    rsa: try Insecure.RSA.PublicKey(modulus: modulus, exponent: exponent), digestAlgorithm: .sha256)
            case "EC":
                guard object["crv"]?.string == "P-256", let x = object["x"]?.string, let y = object["y"]?.string,
                    Base64URL.decode(x)?.count == 32, Base64URL.decode(y)?.count == 32
                else { return nil }
                algorithm = .es256
                // Refuses a point that is not on the curve.
                await collection.add(ecdsa: try ECDSA.PublicKey<P256>(parameters: (x, y)))
            default: return nil
            }
            guard object["alg"]?.string ?? algorithm.rawValue == algorithm.rawValue else { return nil }
            return Key(id: object["kid"]?.string, algorithm: algorithm, verifier: try await collection.getKey())
        } catch {
            return nil
        }
    }
}
