//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
import Time

extension AuditEntry {
    public static let columnNames = "number, at, actor, act, subject, details, previous_digest, digest"

    public var columnValues: RowArguments {
        [
            self.number, self.at.milliseconds, self.actor, self.act.name, self.subject,
            FieldsColumn.object(self.details), self.previousDigest, self.digest,
        ]
    }

    @inlinable public init(_ columns: inout some RowColumns) throws {
        self.init(
            number: try columns.integer(), at: try columns.timestamp(), actor: try columns.text(),
            act: AuditAct(try columns.text()), subject: try columns.text(), details: try columns.fields(),
            previousDigest: try columns.bytes(), digest: try columns.bytes())
    }
}
