//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import GRDB
import Ledger
import Money
import Payments
import Testing
import Time

@testable import SQLiteStore

/// A database file as the first release has made it, with rows in every table.
@Suite struct FirstSchemaTests {
    @Test func isOpenedWithAllItsRows() async throws {
        try await withFirstSchema { place, content in
            for _ in 0..<2 {
                let found = try await place.withStore { try await Sample.content(of: $0) }
                #expect(found == content)
            }
            #expect(try place.query("SELECT 'broken' FROM pragma_foreign_key_check").isEmpty)
            #expect(try place.query("PRAGMA integrity_check") == ["ok"])
            #expect(try place.query("SELECT CAST(COUNT(*) AS TEXT) FROM seen_tokens") == ["1"])
        }
    }

    /// Made anew or brought up to date: the tables, indexes and triggers are the same.
    @Test func hasTheSchemaOfANewFile() async throws {
        let schema = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name"
        let wanted = try await withDirectory { place in
            try await place.withStore { _ in }
            return try place.query(schema)
        }
        try await withFirstSchema { place, _ in
            try await place.withStore { _ in }
            #expect(try place.query(schema) == wanted)
        }
    }

    @Test func earlierReadersAndOperatorsAreAskedToBringItUpToDate() async throws {
        try await withFirstSchema { place, _ in
            #expect {
                try SQLiteStore.openReadOnly(path: place.path)
            } throws: {
                guard case StoreError.unavailable(let why) = $0 else { return false }
                return why.contains("bring it up to date")
            }
        }
    }

    @Test func takesTheNewKinds() async throws {
        try await withFirstSchema { place, content in
            try await place.withStore { store in
                let payment = try #require(content.payment)
                let void = OperationRequest(id: Sample.id(99), action: .void(of: payment.operations[0].id))
                let begun = try payment.transition(on: .begin(void), at: Sample.now)
                let voided = try begun.payment.transition(
                    on: .resolve(void.id, .succeeded(approved: payment.amount, AcquirerAnswer(stan: "000001"))),
                    at: Sample.now)
                try await store.write { try $0.update(voided, from: payment.version) }
                let found = try await store.read { (try $0.payment(payment.id), try $0.journal(of: payment.id)) }
                #expect(found.0 == voided.payment)
                #expect(found.1.map(\.kind) == content.journal.map(\.kind) + [.void])

                try await self.verifyAndAdjust(store, payment.amount.currency)
                let item = KeptItem(
                    name: Sample.keptName, content: SealedBytes(keyID: "1", box: [1]), version: 1,
                    createdAt: Sample.now, expiresAt: Sample.now)
                try await store.write { try $0.upsert(item) }
                #expect(try await store.read { try $0.keptItem(item.name) } == item)
                var event = try #require(content.events.first)
                event.messageIndex = 1
                let later = event
                try await store.write { try $0.update(later) }
                #expect(try await store.read { try $0.event(later.id) } == later)
            }
        }
    }

    private func verifyAndAdjust(_ store: SQLiteStore, _ currency: Currency) async throws {
        let verification = Payment.verifying(
            id: Sample.id(50), merchantID: Sample.id(1), mode: .sandbox, dialect: Sample.dialect,
            acquirer: AcquirerName("simulator"), orderID: nil, currency: currency,
            instrument: try Sample.payment().instrument, verificationID: Sample.id(500),
            labels: OperationLabels(fields: ["txid": "1"]), at: Sample.now)
        let opened = try Payment.opening(
            id: Sample.id(51), merchantID: Sample.id(1), mode: .sandbox, dialect: Sample.dialect,
            acquirer: AcquirerName("simulator"), orderID: nil, amount: Money(minorUnits: 1000, currency: currency),
            instrument: verification.instrument, authorizationID: Sample.id(510), at: Sample.now)
        let authorized = try opened.transition(
            on: .resolve(opened.operations[0].id, .succeeded(approved: opened.amount, AcquirerAnswer())),
            at: Sample.now)
        let adjusted = try authorized.payment.transition(
            on: .begin(
                OperationRequest(
                    id: Sample.id(511), action: .adjustment(Money(minorUnits: 1500, currency: currency)))),
            at: Sample.now)
        try await store.write { transaction in
            try transaction.insert(verification)
            try transaction.insert(opened)
            try transaction.update(authorized, from: 1)
            try transaction.update(adjusted, from: authorized.payment.version)
        }
        let found = try await store.read { (try $0.payment(verification.id), try $0.payment(opened.id)) }
        #expect(found.0 == verification)
        #expect(found.1 == adjusted.payment)
    }

    @Test func findsItsOrdersByTheirReferenceAndTakesNoneTwice() async throws {
        try await withFirstSchema { place, content in
            try await place.withStore { store in
                let order = try #require(content.order)
                let found = try await store.read {
                    try $0.order(of: order.merchantID, dialect: order.dialect, reference: order.reference)
                }
                #expect(found == order)
                let another = Order(
                    id: Sample.id(2), merchantID: order.merchantID, dialect: order.dialect,
                    reference: order.reference, amount: order.amount, summary: "", notifyURL: nil,
                    merchantIdentifier: nil, createdAt: Sample.now, expiresAt: Sample.now)
                await #expect(throws: StoreError.duplicate("order reference")) {
                    try await store.write { try $0.insert(another) }
                }
            }
        }
    }

    @Test(arguments: ["journal_entries", "postings", "idempotency_claims", "operation_references", "seen_tokens"])
    func itsAppendOnlyTablesStaySo(_ table: String) async throws {
        try await withFirstSchema { place, _ in
            try await place.withStore { _ in }
            #expect(throws: (any Error).self) { try place.tamper("DELETE FROM \(table)") }
            #expect(try place.query("SELECT CAST(COUNT(*) > 0 AS TEXT) FROM \(table)") == ["1"])
        }
    }
}

/// Makes a file with the first release's tables, writes into it what ``Sample/fill(_:)`` writes, and hands over what is
/// to be found in it.
private func withFirstSchema(_ body: (TemporaryStore, Sample.Content) async throws -> Void) async throws {
    try await withDirectory { place in
        let donor = TemporaryStore(directory: place.directory + "/donor")
        try FileManager.default.createDirectory(atPath: donor.directory, withIntermediateDirectories: true)
        let content = try await donor.withStore { store in
            _ = try await Sample.fill(store)
            return try await Sample.content(of: store)
        }
        let queue = try DatabaseQueue(path: place.path)
        try makeMigrator().migrate(queue, upTo: "1 delivery")
        try await queue.writeWithoutTransaction { database in
            try copyRows(from: donor.path, to: database)
            // The first tables are what they were: they know none of the new kinds.
            for kind in ["adjustment", "verification"] {
                #expect(throws: DatabaseError.self) {
                    try database.execute(sql: "UPDATE operations SET kind = '\(kind)' WHERE ordinal = 1")
                }
            }
            #expect(throws: DatabaseError.self) { try database.execute(sql: "SELECT message_index FROM outbox_events") }
        }
        try queue.close()
        try await body(place, content)
    }
}

/// Every column that the first tables have, of every row.
private func copyRows(from path: String, to database: Database) throws {
    try database.execute(sql: "ATTACH ? AS donor", arguments: [path])
    let tables = try String.fetchAll(
        database,
        sql: """
            SELECT name FROM main.sqlite_schema
            WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name <> 'grdb_migrations'
            """)
    #expect(tables.count == 16)
    try database.inTransaction {
        for table in tables {
            let columns = try String.fetchAll(
                database, sql: "SELECT name FROM pragma_table_info(?, 'main')", arguments: [table]
            ).joined(separator: ", ")
            try database.execute(sql: "INSERT INTO main.\(table) (\(columns)) SELECT \(columns) FROM donor.\(table)")
            let count = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM main.\(table)")
            #expect(try #require(count) > 0, "\(table)")
        }
        return .commit
    }
    try database.execute(sql: "DETACH donor")
}
