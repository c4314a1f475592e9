//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import GRDB
import Payments
import Testing

@testable import SimulatorAcquirer

@Suite("A book of the first schema")
struct BookMigrationTests {
    @Test func migrationsAreNamedAndRunOnce() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        for _ in 0..<2 { try SimulatorBook.open(path: folder.path("book.sqlite")).close() }
        let queue = try DatabaseQueue(path: folder.path("book.sqlite"))
        let names = try await queue.read {
            try String.fetchAll($0, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid")
        }
        #expect(
            names == ["1 operations", "2 verifications, adjustments, checks", "3 states without a list", "4 reports"])
    }

    @Test func isOpenedWithAllItsRowsAndTakesTheNewKinds() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let ids = try Desk()
        try self.writeFirstSchema(folder.path("book.sqlite"), ids)

        let book = try SimulatorBook.open(path: folder.path("book.sqlite"))
        let desk = try Desk(book: book)
        let entries = try await book.entries()
        #expect(entries.map(\.operationID) == [desk.id(0), desk.id(1), desk.id(2)])
        #expect(entries.map(\.kind) == [.authorization, .capture, nil])
        #expect(entries.map(\.state) == [.approved, .approved, .reversed])
        #expect(entries.map(\.arrivalsCount) == [2, 1, 0])
        #expect(entries[0].answer.authorizationCode == "123456")
        #expect(entries[0].answer.stan == nil)
        #expect(entries[1].answer.reference == "000000000002")
        #expect(entries[1].isFinal == false && entries[1].targetID == desk.id(0))
        #expect(try await book.position(desk.paymentID) == desk.position(authorized: 1000, captured: 400))

        #expect(words(await desk.query(0)) == "approved 1000 00")
        #expect(words(await desk.refund(2, 1)) == RulesTests.refused, "it was taken back before it arrived")
        #expect(words(await desk.adjust(3, 1500)) == "approved 1500 00")
        #expect(words(await desk.capture(4, 1100)) == "approved 1100 00")
        let other = try Desk(book: book, payment: 2)
        #expect(words(await other.verify()) == "approved 0 00")
        #expect(
            try await book.entries().map(\.kind) == [
                .authorization, .capture, nil, .adjustment, .capture, .verification,
            ])
    }

    private func writeFirstSchema(_ path: String, _ desk: Desk) throws {
        let queue = try DatabaseQueue(path: path, configuration: BookSchema.configuration(isFile: true))
        try BookSchema.migrator.migrate(queue, upTo: "1 operations")
        let payment = "'\(desk.paymentID.text)', '\(desk.merchantID.text)'"
        try queue.write { database in
            try database.execute(
                sql: """
                    INSERT INTO operations VALUES
                        (1, '\(desk.id(0).text)', 'authorization', \(payment), NULL, 1000, 'CAD', 0, 0, 'approved', 1000,
                            NULL, '000000000001', '123456', '00', 2, 1780000000000),
                        (3, '\(desk.id(1).text)', 'capture', \(payment), '\(desk.id(0).text)', 400, 'CAD', 0, 0,
                            'approved', 400, NULL, '000000000002', NULL, '00', 1, 1780000000001),
                        (7, '\(desk.id(2).text)', NULL, \(payment), NULL, 1, 'CAD', 0, 0, 'reversed', NULL, NULL, NULL,
                            NULL, NULL, 0, 1780000000002)
                    """)
            // The first schema is what it was: it knows no adjustments.
            #expect(throws: DatabaseError.self) {
                try database.execute(
                    sql: """
                        INSERT INTO operations VALUES (8, 'op', 'adjustment', \(payment), NULL, 1, 'CAD', 0, 0,
                            'approved', 1, NULL, NULL, NULL, NULL, 1, 0)
                        """)
            }
        }
        try queue.close()
    }
}
