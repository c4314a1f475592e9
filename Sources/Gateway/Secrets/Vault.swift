//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import Foundation
public import Payments
public import Redaction
public import Time

/// Why a secret cannot be sealed or opened: an operator's trouble, never a caller's.
public struct VaultError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable {
        case masterKeyLength = "master_key_length"
        case masterKeyWrong = "master_key_wrong"
        case dataKeyUnknown = "data_key_unknown"
        case boxDamaged = "box_damaged"
    }

    public let code: Code

    public var description: String {
        switch self.code {
        case .masterKeyLength: "the master key must have 32 bytes"
        case .masterKeyWrong: "the master key does not open this store's data keys: it is another store's"
        case .dataKeyUnknown: "a secret is sealed under a data key that the store does not have"
        case .boxDamaged: "a sealed secret has been damaged or moved"
        }
    }
}

/// Envelope encryption: the master key seals data keys, a data key seals secrets. AES-256-GCM (NIST SP 800-38D) with
/// random nonces.
///
/// What a secret is for is authenticated with it, so that a sealed value moved to another row does not open.
public struct Vault: Sendable {
    private let masterKey: SymmetricKey
    private let dataKeys: [String: SymmetricKey]
    private let currentKeyID: String

    /// Opens the store's data keys, newest last. The newest one seals.
    public init(masterKey: Redacted<[UInt8]>, dataKeys: [SealedDataKey]) throws {
        guard masterKey.reveal().count == 32 else { throw VaultError(code: .masterKeyLength) }
        guard let newest = dataKeys.last else { throw VaultError(code: .dataKeyUnknown) }
        let master = SymmetricKey(data: masterKey.reveal())
        self.masterKey = master
        self.currentKeyID = newest.id
        self.dataKeys = try Dictionary(
            dataKeys.map { sealed in
                guard let key = try? Vault.open(sealed.box, with: master, context: "data-key/\(sealed.id)") else {
                    throw VaultError(code: .masterKeyWrong)
                }
                return (sealed.id, SymmetricKey(data: key))
            }, uniquingKeysWith: { first, _ in first })
    }

    /// A new data key under the master key.
    public static func makeDataKey(
        id: String, key: Redacted<[UInt8]>, masterKey: Redacted<[UInt8]>, at now: Timestamp
    ) throws -> SealedDataKey {
        guard masterKey.reveal().count == 32, key.reveal().count == 32 else { throw VaultError(code: .masterKeyLength) }
        let box = try self.seal(key.reveal(), with: SymmetricKey(data: masterKey.reveal()), context: "data-key/\(id)")
        return SealedDataKey(id: id, box: box, createdAt: now)
    }

    /// - Parameter context: what the secret is for and whose it is; needed to open it again.
    public func seal(_ secret: Redacted<[UInt8]>, context: String) throws -> SealedBytes {
        guard let key = self.dataKeys[self.currentKeyID] else { throw VaultError(code: .dataKeyUnknown) }
        return SealedBytes(
            keyID: self.currentKeyID, box: try Vault.seal(secret.reveal(), with: key, context: context))
    }

    public func open(_ sealed: SealedBytes, context: String) throws -> Redacted<[UInt8]> {
        guard let key = self.dataKeys[sealed.keyID] else { throw VaultError(code: .dataKeyUnknown) }
        return Redacted(try Vault.open(sealed.box, with: key, context: context))
    }

    func sealText(_ secret: Redacted<String>, context: String) throws -> SealedBytes {
        try self.seal(secret.map { Array($0.utf8) }, context: context)
    }

    func openText(_ sealed: SealedBytes, context: String) throws -> Redacted<String> {
        try self.open(sealed, context: context).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func seal(_ bytes: [UInt8], with key: SymmetricKey, context: String) throws -> [UInt8] {
        let box = try AES.GCM.seal(bytes, using: key, authenticating: Data(context.utf8))
        guard let combined = box.combined else { throw VaultError(code: .boxDamaged) }
        return Array(combined)
    }

    private static func open(_ box: [UInt8], with key: SymmetricKey, context: String) throws -> [UInt8] {
        guard let sealed = try? AES.GCM.SealedBox(combined: box),
            let bytes = try? AES.GCM.open(sealed, using: key, authenticating: Data(context.utf8))
        else { throw VaultError(code: .boxDamaged) }
        return Array(bytes)
    }
}
