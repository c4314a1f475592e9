//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

/// The tables and rows of a database, as its own schema has them.
///
/// One thing differs from other stores: `account_names` holds both the accounts' keys and their aliases. It is read and
/// written as a table `account_aliases`, and the keys are added at the end.
struct PostgreSQLRowCopy: RowWriter {
    /// What is the database's own affair: which migrations there have been, and connections' marks.
    static let ownTables: Set = ["schema_migrations", "commit_marks"]
    private static let pageCount = 512

    private let session: CopySession

    init(_ session: CopySession) {
        self.session = session
    }

    // MARK: - The schema

    /// The tables' names as the schema has them.
    func schemaTables() throws -> [String] {
        try self.session.rows(
            """
            SELECT relname FROM pg_class
            WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') ORDER BY relname
            """
        ).map { $0[0] }.filter { !Self.ownTables.contains($0) }
    }

    func tables() throws -> [CopiedTable] {
        try self.schemaTables().map { name in
            let references = try self.session.rows(
                """
                SELECT confrelid::regclass::text FROM pg_constraint
                WHERE conrelid = '\(name)'::regclass AND contype = 'f'
                """
            ).map { $0[0] }
            let types = try self.types(of: name)
            let columns = types.map { column, type in
                CopiedTable.Column(name: AccountNames.column(column, of: name), kind: type.kind)
            }
            return CopiedTable(
                name: AccountNames.table(name), columns: columns.sorted { $0.name < $1.name },
                references: Set(references.map(AccountNames.table)))
        }.sorted { $0.name < $1.name }
    }

    /// The columns with their types.
    private func types(of table: String) throws -> [String: BinaryType] {
        let rows = try self.session.rows(
            """
            SELECT attname, atttypid::bigint FROM pg_attribute
            WHERE attrelid = '\(table)'::regclass AND attnum > 0 AND NOT attisdropped
            """)
        let types = try rows.map { row in
            guard let type = UInt32(row[1]).flatMap(BinaryType.init(rawValue:)) else {
                throw StoreError.corrupt("\(table).\(row[0])")
            }
            return (row[0], type)
        }
        return Dictionary(types, uniquingKeysWith: { first, _ in first })
    }

    func hasRows(_ table: String) throws -> Bool {
        try self.session.rows("SELECT EXISTS (SELECT FROM \(table))") == [["t"]]
    }

    // MARK: - Reading

    func pages(of table: CopiedTable, _ body: ([[StoredValue]]) throws -> Void) throws {
        let place = try self.place(of: table)
        let key = try self.session.rows(
            """
            SELECT attname FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
            WHERE indrelid = '\(place.table)'::regclass AND indisprimary
            ORDER BY array_position(indkey::int2[], attnum)
            """
        ).map { "\"\($0[0])\"" }
        let query = """
            SELECT \(place.columns) FROM \(place.table)\(AccountNames.condition(of: place.table))
            ORDER BY \(key.joined(separator: ", "))
            """
        var reader = BinaryRowReader(table: table, types: place.types)
        var page: [[StoredValue]] = []
        try self.session.copyOut(query) { bytes in
            try reader.read(bytes) { page.append($0) }
            guard page.count >= Self.pageCount else { return }
            try body(page)
            page.removeAll(keepingCapacity: true)
        }
        if !page.isEmpty { try body(page) }
    }

    /// Where a table's rows are, with its columns in their order.
    private func place(of table: CopiedTable) throws -> (table: String, columns: String, types: [BinaryType]) {
        let name = AccountNames.schemaTable(table.name)
        let columns = table.columns.map { AccountNames.schemaColumn($0.name, of: table.name) }
        let known = try self.types(of: name)
        let types = try columns.map { column in
            guard let type = known[column] else { throw StoreError.corrupt("\(name).\(column)") }
            return type
        }
        return (name, columns.map { "\"\($0)\"" }.joined(separator: ", "), types)
    }

    // MARK: - Writing

    func write(_ table: CopiedTable, _ body: (([[StoredValue]]) throws -> Void) throws -> Void) throws {
        let place = try self.place(of: table)
        var writer = BinaryRowWriter(table: table, types: place.types)
        try self.session.copyIn("\(place.table) (\(place.columns))") {
            try body { page in
                for row in page { try writer.append(row) }
                try writer.flush { try self.session.send($0) }
            }
            writer.appendEnd()
            try writer.flush { try self.session.send($0) }
        }
    }

    func finish() throws {
        try self.session.run(
            "INSERT INTO account_names (dialect, name, merchant_id) SELECT dialect, key, merchant_id FROM accounts")
        try self.session.run("SET CONSTRAINTS ALL IMMEDIATE")
    }
}

/// How the names of accounts are called here and elsewhere.
private enum AccountNames {
    static let here = "account_names"
    static let elsewhere = "account_aliases"

    static func table(_ name: String) -> String { name == self.here ? self.elsewhere : name }

    static func schemaTable(_ name: String) -> String { name == self.elsewhere ? self.here : name }

    static func column(_ name: String, of table: String) -> String {
        table == self.here && name == "name" ? "alias" : name
    }

    static func schemaColumn(_ name: String, of table: String) -> String {
        table == self.elsewhere && name == "alias" ? "name" : name
    }

    /// Leaves the keys out.
    static func condition(of table: String) -> String {
        guard table == self.here else { return "" }
        return """
             WHERE NOT EXISTS (
                SELECT FROM accounts
                WHERE accounts.dialect = account_names.dialect AND accounts.merchant_id = account_names.merchant_id
                    AND accounts.key = account_names.name)
            """
    }
}
