//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StoreRows

/// Copies every row of a store into an empty one, and reads them all back.
enum RowCopy {
    /// How far it has come.
    struct Progress: Sendable {
        enum Step: String, Sendable {
            case copying = "Copying"
            case checking = "Checking"
        }

        let step: Step
        let table: String
        /// In the table so far.
        let rowsCount: Int
    }

    /// All of it in one transaction of each store: if anything fails the target is left empty.
    ///
    /// - Parameters:
    ///   - check: is called with the number of each table's rows before anything is kept.
    ///   - finish: is called when the target has all, and nobody can write to the source yet.
    /// - Returns: how many rows each table has.
    /// - Throws: ``StoreCopyError``, ``StoreError``, or what the closures throw.
    static func run(
        from source: any CopyableStore, to target: any CopyableStore,
        check: ([String: Int]) throws -> Void = { _ in }, progress: (Progress) throws -> Void = { _ in },
        finish: ([String: Int]) throws -> Void = { _ in }
    ) throws -> [String: Int] {
        try source.read { reader in
            let tables = try reader.tables().inOrderOfReferences
            let counts = try target.fill { writer in
                try self.requireSameTables(tables, writer.tables())
                var digests: [String: TableDigest] = [:]
                for table in tables {
                    digests[table.name] = try self.copy(table, from: reader, to: writer, progress)
                }
                try writer.finish()
                for table in tables {
                    guard try self.digest(of: table, in: writer, progress) == digests[table.name] else {
                        throw StoreCopyError(
                            .contentDiffers,
                            "What the target holds in \(table.name) is not what was read. Nothing of it is kept; "
                                + "please report it, and go on with the store that you have.")
                    }
                }
                let counts = digests.mapValues(\.rowsCount)
                try check(counts)
                return counts
            }
            try finish(counts)
            return counts
        }
    }

    private static func requireSameTables(_ source: [CopiedTable], _ target: [CopiedTable]) throws {
        func columns(_ tables: [CopiedTable]) -> [String: [CopiedTable.Column]] {
            Dictionary(tables.map { ($0.name, $0.columns) }, uniquingKeysWith: { first, _ in first })
        }
        let (ours, theirs) = (columns(source), columns(target))
        let different = Set(ours.keys).union(theirs.keys).filter { ours[$0] != theirs[$0] }.sorted()
        guard let first = different.first else { return }
        throw StoreCopyError(
            .tablesDiffer,
            "The two stores have not the same tables: \(first) differs. Bring both up to date with pomona store migrate."
        )
    }

    private static func copy(
        _ table: CopiedTable, from reader: any RowReader, to writer: any RowWriter,
        _ progress: (Progress) throws -> Void
    ) throws -> TableDigest {
        var digest = TableDigest()
        try writer.write(table) { write in
            try reader.pages(of: table) { page in
                for row in page { digest.add(row) }
                try write(page)
                try progress(Progress(step: .copying, table: table.name, rowsCount: digest.rowsCount))
            }
        }
        return digest
    }

    private static func digest(
        of table: CopiedTable, in reader: any RowReader, _ progress: (Progress) throws -> Void
    ) throws -> TableDigest {
        var digest = TableDigest()
        try reader.pages(of: table) { page in
            for row in page { digest.add(row) }
            try progress(Progress(step: .checking, table: table.name, rowsCount: digest.rowsCount))
        }
        return digest
    }
}
