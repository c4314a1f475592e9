//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Time

/// Refused calls and alarms.
extension Trial {
    private func refused(
        _ merchant: Merchant? = nil, code: String = "key_unknown", stage: RefusedCall.Stage = .keySelection,
        key: String? = nil, at: Timestamp? = nil
    ) -> RefusedCall {
        let at = at ?? self.make.time()
        return RefusedCall(
            id: RefusedCallID(at: at, random: self.make.bytes(10)), at: at, merchantID: merchant?.id,
            dialect: self.make.dialect, operation: "pay", wireCode: "TOKEN_INVALID", stage: stage, code: code,
            text: "Ünknown key: “import” it.", requestID: "request\(self.make.number())", publicKeyHash: key)
    }

    func refusedCallsRoundTrip() async throws {
        let merchant = self.make.merchant()
        let at = self.make.time()
        let whole = RefusedCall(
            id: RefusedCallID(at: at, random: self.make.bytes(10)), at: at, merchantID: merchant.id,
            dialect: self.make.dialect, operation: "pay", wireCode: "121", stage: .keySelection, code: "key_unknown",
            text: "a\nb", requestID: "0123456789abcdef", publicKeyHash: "ab01", merchantIdentifier: "merchant.com.a",
            amount: try self.make.money(0, "KWD"))
        // It outlives its merchant's row, and may come before it.
        let bare = self.refused()
        try await self.store.write { transaction in
            try transaction.insert(whole)
            try transaction.insert(bare)
        }
        try await self.expectStored([bare, whole], "refused calls") { try $0.refusedCalls(RefusedCallQuery()) }
        try await self.expectRefusal(.duplicate("refused call id"), "an id that is taken") { try $0.insert(bare) }
    }

    func refusedCallQueriesFilterAndPage() async throws {
        let (first, second) = (self.make.merchant(), self.make.merchant())
        var calls = [
            self.refused(first, key: "aa"), self.refused(second, code: "token_replayed", stage: .binding),
            self.refused(first, code: "token_replayed", stage: .binding), self.refused(second, key: "bb"),
        ]
        // Two of one millisecond.
        calls.append(self.refused(first, key: "aa", at: calls[3].at))
        calls.sort { $0.id > $1.id }
        let all = calls
        try await self.store.write { transaction in for call in all.shuffled() { try transaction.insert(call) } }
        let newest = all[0]
        var one = RefusedCallQuery()
        one.id = all[2].id
        let queries: [(RefusedCallQuery, [RefusedCall])] = [
            (one, [all[2]]), (RefusedCallQuery(), all), (RefusedCallQuery(limit: 2), Array(all.prefix(2))),
            (RefusedCallQuery(before: all[1].id), Array(all.dropFirst(2))),
            (RefusedCallQuery(before: all[1].id, limit: 1), [all[2]]), (RefusedCallQuery(limit: 0), []),
            (RefusedCallQuery(merchantID: first.id), all.filter { $0.merchantID == first.id }),
            (RefusedCallQuery(code: "token_replayed"), all.filter { $0.code == "token_replayed" }),
            (RefusedCallQuery(code: "TOKEN_INVALID"), all), (RefusedCallQuery(code: "other"), []),
            (RefusedCallQuery(stage: .binding), all.filter { $0.stage == .binding }),
            (RefusedCallQuery(publicKeyHash: "aa"), all.filter { $0.publicKeyHash == "aa" }),
            (RefusedCallQuery(requestID: newest.requestID), [newest]),
            (RefusedCallQuery(dialect: self.make.dialect), all), (RefusedCallQuery(dialect: DialectName("x")), []),
            (RefusedCallQuery(from: newest.at), all.filter { $0.at >= newest.at }),
            (RefusedCallQuery(to: newest.at), all.filter { $0.at < newest.at }),
            (
                RefusedCallQuery(from: all[4].at, to: newest.at, before: all[3].id),
                all.filter { $0.at < newest.at && $0.id < all[3].id }
            ),
            (
                RefusedCallQuery(merchantID: first.id, code: "key_unknown", publicKeyHash: "aa", to: newest.at),
                all.filter { $0.merchantID == first.id && $0.publicKeyHash == "aa" && $0.at < newest.at }
            ),
        ]
        for (number, (query, wanted)) in queries.enumerated() {
            try await self.expectStored(wanted, "query \(number)") { try $0.refusedCalls(query) }
        }
    }

    func refusedCallsExpire() async throws {
        let calls = (0..<6).map { _ in self.refused() }
        try await self.store.write { transaction in for call in calls { try transaction.insert(call) } }
        let newestFirst = Array(calls.reversed())
        // As many as there are, and from before the first.
        try await self.store.write { try $0.deleteRefusedCalls(before: calls[0].at, keeping: 6) }
        try await self.expectStored(newestFirst, "calls") { try $0.refusedCalls(RefusedCallQuery()) }
        try await self.store.write { try $0.deleteRefusedCalls(before: calls[2].at, keeping: 100) }
        try await self.expectStored(Array(newestFirst.prefix(4)), "calls") { try $0.refusedCalls(RefusedCallQuery()) }
        try await self.store.write { try $0.deleteRefusedCalls(before: calls[0].at, keeping: 3) }
        try await self.expectStored(Array(newestFirst.prefix(3)), "calls") { try $0.refusedCalls(RefusedCallQuery()) }
        try await self.store.write { try $0.deleteRefusedCalls(before: calls[0].at, keeping: 0) }
        try await self.expectStored([], "calls") { try $0.refusedCalls(RefusedCallQuery()) }
    }

    private func alarm(_ kind: Alarm.Kind = .disk, subject: String = "data", dueAt: Timestamp? = nil) -> Alarm {
        let at = self.make.time()
        return Alarm(
            id: AlarmID(at: at, random: self.make.bytes(10)), kind: kind, subject: subject, merchant: nil,
            severity: .warning, code: "disk_nearly_full", text: "17 MiB are free.", begunAt: at,
            pendingMessage: dueAt == nil ? nil : .begun, dueAt: dueAt)
    }

    func alarmsRoundTrip() async throws {
        let at = self.make.time()
        var whole = Alarm(
            id: AlarmID(at: at, random: self.make.bytes(10)), kind: .certificate, subject: "ab01", merchant: "shop",
            severity: .notice, code: "certificate_ends", step: 60, text: "Ends in 59 days.",
            advice: "Make a “request”.",
            begunAt: at, seenAt: at, pendingMessage: .begun, dueAt: at, attemptsCount: 2)
        let bare = self.alarm()
        let (inserted, other) = (whole, bare)
        try await self.store.write { transaction in
            try transaction.insert(inserted)
            try transaction.insert(other)
        }
        try await self.expectStored([whole, bare], "standing alarms") { try $0.standingAlarms() }
        try await self.expectStored([bare, whole], "alarms") { try $0.alarms(before: nil, limit: 10) }
        try await self.expectStored(inserted, "an alarm by its id") { try $0.alarm(inserted.id) }
        try await self.expectStored([whole], "alarms before one") { try $0.alarms(before: other.id, limit: 10) }
        try await self.expectStored([bare], "a page of alarms") { try $0.alarms(before: nil, limit: 1) }
        whole.severity = .failure
        whole.code = "certificate_ended"
        whole.step = 0
        whole.text = "Has ended."
        whole.advice = ""
        whole.seenAt = self.make.time()
        whole.endedAt = self.make.time()
        whole.isSuperseded = true
        whole.pendingMessage = .ended
        whole.dueAt = nil
        whole.attemptsCount = 0
        let changed = whole
        try await self.store.write { try $0.update(changed) }
        try await self.expectStored([bare], "standing alarms") { try $0.standingAlarms() }
        try await self.expectStored([bare, changed], "alarms") { try $0.alarms(before: nil, limit: 10) }
        let unknown = self.alarm()
        let found = try await self.store.read { try $0.alarm(unknown.id) }
        try self.expect(found == nil, "an alarm that is not there")
        try await self.expectRefusal(.corrupt("alarms.id"), "a change of no alarm") { try $0.update(unknown) }
    }

    func alarmsStandOnceASubject() async throws {
        let (first, again, other, ofOtherKind) = (
            self.alarm(), self.alarm(), self.alarm(subject: "b"), self.alarm(.clock)
        )
        try await self.store.write { transaction in
            for alarm in [first, other, ofOtherKind] { try transaction.insert(alarm) }
        }
        try await self.expectRefusal(.duplicate("standing alarm"), "a second of a subject") { try $0.insert(again) }
        var ended = first
        ended.endedAt = self.make.time()
        let over = ended
        try await self.store.write { transaction in
            try transaction.update(over)
            try transaction.insert(again)
        }
        try await self.expectStored([again, other, ofOtherKind].sorted { $0.id < $1.id }, "standing alarms") {
            try $0.standingAlarms()
        }
        // Of any number who look at once, each finds what another began.
        let store = self.store
        let many = (0..<16).map { _ in self.alarm(.ledger, subject: "books") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for alarm in many {
                group.addTask {
                    try await store.write { transaction in
                        guard try !transaction.standingAlarms().contains(where: { $0.kind == .ledger }) else { return }
                        try transaction.insert(alarm)
                    }
                }
            }
            try await group.waitForAll()
        }
        let count = try await self.store.read { try $0.standingAlarms().count { $0.kind == .ledger } }
        try self.expectEqual(count, 1, "alarms that many began at once")
    }

    func alarmMessagesAreLeased() async throws {
        let now = self.make.time()
        let due = [self.alarm(subject: "a", dueAt: now.adding(seconds: -1)), self.alarm(subject: "b", dueAt: now)]
        let later = self.alarm(subject: "c", dueAt: now.adding(seconds: 1))
        let none = self.alarm(subject: "d")
        try await self.store.write { transaction in
            for alarm in [none, later] + due.reversed() { try transaction.insert(alarm) }
        }
        let end = now.adding(seconds: 60)
        let leased = due.map { alarm in
            var alarm = alarm
            (alarm.dueAt, alarm.attemptsCount) = (end, 1)
            return alarm
        }
        let one = try await self.store.write { try $0.leaseAlarms(dueBy: now, until: end, limit: 1) }
        try self.expectEqual(one, [leased[0]], "the alarm that is due first")
        let rest = try await self.store.write { try $0.leaseAlarms(dueBy: now, until: end, limit: 10) }
        try self.expectEqual(rest, [leased[1]], "the alarm that nobody has taken")
        let nothing = try await self.store.write { try $0.leaseAlarms(dueBy: now, until: end, limit: 10) }
        try self.expectEqual(nothing, [], "alarms that are left")
        let again = try await self.store.write { try $0.leaseAlarms(dueBy: end, until: end, limit: 10) }
        try self.expectEqual(again.map(\.attemptsCount).sorted(), [1, 2, 2], "tries once the leases are over")
    }

    func alarmsAreDeletedOnceEnded() async throws {
        let standing = self.alarm(subject: "a")
        var (old, young) = (self.alarm(subject: "b"), self.alarm(subject: "c"))
        let (first, moment) = (self.make.time(), self.make.time())
        (old.endedAt, young.endedAt) = (first, moment)
        let (ended, kept) = (old, young)
        try await self.store.write { transaction in
            for alarm in [standing, ended, kept] { try transaction.insert(alarm) }
        }
        try await self.store.write { try $0.deleteAlarms(endedBefore: moment) }
        try await self.expectStored([kept, standing], "alarms") { try $0.alarms(before: nil, limit: 10) }
    }

    /// Whether the store says a time at all is its own matter; what it says is no time of the caller's.
    func storeTimeIsNotTheCallers() async throws {
        let (first, second) = try await self.store.read { reader in (try reader.storeTime(), try reader.storeTime()) }
        try self.expect((first == nil) == (second == nil), "a clock that is there now and then")
        if let first, let second { try self.expect(first <= second, "a clock that goes backwards") }
    }
}
