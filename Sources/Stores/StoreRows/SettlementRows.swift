//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
public import Payments
public import Time

extension SettlementFile: StoredRecord {
    public enum Column: String, ColumnName {
        case id
        case merchantID = "merchant_id"
        case accountID = "account_id"
        case name, mapping, digest
        case linesCount = "lines_count"
        case from = "from_at"
        case to = "to_at"
        case importedAt = "imported_at"
        case importedBy = "imported_by"
        case wholeDigest = "whole_digest"
        case wholeLinesCount = "whole_lines_count"
    }

    public static let table = RecordTable<Column>("settlement_files", key: .id)

    /// A merchant's, or all, before one, newest first.
    public static func select(
        of merchant: MerchantID?, before id: SettlementFileID?, limit: Int, _ parameters: Parameters
    ) -> RowStatement {
        var filter = RowFilter()
        filter.add("merchant_id =", merchant?.text)
        filter.add("id <", id?.text)
        return RowStatement(
            """
            SELECT \(self.table.names) FROM settlement_files\(filter.condition { parameters($0) }) \
            ORDER BY id DESC\(parameters.limit(filter.arguments.count + 1))
            """, filter.arguments + [max(0, limit)])
    }

    /// Up to how many days files are of: most of one, some of a week or a month. Part of an index, and never changed.
    private static let spans: [Int64] = [2, 10, 40, 400]
    private static let millisecondsPerDay: Int64 = 86_400_000

    /// Of which of the spans a file is, in SQL that both engines take, and which they take an index for only in the same words.
    ///
    /// Of two bounds of a time an index serves one: all files that began earlier than a day's end are nearly all. Those of a
    /// span did not begin earlier than so long before the day, and those of more than all of them are few.
    static let span =
        "(CASE"
        + Self.spans.enumerated().map { " WHEN to_at - from_at <= \($1 * Self.millisecondsPerDay) THEN \($0)" }.joined()
        + " ELSE \(Self.spans.count) END)"

    /// The ids of a merchant's whose time is between these moments, or part of it.
    public static func ids(
        of merchant: MerchantID, from: Timestamp, to: Timestamp, _ parameters: Parameters
    ) -> RowStatement {
        var arguments: RowArguments = []
        let parts = (0...self.spans.count).map { index in
            var filter = RowFilter()
            filter.add("merchant_id =", merchant.text)
            filter.add(["\(self.span) = \(index)"], [])
            if index < self.spans.count {
                filter.add("from_at >", from.milliseconds - self.spans[index] * self.millisecondsPerDay)
            }
            filter.add("from_at <", to.milliseconds)
            filter.add("to_at >", from.milliseconds)
            let before = arguments.count
            arguments += filter.arguments
            return "SELECT id FROM settlement_files\(filter.condition { parameters(before + $0) })"
        }
        return RowStatement(parts.joined(separator: " UNION ALL "), arguments)
    }

    public func value(of column: Column) -> RowValue {
        switch column {
        case .id: self.id.text
        case .merchantID: self.merchantID.text
        case .accountID: self.accountID.text
        case .name: self.name
        case .mapping: self.mapping
        case .digest: self.digest
        case .linesCount: self.linesCount
        case .from: self.from.milliseconds
        case .to: self.to.milliseconds
        case .importedAt: self.importedAt.milliseconds
        case .importedBy: self.importedBy
        case .wholeDigest: self.part?.wholeDigest
        case .wholeLinesCount: self.part?.wholeLinesCount
        }
    }

    @inlinable public init(_ columns: inout some RowColumns) throws {
        self.init(
            id: try columns.id(), merchantID: try columns.id(), accountID: try columns.id(), name: try columns.text(),
            mapping: try columns.text(), digest: try columns.bytes(), linesCount: try columns.count(),
            from: try columns.timestamp(), to: try columns.timestamp(), importedAt: try columns.timestamp(),
            importedBy: try columns.text(), part: try Part(&columns))
    }
}

extension SettlementFile.Part {
    /// Two columns, which are there or are not together.
    @inlinable init?(_ columns: inout some RowColumns) throws {
        let (digest, linesCount) = (try columns.optionalBytes(), try columns.optionalInteger())
        guard let digest, let linesCount else {
            guard digest == nil, linesCount == nil else { throw columns.corrupt }
            return nil
        }
        guard let linesCount = Int(exactly: linesCount), linesCount >= 0 else { throw columns.corrupt }
        self.init(wholeDigest: digest, wholeLinesCount: linesCount)
    }
}

extension SettlementItem: StoredRecord {
    public enum Column: String, ColumnName {
        case fileID = "file_id"
        case number
        case merchantID = "merchant_id"
        case accountID = "account_id"
        case kind, date, reference
        case minorUnits = "minor_units"
        case currency
        case feeMinorUnits = "fee_minor_units"
        case verdict
        case operationID = "operation_id"
        case paymentID = "payment_id"
        case ledgerMinorUnits = "ledger_minor_units"
        case isFeeBooked = "is_fee_booked"
        case identity
        case bookedAt = "booked_at"
        case decision
        case reason
        case resolvedAt = "resolved_at"
        case resolvedBy = "resolved_by"
    }

    public static let table = RecordTable<Column>("settlement_items", key: .fileID, .number)

    /// Which rows have settled their operation, in SQL that both engines take: the condition of an index.
    public static let settles = "verdict IN ('matched', 'amountDiffers')"

    /// The row that has settled an operation.
    public static func settling(_ parameters: Parameters) -> String {
        "\(self.table.select(by: .operationID, with: parameters)) AND \(self.settles)"
    }

    /// Which rows nobody has resolved, likewise.
    public static let isOpenCondition = "decision IS NULL AND verdict <> 'matched' AND verdict <> 'fee'"

    public static let resolutionChange: RowChange<Column> = Self.table.change(
        of: [.decision, .reason, .resolvedAt, .resolvedBy], by: [.fileID, .number])

    /// Writes a resolution where there is none.
    public static func resolutionStatement(_ parameters: Parameters) -> String {
        "\(self.resolutionChange.statement(parameters)) AND decision IS NULL"
    }

    public func value(of column: Column) -> RowValue {
        switch column {
        case .fileID: self.id.file.text
        case .number: self.id.number
        case .merchantID: self.merchantID.text
        case .accountID: self.accountID.text
        case .kind: self.kind.rawValue
        case .date: self.date
        case .reference: self.reference
        case .minorUnits: self.amount.minorUnits
        case .currency: self.amount.currency.code
        case .feeMinorUnits: self.feeMinorUnits
        case .verdict: self.verdict.rawValue
        case .operationID: self.operationID?.text
        case .paymentID: self.paymentID?.text
        case .ledgerMinorUnits: self.ledgerMinorUnits
        case .isFeeBooked: self.isFeeBooked
        case .identity: self.identity
        case .bookedAt: self.bookedAt.milliseconds
        case .decision: self.resolution?.decision.rawValue
        case .reason: self.resolution?.reason
        case .resolvedAt: self.resolution?.at.milliseconds
        case .resolvedBy: self.resolution?.by
        }
    }

    @inlinable public init(_ columns: inout some RowColumns) throws {
        let id = ID(file: try columns.id(), number: try columns.count())
        let (merchantID, accountID): (MerchantID, AcquirerAccountID) = (try columns.id(), try columns.id())
        self.init(
            id: id, merchantID: merchantID, accountID: accountID, kind: try columns.choice(), date: try columns.text(),
            reference: try columns.text(), amount: try columns.money(), feeMinorUnits: try columns.integer(),
            verdict: try columns.choice(), operationID: try columns.optionalID(), paymentID: try columns.optionalID(),
            ledgerMinorUnits: try columns.optionalMinorUnits(), isFeeBooked: try columns.flag(),
            identity: try columns.name(), bookedAt: try columns.timestamp(),
            resolution: try SettlementResolution(&columns))
    }
}

extension SettlementResolution {
    /// Four columns, which are there or are not together.
    @inlinable init?(_ columns: inout some RowColumns) throws {
        let decision: Decision? = try columns.optionalChoice()
        let (reason, at, by) = (
            try columns.optionalText(), try columns.optionalTimestamp(), try columns.optionalText()
        )
        guard let decision, let reason, let at, let by else {
            guard decision == nil, reason == nil, at == nil, by == nil else { throw columns.corrupt }
            return nil
        }
        self.init(decision: decision, reason: reason, at: at, by: by)
    }
}

extension SettlementQuery {
    public func page(_ parameters: Parameters) -> RowStatement {
        var filter = RowFilter()
        filter.add("merchant_id =", self.merchantID?.text)
        filter.add("file_id =", self.fileID?.text)
        filter.add("operation_id =", self.operationID?.text)
        filter.add("date", in: self.dates)
        if self.isOpen { filter.add([SettlementItem.isOpenCondition], []) }
        if let after = self.after {
            filter.add(["(file_id, number) > (", ", ", ")"], [after.file.text, after.number])
        }
        return RowStatement(
            """
            SELECT \(SettlementItem.table.names) FROM settlement_items\(filter.condition { parameters($0) }) \
            ORDER BY file_id, number\(parameters.limit(filter.arguments.count + 1))
            """, filter.arguments + [max(0, self.limit)])
    }
}

extension SettlementWindow {
    public func page(_ parameters: Parameters) -> RowStatement {
        var filter = RowFilter()
        filter.add("merchant_id =", self.merchantID.text)
        // An engine takes the index of what is resolved only where it sees that the index has it all.
        if self.booking == .resolution { filter.add(["resolved_at IS NOT NULL"], []) }
        let moment = self.booking == .line ? "booked_at" : "resolved_at"
        let from = RowFilter.bound(self.from?.milliseconds, self.after?.bookedAt.milliseconds, >)
        filter.add("\(moment) >=", from)
        filter.add("\(moment) <", self.to?.milliseconds)
        if let after = self.after {
            filter.add(
                ["(\(moment), file_id, number) > (", ", ", ", ", ")"],
                [after.bookedAt.milliseconds, after.id.file.text, after.id.number])
        }
        return RowStatement(
            """
            SELECT \(SettlementItem.table.names) FROM settlement_items\(filter.condition { parameters($0) }) \
            ORDER BY \(moment), file_id, number\(parameters.limit(filter.arguments.count + 1))
            """, filter.arguments + [max(0, self.limit)])
    }
}
