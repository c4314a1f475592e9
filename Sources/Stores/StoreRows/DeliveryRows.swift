//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
import Time

extension OutboxEvent: StoredRecord {
    public enum Column: String, ColumnName {
        case id
        case merchantID = "merchant_id"
        case dialect, kind
        case paymentID = "payment_id"
        case operationID = "operation_id"
        case paymentVersion = "payment_version"
        case target
        case createdAt = "created_at"
        case state
        case messageIndex = "message_index"
        case attemptsCount = "attempts_count"
        case lastResult = "last_result"
    }

    public static let table = RecordTable<Column>("outbox_events", key: .id)

    /// Gives the event the next place among the payment's events, by which they are read in order.
    ///
    /// - Parameter rows: how many at once, each another payment's.
    public static func insert(_ parameters: Parameters, rows: Int = 1) -> String {
        let values = (0..<rows).map { row in
            """
            (
                (SELECT COALESCE(MAX(ordinal) + 1, 0) FROM outbox_events
                WHERE payment_id = \(Self.table.parameter(.paymentID, parameters, row: row))),
                \(parameters.list(Self.table.columns.count, from: 1 + row * Self.table.columns.count)))
            """
        }
        return "INSERT INTO outbox_events (ordinal, \(Self.table.names)) VALUES \(values.joined(separator: ", "))"
    }

    /// A payment's, in the order of their places.
    public static func select(_ parameters: Parameters) -> String {
        self.table.select(by: .paymentID, with: parameters) + " ORDER BY ordinal"
    }

    /// Which nobody tries any more, in SQL that both engines take: the condition of an index.
    public static let isDeadCondition = "state = 'dead'"

    /// The ids of delivered ones from an id on that are smaller than another, the smallest first: an id begins with its
    /// moment, so that the index of the ids is walked, and from where there is something.
    public static func delivered(_ parameters: Parameters) -> String {
        """
        SELECT id FROM outbox_events WHERE id >= \(parameters(1)) AND id < \(parameters(2)) AND state = 'delivered' \
        ORDER BY id\(parameters.limit(3))
        """
    }

    /// What an attempt to deliver it changes.
    public static let attempt = Self.table.change(
        of: [.target, .state, .messageIndex, .attemptsCount, .lastResult], by: [.id])

    public func value(of column: Column) -> RowValue {
        switch column {
        case .id: self.id.text
        case .merchantID: self.merchantID.text
        case .dialect: self.dialect.text
        case .kind: self.kind.rawValue
        case .paymentID: self.paymentID.text
        case .operationID: self.operationID.text
        case .paymentVersion: self.paymentVersion
        case .target: self.target
        case .createdAt: self.createdAt.milliseconds
        case .state: self.state.rawValue
        case .messageIndex: self.messageIndex
        case .attemptsCount: self.attemptsCount
        case .lastResult: self.lastResult
        }
    }

    @inlinable public init(_ columns: inout some RowColumns) throws {
        self.init(
            id: try columns.id(), merchantID: try columns.id(), dialect: DialectName(try columns.name()),
            kind: try columns.choice(), paymentID: try columns.id(), operationID: try columns.id(),
            paymentVersion: try columns.count(), target: try columns.text(), createdAt: try columns.timestamp(),
            state: try columns.choice(), messageIndex: try columns.count(),
            attemptsCount: try columns.count(), lastResult: try columns.optionalText())
    }
}

extension Job: StoredRecord {
    public enum Column: String, ColumnName {
        case kind
        case paymentID = "payment_id"
        case dueAt = "due_at"
        case attemptsCount = "attempts_count"
        case takenAt = "taken_at"
    }

    public static let table = RecordTable<Column>("jobs", key: .kind, .paymentID)

    /// Of a kind, earliest first.
    public static func select(_ parameters: Parameters) -> String {
        """
        SELECT \(self.table.names) FROM jobs WHERE kind = \(parameters(1)) ORDER BY due_at, payment_id\
        \(parameters.limit(2))
        """
    }

    public static let change = Self.table.change(of: [.dueAt, .attemptsCount, .takenAt], by: [.kind, .paymentID])

    public func value(of column: Column) -> RowValue {
        switch column {
        case .kind: self.kind.rawValue
        case .paymentID: self.paymentID.text
        case .dueAt: self.dueAt.milliseconds
        case .attemptsCount: self.attemptsCount
        case .takenAt: self.takenAt?.milliseconds
        }
    }

    @inlinable public init(_ columns: inout some RowColumns) throws {
        self.init(
            kind: try columns.choice(), paymentID: try columns.id(), dueAt: try columns.timestamp(),
            attemptsCount: try columns.count(), takenAt: try columns.optionalTimestamp())
    }
}
