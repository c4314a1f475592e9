//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Money
public import Payments
public import StrictJSON
public import Time

/// What a merchant's day comes to.
public struct DayReport: Hashable, Sendable {
    /// Whether the report can still change.
    public enum State: Hashable, Sendable {
        case open
        case closed(ClosedDay)
        /// It is closed, and something was booked within it that it does not have, or is not as it was: the report stands
        /// as it was closed.
        /// - Parameters:
        ///   - count: how many movements there are now.
        ///   - digest: of what is booked within it now.
        case differs(ClosedDay, count: Int, digest: [UInt8])

        public var name: String {
            switch self {
            case .open: "open"
            case .closed: "closed"
            case .differs: "differs"
            }
        }
    }

    public let merchant: String
    public let day: CalendarDay
    /// By its IANA name.
    public let timeZone: String
    public let from: Timestamp
    public let to: Timestamp
    public let movementsCount: Int
    /// SHA-256 over what was booked, 32 bytes.
    public let digest: [UInt8]
    /// By account and currency, in the order of the accounts' ids.
    public let totals: [DayTotal]
    public var state: State = .open

    /// What is kept of a closed day, and what is shown of one that is open: the same bytes for the same day.
    ///
    /// - Throws: ``AdministrationError`` `sum_too_large`.
    public func content() throws(AdministrationError) -> String {
        var totals: [JSON] = []
        for total in self.totals { totals.append(try total.json()) }
        let json: JSON = [
            "merchant": .string(self.merchant), "day": .string(self.day.description),
            "timeZone": .string(self.timeZone), "from": .string(self.from.rfc3339Milliseconds),
            "to": .string(self.to.rfc3339Milliseconds), "movements": JSON(self.movementsCount),
            "digest": .string(Hex.encode(self.digest)), "totals": .array(totals),
        ]
        return json.text()
    }

    /// The report of a closed day, from what was kept.
    ///
    /// - Throws: `StoreError` where that is not what was written.
    public init(_ closed: ClosedDay) throws {
        guard let json = try? JSON.parse(closed.report), let merchant = json["merchant"]?.string,
            let day = CalendarDay(closed.day), let texts = json["totals"]?.array
        else { throw StoreError.corrupt("closed_days.report") }
        let totals = texts.compactMap(DayTotal.init)
        guard totals.count == texts.count else { throw StoreError.corrupt("closed_days.report") }
        self.init(
            merchant: merchant, day: day, timeZone: closed.timeZone, from: closed.from, to: closed.to,
            movementsCount: closed.movementsCount, digest: closed.digest, totals: totals, state: .closed(closed))
    }

    init(
        merchant: String, day: CalendarDay, timeZone: String, from: Timestamp, to: Timestamp, movementsCount: Int,
        digest: [UInt8], totals: [DayTotal], state: State = .open
    ) {
        self.merchant = merchant
        self.day = day
        self.timeZone = timeZone
        self.from = from
        self.to = to
        self.movementsCount = movementsCount
        self.digest = digest
        self.totals = totals
        self.state = state
    }

    /// One row for each account and currency.
    ///
    /// - Throws: ``AdministrationError`` `sum_too_large`.
    public func rows() throws(AdministrationError) -> [DayRow] {
        var rows: [DayRow] = []
        for total in self.totals { rows.append(DayRow(self, total, net: try total.net().decimalText)) }
        return rows
    }
}

/// A total of a day as a row of its own.
public struct DayRow: ReportRow {
    public static let columns = [
        "day", "timeZone", "merchant", "account", "currency", "captures", "captured", "refunds", "refunded",
        "chargebacks", "chargedBack", "corrections", "corrected", "fees", "net", "state",
    ]

    public let cells: [JSON]

    init(_ report: DayReport, _ total: DayTotal, net: String) {
        self.cells = [
            .string(report.day.description), .string(report.timeZone), .string(report.merchant), .string(total.account),
            .string(total.currency.code), JSON(total.capturesCount), .string(total.captures.decimalText),
            JSON(total.refundsCount), .string(total.refunds.decimalText), JSON(total.chargebacksCount),
            .string(total.chargebacks.decimalText), JSON(total.correctionsCount),
            .string(total.corrections.decimalText), .string(total.fees.decimalText), .string(net),
            .string(report.state.name),
        ]
    }
}
