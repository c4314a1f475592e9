//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

internal import Crypto
internal import Synchronization

/// A leaf's P-256 key. Apple signs the tokens of years with one, so that a key that has signed some tokens gets a table,
/// with which the next are verified in a third of the time.
///
/// A table must prove itself: it is used from when it has said of a token's signature what swift-crypto has said, and the
/// opposite of another digest. And it alone refuses nothing: what is not valid to it is judged by swift-crypto.
final class SignerKey: Sendable {
    /// A table costs as much as it saves on so many tokens.
    static let usesBeforeTable = 64

    private let key: P256.Signing.PublicKey
    private let usesCount = Atomic<Int>(0)
    private let table = AtomicLazyReference<P256Table>()

    init(_ key: P256.Signing.PublicKey) {
        self.key = key
    }

    var hasTable: Bool { self.table.load() != nil }

    /// - Parameter signature: r and s, 32 bytes each.
    func isValidSignature(_ signature: [UInt8], for digest: SHA256Digest) -> Bool {
        if let table = self.table.load(), table.isValidSignature(signature, for: digest) { return true }
        guard let value = try? P256.Signing.ECDSASignature(rawRepresentation: signature),
            self.key.isValidSignature(value, for: digest)
        else { return false }
        if self.usesCount.wrappingAdd(1, ordering: .relaxed).newValue == Self.usesBeforeTable {
            self.makeTable(signature, of: digest)
        }
        return true
    }

    /// - Parameter signature: swift-crypto has found to be of this digest.
    private func makeTable(_ signature: [UInt8], of digest: SHA256Digest) {
        guard let table = P256Table(of: self.key), table.isValidSignature(signature, for: digest),
            !table.isValidSignature(signature, for: SHA256.hash(data: Array(digest)))
        else { return }
        _ = self.table.storeIfNil(table)
    }
}
