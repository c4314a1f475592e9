//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Crypto
import CryptoExtras
import Foundation
import Payments
import Redaction

/// An account's keys, unsealed and parsed once.
struct AccountKeys: Sendable {
    private let secrets: [String: Redacted<String>]
    private let privateKeys: [String: _RSA.Signing.PrivateKey]
    private let publicKeys: [String: _RSA.Signing.PublicKey]

    /// Every secret that is a PEM private key and every setting that is a PEM public key is parsed now, not at the
    /// first call.
    init(settings: [String: String], secrets: [String: Redacted<String>]) {
        self.secrets = secrets
        self.privateKeys = secrets.compactMapValues { secret in
            let text = secret.reveal()
            return text.hasPrefix("-----BEGIN") ? try? _RSA.Signing.PrivateKey(pemRepresentation: text) : nil
        }
        self.publicKeys = settings.compactMapValues { text in
            text.hasPrefix("-----BEGIN") ? try? _RSA.Signing.PublicKey(pemRepresentation: text) : nil
        }
    }

    func rsaSignature(over message: [UInt8], key name: String) throws -> [UInt8] {
        guard let key = self.privateKeys[name] else { throw AccountKeyError(name: name) }
        return Array(try key.signature(for: message, padding: .insecurePKCS1v1_5).rawRepresentation)
    }

    func isValidRSASignature(_ signature: [UInt8], over message: [UInt8], key name: String) -> Bool {
        guard let key = self.publicKeys[name] else { return false }
        return key.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: signature), for: message, padding: .insecurePKCS1v1_5)
    }

    /// Compares digests, so that neither the length nor the place of a difference shows in the time taken.
    func matches(_ candidate: Redacted<String>, secret name: String) -> Bool {
        guard let secret = self.secrets[name] else { return false }
        let expected = SHA256.hash(data: Data(secret.reveal().utf8))
        return expected == SHA256.hash(data: Data(candidate.reveal().utf8))
    }

    func matches(_ candidate: Redacted<String>, digest: MerchantContext.SecretDigest, of name: String) -> Bool {
        guard let expected = self.digest(digest, of: name) else { return false }
        return SHA256.hash(data: Data(expected.reveal().utf8))
            == SHA256.hash(data: Data(candidate.reveal().lowercased().utf8))
    }

    func digest(_ digest: MerchantContext.SecretDigest, of name: String) -> Redacted<String>? {
        self.secrets[name]?.map { secret in
            switch digest {
            case .md5: Hex.encode(Insecure.MD5.hash(data: Data(secret.utf8)))
            case .sha384: Hex.encode(SHA384.hash(data: Data(secret.utf8)))
            }
        }
    }

    func hmacSHA256(over message: [UInt8], secret name: String) throws -> [UInt8] {
        guard let secret = self.secrets[name] else { throw AccountKeyError(name: name) }
        return Array(
            HMAC<SHA256>.authenticationCode(
                for: Data(message), using: SymmetricKey(data: Data(secret.reveal().utf8))))
    }

    func secret(_ name: String) -> Redacted<String>? { self.secrets[name] }

    var everySecret: [Redacted<String>] { Array(self.secrets.values) }
}
