//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch
import Payments
import PostgreSQLStore
import Synchronization
import Testing

/// Calls that wait together share a transaction, and what goes wrong with one of them touches no other.
@Suite(.serialized, .timeLimit(.minutes(5))) struct GatheringTests {
    typealias Body = @Sendable (any StoreTransaction) throws -> Void

    /// Hands bodies in while the store's one connection is busy, so that it finds all of them waiting.
    /// - Returns: what each was answered, `nil` for a success; and how many commits that were.
    func runTogether(
        _ store: PostgreSQLStore, _ database: TestDatabase, _ bodies: [Body],
        expecting lookups: @escaping @Sendable (_ index: Int) -> ExpectedLookups
    ) async throws -> (failures: [(any Error)?], commitsCount: Int) {
        let commits = "SELECT sum(sequence) FROM commit_marks"
        let before = try #require(Int(try await database.execute(commits)))
        let failures = try await whileItsConnectionIsBusy(store) { mayEnd in
            try await withThrowingTaskGroup(of: (Int, (any Error)?).self) { group in
                for (index, body) in bodies.enumerated() {
                    group.addTask {
                        do {
                            try await store.write(expecting: lookups(index), body)
                            return (index, nil)
                        } catch {
                            return (index, error)
                        }
                    }
                    try await until { store.waitingCount == index + 1 }
                }
                mayEnd.signal()
                return try await group.reduce(into: [(any Error)?](repeating: nil, count: bodies.count)) {
                    $0[$1.0] = $1.1
                }
            }
        }
        return (failures, try #require(Int(try await database.execute(commits))) - before)
    }

    /// All of them expecting the same.
    func runTogether(
        _ store: PostgreSQLStore, _ database: TestDatabase, _ bodies: [Body],
        expecting lookups: ExpectedLookups = ExpectedLookups()
    ) async throws -> (failures: [(any Error)?], commitsCount: Int) {
        try await self.runTogether(store, database, bodies, expecting: { _ in lookups })
    }

    func withOneConnection(
        _ body: (PostgreSQLStore, TestDatabase, Payment) async throws -> Void
    ) async throws {
        var settings = PostgreSQLSettings.patient
        settings.connectionsCount = 1
        try await withStore(settings) { store, database in
            try await body(store, database, try await Sample.storeSale(store))
        }
    }

    static func insertion(of number: Int) throws -> Body {
        let payment = try Sample.payment(number)
        return { transaction in
            #expect(try transaction.claim(Sample.claim("\(number)", of: payment).key) == nil)
            try transaction.insert(payment)
            try transaction.insert(Sample.claim("\(number)", of: payment))
            try transaction.schedule(Job(kind: .recover, paymentID: payment.id, dueAt: Sample.now))
        }
    }

    @Test func worksThatWaitShareACommit() async throws {
        try await self.withOneConnection { store, database, _ in
            let (failures, commitsCount) = try await self.runTogether(
                store, database, try (2...12).map { try Self.insertion(of: $0) })
            #expect(failures.allSatisfy { $0 == nil })
            #expect(commitsCount == 1)
            let ids = try await store.read { try $0.paymentIDs(after: nil, limit: 100) }
            #expect(ids.count == 12)
            #expect(try await store.read { try $0.jobs(.recover, limit: 100) }.count == 11)
        }
    }

    /// Rows that one has written are found by those who come after it in the same transaction, and changed in turn.
    /// That holds for what was asked for before them, too.
    @Test(arguments: [false, true])
    func laterWorksSeeWhatEarlierOnesHaveWritten(isExpected: Bool) async throws {
        try await self.withOneConnection { store, database, sale in
            let claim = Sample.claim("a", of: sale)
            let lookups =
                isExpected ? ExpectedLookups(claim: claim.key, references: [Self.reference]) : ExpectedLookups()
            let found = Count()
            let claiming: Body = { transaction in
                if try transaction.claim(claim.key) == nil {
                    try transaction.insert(claim)
                } else {
                    found.next()
                }
            }
            let named = Count()
            let naming: Body = { transaction in
                if try transaction.operation(Self.reference) == nil {
                    try transaction.insert(Self.reference, operation: sale.operations[0].id)
                } else {
                    named.next()
                }
            }
            let event: @Sendable (Int) -> Body = { number in
                { try $0.insert(Sample.event(number, about: sale)) }
            }
            let job: Body = { try $0.schedule(Job(kind: .deliver, paymentID: sale.id, dueAt: Sample.now)) }
            let end: Body = { try $0.delete(.deliver, of: sale.id) }
            let (failures, commitsCount) = try await self.runTogether(
                store, database, [claiming, claiming, naming, event(1), event(2), job, naming, end, job],
                expecting: lookups)
            #expect(failures.allSatisfy { $0 == nil })
            #expect(commitsCount == 1)
            #expect(found.value == 1)
            #expect(named.value == 1)
            #expect(try await store.read { try $0.events(of: sale.id) }.count == 2)
            #expect(try await database.execute("SELECT max(ordinal) FROM outbox_events") == "1")
        }
    }

    static let reference = Reference(
        merchantID: Sample.id(1), dialect: Sample.dialect, kind: "name", value: "b")

    /// Calls that write wait for those that do, to share what comes next, although connections are free; and for no longer
    /// than they are to, since those may wait themselves.
    @Test func callsGatherBehindThoseThatWriteForAWhile() async throws {
        let looks = Mutex<[@Sendable () -> Void]>([])
        var settings = PostgreSQLSettings.patient
        settings.connectionsCount = 3
        settings.writersMin = 1
        settings.after = { _, look in looks.withLock { $0.append(look) } }
        try await withStore(settings) { store, database in
            try await Sample.storeSale(store)
            try await whileItsConnectionIsBusy(store) { mayEnd in
                async let second: Void = store.write(Self.insertion(of: 2))
                try await until { store.waitingCount == 1 }
                // Reading goes on beside it.
                #expect(try await store.read { try $0.paymentIDs(after: nil, limit: 100) }.count == 1)
                #expect(store.waitingCount == 1)
                // The first look may have been planned for the call that the busy connection has taken meanwhile.
                try await until {
                    let planned = looks.withLock { looks in
                        defer { looks = [] }
                        return looks
                    }
                    for look in planned { look() }
                    return store.waitingCount == 0
                }
                try await second
                #expect(try await store.read { try $0.paymentIDs(after: nil, limit: 100) }.count == 2)
                mayEnd.signal()
            }
        }
    }

    /// A body that has only read and then throws keeps nobody from sharing.
    @Test func refusalsBeforeTheFirstWriteAreAnsweredBesideTheOthers() async throws {
        try await self.withOneConnection { store, database, sale in
            let refusing: Body = { transaction in
                _ = try transaction.payment(sale.id)
                throw StoreError.conflict
            }
            let (failures, commitsCount) = try await self.runTogether(
                store, database, [try Self.insertion(of: 2), refusing, try Self.insertion(of: 3)])
            #expect(failures.map { $0 as? StoreError } == [nil, .conflict, nil])
            #expect(commitsCount == 1)
            #expect(try await store.read { try $0.paymentIDs(after: nil, limit: 100) }.count == 3)
        }
    }

    private struct Refused: Error {}

    /// What a body has written before it throws is taken back, and the others are written all the same.
    @Test func aBodyThatThrowsAfterWritingLosesOnlyItsOwn() async throws {
        try await self.withOneConnection { store, database, _ in
            let insertion = try Self.insertion(of: 3)
            let refusing: Body = { transaction in
                try insertion(transaction)
                throw Refused()
            }
            let (failures, commitsCount) = try await self.runTogether(
                store, database, [try Self.insertion(of: 2), refusing, try Self.insertion(of: 4)])
            #expect(failures.map { $0 is Refused } == [false, true, false])
            #expect(failures[0] == nil && failures[2] == nil)
            #expect(commitsCount == 2)
            #expect(
                try await store.read { try $0.paymentIDs(after: nil, limit: 100) } == [
                    Sample.id(1), Sample.id(2), Sample.id(4),
                ])
        }
    }

    /// What the server refuses is refused to him who wrote it, and to nobody else.
    @Test func aRowThatTheServerRefusesTouchesNoOther() async throws {
        try await self.withOneConnection { store, database, sale in
            let request = OperationRequest(id: Sample.id(900), action: .refund(sale.amount))
            let stale = try sale.transition(on: .begin(request), at: Sample.now)
            let again = try Self.insertion(of: 1)
            let (failures, _) = try await self.runTogether(
                store, database,
                [
                    try Self.insertion(of: 2), again, try Self.insertion(of: 3),
                    { try $0.update(stale, from: sale.version - 1) }, try Self.insertion(of: 4),
                ])
            #expect(failures[0] == nil && failures[2] == nil && failures[4] == nil)
            guard case StoreError.duplicate? = failures[1] else {
                Issue.record("is taken: \(String(describing: failures[1]))")
                return
            }
            #expect(failures[3] as? StoreError == .conflict)
            #expect(try await store.read { try $0.paymentIDs(after: nil, limit: 100) }.count == 4)
        }
    }

    /// One row that somebody holds for long does not keep the others waiting for as long as its own call may wait.
    @Test func aLockThatOthersHoldEndsTheSharing() async throws {
        try await self.withOneConnection { store, database, sale in
            try await self.withStoreBeside(database) { other in
                let isHeld = DispatchSemaphore(value: 0)
                let mayEnd = DispatchSemaphore(value: 0)
                async let holding: Void = other.write { transaction in
                    _ = try transaction.payment(sale.id)
                    isHeld.signal()
                    mayEnd.wait()
                }
                try await wait(for: isHeld)
                let firstRuns = Count()
                let first = try Self.insertion(of: 2)
                let (failures, commitsCount) = try await self.runTogether(
                    store, database,
                    [
                        { transaction in
                            // Once together, once by itself: only then may the lock be given back.
                            if firstRuns.next() == 2 { mayEnd.signal() }
                            try first(transaction)
                        },
                        { try $0.insert(Sample.event(1, about: sale)) },
                    ])
                try await holding
                #expect(failures.allSatisfy { $0 == nil })
                #expect(firstRuns.value == 2)
                #expect(commitsCount == 2)
            }
        }
    }

    func withStoreBeside(
        _ database: TestDatabase, _ body: (PostgreSQLStore) async throws -> Void
    ) async throws {
        try await database.withStore { try await body($0) }
    }

    /// Two nodes that lock the same payments in opposite orders come to an end, and lose nothing.
    @Test func sharedLocksInOppositeOrdersAreNoDeadlockForLong() async throws {
        try await self.withOneConnection { store, database, sale in
            try await self.withStoreBeside(database) { other in
                let second = try Sample.payment(2)
                try await store.write { try $0.insert(second) }
                let payments = [sale, second]
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 1...60 {
                        let (node, payment) = (number % 2 == 0 ? store : other, payments[number / 2 % 2])
                        group.addTask { try await node.write { try $0.insert(Sample.event(number, about: payment)) } }
                    }
                    try await group.waitForAll()
                }
                for payment in payments {
                    #expect(try await store.read { try $0.events(of: payment.id) }.count == 30)
                }
            }
        }
    }
}
