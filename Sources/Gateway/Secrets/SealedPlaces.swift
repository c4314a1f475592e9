//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
public import Redaction

/// What an operator's acts seal and open: each secret for its place, so that one moved to another does not open.
extension Gateway {
    /// Seals what the transaction writes.
    @_spi(Administration)
    public func seal(
        _ secret: Redacted<String>, for place: SealedPlace, in transaction: any StoreTransaction
    ) throws -> SealedBytes {
        try self.vault.sealText(secret, context: Gateway.context(of: place), in: transaction)
    }

    /// - Throws: ``VaultError``.
    @_spi(Administration)
    public func open(_ sealed: SealedBytes, of place: SealedPlace) throws -> Redacted<String> {
        try self.vault.openText(sealed, context: Gateway.context(of: place))
    }
}
