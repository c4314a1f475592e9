//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
import Time

extension OutboxEvent {
    public static let columnNames = """
        id, merchant_id, dialect, kind, payment_id, operation_id, payment_version, target, created_at, state, \
        message_index, attempts_count, last_result
        """

    public var columnValues: RowArguments {
        [
            self.id.text, self.merchantID.text, self.dialect.text, self.kind.rawValue, self.paymentID.text,
            self.operationID.text, self.paymentVersion, self.target, self.createdAt.milliseconds, self.state.rawValue,
            self.messageIndex, self.attemptsCount, self.lastResult,
        ]
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

extension Job {
    /// Without the kind, which whoever asks knows.
    public static let columnNames = "payment_id, due_at, attempts_count"

    /// The kind and the values of ``columnNames``.
    public var columnValues: RowArguments {
        [self.kind.rawValue, self.paymentID.text, self.dueAt.milliseconds, self.attemptsCount]
    }

    @inlinable public init(_ kind: Kind, _ columns: inout some RowColumns) throws {
        self.init(
            kind: kind, paymentID: try columns.id(), dueAt: try columns.timestamp(), attemptsCount: try columns.count())
    }
}
