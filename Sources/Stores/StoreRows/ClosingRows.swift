//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
import Time

extension ClosedDay: StoredRecord {
    public enum Column: String, ColumnName {
        case merchantID = "merchant_id"
        case day
        case timeZone = "time_zone"
        case from = "from_at"
        case to = "to_at"
        case movementsCount = "movements_count"
        case digest, report
        case closedAt = "closed_at"
        case closedBy = "closed_by"
    }

    public static let table = RecordTable<Column>("closed_days", key: .merchantID, .day)

    /// A merchant's latest.
    public static func last(_ parameters: Parameters) -> String {
        "\(self.table.select(by: .merchantID, with: parameters)) ORDER BY day DESC LIMIT 1"
    }

    /// A merchant's after a day, by their dates.
    public static func select(_ parameters: Parameters) -> String {
        """
        SELECT \(self.table.names) FROM closed_days WHERE merchant_id = \(parameters(1)) AND day > \(parameters(2)) \
        ORDER BY day\(parameters.limit(3))
        """
    }

    public func value(of column: Column) -> RowValue {
        switch column {
        case .merchantID: self.merchantID.text
        case .day: self.day
        case .timeZone: self.timeZone
        case .from: self.from.milliseconds
        case .to: self.to.milliseconds
        case .movementsCount: self.movementsCount
        case .digest: self.digest
        case .report: self.report
        case .closedAt: self.closedAt.milliseconds
        case .closedBy: self.closedBy
        }
    }

    @inlinable public init(_ columns: inout some RowColumns) throws {
        self.init(
            merchantID: try columns.id(), day: try columns.name(), timeZone: try columns.name(),
            from: try columns.timestamp(), to: try columns.timestamp(), movementsCount: try columns.count(),
            digest: try columns.bytes(), report: try columns.text(), closedAt: try columns.timestamp(),
            closedBy: try columns.text())
    }
}
