//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
@_spi(Administration) import Gateway
import Payments
public import Redaction

extension People {
    private static let ticketPurpose = "external sign-in"
    private static let ticketBytesMax = 3072

    /// What a browser carries to a provider and back, sealed by a key that all nodes of a store have: letters, digits, and
    /// what may stand in a cookie's value.
    ///
    /// - Throws: `VaultError`.
    public func seal(externalSignIn ticket: Redacted<[UInt8]>) throws -> String {
        try self.seal(ticket, for: Self.ticketPurpose)
    }

    /// - Returns: `nil` for what no node of the store has sealed.
    /// - Throws: `VaultError`, `StoreError`.
    public func open(externalSignIn text: String) async throws -> Redacted<[UInt8]>? {
        try await self.open(text, for: Self.ticketPurpose)
    }

    /// - Throws: `VaultError`.
    func seal(_ ticket: Redacted<[UInt8]>, for purpose: String) throws -> String {
        let sealed = try self.gateway.sealTicket(ticket, for: purpose)
        return "\(sealed.keyID).\(Hex.encode(sealed.box))"
    }

    /// - Returns: `nil` for what no node of the store has sealed for that purpose.
    /// - Throws: `VaultError`, `StoreError`.
    func open(_ text: String, for purpose: String) async throws -> Redacted<[UInt8]>? {
        let parts = text.split(separator: ".")
        guard text.utf8.count <= Self.ticketBytesMax, parts.count == 2, let box = Hex.decode(String(parts[1])) else {
            return nil
        }
        return try await self.gateway.openTicket(SealedBytes(keyID: String(parts[0]), box: box), for: purpose)
    }
}
