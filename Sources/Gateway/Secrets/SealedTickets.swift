//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
public import Redaction

/// What somebody else keeps for the gateway for a few minutes, such as a browser: sealed, so that he can neither read nor
/// make one.
extension Gateway {
    /// Seals outside of any transaction. A data key that is deleted meanwhile takes the ticket with it, which is then as
    /// good as forgotten.
    ///
    /// - Parameter purpose: a ticket for another one does not open.
    @_spi(Administration)
    public func sealTicket(_ ticket: Redacted<[UInt8]>, for purpose: String) throws -> SealedBytes {
        try self.vault.seal(ticket, context: "ticket \(purpose)")
    }

    /// - Returns: `nil` for one that was not sealed for that purpose under a key of the store.
    /// - Throws: `VaultError`, `StoreError` when the store's keys cannot be had, so that nobody knows what it is.
    @_spi(Administration)
    public func openTicket(_ sealed: SealedBytes, for purpose: String) async throws -> Redacted<[UInt8]>? {
        let open = { try self.vault.open(sealed, context: "ticket \(purpose)") }
        do {
            do {
                return try open()
            } catch let error as VaultError where error.code == .dataKeyUnknown {
                // Another node may have sealed it, under a data key that was made a moment ago.
                guard self.vault.mayLookForTicketKey(at: self.clock()) else { return nil }
                try await self.reloadKeys()
                return try open()
            }
        } catch let error as VaultError where error.code == .dataKeyUnknown || error.code == .boxDamaged {
            return nil
        }
    }
}
