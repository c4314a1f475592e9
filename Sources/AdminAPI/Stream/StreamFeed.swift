//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Payments
import StrictJSON
import Synchronization
import Time

/// What has happened lately, read from the store once for all who listen, and only while somebody does: each node sees what
/// others have written.
final class StreamFeed: Sendable {
    /// How often the store is asked.
    static let intervalMilliseconds: Int64 = 1000
    /// For how long a commit may take after the moment that it is found by: so far back each reading looks again.
    private static let overlapMilliseconds: Int64 = 15_000
    /// After a pause of that length nothing of before is reported: whoever begins to listen has just read.
    private static let pauseMilliseconds: Int64 = 60_000
    /// How much is remembered for those who are slow.
    static let eventsMax = 2000
    private static let rowsMax = 500

    private struct State {
        var events: [StreamEvent] = []
        /// The number of the first of them.
        var first: Int64 = 0
        var readAt: Timestamp?
        var isReading = false
        var seen = StreamSight()
    }

    private let state = Mutex(State())

    /// The place after the last event.
    var end: Int64 { self.state.withLock { $0.first + Int64($0.events.count) } }

    /// The events from a place on.
    ///
    /// - Returns: `nil` where some of them are forgotten.
    func events(from place: Int64) -> (events: ArraySlice<StreamEvent>, end: Int64)? {
        self.state.withLock { state in
            guard place >= state.first else { return nil }
            return (state.events.dropFirst(Int(place - state.first)), state.first + Int64(state.events.count))
        }
    }

    /// Reads what is new, unless that was just done or somebody else is at it.
    ///
    /// - Throws: `StoreError`.
    func refresh(_ administration: Administration) async throws {
        let now = administration.now()
        let begun: (seen: StreamSight, isFirst: Bool)? = self.state.withLock { state in
            let age = state.readAt.map { now.milliseconds(since: $0) }
            if state.isReading { return nil }
            // A clock that was set back reads anew.
            if let age, (0..<Self.intervalMilliseconds).contains(age) { return nil }
            state.isReading = true
            let isFirst = age.map { $0 < 0 || $0 > Self.pauseMilliseconds } ?? true
            if isFirst { state.seen = StreamSight() }
            return (state.seen, isFirst)
        }
        guard let begun else { return }
        do {
            let since = now.adding(milliseconds: -Self.overlapMilliseconds)
            let seen = begun.seen
            let (events, next) = try await administration.read { reader in
                var next = seen
                let events = try next.look(reader, since: since, rowsMax: Self.rowsMax)
                return (events, next)
            }
            self.state.withLock { state in
                state.isReading = false
                state.readAt = now
                state.seen = next
                guard !begun.isFirst else { return }
                state.events += events
                let excess = state.events.count - Self.eventsMax
                if excess > 0 {
                    state.events.removeFirst(excess)
                    state.first += Int64(excess)
                }
            }
        } catch {
            self.state.withLock { $0.isReading = false }
            throw error
        }
    }
}

/// What was seen at the last look, so that nothing is reported twice.
struct StreamSight: Sendable {
    private var payments: [PaymentID: (version: Int, at: Timestamp)] = [:]
    private var refusals: Set<RefusedCallID> = []
    private var alarms: [AlarmID: Alarm] = [:]
    private var approvals: [ApprovalID: Approval.State] = [:]

    /// What is new.
    mutating func look(_ reader: any StoreReader, since: Timestamp, rowsMax: Int) throws -> [StreamEvent] {
        let merchants = try reader.merchants()
        let names = Dictionary(merchants.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        let ids = Dictionary(merchants.map { ($0.name, $0.id) }, uniquingKeysWith: { first, _ in first })
        var events = try self.newPayments(reader, since, rowsMax, names)
        events += try self.newRefusals(reader, since, rowsMax, names)
        events += try self.newAlarms(reader, ids)
        events += try self.newApprovals(reader, rowsMax, names)
        return events
    }

    private mutating func newPayments(
        _ reader: any StoreReader, _ since: Timestamp, _ rowsMax: Int, _ names: [MerchantID: String]
    ) throws -> [StreamEvent] {
        let movements = try reader.movements(MovementQuery(includesFailed: true, from: since, limit: rowsMax))
        let made = try reader.payments(PaymentQuery(from: since, limit: rowsMax))
        var events: [StreamEvent] = []
        var present: [PaymentID: (version: Int, at: Timestamp)] = [:]
        for (payment, at) in movements.map({ ($0.payment, $0.resolvedAt) })
            + made.reversed().map({ ($0, $0.createdAt) })
        {
            let isNew = (present[payment.id] ?? self.payments[payment.id]).map { $0.version < payment.version } ?? true
            present[payment.id] = (max(payment.version, present[payment.id]?.version ?? 0), at)
            guard isNew else { continue }
            events.append(
                StreamEvent(
                    kind: .payment, owner: .merchant(payment.merchantID),
                    data: JSONObject([
                        (name: "id", value: .string(payment.id.text)),
                        (name: "merchant", value: .string(orNull: names[payment.merchantID])),
                        (name: "state", value: .string(payment.state.rawValue)),
                        (name: "version", value: JSON(payment.version)),
                        (name: "at", value: .string(at.description)),
                    ])))
        }
        self.payments = present
        return events
    }

    private mutating func newRefusals(
        _ reader: any StoreReader, _ since: Timestamp, _ rowsMax: Int, _ names: [MerchantID: String]
    ) throws -> [StreamEvent] {
        let calls = try reader.refusedCalls(RefusedCallQuery(from: since, limit: rowsMax)).reversed()
        let new = calls.filter { !self.refusals.contains($0.id) }
        self.refusals = Set(calls.map(\.id))
        return new.map { call in
            StreamEvent(
                kind: .refusal, owner: call.merchantID.map { .merchant($0) } ?? .house,
                data: JSONObject([
                    (name: "id", value: .string(call.id.text)),
                    (name: "merchant", value: .string(orNull: call.merchantID.flatMap { names[$0] })),
                    (name: "code", value: .string(call.code)), (name: "stage", value: .string(call.stage.rawValue)),
                    (name: "at", value: .string(call.at.description)),
                ]))
        }
    }

    private mutating func newAlarms(_ reader: any StoreReader, _ ids: [String: MerchantID]) throws -> [StreamEvent] {
        let standing = Dictionary(
            try reader.standingAlarms().map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let begun = standing.values.filter { self.alarms[$0.id] == nil }.sorted { $0.id < $1.id }
        let ended = self.alarms.values.filter { standing[$0.id] == nil }.sorted { $0.id < $1.id }
        self.alarms = standing
        return (begun.map { ($0, "begun") } + ended.map { ($0, "ended") }).flatMap { alarm, state in
            // A domain may be several merchants': each learns of it, and of no other.
            let events = alarm.merchants.compactMap { name in
                ids[name].map { Self.event(alarm, state, .merchant($0), merchant: name) }
            }
            return events.isEmpty ? [Self.event(alarm, state, .house, merchant: alarm.merchant)] : events
        }
    }

    private static func event(
        _ alarm: Alarm, _ state: String, _ owner: StreamEvent.Owner, merchant: String?
    ) -> StreamEvent {
        StreamEvent(
            kind: .alarm, owner: owner,
            data: JSONObject([
                (name: "id", value: .string(alarm.id.text)),
                (name: "merchant", value: .string(orNull: merchant)),
                (name: "kind", value: .string(alarm.kind.rawValue)),
                (name: "severity", value: .string(alarm.severity.rawValue)), (name: "state", value: .string(state)),
            ]))
    }

    private mutating func newApprovals(
        _ reader: any StoreReader, _ rowsMax: Int, _ names: [MerchantID: String]
    ) throws -> [StreamEvent] {
        let newest = try reader.approvals(ApprovalQuery(limit: rowsMax)).reversed()
        let changed = newest.filter { self.approvals[$0.id] != $0.state }
        self.approvals = Dictionary(newest.map { ($0.id, $0.state) }, uniquingKeysWith: { first, _ in first })
        return changed.map { approval in
            StreamEvent(
                kind: .approval, owner: approval.merchantID.map { .merchant($0) } ?? .house,
                data: JSONObject([
                    (name: "id", value: .string(approval.id.text)),
                    (name: "merchant", value: .string(orNull: approval.merchantID.flatMap { names[$0] })),
                    // What waits for a payment stands at it: whoever looks at that one must see it come and go.
                    (name: "payment", value: .string(orNull: approval.paymentID?.text)),
                    (name: "state", value: .string(approval.state.rawValue)),
                ]))
        }
    }
}
