//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import GRDB
import Money
import Payments
import Testing
import Time

@testable import SimulatorAcquirer

@Suite("The book's tables")
struct BookSchemaTests {
    private static func bookID(_ number: UInt8) -> AcquirerBookID { AcquirerBookID(at: Desk.now, random: [number]) }

    @Test func areMadeOnceInOneStep() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        for _ in 0..<2 { try SimulatorBook.open(path: folder.path("book.sqlite")).close() }
        let queue = try DatabaseQueue(path: folder.path("book.sqlite"))
        let names = try await queue.read {
            try String.fetchAll($0, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid")
        }
        #expect(names == ["1 book"])
    }

    /// Of a version that was never released.
    @Test func ofAnotherProgramAreRefusedAndLeftAsTheyAre() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = folder.path("book.sqlite")
        let queue = try DatabaseQueue(path: path)
        try await queue.write { try $0.execute(sql: "CREATE TABLE operations (id TEXT)") }
        try queue.close()
        #expect(throws: SimulatorBookError.cannotOpen) { try SimulatorBook.open(path: path) }
        let tables = try await DatabaseQueue(path: path).read {
            try String.fetchAll(
                $0, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'grdb%'")
        }
        #expect(tables == ["operations"])
    }

    @Test func everyColumnComesBack() async throws {
        let desk = try Desk()
        var answer = AcquirerAnswer()
        for (number, column) in BookColumn.answers.enumerated() { column.write(&answer, "\(number)") }
        answer.authorizationExpiresAt = Desk.now.adding(seconds: 1)
        let members = Mirror(reflecting: answer).children
        #expect(members.count == BookColumn.answers.count + 1, "every member of an answer has its column")
        #expect(members.count { ($0.value as? String) != nil } == BookColumn.answers.count, "and each another one")
        let entry = SimulatorEntry(
            operationID: desk.id(1), kind: .capture, paymentID: desk.paymentID, merchantID: desk.merchantID,
            targetID: desk.id(0), amount: desk.money(500), captures: true, isFinal: true, state: .approved,
            approvedAmount: desk.money(400), declineReason: .systemError, answer: answer, arrivalsCount: 3,
            bookedAt: Desk.now)
        let bare = SimulatorEntry(
            operationID: desk.id(2), kind: nil, paymentID: desk.paymentID, merchantID: desk.merchantID, targetID: nil,
            amount: desk.money(0), captures: false, isFinal: false, state: .reversed, approvedAmount: nil,
            declineReason: nil, answer: AcquirerAnswer(), arrivalsCount: 0, bookedAt: Desk.now)
        try await desk.book.transaction { pages in
            try pages.insert(entry)
            try pages.insert(bare)
        }
        #expect(try await desk.book.entries() == [entry, bare])
    }

    @Test(arguments: ["kind", "state", "target_id", "decline_reason", "currency", "payment_id"])
    func valueThatNoVersionWritesIsCorrupt(_ column: String) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let desk = try Desk(book: try .open(path: folder.path("book.sqlite")))
        #expect(words(await desk.authorize(1000)) == "approved 1000 00")
        let queue = try DatabaseQueue(path: folder.path("book.sqlite"))
        try await queue.write { try $0.execute(sql: "UPDATE operations SET \(column) = 'unheard of'") }
        await #expect(throws: SimulatorBookError.corrupt) { try await desk.book.entries() }
    }

    // MARK: - What a book is called

    @Test func isCalledWhatItWasCalledFirst() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = folder.path("book.sqlite")
        func opened(_ newID: AcquirerBookID?) throws -> AcquirerBookID? {
            let book = try SimulatorBook.open(path: path, newID: newID)
            defer { try? book.close() }
            return SimulatorConnector(book: book).bookID
        }
        #expect(try opened(nil) == nil)
        #expect(try opened(Self.bookID(1)) == Self.bookID(1))
        #expect(try opened(Self.bookID(2)) == Self.bookID(1))
        #expect(try SimulatorBook.inMemory(id: Self.bookID(3)).id == Self.bookID(3))
        #expect(try SimulatorBook.inMemory().id == nil)
    }

    @Test func idThatIsNoneIsCorrupt() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = folder.path("book.sqlite")
        try SimulatorBook.open(path: path, newID: Self.bookID(1)).close()
        let queue = try DatabaseQueue(path: path)
        try await queue.write { try $0.execute(sql: "UPDATE book SET id = 'mine'") }
        #expect(throws: SimulatorBookError.corrupt) { try SimulatorBook.open(path: path, newID: Self.bookID(1)) }
    }
}
