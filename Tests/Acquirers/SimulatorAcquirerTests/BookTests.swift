//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Money
import Payments
import SimulatorAcquirer
import TestRandom
import Testing

@Suite("The book in its file")
struct BookTests {
    @Test func survivesTheEndOfTheProcess() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let book = try SimulatorBook.open(path: folder.path("book.sqlite"))
        let desk = try Desk(book: book)
        _ = await desk.authorize(1000)
        _ = await desk.capture(1, 5858)
        _ = await desk.capture(2, 400)
        let entries = try await book.entries()
        try book.close()

        let later = try Desk(book: try .open(path: folder.path("book.sqlite")))
        #expect(try await later.book.entries() == entries)
        #expect(words(await later.query(0)) == "approved 1000 00")
        #expect(words(await later.capture(3, 601)) == "declined invalidOperation 12")
        #expect(words(await later.capture(4, 600)) == "approved 600 00")
    }

    /// The files as a killed process leaves them: nothing was closed, and no checkpoint was made.
    @Test func everyAnswerIsInTheFilesWhenItIsGiven() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let desk = try Desk(book: try .open(path: folder.path("book.sqlite")))
        _ = await desk.authorize(100_000)
        for number in 1...20 as ClosedRange<UInt8> {
            #expect(words(await desk.capture(number, 100)) == "approved 100 00")
            let copy = try folder.snapshot()
            defer { copy.remove() }
            let found = try SimulatorBook.open(path: copy.path("book.sqlite"))
            #expect(try await found.entry(desk.id(number))?.state == .approved)
            try found.close()
        }
    }

    @Test func isTheSameInPlace() async throws {
        var entries: [[SimulatorEntry]] = []
        for worksInPlace in [false, true] {
            let desk = try Desk(book: try .inMemory(worksInPlace: worksInPlace))
            #expect(words(await desk.authorize(1000)) == "approved 1000 00")
            #expect(words(await desk.capture(1, 400)) == "approved 400 00")
            #expect(words(await desk.capture(2, 601)) == "declined invalidOperation 12")
            entries.append(try await desk.book.entries())
        }
        #expect(entries[0] == entries[1])
    }

    @Test func isUnavailableInPlaceWhenItIsClosed() async throws {
        let book = try SimulatorBook.inMemory(worksInPlace: true)
        try book.close()
        await #expect(throws: SimulatorBookError.unavailable) { try await book.entries() }
        let desk = try Desk(book: book)
        #expect(words(await desk.authorize(1000)) == "unknown book_unavailable")
    }

    @Test func holdsNothingOfTheCard() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let desk = try Desk(
            book: try .open(path: folder.path("book.sqlite")),
            script: SimulatorScript([SimulatorScript.Rule(.authorize, .nth(2), fault: .arriveLate)]))
        _ = await desk.authorize(1000)
        _ = await desk.authorize(1000)
        await desk.acquirer.deliverLate()
        let bytes = try folder.contents()
        #expect(bytes.contains(desk.authorizationID.text.utf8))
        #expect(!bytes.contains(Desk.pan.utf8))
        #expect(!bytes.contains(Desk.cryptogram))
    }

    @Test func closedBookLeavesTheOutcomeUnknown() async throws {
        let desk = try Desk()
        _ = await desk.authorize(1000)
        try desk.book.close()
        #expect(words(await desk.capture(1, 100)) == "unknown book_unavailable")
        #expect(words(await desk.query(0)) == "unknown book_unavailable")
        await #expect(throws: SimulatorBookError.unavailable) { try await desk.book.entries() }
    }

    /// Where it stands beside a gateway's secrets, the gateway refuses to start with one that others may read.
    @Test func fileIsItsOwnersAlone() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let desk = try Desk(book: try .open(path: folder.path("book.sqlite")))
        _ = await desk.authorize(1000)
        for name in ["book.sqlite", "book.sqlite-wal"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600, "\(name)")
        }
        try desk.book.close()
    }

    @Test func refusesFolderThatIsNotThere() throws {
        let folder = try TemporaryFolder()
        folder.remove()
        #expect(throws: SimulatorBookError.cannotOpen) { try SimulatorBook.open(path: folder.path("book.sqlite")) }
    }

    @Test func refusesFileThatIsNoDatabase() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(Array(repeating: 0x20, count: 5000), to: "book.sqlite")
        #expect(throws: SimulatorBookError.cannotOpen) { try SimulatorBook.open(path: folder.path("book.sqlite")) }
    }

    @Test func errorsSayWhatToDo() {
        #expect(SimulatorBookError.cannotOpen.code == "simulator_book_cannot_open")
        #expect(SimulatorBookError.corrupt.code == "simulator_book_corrupt")
        #expect(SimulatorBookError.unavailable.description.hasSuffix("(simulator_book_unavailable)"))
    }

    @Test func emptyBookHasNoTotals() async throws {
        let book = try SimulatorBook.inMemory()
        #expect(try await book.totals().isEmpty)
        #expect(try await book.entries().isEmpty)
    }

    @Test func totalsAddUpByCurrency() async throws {
        let book = try SimulatorBook.inMemory()
        let first = try Desk(book: book, payment: 1)
        let second = try Desk(book: book, payment: 2)
        _ = await first.authorize(1000)
        _ = await first.capture(1, 300, isFinal: true)
        _ = await second.authorize(500, captures: true)
        _ = await second.refund(1, 200)
        let third = try Desk(book: book, payment: 3)
        _ = await third.authorize(50)
        _ = await third.void(1, target: 0, 50)
        let yen = Money(minorUnits: 70, currency: try #require(Currency.alphabetic("JPY")))
        let fourth = try Desk(book: book, payment: 4)
        let charge = Charge(instrument: Desk.card, network: .visa)
        _ = await fourth.acquirer.perform(fourth.request(0, yen, .authorize(charge)))
        let totals = try await book.totals()
        #expect(totals.count == 2)
        #expect(
            totals[first.currency]
                == first.position(authorized: 1550, captured: 800, refunded: 200, voided: 50, released: 700))
        #expect(totals[first.currency]?.held.isZero == true)
        #expect(totals[yen.currency]?.authorized == yen)
        #expect(totals[yen.currency]?.held == yen)
        #expect(try await book.entries(of: second.paymentID).map(\.kind) == [.authorization, .refund])
    }

    /// Random calls of one payment, seeded: whatever comes, no more is captured than was authorized, nor refunded than
    /// captured.
    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func sumsHoldUnderRandomCalls(_ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let faults: [SimulatorFault?] = [
            nil, nil, nil, .dropBeforeBooking, .dropAfterBooking, .arriveLate, .duplicate, .garbage,
            .decline(.doNotHonor), .accept, .refuse(.busy),
        ]
        let desk = try Desk()
        for _ in 0..<60 {
            desk.script.clear()
            desk.script.append(SimulatorScript.Rule(nil, fault: faults.randomElement(using: &random) ?? nil))
            let number = UInt8.random(in: 0...20, using: &random)
            let amount = Int64.random(in: 1...400, using: &random)
            switch Int.random(in: 0..<7, using: &random) {
            case 0: _ = await desk.authorize(1000, captures: seed.isMultiple(of: 3))
            case 1, 2: _ = await desk.capture(number, amount, isFinal: amount > 380)
            case 3, 4: _ = await desk.refund(number, amount)
            case 5:
                let target = UInt8.random(in: 0...20, using: &random)
                if Bool.random(using: &random) {
                    _ = await desk.void(number, target: target, amount)
                } else {
                    _ = await desk.reverse(number, target: target, amount)
                }
            default: await desk.acquirer.deliverLate()
            }
            guard let position = try await desk.book.position(desk.paymentID) else { continue }
            #expect(position.authorized.minorUnits <= 1000)
            #expect(position.held.minorUnits >= 0)
            #expect(position.refunded.minorUnits >= 0)
            #expect(position.refunded.minorUnits <= position.captured.minorUnits)
            #expect(position.voided.isZero || position.captured.isZero)
        }
    }
}
