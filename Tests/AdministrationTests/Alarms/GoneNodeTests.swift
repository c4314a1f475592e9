//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
import Payments
import TestGateway
import Testing
import Time

@testable import Administration

/// Alarms of nodes that are gone are ended by those that are there, and those of nodes that are there are not.
struct GoneNodeTests {
    private static func begin(
        _ test: TestGateway, _ kind: Alarm.Kind = .disk, node: String? = "gone:/srv",
        severity: Finding.Severity = .failure
    ) async throws -> Alarm? {
        let finding = Finding(
            .store, "wrong", severity, subject: "it", "It is wrong.", because: "It matters.", advice: "Mend it.")
        let found = [AlarmFinding(kind, finding, node: node)].compactMap { $0 }
        return try await test.gateway.administration.updateAlarms(found, in: [], reports: true).begun.first
    }

    private static func look(_ test: TestGateway, as node: String, endsOthers: Bool = true) async throws -> [Alarm] {
        try await test.gateway.administration.lookAfterNodes(as: node, endsOthers: endsOthers)
    }

    private static func standing(_ test: TestGateway) async throws -> [AlarmID] {
        try await test.gateway.administration.read { try $0.standingAlarms().map(\.id) }
    }

    @Test func isEndedOnceItsNodeHasNotBeenSeenForAnHour() async throws {
        let test = try await TestGateway.open()
        let administration = test.gateway.administration
        let alarm = try #require(try await Self.begin(test))
        let seenAt = test.clock.now
        #expect(alarm.seenAt == seenAt)
        let message = try #require(try await administration.dueAlarmMessages().first)
        try await administration.record(message, isTaken: true)
        test.clock.advance(seconds: 3599)
        #expect(try await Self.look(test, as: "here:/srv").isEmpty)
        test.clock.advance(seconds: 1)
        let ended = try await Self.look(test, as: "here:/srv")
        #expect(ended.map(\.id) == [alarm.id] && ended.first?.endedAt == test.clock.now)
        #expect(try await Self.standing(test).isEmpty)
        #expect(ended.first?.text.contains("Node gone: the one that found this was last seen at ") == true)
        #expect(ended.first?.text.contains("gone:/srv") == false, "people of a merchant's read it")
        let entry = try await administration.read { try $0.lastAuditEntry() }
        #expect(entry?.act == .alarmEnd && entry?.subject == alarm.id.text)
        #expect(entry?.details == ["reason": "node gone", "lastSeen": seenAt.rfc3339Seconds])
        // Who was called because of it learns that it is over, and why.
        let end = try #require(try await administration.dueAlarmMessages().first)
        #expect(end.id == "\(alarm.id)-ended" && String(decoding: end.body, as: UTF8.self).contains("Node gone"))
        #expect(try await Self.look(test, as: "other:/srv").isEmpty)
    }

    @Test func standsForAsLongAsItsNodeIsThere() async throws {
        let test = try await TestGateway.open()
        let alarm = try #require(try await Self.begin(test))
        for _ in 0..<30 {
            test.clock.advance(seconds: 300)
            #expect(try await Self.look(test, as: "gone:/srv").isEmpty)
            #expect(try await Self.look(test, as: "here:/srv").isEmpty)
        }
        #expect(try await Self.standing(test) == [alarm.id])
    }

    /// Cut off, frozen or restarted: for less than an hour nothing happens to it, and after more it begins anew.
    @Test func isNotLostWhenItsNodeComesBack() async throws {
        let test = try await TestGateway.open()
        let alarm = try #require(try await Self.begin(test))
        test.clock.advance(seconds: 3000)
        #expect(try await Self.look(test, as: "gone:/srv").isEmpty)
        test.clock.advance(seconds: 3000)
        #expect(try await Self.look(test, as: "here:/srv").isEmpty)
        #expect(try await Self.standing(test) == [alarm.id])
        test.clock.advance(seconds: 600)
        #expect(try await Self.look(test, as: "here:/srv").count == 1)
        let again = try #require(try await Self.begin(test))
        #expect(again.id != alarm.id && again.text == "It is wrong." && again.advice == "Mend it.")
        #expect(try await Self.standing(test) == [again.id])
    }

    /// Who was away for long is the first to look: its own alarms are its own.
    @Test func aNodeEndsNoneOfItsOwn() async throws {
        let test = try await TestGateway.open()
        let alarm = try #require(try await Self.begin(test))
        test.clock.advance(seconds: 86_400)
        #expect(try await Self.look(test, as: "gone:/srv").isEmpty)
        #expect(try await Self.look(test, as: "here:/srv").isEmpty)
        #expect(try await Self.standing(test) == [alarm.id])
    }

    @Test func endsOnlyWhatOneNodeAloneHasSeen() async throws {
        let test = try await TestGateway.open()
        let kinds: [Alarm.Kind] = [.serverCertificate, .domain, .acquirer, .acquirerLink, .disk, .clock]
        for kind in kinds { _ = try #require(try await Self.begin(test, kind)) }
        let books = try #require(try await Self.begin(test, .ledger, node: nil))
        #expect(books.seenAt == nil)
        test.clock.advance(seconds: 7200)
        #expect(try await Self.look(test, as: "here:/srv", endsOthers: false).isEmpty)
        let ended = try await Self.look(test, as: "here:/srv")
        #expect(Set(ended.map(\.kind)) == Set(kinds) && ended.count == kinds.count)
        #expect(try await Self.standing(test) == [books.id])
        let lines = try await test.gateway.administration.read { reader in
            try reader.auditEntries(after: 0, limit: 100).count { $0.act == .alarmEnd }
        }
        #expect(lines == kinds.count)
    }

    /// What a version before gave no sign on may be a node's that is there: it gives one once it is of this version.
    @Test func alarmsWithoutASignAreLeft() async throws {
        let test = try await TestGateway.open()
        var alarm = try #require(try await Self.begin(test))
        alarm.seenAt = nil
        let old = alarm
        try await test.gateway.store.write { try $0.update(old) }
        test.clock.advance(seconds: 86_400)
        #expect(try await Self.look(test, as: "here:/srv").isEmpty)
        #expect(try await Self.look(test, as: "gone:/srv").isEmpty)
        test.clock.advance(seconds: 3600)
        #expect(try await Self.look(test, as: "here:/srv").map(\.id) == [old.id])
    }

    @Test func nodeThatHasJustBegunOrWasFrozenLeavesTheOthersTime() {
        var watch = NodeWatch()
        var steady: Int64 = 5_000_000
        func looks(_ count: Int) -> [Bool] {
            (0..<count).map { _ in
                defer { steady += 30_000 }
                return watch.look(steadyMilliseconds: steady)
            }
        }
        let quiet = Array(repeating: false, count: 20) + [true, true]
        #expect(looks(22) == quiet)
        steady += 3_600_000
        #expect(looks(22) == quiet)
        watch.fail()
        #expect(looks(22) == quiet)
    }
}
