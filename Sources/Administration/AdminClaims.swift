//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
public import Payments

extension Administration {
    /// Writes what a call under an idempotency key was answered.
    ///
    /// - Throws: `StoreError`.
    public func complete(_ claim: AdminClaim) async throws {
        try await self.gateway.store.write { try $0.update(claim) }
    }
}
