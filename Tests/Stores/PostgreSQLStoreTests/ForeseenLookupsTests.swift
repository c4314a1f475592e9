//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch
import Payments
import PostgreSQLStore
import Synchronization
import Testing

/// What works that share a transaction are known to ask for is looked up for all of them at once, and is what each would
/// have found by itself.
extension GatheringTests {
    /// What was there before is found by those who are said to ask for it, whoever else is.
    @Test func whatIsExpectedIsAnsweredAsItIs() async throws {
        try await self.withOneConnection { store, database, sale in
            let old = Sample.claim("old", of: sale, digest: [7])
            try await store.write { transaction in
                try transaction.insert(old)
                try transaction.insert(Self.reference, operation: sale.operations[0].id)
            }
            let free = Sample.claim("free", of: sale).key
            let operationID = sale.operations[0].id
            let seen = Count()
            let body: Body = { transaction in
                let claims = [try transaction.claim(old.key), try transaction.claim(free)]
                let operations = try [Self.reference, old.key.reference].map { try transaction.operation($0) }
                if claims == [old, nil], operations == [operationID, operationID] { seen.next() }
            }
            let (failures, _) = try await self.runTogether(
                store, database, [body, body, body],
                expecting: ExpectedLookups(claim: old.key, references: [Self.reference, old.key.reference]))
            #expect(failures.allSatisfy { $0 == nil })
            #expect(seen.value == 3)
        }
    }

    /// "é" as one scalar and as two is the same text to Swift, and not to the server.
    @Test func namesThatOnlyUnicodeTakesForTheSameAreTwo() async throws {
        try await self.withOneConnection { store, database, sale in
            let (one, two) = (Sample.claim("\u{E9}", of: sale), Sample.claim("e\u{301}", of: sale))
            try await store.write { try $0.insert(one) }
            let answers = Answers()
            let asking: @Sendable (Int, IdempotencyClaim) -> Body = { number, claim in
                { transaction in
                    answers.add(number, try transaction.claim(claim.key) != nil)
                    answers.add(number + 2, try transaction.operation(claim.key.reference) != nil)
                }
            }
            let lookups = [one, two].map { ExpectedLookups(claim: $0.key, references: [$0.key.reference]) }
            for order in [lookups, lookups.reversed()] {
                let (failures, _) = try await self.runTogether(
                    store, database, [asking(1, one), asking(2, two)], expecting: { order[$0] })
                #expect(failures.allSatisfy { $0 == nil })
                #expect(answers.all == [1: true, 2: false, 3: true, 4: false])
            }
        }
    }

    /// More than one statement holds: 19 are asked for with three (``StatementSizes``).
    @Test func manyLookupsAreAnsweredEachAsItIs() async throws {
        try await self.withOneConnection { store, database, sale in
            let numbers = Array(1...19)
            let references = numbers.map {
                Reference(merchantID: Sample.id(1), dialect: Sample.dialect, kind: "name", value: "\($0)")
            }
            let odd = numbers.filter { $0 % 2 == 1 }
            try await store.write { transaction in
                for number in odd {
                    try transaction.insert(references[number - 1], operation: sale.operations[0].id)
                    _ = try Self.remember(number, for: sale, in: transaction)
                }
            }
            let seen = Count()
            let asking: Body = { transaction in
                let found = try references.map { try transaction.operation($0) != nil }
                if found == numbers.map({ $0 % 2 == 1 }) { seen.next() }
                let areNew = try numbers.filter { try Self.remember($0, for: sale, in: transaction) }
                if areNew == numbers.filter({ $0 % 2 == 0 }) { seen.next() }
            }
            let (failures, commitsCount) = try await self.runTogether(
                store, database, [asking, { _ in }],
                expecting: ExpectedLookups(references: references, tokens: numbers.map { Self.use($0) }))
            #expect(failures.allSatisfy { $0 == nil })
            #expect(commitsCount == 1)
            #expect(seen.value == 2)
        }
    }

    /// A token that nobody had used is used by the first of those that come with it, in one commit with the others.
    @Test func aTokenIsUsedByTheFirstOfThoseThatShareATransaction() async throws {
        try await self.withOneConnection { store, database, sale in
            let answers = Answers()
            let using: @Sendable (Int, Int) -> Body = { number, token in
                { transaction in
                    let payment = try Sample.payment(number)
                    let isNew = try Self.remember(token, for: payment, in: transaction)
                    answers.add(number, isNew)
                    if isNew { try transaction.insert(payment) }
                }
            }
            let (failures, commitsCount) = try await self.runTogether(
                store, database, [using(2, 1), using(3, 2), using(4, 1), using(5, 3)],
                expecting: ExpectedLookups(tokens: [1, 2, 3].map { Self.use($0) }))
            #expect(failures.allSatisfy { $0 == nil })
            #expect(commitsCount == 1)
            #expect(answers.all == [2: true, 3: true, 4: false, 5: true])
            for token in 1...3 {
                #expect(try await store.read { try Self.isRemembered(token, in: $0) })
            }
        }
    }

    /// Whether a token was used is answered with what those before have written, although it was not sent yet.
    @Test func aUseThatWasNotSentYetIsSeen() async throws {
        try await self.withOneConnection { store, database, sale in
            let answers = Answers()
            let (failures, _) = try await self.runTogether(
                store, database,
                [
                    { transaction in
                        let payment = try Sample.payment(2)
                        answers.add(1, try Self.remember(1, for: payment, in: transaction))
                        try transaction.insert(payment)
                    },
                    { transaction in answers.add(2, try Self.isRemembered(1, in: transaction)) },
                ], expecting: ExpectedLookups(tokens: [Self.use(1), Self.use(2)]))
            #expect(failures.allSatisfy { $0 == nil })
            #expect(answers.all == [1: true, 2: true])
        }
    }

    /// The token of a payment that came to nothing may be used again, as it may without being expected.
    @Test func aTokenOfAPaymentThatWasNotProcessedIsTakenOver() async throws {
        try await self.withOneConnection { store, database, sale in
            let first = try Sample.payment(2)
            let failed = try first.transition(
                on: .resolve(first.operations[0].id, .failed(.notProcessed(.notSent), AcquirerAnswer())), at: Sample.now
            )
            try await store.write { transaction in
                #expect(try Self.remember(1, for: first, in: transaction))
                try transaction.insert(first)
                try transaction.update(failed, from: 1)
                #expect(try Self.remember(2, for: sale, in: transaction))
            }
            let answers = Answers()
            let again: Body = { transaction in
                let second = try Sample.payment(3)
                answers.add(1, try Self.remember(1, for: second, in: transaction))
                answers.add(2, try Self.remember(2, for: second, in: transaction))
                try transaction.insert(second)
            }
            let (failures, _) = try await self.runTogether(
                store, database, [again, { _ in }],
                expecting: ExpectedLookups(tokens: [Self.use(1), Self.use(2)]))
            #expect(failures.allSatisfy { $0 == nil })
            #expect(answers.all == [1: true, 2: false])
        }
    }

    /// Another node uses the token between the look and the commit: the server refuses the second use, each body is run by
    /// itself, and finds the token used; the other payment of the transaction is made all the same.
    @Test func aTokenThatAnotherNodeHasUsedMeanwhileIsRefused() async throws {
        try await self.withOneConnection { store, database, sale in
            try await self.withStoreBeside(database) { other in
                let answers = Answers()
                let runs = Count()
                let hasLooked = DispatchSemaphore(value: 0)
                let isUsed = DispatchSemaphore(value: 0)
                let racing: Body = { transaction in
                    let payment = try Sample.payment(2)
                    if runs.next() == 1 {
                        hasLooked.signal()
                        isUsed.wait()
                    }
                    let isNew = try Self.remember(1, for: payment, in: transaction)
                    answers.add(runs.value, isNew)
                    if isNew { try transaction.insert(payment) }
                }
                async let using: Void = {
                    try await wait(for: hasLooked)
                    try await other.write { _ = try Self.remember(1, for: sale, in: $0) }
                    isUsed.signal()
                }()
                let (failures, _) = try await self.runTogether(
                    store, database, [racing, try Self.insertion(of: 3)],
                    expecting: ExpectedLookups(tokens: [Self.use(1), Self.use(2)]))
                try await using
                #expect(failures.allSatisfy { $0 == nil })
                #expect(answers.all == [1: true, 2: false])
                #expect(
                    try await store.read { try $0.paymentIDs(after: nil, limit: 100) } == [Sample.id(1), Sample.id(3)])
            }
        }
    }

    private static func use(_ token: Int) -> TokenUse {
        TokenUse(mode: .sandbox, transactionIdentifier: [UInt8(token)])
    }

    private static func remember(
        _ token: Int, for payment: Payment, in transaction: any StoreTransaction
    ) throws -> Bool {
        let use = self.use(token)
        return try transaction.rememberToken(
            transactionIdentifier: use.transactionIdentifier, mode: use.mode, payment: payment.id, at: Sample.now)
    }

    private static func isRemembered(_ token: Int, in reader: any StoreReader) throws -> Bool {
        let use = self.use(token)
        return try reader.isTokenRemembered(transactionIdentifier: use.transactionIdentifier, mode: use.mode)
    }
}

/// What several bodies were answered, by their numbers.
private final class Answers: Sendable {
    private let answers = Mutex<[Int: Bool]>([:])

    var all: [Int: Bool] { self.answers.withLock { $0 } }

    func add(_ number: Int, _ answer: Bool) { self.answers.withLock { $0[number] = answer } }
}
