//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import Payments
import StrictJSON
import TestGateway
import Testing
import Time

/// Alarms begin once and end once, whoever looks and however often.
struct AlarmTests {
    private static let books = AlarmScope(.ledger)

    private static func finding(
        _ severity: Finding.Severity = .failure, subject: String? = nil, merchant: String? = nil, step: Int? = nil,
        text: String = "It is wrong."
    ) -> Finding {
        Finding(
            .store, "wrong", severity, merchant: merchant, subject: subject, text, because: "It matters.",
            advice: "Mend it.", step: step)
    }

    private static func found(
        _ kind: Alarm.Kind = .ledger, _ findings: Finding..., node: String? = nil
    ) -> [AlarmFinding] { findings.compactMap { AlarmFinding(kind, $0, node: node) } }

    @Test func beginsOnceAndEndsOnce() async throws {
        let test = try await TestGateway.open()
        let administration = test.gateway.administration
        let nothing = try await administration.updateAlarms([], in: [Self.books], reports: false)
        #expect(nothing.begun.isEmpty && nothing.ended.isEmpty && nothing.standing.isEmpty)
        let begun = try await administration.updateAlarms(
            Self.found(.ledger, Self.finding()), in: [Self.books], reports: false)
        let alarm = try #require(begun.begun.first)
        #expect(begun.begun.count == 1 && begun.standing == begun.begun)
        #expect(alarm.subject == "store" && alarm.severity == .failure && alarm.code == "wrong")
        #expect(alarm.begunAt == test.clock.now && alarm.endedAt == nil && alarm.dueAt == nil)
        test.clock.advance(seconds: 30)
        let still = try await administration.updateAlarms(
            Self.found(.ledger, Self.finding()), in: [Self.books], reports: false)
        #expect(still.begun.isEmpty && still.ended.isEmpty && still.standing == [alarm])
        let ended = try await administration.updateAlarms([], in: [Self.books], reports: false)
        #expect(ended.ended.map(\.id) == [alarm.id] && ended.ended.first?.endedAt == test.clock.now)
        #expect(ended.standing.isEmpty)
        let over = try await administration.updateAlarms([], in: [Self.books], reports: false)
        #expect(over.ended.isEmpty)
    }

    @Test func beginsOnceOnAnyNumberOfNodes() async throws {
        let test = try await TestGateway.open()
        let administration = test.gateway.administration
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await administration.updateAlarms(
                        Self.found(.ledger, Self.finding()), in: [Self.books], reports: true
                    ).begun.count
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(counts == 1)
    }

    /// What was not looked at neither begins nor ends; a node ends its own alone.
    @Test func endsOnlyWhatWasLookedAt() async throws {
        let test = try await TestGateway.open()
        let administration = test.gateway.administration
        let all =
            Self.found(.ledger, Self.finding()) + Self.found(.disk, Self.finding(), node: "a")
            + Self.found(.disk, Self.finding(), node: "b") + Self.found(.clock, Self.finding(subject: "db"), node: "a")
        _ = try await administration.updateAlarms(all, in: [], reports: false)
        let ended = try await administration.updateAlarms(
            [], in: [AlarmScope(.disk, node: "a"), AlarmScope(.clock, node: "a")], reports: false)
        #expect(Set(ended.ended.map(\.subject)) == ["a/db", "a"])
        #expect(Set(ended.standing.map(\.subject)) == ["store", "b"])
        let rest = try await administration.updateAlarms([], in: [AlarmScope(.disk), Self.books], reports: false)
        #expect(rest.standing.isEmpty && rest.ended.count == 2)
    }

    @Test func beginsAnewWhenItIsWorseAndNotWhenItIsBetter() async throws {
        let test = try await TestGateway.open()
        let administration = test.gateway.administration
        func look(_ severity: Finding.Severity, _ step: Int) async throws -> AlarmChanges {
            try await administration.updateAlarms(
                Self.found(.certificate, Self.finding(severity, subject: "ab", merchant: "shop", step: step)),
                in: [AlarmScope(.certificate)], reports: true)
        }
        #expect(try await look(.notice, 60).begun.count == 1)
        #expect(try await look(.notice, 60).begun.isEmpty)
        for (severity, step) in [(Finding.Severity.warning, 30), (.failure, 14), (.failure, 7), (.failure, 1)] {
            test.clock.advance(seconds: 86_400)
            let changes = try await look(severity, step)
            #expect(changes.begun.map(\.step) == [step] && changes.ended.isEmpty && changes.standing.count == 1)
            #expect(changes.begun.first?.subject == "shop/ab" && changes.begun.first?.merchant == "shop")
        }
        let better = try await look(.warning, 30)
        #expect(
            better.begun.isEmpty && better.standing.first?.step == 30 && better.standing.first?.severity == .warning)
        let all = try await administration.read { try $0.alarms(before: nil, limit: 10) }
        // Of what was taken the place of, nobody hears that it ended.
        #expect(all.count == 5 && all.count { $0.isSuperseded && $0.pendingMessage == nil } == 4)
        let ended = try await administration.updateAlarms([], in: [AlarmScope(.certificate)], reports: true)
        #expect(ended.ended.count == 1)
    }

    @Test func saysWhatIsFoundNow() async throws {
        let test = try await TestGateway.open()
        let administration = test.gateway.administration
        _ = try await administration.updateAlarms(
            Self.found(.ledger, Self.finding(text: "3 minutes")), in: [Self.books], reports: false)
        let changes = try await administration.updateAlarms(
            Self.found(.ledger, Self.finding(text: "4 minutes")), in: [Self.books], reports: false)
        #expect(changes.begun.isEmpty && changes.standing.map(\.text) == ["4 minutes"])
        #expect(try await administration.read { try $0.standingAlarms() } == changes.standing)
    }

    /// Whatever else is found of the same thing, and in whatever order.
    @Test func theWorstOfOneThingIsItsAlarm() async throws {
        let test = try await TestGateway.open()
        let administration = test.gateway.administration
        func look(_ findings: Finding...) async throws -> AlarmChanges {
            try await administration.updateAlarms(
                findings.compactMap { AlarmFinding(.certificate, $0) }, in: [AlarmScope(.certificate)], reports: true)
        }
        let mild = Self.finding(.notice, subject: "ab", text: "mild")
        #expect(try await look(mild).begun.map(\.text) == ["mild"])
        let worse = Self.finding(.failure, subject: "ab", step: 7, text: "worse")
        let changes = try await look(mild, worse, Self.finding(.failure, subject: "ab", step: 14, text: "less"))
        #expect(changes.begun.map(\.text) == ["worse"] && changes.standing.map(\.step) == [7])
        let worst = try await look(mild, worse, Self.finding(.failure, subject: "ab", step: 1, text: "worst"))
        #expect(worst.begun.map(\.step) == [1] && worst.standing.count == 1)
    }

    /// The file is wrong, and the certificate ends: two alarms, and each step of the second is one anew.
    @Test func endOfADomainsCertificateIsAnAlarmOfItsOwn() async throws {
        let test = try await TestGateway.open()
        let administration = test.gateway.administration
        func look(_ findings: Finding...) async throws -> AlarmChanges {
            try await administration.updateAlarms(
                findings.compactMap { AlarmFinding(.domain, $0, node: "a") }, in: [AlarmScope(.domain, node: "a")],
                reports: true)
        }
        let file = Self.finding(subject: "shop.example", merchant: "shop", text: "another file")
        func ends(_ step: Int) -> Finding {
            Self.finding(subject: "shop.example", merchant: "shop", step: step, text: "ends in \(step)")
        }
        #expect(try await look(file).begun.map(\.subject) == ["a/shop/shop.example"])
        let both = try await look(file, ends(7))
        #expect(both.begun.map(\.subject) == ["a/shop/shop.example/certificate"] && both.standing.count == 2)
        let escalated = try await look(file, ends(1))
        #expect(escalated.begun.map(\.text) == ["ends in 1"] && escalated.ended.isEmpty)
        let mended = try await look(ends(1))
        #expect(mended.ended.map(\.text) == ["another file"] && mended.standing.map(\.step) == [1])
        #expect(try await look().ended.count == 1)
    }

    @Test func takesNoGoodThingForAnAlarm() {
        #expect(AlarmFinding(.disk, Self.finding(.good)) == nil)
    }

    // MARK: - Messages

    @Test func isReportedWhenItBeginsAndWhenItEndsUntilItIsTaken() async throws {
        let test = try await TestGateway.open()
        let administration = test.gateway.administration
        let found = Self.found(.ledger, Self.finding())
        let alarm = try #require(
            try await administration.updateAlarms(found, in: [Self.books], reports: true).begun.first)
        let message = try #require(try await administration.dueAlarmMessages().first)
        #expect(message.message == .begun && message.attempt == 1 && message.id == "\(alarm.id)-begun")
        let body = try JSON.parse(message.body)
        #expect(body["event"]?.string == "alarm.begun" && body["code"]?.string == "wrong")
        #expect(body["severity"]?.string == "failure" && body["endedAt"] == nil)
        // Somebody has it.
        #expect(try await administration.dueAlarmMessages().isEmpty)
        try await administration.record(message, isTaken: false)
        #expect(try await administration.dueAlarmMessages().isEmpty)
        test.clock.advance(seconds: 10)
        // It ends before anybody has heard that it began.
        _ = try await administration.updateAlarms([], in: [Self.books], reports: true)
        let again = try #require(try await administration.dueAlarmMessages().first)
        #expect(again.message == .begun && again.attempt == 2)
        try await administration.record(again, isTaken: true)
        let end = try #require(try await administration.dueAlarmMessages().first)
        #expect(end.message == .ended && end.attempt == 1 && end.id == "\(alarm.id)-ended")
        #expect(try JSON.parse(end.body)["endedAt"]?.string == test.clock.now.description)
        try await administration.record(end, isTaken: true)
        test.clock.advance(seconds: 86_400)
        #expect(try await administration.dueAlarmMessages().isEmpty)
    }

    @Test func isTriedAgainEverMoreSeldomAndForEver() async throws {
        let test = try await TestGateway.open()
        let administration = test.gateway.administration
        _ = try await administration.updateAlarms(
            Self.found(.ledger, Self.finding()), in: [Self.books], reports: true)
        for (index, pause) in [10, 30, 60, 120, 300, 600, 1800, 3600, 3600, 3600].enumerated() {
            let message = try #require(try await administration.dueAlarmMessages().first)
            #expect(message.attempt == index + 1)
            try await administration.record(message, isTaken: false)
            test.clock.advance(seconds: Int64(pause) - 1)
            #expect(try await administration.dueAlarmMessages().isEmpty)
            test.clock.advance(seconds: 1)
        }
    }

    /// A node that dies while it sends leaves the message to another.
    @Test func isSentByAnotherNodeOnceTheLeaseIsOver() async throws {
        let test = try await TestGateway.open()
        let administration = test.gateway.administration
        _ = try await administration.updateAlarms(
            Self.found(.ledger, Self.finding()), in: [Self.books], reports: true)
        #expect(try await administration.dueAlarmMessages().count == 1)
        test.clock.advance(seconds: 59)
        #expect(try await administration.dueAlarmMessages().isEmpty)
        test.clock.advance(seconds: 1)
        #expect(try await administration.dueAlarmMessages().map(\.attempt) == [2])
    }

    @Test(arguments: [false, true]) func isSentAtOnceWhereTheClockWasSetBack(isTried: Bool) async throws {
        let test = try await TestGateway.open()
        let administration = test.gateway.administration
        test.clock.advance(seconds: 365 * 86_400)
        _ = try await administration.updateAlarms(
            Self.found(.ledger, Self.finding()), in: [Self.books], reports: true)
        if isTried { #expect(try await administration.dueAlarmMessages().count == 1) }
        test.clock.setBack(seconds: 365 * 86_400)
        #expect(try await administration.dueAlarmMessages().map(\.attempt) == [isTried ? 2 : 1])
        #expect(try await administration.dueAlarmMessages().isEmpty)
    }

    // MARK: - An operator's end

    @Test func endsByAnOperatorsActAndBeginsAnew() async throws {
        let test = try await TestGateway.open()
        let administration = test.gateway.administration
        let found = Self.found(.disk, Self.finding(), node: "gone")
        let alarm = try #require(
            try await administration.updateAlarms(found, in: [], reports: false).begun.first)
        #expect(try await administration.endAlarm(alarm.id).endedAt == test.clock.now)
        let entry = try await administration.read { try $0.lastAuditEntry() }
        #expect(entry?.act == .alarmEnd && entry?.subject == alarm.id.text)
        let error = await #expect(throws: AdministrationError.self) { try await administration.endAlarm(alarm.id) }
        #expect(error?.code == .alarmUnknown)
        #expect(try await administration.updateAlarms(found, in: [], reports: false).begun.count == 1)
        #expect(try await administration.dueAlarmMessages().isEmpty, "neither beginning was reported, nor is the end")
    }

    /// Who was called because of it learns that it is over, whoever ends it.
    @Test func operatorsEndIsReportedWhereTheBeginningWas() async throws {
        let test = try await TestGateway.open()
        let administration = test.gateway.administration
        let alarm = try #require(
            try await administration.updateAlarms(
                Self.found(.disk, Self.finding(), node: "gone"), in: [], reports: true
            ).begun.first)
        let begun = try #require(try await administration.dueAlarmMessages().first)
        try await administration.record(begun, isTaken: true)
        #expect(try await administration.dueAlarmMessages().isEmpty)
        try await administration.endAlarm(alarm.id)
        let ended = try #require(try await administration.dueAlarmMessages().first)
        #expect(ended.id == "\(alarm.id)-ended" && ended.attempt == 1)
        try await administration.record(ended, isTaken: true)
        test.clock.advance(seconds: 3600)
        #expect(try await administration.dueAlarmMessages().isEmpty)
    }

    /// What one node cannot reach another may: neither ends what the other sees.
    @Test func nodesAlarmsAreTheirOwn() async throws {
        let test = try await TestGateway.open()
        let administration = test.gateway.administration
        let (one, two) = (AlarmScope(.acquirer, node: "one"), AlarmScope(.acquirer, node: "two"))
        let found = Self.found(.acquirer, Self.finding(), node: "one")
        #expect(try await administration.updateAlarms(found, in: [one], reports: false).begun.count == 1)
        let other = try await administration.updateAlarms([], in: [two], reports: false)
        #expect(other.ended.isEmpty && other.standing.count == 1)
        #expect(try await administration.updateAlarms([], in: [one], reports: false).ended.count == 1)
    }
}
