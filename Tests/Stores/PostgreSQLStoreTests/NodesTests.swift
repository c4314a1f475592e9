//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch
import Payments
import PostgreSQLStore
import Testing
import Time

/// Two stores on one database, as two nodes have them, that race.
@Suite(.serialized, .timeLimit(.minutes(5))) struct NodesTests {
    /// Runs a body once for each number, on the one store and the other in turn, all at the same time.
    private func race<Value: Sendable>(
        _ count: Int, _ body: @escaping @Sendable (any StoreTransaction, Int) throws -> Value,
        after prepare: (PostgreSQLStore) async throws -> Void
    ) async throws -> (results: [Value], database: TestDatabase) {
        let database = try await TestDatabase.make()
        let results = try await database.withStore { first in
            try await prepare(first)
            return try await database.withStore { second in
                try await withThrowingTaskGroup(of: Value.self) { group in
                    for number in 0..<count {
                        let store = number % 2 == 0 ? first : second
                        group.addTask { try await store.write { try body($0, number) } }
                    }
                    return try await group.reduce(into: [Value]()) { $0.append($1) }
                }
            }
        }
        return (results, database)
    }

    @Test func losesNoChangeOfAPayment() async throws {
        let id: PaymentID = Sample.id(1)
        let (_, database) = try await self.race(200) { transaction, number in
            let payment = try #require(try transaction.payment(id))
            let request = OperationRequest(id: Sample.id(1000 + number), action: .refund(try Sample.money(1)))
            try transaction.update(try payment.transition(on: .begin(request), at: Sample.now), from: payment.version)
        } after: {
            try await Sample.storeSale($0)
        }
        try await database.withStore { store in
            let payment = try #require(try await store.read { try $0.payment(id) })
            #expect(payment.version == 202)
            #expect(payment.operations.count == 202)
            #expect(Set(payment.operations.map(\.id)).count == 202)
        }
    }

    /// A repeated call waits for the first one and finds its claim, before anything that the first one has used up.
    @Test func repeatedCallsFindTheClaim() async throws {
        let item = Sample.keptItem("once")
        let (results, _) = try await self.race(60) { transaction, number -> String in
            let payment = try Sample.payment(100 + number)
            let claim = Sample.claim("k", of: payment)
            if try transaction.claim(claim.key) != nil { return "repeated" }
            guard try transaction.keptItem(item.name) != nil else { return "nothing to pay with" }
            try transaction.delete(item.name)
            guard
                try transaction.rememberToken(
                    transactionIdentifier: [7], mode: .live, payment: payment.id, at: Sample.now)
            else { return "replayed" }
            try transaction.insert(payment)
            try transaction.insert(claim)
            return "new"
        } after: { store in
            try await Sample.storeSale(store)
            try await store.write { try $0.upsert(item) }
        }
        #expect(results.count { $0 == "new" } == 1)
        #expect(results.count { $0 == "repeated" } == 59)
    }

    /// Too young is no trouble: the claim stays until its time has come by the clock that the table's trigger goes by.
    @Test func aClaimThatIsTooYoungByTheDatabasesClockStays() async throws {
        try await withStore { store, _ in
            let payment = try await Sample.storeSale(store)
            let made = Timestamp(seconds: 4_000_000_000)
            let old = Sample.claim("old", of: payment)
            let young = IdempotencyClaim(
                key: Sample.claim("young", of: payment).key, digest: [1], subject: old.subject, createdAt: made)
            try await store.write { transaction in
                for claim in [old, young] { try transaction.insert(claim) }
            }
            try await store.write {
                try $0.deleteClaims([young.key, old.key], before: made.adding(seconds: 86_400))
            }
            #expect(try await store.read { try $0.claims(after: nil, limit: 9) } == [young])
        }
    }

    @Test func oneOfTwoNodesMakesAClaim() async throws {
        let payment = try Sample.payment()
        let (results, _) = try await self.race(100) { transaction, number -> Bool in
            do {
                try transaction.insert(Sample.claim("k", of: payment, digest: [UInt8(number)]))
                return true
            } catch StoreError.duplicate("idempotency key") {
                return false
            }
        } after: {
            try await Sample.storeSale($0)
        }
        #expect(results.count { $0 } == 1)
    }

    @Test func keptItemIsUsedOnce() async throws {
        let item = Sample.keptItem("prime")
        let (results, _) = try await self.race(60) { transaction, _ -> Bool in
            guard try transaction.keptItem(item.name) != nil else { return false }
            try transaction.delete(item.name)
            return true
        } after: { store in
            try await Sample.storeSale(store)
            try await store.write { try $0.upsert(item) }
        }
        #expect(results.count { $0 } == 1)
    }

    @Test func keptItemIsMadeOnceAndLosesNoVersion() async throws {
        let name = Sample.keptItem("session").name
        let (results, database) = try await self.race(60) { transaction, number -> Int in
            let version = (try transaction.keptItem(name)?.version ?? 0) + 1
            try transaction.upsert(Sample.keptItem("session", version: version, key: "\(number)"))
            return version
        } after: {
            try await Sample.storeSale($0)
        }
        #expect(Set(results) == Set(1...60))
        try await database.withStore { store in
            let version = try await store.read { try $0.keptItem(name)?.version }
            #expect(version == 60)
        }
    }

    @Test func newStoreGetsOneDataKey() async throws {
        let (results, _) = try await self.race(20) { transaction, number -> String in
            if let key = try transaction.dataKeys().first { return key.id }
            try transaction.insert(SealedDataKey(id: "key \(number)", box: [1], createdAt: Sample.now))
            return "key \(number)"
        } after: { _ in
        }
        #expect(Set(results).count == 1)
    }

    @Test func whoLosesTheRaceForANameFindsItTaken() async throws {
        let (results, _) = try await self.race(40) { transaction, number -> Bool in
            let order = try Sample.order(1)
            if try transaction.order(of: order.merchantID, dialect: order.dialect, reference: order.reference) != nil {
                return false
            }
            try transaction.insert(
                Order(
                    id: Sample.id(100 + number), merchantID: order.merchantID, dialect: order.dialect,
                    reference: order.reference, amount: order.amount, summary: "", notifyURL: nil,
                    merchantIdentifier: nil, createdAt: Sample.now, expiresAt: Sample.now))
            return true
        } after: {
            try await Sample.storeSale($0)
        }
        #expect(results.count { $0 } == 1)
    }

    @Test func accountNamesAreUniqueAmongKeysAndAliases() async throws {
        let (results, _) = try await self.race(20) { transaction, number -> Bool in
            let merchant = Sample.merchant(100 + number)
            try transaction.insert(merchant)
            let (key, aliases): (String, Set<String>) =
                number % 2 == 0 ? ("X", ["own \(number)"]) : ("own \(number)", ["X"])
            do {
                try transaction.upsert(
                    MerchantAccount(
                        merchantID: merchant.id, dialect: Sample.dialect, key: key, aliases: aliases, settings: [:],
                        secrets: [:]))
                return true
            } catch StoreError.duplicate("account key") {
                return false
            }
        } after: { _ in
        }
        #expect(results.count { $0 } == 1)
    }

    @Test func leasesAreTakenByOneNode() async throws {
        let payments = try (0..<120).map { try Sample.payment(100 + $0) }
        let database = try await TestDatabase.make()
        try await database.withStore { first in
            try await first.write { transaction in
                try transaction.insert(Sample.merchant())
                try transaction.insert(Sample.account())
                for payment in payments {
                    try transaction.insert(payment)
                    try transaction.schedule(Job(kind: .recover, paymentID: payment.id, dueAt: Sample.now))
                }
            }
            try await database.withStore { second in
                let leased = try await withThrowingTaskGroup(of: [PaymentID].self) { group in
                    for number in 0..<16 {
                        let store = number % 2 == 0 ? first : second
                        group.addTask {
                            var mine: [PaymentID] = []
                            while true {
                                let page = try await store.write {
                                    try $0.lease(
                                        .recover, dueBy: Sample.now, until: Sample.now.adding(seconds: 60), limit: 3)
                                }
                                guard !page.isEmpty else { return mine }
                                mine += page.map(\.paymentID)
                            }
                        }
                    }
                    return try await group.reduce(into: []) { $0 += $1 }
                }
                #expect(leased.count == 120)
                #expect(Set(leased) == Set(payments.map(\.id)))
            }
        }
    }

    /// While the delivery of the last event takes the job away, another event is added: one of them must see the other.
    @Test func noEventIsLeftWithoutAJob() async throws {
        let sale = try Sample.payment()
        for round in 0..<20 {
            let (_, database) = try await self.race(2) { transaction, number in
                if number == 0 {
                    var event = try #require(try transaction.event(Sample.id(1)))
                    event.state = .delivered
                    try transaction.update(event)
                    if try !transaction.events(of: sale.id).contains(where: { $0.state == .pending }) {
                        try transaction.delete(.deliver, of: sale.id)
                    }
                } else {
                    let isFirst = try !transaction.events(of: sale.id).contains { $0.state == .pending }
                    try transaction.insert(Sample.event(2, about: sale))
                    if isFirst {
                        try transaction.schedule(Job(kind: .deliver, paymentID: sale.id, dueAt: Sample.now))
                    }
                }
            } after: { store in
                try await Sample.storeSale(store)
                try await store.write { transaction in
                    try transaction.insert(Sample.event(1, about: sale))
                    try transaction.schedule(Job(kind: .deliver, paymentID: sale.id, dueAt: Sample.now))
                }
            }
            let left = try await database.execute("SELECT count(*) FROM jobs WHERE kind = 'deliver'")
            #expect(left == "1", "round \(round)")
        }
    }

    /// Some lock the order and then its payment, some the other way round.
    @Test func lockOrdersDoNotBlockEachOther() async throws {
        let (results, _) = try await self.race(80) { transaction, number -> Bool in
            if number % 3 == 0 {
                var order = try #require(try transaction.order(Sample.id(1)))
                let payment = try order.paymentID.flatMap { try transaction.payment($0) }
                order.canceledAt = Sample.now
                try transaction.update(order)
                return payment != nil
            }
            let payment = try #require(try transaction.payment(Sample.id(2)))
            return try payment.orderID.flatMap { try transaction.order($0) } != nil
        } after: { store in
            try await Sample.storeSale(store)
            try await store.write { transaction in
                var order = try Sample.order()
                order.paymentID = Sample.id(2)
                try transaction.insert(order)
                try transaction.insert(try Sample.payment(2, orderID: order.id))
            }
        }
        #expect(results.allSatisfy { $0 })
    }

    /// Each has locked what the other one wants; the server ends one of them, which is run again.
    @Test func deadlockedBodyIsRunAgain() async throws {
        let runs = Count()
        let bothHold = DispatchGroup()
        bothHold.enter()
        bothHold.enter()
        let (_, _) = try await self.race(2) { transaction, number in
            let isFirstRun = runs.next() <= 2
            let ids: [PaymentID] = number == 0 ? [Sample.id(1), Sample.id(2)] : [Sample.id(2), Sample.id(1)]
            _ = try transaction.payment(ids[0])
            if isFirstRun {
                bothHold.leave()
                bothHold.wait()
            }
            _ = try transaction.payment(ids[1])
        } after: { store in
            try await Sample.storeSale(store)
            try await store.write { try $0.insert(try Sample.payment(2)) }
        }
        // Once more at least: whoever was ended may lock its first row again before the other one wakes up to take it.
        #expect(runs.value >= 3)
    }
}
