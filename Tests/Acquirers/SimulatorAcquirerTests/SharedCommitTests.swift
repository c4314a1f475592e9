//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Testing

@testable import SimulatorAcquirer

@Suite("Work that is committed together")
struct SharedCommitTests {
    private struct Trouble: Error {}

    /// Bodies that come at once: while the first is committed, the others gather.
    ///
    /// - Returns: which of them have returned.
    private func together(
        _ book: SimulatorBook, count: UInt8, _ body: @escaping @Sendable (UInt8, BookPages) throws -> Void
    ) async -> [Bool] {
        await withTaskGroup(of: (Int, Bool).self) { group in
            for number in 0..<count {
                group.addTask {
                    let isDone = try? await book.transaction { pages -> Bool in
                        try body(number, pages)
                        return true
                    }
                    return (Int(number), isDone ?? false)
                }
            }
            var results = [Bool](repeating: false, count: Int(count))
            for await (index, isDone) in group { results[index] = isDone }
            return results
        }
    }

    @Test(arguments: [false, true])
    func oneThatFailsTakesNobodyWithIt(_ isFile: Bool) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let book = try isFile ? SimulatorBook.open(path: folder.path("book.sqlite")) : .inMemory()
        let desk = try Desk(book: book)
        #expect(words(await desk.authorize(100_000)) == "approved 100000 00")
        let authorization = try #require(try await book.entry(desk.authorizationID))
        let done = await self.together(book, count: 100) { number, pages in
            let entry = SimulatorEntry(
                operationID: desk.id(number + 1), kind: .capture, paymentID: desk.paymentID,
                merchantID: desk.merchantID, targetID: desk.authorizationID, amount: desk.money(10), captures: false,
                isFinal: false, state: .approved, approvedAmount: desk.money(10), declineReason: nil,
                answer: AcquirerAnswer(reference: "\(number)"), arrivalsCount: 1, bookedAt: authorization.bookedAt)
            try pages.insert(entry)
            // What it has written is taken back with it.
            if number % 7 == 3 { throw Trouble() }
        }
        let kept = Set(try await book.entries().map(\.operationID))
        for number in 0..<100 as Range<UInt8> {
            #expect(done[Int(number)] == (number % 7 != 3))
            #expect(kept.contains(desk.id(number + 1)) == (number % 7 != 3))
        }
    }

    @Test func aClosedBookRefusesAllThatWaits() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let book = try SimulatorBook.open(path: folder.path("book.sqlite"))
        try book.close()
        let done = await self.together(book, count: 20) { _, _ in }
        #expect(done == [Bool](repeating: false, count: 20))
    }
}
