//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Time

extension Trial {
    func eventsRoundTrip() async throws {
        let sale = try await self.storedSale(minorUnits: 1)
        var events: [OutboxEvent] = []
        for kind in OutboxEvent.Kind.allCases {
            for state in OutboxEvent.State.allCases {
                var event = self.make.event(about: sale, kind: kind)
                event.state = state
                event.attemptsCount = events.count
                event.messageIndex = events.count % 3
                event.lastResult = state == .pending ? nil : "http_503"
                events.append(event)
            }
        }
        let all = events
        try await self.store.write { transaction in for event in all { try transaction.insert(event) } }
        for event in all {
            try await self.expectStored(event, "event") { try $0.event(event.id) }
        }
        var changed = all[0]
        changed.target = "https://next.example"
        changed.state = .dead
        changed.attemptsCount = 12
        changed.messageIndex = 2
        changed.lastResult = "timeout"
        let later = changed
        try await self.store.write { try $0.update(later) }
        try await self.expectStored(later, "event after an update") { try $0.event(later.id) }
    }

    func eventsKeepTheirOrder() async throws {
        let sales = [try await self.storedSale(minorUnits: 1), try await self.storedSale(minorUnits: 1)]
        let moment = self.make.time()
        // All at the same time, and with ids that say nothing of the order.
        let events = (0..<20).map { index in
            OutboxEvent(
                id: EventID(at: moment, random: [UInt8(truncatingIfNeeded: index * 101)]),
                merchantID: sales[index % 2].merchantID, dialect: self.make.dialect, kind: .refundSucceeded,
                paymentID: sales[index % 2].id, operationID: sales[index % 2].operations[0].id, paymentVersion: 1,
                target: "https://shop.example", createdAt: moment)
        }
        for event in events { try await self.store.write { try $0.insert(event) } }
        for (index, sale) in sales.enumerated() {
            let found = try await self.store.read { try $0.events(of: sale.id) }
            let wanted = events.enumerated().filter { $0.offset % 2 == index }.map(\.element)
            try self.expectEqual(found, wanted, "events in the order written")
        }
    }

    /// Of those that were delivered before a moment the oldest go, as many as asked; what is not delivered stays, and the
    /// payment's next event comes after those that are left.
    func deliveredEventsAreDeleted() async throws {
        let sale = try await self.storedSale(minorUnits: 1)
        let start = self.make.time()
        let made = (0..<8).map { index in
            OutboxEvent(
                id: EventID(at: start.adding(milliseconds: Int64(index)), random: self.make.bytes(10)),
                merchantID: sale.merchantID, dialect: self.make.dialect, kind: .refundSucceeded, paymentID: sale.id,
                operationID: sale.operations[0].id, paymentVersion: 1, target: "https://shop.example",
                createdAt: start.adding(milliseconds: Int64(index)))
        }
        let states: [OutboxEvent.State] = [
            .dead, .delivered, .pending, .delivered, .delivered, .delivered, .delivered, .pending,
        ]
        let events = zip(made, states).map { event, state in
            var event = event
            event.state = state
            return event
        }
        for event in made { try await self.store.write { try $0.insert(event) } }
        for event in events { try await self.store.write { try $0.update(event) } }
        for event in events { try await self.storeAttempt(at: event) }
        let stays = { (indices: [Int]) in
            try await self.expectStored(indices.map { events[$0] }, "events") { try $0.events(of: sale.id) }
        }
        let delete = { (first: Int, end: Int, limit: Int) in
            try await self.store.write {
                try $0.deleteDeliveredEvents(from: events[first].id, before: events[end].createdAt, limit: limit)
            }
        }
        try await delete(0, 1, 10)
        try await stays([0, 1, 2, 3, 4, 5, 6, 7])
        try await delete(0, 6, 0)
        try await stays([0, 1, 2, 3, 4, 5, 6, 7])
        // From the event itself on.
        try await delete(3, 6, 1)
        try await stays([0, 1, 2, 4, 5, 6, 7])
        try await delete(0, 6, 2)
        try await stays([0, 2, 5, 6, 7])
        try await delete(1, 6, 10)
        try await stays([0, 2, 6, 7])
        // What is known of the attempts goes with them.
        for (index, event) in events.enumerated() {
            let attempts = try await self.store.read {
                try $0.observations(.delivery, of: event.merchantID, subject: event.id.text, limit: 9)
            }
            try self.expectEqual(attempts.count, [0, 2, 6, 7].contains(index) ? 1 : 0, "attempts at event \(index)")
        }
        let next = OutboxEvent(
            id: EventID(at: start, random: self.make.bytes(10)), merchantID: sale.merchantID,
            dialect: self.make.dialect, kind: .refundSucceeded, paymentID: sale.id, operationID: sale.operations[0].id,
            paymentVersion: 1, target: "https://shop.example", createdAt: start)
        try await self.store.write { try $0.insert(next) }
        try await self.expectStored([0, 2, 6, 7].map { events[$0] } + [next], "events") { try $0.events(of: sale.id) }
    }

    private func storeAttempt(at event: OutboxEvent) async throws {
        let attempt = Observation(
            kind: .delivery, merchantID: event.merchantID, subject: event.id.text, number: 1, at: event.createdAt,
            facts: ["result": "http_200"])
        try await self.store.write { try $0.upsert(attempt) }
    }

    func eventsAreListedNewestFirst() async throws {
        let sale = try await self.storedSale(minorUnits: 1)
        let moment = self.make.time()
        // Written in no order: three moments, and several events in each.
        let events = (0..<21).map { index in
            OutboxEvent(
                id: EventID(
                    at: moment.adding(seconds: Int64(index % 3)), random: [UInt8(truncatingIfNeeded: index * 101)]),
                merchantID: sale.merchantID, dialect: self.make.dialect, kind: .refundSucceeded, paymentID: sale.id,
                operationID: sale.operations[0].id, paymentVersion: 1, target: "https://shop.example",
                createdAt: moment.adding(seconds: Int64(index % 3)))
        }
        for event in events { try await self.store.write { try $0.insert(event) } }
        let found = try await self.store.read { try $0.events(OutboxQuery()) }
        let wanted = events.sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }
        try self.expectEqual(found, wanted, "events, the newest first")
        let ofPayment = try await self.store.read { try $0.events(OutboxQuery(paymentID: sale.id)) }
        try self.expectEqual(ofPayment, wanted, "a payment's events, the newest first")
    }

    func eventQueriesFilterAndPage() async throws {
        // Two payments of a merchant, and one of another's; events of every state, mixed.
        let merchants = [try await self.storedMerchant(), try await self.storedMerchant()]
        let payments = try [0, 0, 1].map { try self.make.payment(of: merchants[$0]) }
        let states = OutboxEvent.State.allCases
        let events = (0..<24).map { index in
            var event = self.make.event(about: payments[index % 3])
            event.state = states[(index / 3) % states.count]
            return event
        }
        try await self.store.write { transaction in
            for payment in payments { try transaction.insert(payment) }
            for event in events { try transaction.insert(event) }
        }
        let newestFirst = Array(events.reversed())
        for merchantID in [nil] + merchants.map({ MerchantID?.some($0.id) }) {
            for state in [nil] + states.map({ OutboxEvent.State?.some($0) }) {
                for paymentID in [nil] + payments.map({ PaymentID?.some($0.id) }) {
                    let query = OutboxQuery(merchantID: merchantID, state: state, paymentID: paymentID)
                    let wanted = newestFirst.filter {
                        (merchantID ?? $0.merchantID) == $0.merchantID && (state ?? $0.state) == $0.state
                            && (paymentID ?? $0.paymentID) == $0.paymentID
                    }
                    let found = try await self.store.read { try $0.events(query) }
                    try self.expectEqual(found, wanted, "events of \(query)")
                }
            }
        }
        for (offset, limit, wanted) in [
            (0, 5, 0..<5), (5, 5, 5..<10), (20, 9, 20..<24), (24, 9, 24..<24), (0, 0, 0..<0), (-1, 2, 0..<2),
            (0, -1, 0..<0),
        ] {
            let found = try await self.store.read { try $0.events(OutboxQuery(offset: offset, limit: limit)) }
            try self.expectEqual(found, Array(newestFirst[wanted]), "\(limit) events after \(offset)")
        }
        for place in [0, 7, 23] {
            let query = OutboxQuery(after: newestFirst[place].id, limit: 5)
            let found = try await self.store.read { try $0.events(query) }
            try self.expectEqual(
                found, Array(newestFirst.dropFirst(place + 1).prefix(5)), "events after event \(place)")
        }
        for place in [0, 7, 23] {
            var query = OutboxQuery(after: events[place].id, limit: 5)
            query.oldestFirst = true
            // Neither bound is the narrower one always.
            for from in [nil, events[5].createdAt, events[11].createdAt] {
                query.from = from
                let asked = query
                let found = try await self.store.read { try $0.events(asked) }
                let first = from.map { EventID(at: $0, random: []) } ?? events[place].id
                let wanted = events.dropFirst(place + 1).filter { $0.id >= first }
                try self.expectEqual(found, Array(wanted.prefix(5)), "events after event \(place), the oldest first")
            }
        }
        let page = OutboxQuery(merchantID: merchants[0].id, state: .dead, offset: 1, limit: 2)
        let found = try await self.store.read { try $0.events(page) }
        let fitting = newestFirst.filter { $0.merchantID == merchants[0].id && $0.state == .dead }
        try self.expectEqual(found, Array(fitting[1..<3]), "a page of a merchant's dead events")
    }

    func openWorkIsCounted() async throws {
        let before = try await self.store.read { try $0.openWork() }
        try self.expectEqual(before, OpenWork(), "the open work of an empty store")
        let merchant = try await self.storedMerchant()
        let payments = try (0..<4).map { _ in try self.make.payment(of: merchant) }
        // Two are unknown, one is still under way, and one is settled.
        let unknown = try payments.prefix(2).map { payment in
            try payment.transition(on: .resolve(payment.operations[0].id, .unknown(.timedOut)), at: self.make.time())
        }
        let jobs = payments.prefix(3).map { Job(kind: .recover, paymentID: $0.id, dueAt: self.make.time()) }
        let events: [OutboxEvent.State] = [.pending, .dead, .pending, .delivered, .pending, .dead]
        try await self.store.write { transaction in
            for payment in payments { try transaction.insert(payment) }
            for change in unknown { try transaction.update(change, from: 1) }
            for job in jobs { try transaction.schedule(job) }
            for state in events {
                var event = self.make.event(about: payments[0])
                event.state = state
                try transaction.insert(event)
            }
        }
        let found = try await self.store.read { try $0.openWork() }
        let wanted = OpenWork(pendingEventsCount: 3, deadEventsCount: 2, unknownOperationsCount: 2)
        try self.expectEqual(found, wanted, "the open work")
        var query = PaymentQuery(merchantID: merchant.id)
        query.hasUnknownOutcome = true
        let asked = query
        let doubtful = try await self.store.read { try $0.payments(asked) }
        try self.expectEqual(Set(doubtful.map(\.id)), Set(unknown.map(\.payment.id)), "what has an unknown outcome")
    }

    /// Payments of one merchant, each with a job, due in the order of the payments.
    private func storedJobs(_ kind: Job.Kind, count: Int) async throws -> [Job] {
        let merchant = try await self.storedMerchant()
        let payments = try (0..<count).map { _ in try self.make.payment(of: merchant) }
        let jobs = payments.map { Job(kind: kind, paymentID: $0.id, dueAt: self.make.time()) }
        try await self.store.write { transaction in
            for payment in payments.reversed() { try transaction.insert(payment) }
            for job in jobs.reversed() { try transaction.schedule(job) }
        }
        return jobs
    }

    func jobsComeInDueOrder() async throws {
        let recoveries = try await self.storedJobs(.recover, count: 9)
        let deliveries = try await self.storedJobs(.deliver, count: 3)
        let found = try await self.store.read { (try $0.jobs(.recover, limit: 5), try $0.jobs(.deliver, limit: 99)) }
        try self.expectEqual(found.0, Array(recoveries.prefix(5)), "the first jobs of a kind")
        try self.expectEqual(found.1, deliveries, "all jobs of another kind")
    }

    func jobsAreFoundByPayment() async throws {
        let captures = try await self.storedJobs(.capture, count: 2)
        let deliveries = try await self.storedJobs(.deliver, count: 1)
        let found = try await self.store.read { reader in
            (
                try reader.job(.capture, of: captures[1].paymentID),
                try reader.job(.recover, of: captures[1].paymentID),
                try reader.job(.capture, of: deliveries[0].paymentID)
            )
        }
        try self.expectEqual(found.0, captures[1], "job by payment")
        try self.expect(found.1 == nil && found.2 == nil, "a job of another kind is found")
    }

    func schedulingKeepsTheEarlierTime() async throws {
        var job = try await self.storedJobs(.recover, count: 1)[0]
        let first = job.dueAt
        job.attemptsCount = 7
        let counted = job
        try await self.store.write { try $0.update(counted) }
        for (seconds, wanted) in [
            (Int64(60), first), (-60, first.adding(seconds: -60)), (0, first.adding(seconds: -60)),
        ] {
            var again = job
            again.dueAt = first.adding(seconds: seconds)
            again.attemptsCount = 0
            let scheduled = again
            try await self.store.write { try $0.schedule(scheduled) }
            let found = try await self.store.read { try $0.jobs(.recover, limit: 9) }
            try self.expectEqual(found.map(\.dueAt), [wanted], "due time after scheduling again")
            try self.expectEqual(found.map(\.attemptsCount), [7], "count after scheduling again")
        }
    }

    func jobsAreUpdatedAndDeleted() async throws {
        let jobs = try await self.storedJobs(.deliver, count: 3)
        var later = jobs[0]
        later.dueAt = jobs[2].dueAt.adding(seconds: 1)
        later.attemptsCount = 3
        later.takenAt = jobs[1].dueAt
        let update = later
        try await self.store.write { transaction in
            try transaction.update(update)
            try transaction.delete(.deliver, of: jobs[1].paymentID)
            try transaction.delete(.recover, of: jobs[2].paymentID)
        }
        let found = try await self.store.read { try $0.jobs(.deliver, limit: 9) }
        try self.expectEqual(found, [jobs[2], update], "jobs")
    }

    func leasesCountAndPostpone() async throws {
        let jobs = try await self.storedJobs(.recover, count: 4)
        let now = jobs[2].dueAt
        let leaseEnd = now.adding(seconds: 3600)
        let leased = try await self.store.write { try $0.lease(.recover, dueBy: now, until: leaseEnd, limit: 2) }
        let wanted = jobs.prefix(2).map {
            Job(kind: .recover, paymentID: $0.paymentID, dueAt: leaseEnd, attemptsCount: 1, takenAt: now)
        }
        try self.expectEqual(leased, wanted, "the earliest jobs that are due, counted and postponed")
        let rest = try await self.store.write { try $0.lease(.recover, dueBy: now, until: leaseEnd, limit: 9) }
        try self.expectEqual(rest.map(\.paymentID), [jobs[2].paymentID], "what is due and not leased")
        let none = try await self.store.write { transaction in
            try transaction.lease(.recover, dueBy: now, until: leaseEnd, limit: 9)
                + transaction.lease(.deliver, dueBy: leaseEnd, until: leaseEnd, limit: 9)
        }
        try self.expect(none.isEmpty, "a leased job is leased again")
        let again = try await self.store.write { try $0.lease(.recover, dueBy: leaseEnd, until: leaseEnd, limit: 9) }
        try self.expectEqual(again.map(\.attemptsCount), [1, 2, 2, 2], "counts after the leases have ended")
    }

    func leasesAreExclusiveUnderConcurrency() async throws {
        let jobs = try await self.storedJobs(.recover, count: 200)
        let now = jobs[199].dueAt
        let store = self.store
        let leased = try await withThrowingTaskGroup(of: [PaymentID].self) { group in
            for _ in 0..<50 {
                group.addTask {
                    var mine: [PaymentID] = []
                    while true {
                        let page = try await store.write {
                            try $0.lease(.recover, dueBy: now, until: now.adding(seconds: 60), limit: 3)
                        }
                        guard !page.isEmpty else { return mine }
                        mine += page.map(\.paymentID)
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        try self.expectEqual(leased.count, 200, "leases taken")
        try self.expectEqual(Set(leased), Set(jobs.map(\.paymentID)), "jobs leased")
    }

    func makeDueMakesEveryJobDue() async throws {
        let jobs = try await self.storedJobs(.recover, count: 4)
        let others = try await self.storedJobs(.deliver, count: 1)
        let now = jobs[1].dueAt
        try await self.store.write { try $0.makeDue(.recover, at: now) }
        let found = try await self.store.read { (try $0.jobs(.recover, limit: 9), try $0.jobs(.deliver, limit: 9)) }
        try self.expectEqual(found.0.map(\.dueAt), [jobs[0].dueAt, now, now, now], "due times")
        try self.expectEqual(found.1, others, "jobs of another kind")
        let leased = try await self.store.write {
            try $0.lease(.recover, dueBy: now, until: now.adding(seconds: 60), limit: 9)
        }
        try self.expectEqual(leased.count, 4, "jobs that are due")
    }

    func makeDueLeavesWhatIsDueLaterThanGivenAlone() async throws {
        let jobs = try await self.storedJobs(.deliver, count: 4)
        let (now, latest) = (jobs[0].dueAt, jobs[2].dueAt)
        try await self.store.write { try $0.makeDue(.deliver, at: now, dueBy: latest) }
        let found = try await self.store.read { try $0.jobs(.deliver, limit: 9) }
        try self.expectEqual(found.map(\.dueAt), [now, now, now, jobs[3].dueAt], "due times")
    }

    func makeDueLeavesWhatIsDueEarlierThanGivenAlone() async throws {
        let jobs = try await self.storedJobs(.deliver, count: 4)
        let (now, earliest) = (jobs[0].dueAt, jobs[1].dueAt)
        try await self.store.write { try $0.makeDue(.deliver, at: now, dueAfter: earliest) }
        let found = try await self.store.read { try $0.jobs(.deliver, limit: 9) }
        try self.expectEqual(found.map(\.dueAt), [now, now, now, earliest], "due times")
        // What is due already keeps its time, whichever moment is given.
        try await self.store.write {
            try $0.makeDue(.deliver, at: earliest.adding(seconds: 1), dueAfter: now.adding(seconds: -3600))
        }
        let again = try await self.store.read { try $0.jobs(.deliver, limit: 9) }
        try self.expectEqual(again, found, "jobs of which none was to come")
    }
}
