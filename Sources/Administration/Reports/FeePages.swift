//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
public import Payments
public import Time

/// Where a page of fees begins.
public enum FeePlace: Hashable, Sendable {
    case reported(after: MovementQuery.Cursor?)
    case settled(after: SettlementItem.ID?)

    public static let first = FeePlace.reported(after: nil)
}

extension Administration {
    /// A page of a merchant's fees: first those that were reported with operations, then those of settlement files.
    ///
    /// - Parameters:
    ///   - from: booked at or after.
    ///   - to: booked before.
    /// - Returns: rows, none in places, and where the next page begins; `nil` after the last.
    /// - Throws: ``AdministrationError`` `merchant_unknown`; `StoreError`.
    public func feePage(
        of merchant: MerchantID, from: Timestamp?, to: Timestamp?, _ place: FeePlace
    ) async throws -> (rows: [FeeRow], next: FeePlace?) {
        try await self.read { reader in
            let owner = try Self.merchant(merchant, in: reader)
            switch place {
            case .reported(let after):
                let movements = try reader.movements(
                    MovementQuery(
                        merchantID: merchant, kinds: [.chargeback, .lateFailure], from: from, to: to, after: after,
                        limit: Self.reportPageCount))
                let rows = try movements.compactMap { try FeeRow(of: $0, owner, in: reader) }
                let isLast = movements.count < Self.reportPageCount
                return (rows, isLast ? .settled(after: nil) : .reported(after: movements.last?.cursor))
            case .settled(let after):
                let items = try reader.settlementItems(
                    SettlementQuery(
                        merchantID: merchant, from: from, to: to, after: after, limit: Self.reportPageCount))
                let rows = try items.flatMap { try FeeRow.rows(of: $0, owner, from: from, to: to, in: reader) }
                return (rows, items.count < Self.reportPageCount ? nil : .settled(after: items.last?.id))
            }
        }
    }
}
