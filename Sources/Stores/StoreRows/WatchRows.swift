//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money
public import Payments
import Time

extension RefusedCall: StoredRecord {
    public enum Column: String, ColumnName {
        case id, at
        case merchantID = "merchant_id"
        case dialect, operation
        case wireCode = "wire_code"
        case stage, code, text
        case requestID = "request_id"
        case publicKeyHash = "public_key_hash"
        case merchantIdentifier = "merchant_identifier"
        case minorUnits = "minor_units"
        case currency
    }

    public static let table = RecordTable<Column>("refused_calls", key: .id)

    /// What is older than a moment, or has more newer ones than are kept: a moment's milliseconds, and how many.
    public static func expired(_ parameters: Parameters) -> String {
        """
        SELECT id FROM refused_calls WHERE at < \(parameters(1)) OR id <= \
        (SELECT id FROM refused_calls ORDER BY id DESC LIMIT 1 OFFSET CAST(\(parameters(2)) AS bigint))
        """
    }

    /// What refused calls are found by, beside their ids.
    public static let indexes = """
        CREATE INDEX refused_calls_by_merchant ON refused_calls (merchant_id, id);
        CREATE INDEX refused_calls_by_key ON refused_calls (public_key_hash, id) WHERE public_key_hash IS NOT NULL;
        CREATE INDEX refused_calls_by_request ON refused_calls (request_id);
        """

    public func value(of column: Column) -> RowValue {
        switch column {
        case .id: self.id.text
        case .at: self.at.milliseconds
        case .merchantID: self.merchantID?.text
        case .dialect: self.dialect.text
        case .operation: self.operation
        case .wireCode: self.wireCode
        case .stage: self.stage.rawValue
        case .code: self.code
        case .text: self.text
        case .requestID: self.requestID
        case .publicKeyHash: self.publicKeyHash
        case .merchantIdentifier: self.merchantIdentifier
        case .minorUnits: self.amount?.minorUnits
        case .currency: self.amount?.currency.code
        }
    }

    @inlinable public init(_ columns: inout some RowColumns) throws {
        self.init(
            id: try columns.id(), at: try columns.timestamp(), merchantID: try columns.optionalID(),
            dialect: DialectName(try columns.name()), operation: try columns.text(), wireCode: try columns.text(),
            stage: try columns.choice(), code: try columns.name(), text: try columns.text(),
            requestID: try columns.text(), publicKeyHash: try columns.optionalName(),
            merchantIdentifier: try columns.optionalName(), amount: try columns.optionalMoney())
    }
}

extension RowColumns {
    /// Two columns: minor units, zero or more, and the currency's code; both or neither.
    @inlinable mutating func optionalMoney() throws -> Money? {
        let minorUnits = try self.optionalMinorUnits()
        let currency = try self.optionalCurrency()
        switch (minorUnits, currency) {
        case (let minorUnits?, let currency?): return Money(minorUnits: minorUnits, currency: currency)
        case (nil, nil): return nil
        default: throw self.corrupt
        }
    }
}

extension RefusedCallQuery {
    public func page(_ parameters: Parameters) -> RowStatement {
        let filter = RowFilter(self)
        return RowStatement(
            """
            SELECT \(RefusedCall.table.names) FROM refused_calls\(filter.condition { parameters($0) }) \
            ORDER BY id DESC\(parameters.limit(filter.arguments.count + 1))
            """, filter.arguments + [max(0, self.limit)])
    }
}

extension Alarm: StoredRecord {
    public enum Column: String, ColumnName {
        case id, kind, subject, merchant, severity, code, step, text, advice
        case begunAt = "begun_at"
        case endedAt = "ended_at"
        case isSuperseded = "is_superseded"
        case pendingMessage = "pending_message"
        case dueAt = "due_at"
        case attemptsCount = "attempts_count"
        case seenAt = "seen_at"
    }

    public static let table = RecordTable<Column>("alarms", key: .id)

    /// What an alarm changes while it stands, when it ends, and when its messages are sent.
    public static let change = Self.table.change(
        of: [
            .severity, .code, .step, .text, .advice, .endedAt, .isSuperseded, .pendingMessage, .dueAt, .attemptsCount,
            .seenAt,
        ], by: [.id])

    public static let standing = "SELECT \(Self.table.names) FROM alarms WHERE ended_at IS NULL ORDER BY id"

    /// Before an id, newest first; before "~" for all, which comes after every id.
    public static func select(_ parameters: Parameters) -> String {
        """
        SELECT \(self.table.names) FROM alarms WHERE id < \(parameters(1)) ORDER BY id DESC\(parameters.limit(2))
        """
    }

    /// One that stands for a subject, and the messages that are to be sent, of a table with a history.
    public static let indexes = """
        CREATE UNIQUE INDEX alarms_standing ON alarms (kind, subject) WHERE ended_at IS NULL;
        CREATE INDEX alarms_due ON alarms (due_at) WHERE due_at IS NOT NULL;
        """

    public func value(of column: Column) -> RowValue {
        switch column {
        case .id: self.id.text
        case .kind: self.kind.rawValue
        case .subject: self.subject
        case .merchant: self.merchant
        case .severity: self.severity.rawValue
        case .code: self.code
        case .step: self.step
        case .text: self.text
        case .advice: self.advice
        case .begunAt: self.begunAt.milliseconds
        case .endedAt: self.endedAt?.milliseconds
        case .isSuperseded: self.isSuperseded
        case .pendingMessage: self.pendingMessage?.rawValue
        case .dueAt: self.dueAt?.milliseconds
        case .attemptsCount: self.attemptsCount
        case .seenAt: self.seenAt?.milliseconds
        }
    }

    @inlinable public init(_ columns: inout some RowColumns) throws {
        self.init(
            id: try columns.id(), kind: try columns.choice(), subject: try columns.name(),
            merchant: try columns.optionalName(), severity: try columns.choice(), code: try columns.name(),
            step: try columns.optionalInteger().map { Int($0) }, text: try columns.text(),
            advice: try columns.text(), begunAt: try columns.timestamp(), endedAt: try columns.optionalTimestamp(),
            isSuperseded: try columns.flag(), pendingMessage: try columns.optionalChoice(),
            dueAt: try columns.optionalTimestamp(), attemptsCount: try columns.count())
        self.seenAt = try columns.optionalTimestamp()
    }
}
