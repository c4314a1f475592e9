//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
@_spi(Administration) import Gateway
import Ledger
public import Payments
import Time

extension Administration {
    /// What a merchant's day comes to: the report that was kept where it is closed, else what is booked by now.
    ///
    /// The report of a closed day is compared with what is booked within it: an operation that was committed after the day
    /// was closed, or a row that was changed since, makes it ``DayReport/State/differs(_:count:digest:)``, and nothing
    /// else of it.
    ///
    /// - Throws: ``AdministrationError`` `merchant_unknown`, `sum_too_large`; `StoreError`.
    public func dayReport(of merchant: MerchantID, on day: CalendarDay) async throws -> DayReport {
        let (owner, closed, window) = try await self.read { reader in
            let owner = try Self.merchant(merchant, in: reader)
            let closed = try reader.closedDay(day.description, of: merchant)
            let last = try reader.lastClosedDay(of: merchant)
            return (owner, closed, Self.window(of: day, owner, last))
        }
        guard let closed else { return try await self.booked(owner, on: day, from: window.from, to: window.to) }
        var report = try DayReport(closed)
        let now = try await self.booked(owner, on: day, from: closed.from, to: closed.to)
        if now.digest != closed.digest {
            report.state = .differs(closed, count: now.movementsCount, digest: now.digest)
        }
        return report
    }

    /// Rows of a merchant's closed days, a page of days at a time.
    ///
    /// - Parameter day: the last of the page before; empty for the first page.
    /// - Returns: `next`, the last of this page; `nil` where none follows.
    /// - Throws: `StoreError`.
    public func dayRows(
        of merchant: MerchantID, after day: String
    ) async throws -> (rows: [DayRow], next: String?) {
        // All that may throw is in here: Swift 6.3.1 cannot compile it for release behind a suspension (it crashes while
        // splitting the coroutine).
        try await self.read { reader in
            let days = try reader.closedDays(of: merchant, after: day, limit: Self.dayPageCount)
            let isLast = days.count < Self.dayPageCount
            return (try days.flatMap { try DayReport($0).rows() }, isLast ? nil : days.last?.day)
        }
    }

    private static let dayPageCount = 50

    /// When an open day begins and ends: where the last closed day ended, whatever the zone was then.
    private static func window(
        of day: CalendarDay, _ merchant: Merchant, _ last: ClosedDay?
    ) -> (from: Timestamp, to: Timestamp) {
        let window = merchant.reportZone.window(of: day)
        guard let last, window.from < last.to || last.day == day.adding(days: -1).description else { return window }
        return (last.to, max(last.to, window.to))
    }

    /// What was booked within a time.
    private func booked(
        _ merchant: Merchant, on day: CalendarDay, from: Timestamp, to: Timestamp
    ) async throws -> DayReport {
        var sum = DaySum()
        var query = MovementQuery(
            merchantID: merchant.id, includesFailed: true, from: from, to: to, limit: Self.reportPageCount)
        while true {
            let (page, before) = (query, sum)
            let (after, count, last) = try await self.read { reader in
                var sum = before
                let movements = try reader.movements(page)
                for movement in movements { try sum.add(movement, in: reader) }
                return (sum, movements.count, movements.last?.cursor)
            }
            sum = after
            query.after = last
            guard count == Self.reportPageCount else { break }
        }
        sum = try await self.addingSettlements(of: merchant.id, from: from, to: to, onto: sum)
        return DayReport(
            merchant: merchant.name, day: day, timeZone: merchant.reportZone.name, from: from, to: to,
            movementsCount: sum.movementsCount, digest: sum.digest, totals: sum.sorted)
    }

    /// Adds what was booked for settlement files, by the items' ids, so that a closed day has the same digest ever after.
    ///
    /// Files have their ids by the moment at which their lines are booked: what is resolved within the time, and was booked
    /// before, comes before the lines. Those are what people have decided on one day, which is little.
    private func addingSettlements(
        of merchant: MerchantID, from: Timestamp, to: Timestamp, onto sum: DaySum
    ) async throws -> DaySum {
        var sum = sum
        var lines = SettlementWindow(merchantID: merchant, .line, from: from, to: to, limit: Self.reportPageCount)
        let resolved = try await self.resolvedAlone(within: lines)
        sum = try await self.adding(resolved.filter { $0.bookedAt < from }, in: lines, to: sum)
        while true {
            let window = lines
            let items = try await self.read { try $0.settlementItems(in: window) }
            sum = try await self.adding(items, in: window, to: sum)
            lines.after = items.last.flatMap(window.cursor(of:))
            guard items.count == Self.reportPageCount else { break }
        }
        // None, unless a clock has gone back.
        return try await self.adding(resolved.filter { $0.bookedAt >= to }, in: lines, to: sum)
    }

    private func adding(
        _ items: [SettlementItem], in window: SettlementWindow, to sum: DaySum
    ) async throws -> DaySum {
        guard !items.isEmpty else { return sum }
        return try await self.read { reader in
            var sum = sum
            for item in items { try sum.add(item, in: window, reader) }
            return sum
        }
    }

    /// Items of which only the resolution is booked within a time, and something is booked for it, by their ids.
    private func resolvedAlone(within lines: SettlementWindow) async throws -> [SettlementItem] {
        var found: [SettlementItem] = []
        var window = lines
        window.booking = .resolution
        while true {
            let page = window
            let items = try await self.read { try $0.settlementItems(in: page) }
            found += try items.filter { item in
                try !page.contains(item.bookedAt) && Bookkeeping.resolutionEntry(for: item) != nil
            }
            window.after = items.last.flatMap(page.cursor(of:))
            guard items.count == page.limit else { return found.sorted { $0.id < $1.id } }
        }
    }

    // MARK: - Closing

    /// How long after a day is over it may be closed: what was resolved within it is committed by then. An operation's
    /// end is committed within the deadline of its acquirer and of the store; this is many times both.
    public static let closingDelaySeconds: Int64 = 300

    /// The day that is to be closed next: the one after the last, or that of the first movement.
    ///
    /// - Returns: `nil` while the merchant has no movements.
    /// - Throws: ``AdministrationError`` `merchant_unknown`; `StoreError`.
    public func nextDayToClose(of merchant: MerchantID) async throws -> CalendarDay? {
        try await self.read { try Self.nextDayToClose(of: try Self.merchant(merchant, in: $0), in: $0) }
    }

    private static func nextDayToClose(of merchant: Merchant, in reader: any StoreReader) throws -> CalendarDay? {
        if let last = try reader.lastClosedDay(of: merchant.id) {
            guard let day = CalendarDay(last.day) else { throw StoreError.corrupt("closed_days.day") }
            return max(day.next, merchant.reportZone.day(of: last.to))
        }
        let query = MovementQuery(merchantID: merchant.id, includesFailed: true, limit: 1)
        return try reader.movements(query).first.map { merchant.reportZone.day(of: $0.resolvedAt) }
    }

    /// Closes a merchant's day: its report is kept as it is, for ever.
    ///
    /// - Parameter day: the one whose turn it is; `nil` for that, whichever it is.
    /// - Throws: ``AdministrationError`` `merchant_unknown`, `day_closed`, `day_not_next`, `day_not_over`, `day_unknown`
    ///   while there are no movements, `sum_too_large`; `StoreError`.
    @discardableResult
    public func closeDay(_ day: CalendarDay? = nil, of merchant: MerchantID) async throws -> ClosedDay {
        let now = self.gateway.now()
        let (owner, last, next, storeTime) = try await self.read { reader in
            let owner = try Self.merchant(merchant, in: reader)
            if let day, try reader.closedDay(day.description, of: merchant) != nil {
                throw AdministrationError(.dayClosed, "\(day) of \(owner.name) is closed, and stays as it is.")
            }
            return (
                owner, try reader.lastClosedDay(of: merchant), try Self.nextDayToClose(of: owner, in: reader),
                try reader.storeTime()
            )
        }
        guard let next else {
            throw AdministrationError(.dayUnknown, "\(owner.name) has no movements yet: there is no day to close.")
        }
        if let day, day != next {
            throw AdministrationError(
                .dayNotNext, "Days are closed one after the other: the next of \(owner.name) is \(next).")
        }
        let window = Self.window(of: next, owner, last)
        // Nothing opens a day again: it has to be over by the database's clock, too, where there is one.
        guard min(now, storeTime ?? now) >= window.to.adding(seconds: Self.closingDelaySeconds) else {
            throw AdministrationError(
                .dayNotOver,
                "\(next) of \(owner.name) can be closed from "
                    + "\(window.to.adding(seconds: Self.closingDelaySeconds)) on: it is over at \(window.to), and what "
                    + "was resolved within it is committed a little later.")
        }
        let report = try await self.booked(owner, on: next, from: window.from, to: window.to)
        let closed = ClosedDay(
            merchantID: merchant, day: next.description, timeZone: report.timeZone, from: report.from, to: report.to,
            movementsCount: report.movementsCount, digest: report.digest, report: try report.content(), closedAt: now,
            closedBy: self.gateway.actor)
        let draft = AuditDraft(
            .dayClose, owner.name,
            ["day": closed.day, "movements": "\(closed.movementsCount)", "digest": closed.digestText])
        try await self.gateway.administer(draft) { transaction, _ in
            // Somebody else may have been faster, or have changed the zone.
            guard try Self.merchant(merchant, in: transaction).timeZone == owner.timeZone,
                try transaction.lastClosedDay(of: merchant) == last
            else {
                throw AdministrationError(
                    .dayNotNext, "Another day of \(owner.name) was closed at the same time, or its zone was changed.")
            }
            try transaction.insert(closed)
        }
        return closed
    }
}

extension ClosedDay {
    /// In hexadecimal digits.
    public var digestText: String { Hex.encode(self.digest) }
}
