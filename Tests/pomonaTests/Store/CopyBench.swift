//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch
import Foundation
import GRDB
import Payments
import Redaction
import SQLiteStore
import StoreRows
import TestPostgres
import Testing
import Threads

@testable import pomona

/// Stores to copy from and to.
struct CopyBench: Sendable {
    let folder: CliFolder
    private let sandbox: CliSandbox
    /// Payments through every dialect, and rows in every table.
    let source: StoreLocation

    init() async throws {
        self.folder = try CliFolder()
        self.sandbox = try await CliSandbox.copy()
        let path = "\(self.sandbox.data)/pomona.sqlite"
        self.source = .sqlite(path: path)
        try Self.tamper(path, Self.furtherRows)
        try await self.importSettlement()
    }

    /// Made by the program: its postings are the ledger's, which is proven before a store is copied.
    private func importSettlement() async throws {
        let mapping = try self.folder.write(
            "bank.json", #"{"name":"bank","columns":{"date":"d","amount":"a","currency":"c","reference":"r"}}"#)
        let file = try self.folder.write("bank.csv", "d,a,c,r\n2026-01-05,12.34,CAD,unheard of\n")
        let imported = try await CliTool.pomona([
            "report", "settlement", "import", "--data", self.sandbox.data, "--merchant", "alphapay", "--acquirer",
            "simulator", "--mapping", mapping, file,
        ])
        #expect(imported.exitCode == 0, "\(imported.stdout)\(imported.stderr)")
    }

    /// What the demo leaves out, and values that are easily lost on the way.
    private static let furtherRows = """
        INSERT INTO merchants VALUES ('mer_01KAJ4T5C8RZ0G3V7M2W9XQY4B', 'odd', 'Tab\tslash\\N
        Café “Löwen” e\u{301} 🍏', 'sandbox', '', 'Asia/Taipei',
        -9223372036854775808, 'suspended');
        INSERT INTO acquirer_accounts VALUES
            ('acc_01KAJ4T5C8RZ0G3V7M2W9XQY4B', 'mer_01KAJ4T5C8RZ0G3V7M2W9XQY4B', 'odd', 'simulator', 'sandbox',
            '', NULL, '5999', 'CAFÉ*LÖWEN', NULL, NULL, 'Zoë', '', NULL, '10	1', NULL, 'DEU', NULL, 'active', 0);
        INSERT INTO acquirer_account_settings VALUES ('acc_01KAJ4T5C8RZ0G3V7M2W9XQY4B', 'empty', '');
        INSERT INTO acquirer_account_secrets VALUES ('acc_01KAJ4T5C8RZ0G3V7M2W9XQY4B', 'odd', 'k', x'00');
        INSERT INTO routes VALUES
            ('mer_01KAJ4T5C8RZ0G3V7M2W9XQY4B', 7, 'acc_01KAJ4T5C8RZ0G3V7M2W9XQY4B', 'alphapay', 'visa', 'CAD', 0,
            9223372036854775807);
        INSERT INTO accounts VALUES ('alphapay', 'mer_01KAJ4T5C8RZ0G3V7M2W9XQY4B', 'odd key');
        INSERT INTO account_aliases (dialect, merchant_id, alias) VALUES
            ('alphapay', 'mer_01KAJ4T5C8RZ0G3V7M2W9XQY4B', 'odd alias'),
            ('alphapay', 'mer_01KAJ4T5C8RZ0G3V7M2W9XQY4B', 'odd key');
        INSERT INTO account_settings VALUES ('alphapay', 'mer_01KAJ4T5C8RZ0G3V7M2W9XQY4B', 'empty', '');
        INSERT INTO kept_items VALUES
            ('mer_01KAJ4T5C8RZ0G3V7M2W9XQY4B', 'tappay', 'prime', '1', 'k', x'', 1, 0, 9223372036854775807),
            ('mer_01KAJ4T5C8RZ0G3V7M2W9XQY4B', 'tappay', 'prime', '2', 'k', x'00ff0a5c', 1, 0, 1);
        INSERT INTO jobs SELECT 'recover', id, 1, 0, NULL FROM payments LIMIT 2;
        INSERT INTO acquirer_memos SELECT id, 'cardData', payment_id, 'k', x'00ff', 9223372036854775807 FROM operations LIMIT 2;
        INSERT OR IGNORE INTO store_secrets VALUES ('other', 'k', x'01');
        INSERT INTO people VALUES
            ('per_01KAJ4T5C8RZ0G3V7M2W9XQY4B', 'odd', 'Zoë “Löwe”', NULL, 'owner', '', '{}', 'suspended', NULL, 1, 3,
            -1, 'd', 0, 'https://login.example', 's', 0, NULL, 9223372036854775807);
        INSERT INTO second_factors VALUES ('per_01KAJ4T5C8RZ0G3V7M2W9XQY4B', 'k', x'00', NULL, -1, x'', 0);
        INSERT INTO person_sessions VALUES
            ('ses_01KAJ4T5C8RZ0G3V7M2W9XQY4B', x'00ff', 'per_01KAJ4T5C8RZ0G3V7M2W9XQY4B', 'open', 0, 0, 1, '::1', '');
        INSERT INTO approvals VALUES
            ('apr_01KAJ4T5C8RZ0G3V7M2W9XQY4B', 'refund', 'refundPayment', NULL, NULL, 9223372036854775807, 'CAD',
            'Löwe', '', 'odd', 'odd', 'k', 0, -1, 'failed', '', '', NULL, NULL, 'c', NULL, NULL);
        INSERT INTO approval_contents VALUES ('apr_01KAJ4T5C8RZ0G3V7M2W9XQY4B', 'result', 'k', x'');
        INSERT INTO approval_policies VALUES ('house', '{}', 1, 0, 1);
        INSERT INTO domains VALUES
            ('mer_01KAJ4T5C8RZ0G3V7M2W9XQY4B', 'odd.example', 'Löwe', 0, -1, 1, 'c', '', NULL);
        INSERT INTO admin_claims VALUES ('tok_01KAJ4T5C8RZ0G3V7M2W9XQY4B', 'a key', x'00ff', x'', 0, 1);
        INSERT OR REPLACE INTO observations VALUES
            ('keyUse', 'mer_01KAJ4T5C8RZ0G3V7M2W9XQY4B', 'odd', 0, -1, '{"a": "ü"}');
        INSERT INTO alarms VALUES
            ('alm_01KAJ4T5C8RZ0G3V7M2W9XQY4B', 'disk', '/', NULL, 'warning', 'c', NULL, 'Löwe', '', -1, NULL, 1, NULL, 0, 0,
                -1);
        INSERT INTO closed_days VALUES
            ('mer_01KAJ4T5C8RZ0G3V7M2W9XQY4B', '2026-01-01', 'Asia/Taipei', -1, 0, 0, x'0aff', '{"a": "ü"}', 1, 'odd@host');
        INSERT INTO access_tokens VALUES
            ('tok_01KAJ4T5C8RZ0G3V7M2W9XQY4B', 'odd', x'0a', '', NULL, 1, 'odd@host', 0, 1, NULL, NULL);
        """

    static func tamper(_ path: String, _ sql: String) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    var sourcePath: String { "\(self.sandbox.data)/pomona.sqlite" }

    func file(_ name: String) -> StoreLocation { .sqlite(path: self.folder.file(name)) }

    /// A file with this version's tables and no rows.
    func emptyFile(_ name: String) async throws -> StoreLocation {
        let location = self.file(name)
        try await location.open().close()
        return location
    }

    // MARK: - Content

    typealias Content = [String: Set<[StoredValue]>]

    /// All rows of a store, by table.
    static func content(_ location: StoreLocation) async throws -> Content {
        let copier = try location.copier()
        return try await onOwnThread {
            try copier.read { reader in
                var content: Content = [:]
                for table in try reader.tables() {
                    var rows: Set<[StoredValue]> = []
                    try reader.pages(of: table) { rows.formUnion($0) }
                    content[table.name] = rows
                }
                return content
            }
        }
    }

    static func isEmpty(_ location: StoreLocation) async throws -> Bool {
        try await self.content(location).values.allSatisfy(\.isEmpty)
    }

    static func copy(_ source: StoreLocation, _ target: StoreLocation) async throws -> StoreCopy.Report {
        try await StoreCopy(source: source, target: target).run { _ in
        } finish: { _ in
        }
    }

    /// The rows alone, without the checks around them.
    static func copyRows(
        _ source: StoreLocation, _ target: StoreLocation,
        progress: @escaping @Sendable (RowCopy.Progress) throws -> Void = { _ in }
    ) async throws {
        let (from, to) = (try source.copier(), try target.copier())
        try await onOwnThread { _ = try RowCopy.run(from: from, to: to, progress: progress) }
    }
}

/// A database of the tests' server.
struct CopyDatabase: Sendable {
    let server: PostgresServer
    let name: String

    /// - Parameter hasTables: whether with this version's tables.
    init(hasTables: Bool = false) async throws {
        self.server = try await PostgresServer.shared()
        self.name = try await self.server.makeDatabase()
        if hasTables { try await self.location.open().close() }
    }

    var url: String { self.server.url(database: self.name) }

    var location: StoreLocation { .postgreSQL(Redacted(self.url)) }

    @discardableResult
    func execute(_ sql: String) async throws -> String {
        try await self.server.execute(sql, database: self.name)
    }

    /// Cuts every connection to the database, as a crash of the machine in between would. Waits until it is done; not
    /// for a thread that runs tasks.
    func cutConnections() {
        let done = DispatchSemaphore(value: 0)
        Task {
            _ = try? await self.server.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(self.name)'")
            done.signal()
        }
        done.wait()
    }
}
