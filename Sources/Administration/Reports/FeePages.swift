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
    /// Of differences whose lines are booked outside of the window.
    case resolved(after: SettlementWindow.Cursor?)
    case settled(after: SettlementWindow.Cursor?)

    public static let first = FeePlace.reported(after: nil)
}

/// A place between two fees.
public struct FeeCursor: Hashable, Sendable {
    public let place: FeePlace
    /// How many fees of what comes next are before it: a line of a settlement file may have several.
    public let skip: Int

    public init(_ place: FeePlace, skip: Int = 0) {
        self.place = place
        self.skip = skip
    }

    public static let first = FeeCursor(.first)
}

/// What fees are booked of, one after the other: those of each, and the place after it.
private struct FeeSource {
    let rows: [FeeRow]
    let end: FeePlace
}

extension Administration {
    /// How much is looked at for one page of so many fees: most has none.
    private static let feeReadsMax = 20

    /// A page of a merchant's fees: first those that were reported with operations, by the moment at which each was
    /// booked; then, in a window, those of resolved differences whose lines are booked outside of it, by the moment of
    /// the resolution; then those of settlement files, in the order of their imports and in each by line, with what
    /// their differences were resolved as.
    ///
    /// - Parameters:
    ///   - from: booked at or after.
    ///   - to: booked before.
    /// - Returns: rows, none in places, and where the next page begins; `nil` after the last.
    /// - Throws: ``AdministrationError`` `merchant_unknown`; `StoreError`.
    public func feePage(
        of merchant: MerchantID, from: Timestamp?, to: Timestamp?, _ place: FeePlace
    ) async throws -> (rows: [FeeRow], next: FeePlace?) {
        let (sources, next) = try await self.feeSources(of: merchant, from: from, to: to, place)
        return (sources.flatMap(\.rows), next)
    }

    /// So many of a merchant's fees, in the same order.
    ///
    /// - Returns: rows, fewer where very much has no fee, and where the next begin; `nil` after the last.
    /// - Throws: ``AdministrationError`` `merchant_unknown`; `StoreError`.
    public func fees(
        of merchant: MerchantID, from: Timestamp?, to: Timestamp?, after cursor: FeeCursor, limit: Int
    ) async throws -> (rows: [FeeRow], next: FeeCursor?) {
        var rows: [FeeRow] = []
        var (here, place): (FeeCursor, FeePlace?) = (cursor, cursor.place)
        for _ in 0..<Self.feeReadsMax {
            guard let present = place else { return (rows, nil) }
            let (sources, next) = try await self.feeSources(of: merchant, from: from, to: to, present)
            for source in sources {
                let fresh = source.rows.dropFirst(here.skip)
                let room = limit - rows.count
                guard fresh.count <= room else {
                    return (rows + fresh.prefix(room), FeeCursor(here.place, skip: here.skip + room))
                }
                rows += fresh
                here = FeeCursor(source.end)
            }
            place = next
            if let next { here = FeeCursor(next) }
        }
        return (rows, place.map { FeeCursor($0) })
    }

    private func feeSources(
        of merchant: MerchantID, from: Timestamp?, to: Timestamp?, _ place: FeePlace
    ) async throws -> (sources: [FeeSource], next: FeePlace?) {
        try await self.read { reader in
            let owner = try Self.merchant(merchant, in: reader)
            switch place {
            case .reported(let after):
                let movements = try reader.movements(
                    MovementQuery(
                        merchantID: merchant, kinds: [.chargeback, .lateFailure], from: from, to: to, after: after,
                        limit: Self.reportPageCount))
                let sources = try movements.map { movement in
                    FeeSource(
                        rows: try FeeRow(of: movement, owner, in: reader).map { [$0] } ?? [],
                        end: .reported(after: movement.cursor))
                }
                let isLast = movements.count < Self.reportPageCount
                return (sources, isLast ? .resolved(after: nil) : .reported(after: movements.last?.cursor))
            case .resolved(let after):
                // All lines are within a window without an end.
                guard from != nil || to != nil else { return ([], .settled(after: nil)) }
                let window = SettlementWindow(
                    merchantID: merchant, .resolution, from: from, to: to, after: after, limit: Self.reportPageCount)
                let (sources, last) = try Self.feeSources(of: owner, in: window, reader) { .resolved(after: $0) }
                return (sources, last.map { .resolved(after: $0) } ?? .settled(after: nil))
            case .settled(let after):
                let window = SettlementWindow(
                    merchantID: merchant, .line, from: from, to: to, after: after, limit: Self.reportPageCount)
                let (sources, last) = try Self.feeSources(of: owner, in: window, reader) { .settled(after: $0) }
                return (sources, last.map { .settled(after: $0) })
            }
        }
    }

    /// What a page of items has: of those whose lines are booked within the window all that is, else their resolutions.
    ///
    /// - Returns: `last`, the last of the page; `nil` where none follows.
    private static func feeSources(
        of merchant: Merchant, in window: SettlementWindow, _ reader: any StoreReader,
        _ place: (SettlementWindow.Cursor?) -> FeePlace
    ) throws -> (sources: [FeeSource], last: SettlementWindow.Cursor?) {
        let items = try reader.settlementItems(in: window)
        let sources = try items.map { item in
            let isOthers = window.booking == .resolution && window.contains(item.bookedAt)
            return FeeSource(
                rows: isOthers ? [] : try FeeRow.rows(of: item, merchant, in: window, reader),
                end: place(window.cursor(of: item)))
        }
        return (sources, items.count < window.limit ? nil : items.last.flatMap(window.cursor(of:)))
    }
}
