//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Testing
import Time

@testable import SQLiteStore

@Suite struct WritingTests {
    private struct BodyFailure: Error, Equatable {
        let number: Int
    }

    @Test func aFailingBodyFailsAlone() async throws {
        try await withDirectory { place in
            try await place.withStore { store in
                let failed = await withTaskGroup(of: Int?.self) { group in
                    for number in 1...500 {
                        group.addTask {
                            do {
                                try await store.write { transaction in
                                    try transaction.insert(Sample.merchant(number))
                                    if number % 7 == 0 { throw BodyFailure(number: number) }
                                }
                                return nil
                            } catch {
                                return error as? BodyFailure == BodyFailure(number: number) ? number : -1
                            }
                        }
                    }
                    return await group.reduce(into: []) { failed, number in failed += number.map { [$0] } ?? [] }
                }
                let sevens = (1...500).filter { $0 % 7 == 0 }
                #expect(failed.sorted() == sevens)
                let names = try await store.read { try $0.merchants().map(\.name) }
                #expect(Set(names) == Set((1...500).filter { $0 % 7 != 0 }.map { "merchant\($0)" }))
            }
        }
    }

    /// Too young is no trouble: the claim stays until its time has come by the clock that the table's trigger goes by.
    @Test func aClaimThatIsTooYoungByTheStoresClockStays() async throws {
        try await withDirectory { place in
            try await place.withStore { store in
                let payment = try await Sample.fill(store)
                let made = Timestamp(seconds: 4_000_000_000)
                let key = IdempotencyKey(
                    merchantID: payment.merchantID, dialect: Sample.dialect, operation: "pay", key: "young")
                try await store.write { transaction in
                    try transaction.insert(
                        IdempotencyClaim(
                            key: key, digest: [1], subject: .operation(payment.id, payment.operations[0].id),
                            createdAt: made))
                    try transaction.deleteClaims([key, Sample.key], before: made.adding(seconds: 86_400))
                }
                #expect(try await store.read { try $0.claims(after: nil, limit: 9).map(\.key) } == [key])
            }
        }
    }

    /// The payment's row goes in before the operation is refused, whose id another payment's has.
    @Test func aBodyThatGoesOnKeepsNoHalfOfWhatFailed() async throws {
        try await withDirectory { place in
            try await place.withStore { store in
                let first = try await Sample.fill(store)
                let second = try Payment.opening(
                    id: Sample.id(2), merchantID: first.merchantID, mode: .sandbox, dialect: Sample.dialect,
                    acquirer: first.acquirer, accountID: first.accountID, orderID: nil, amount: first.amount,
                    instrument: first.instrument, authorizationID: first.operations[0].id, at: Sample.now)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 2...200 {
                        group.addTask {
                            try await store.write { transaction in
                                if number % 7 == 0 {
                                    #expect(throws: StoreError.self) { try transaction.insert(second) }
                                }
                                try transaction.insert(Sample.merchant(number))
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(try await store.read { try $0.payment(second.id) } == nil)
                #expect(try await store.read { try $0.merchants().count } == 200)
            }
        }
    }

    /// References are checked at the commit, which many bodies share; only those to blame fail.
    @Test func aBodyThatTheCommitRefusesFailsAlone() async throws {
        try await withDirectory { place in
            try await place.withStore { store in
                try await store.write { transaction in
                    try transaction.insert(Sample.merchant())
                    try transaction.insert(Sample.account())
                }
                let failed = try await withThrowingTaskGroup(of: Int?.self) { group in
                    for number in 1...200 {
                        let payment = try Sample.payment(number, merchant: number % 50 == 0 ? 999 : 1)
                        group.addTask {
                            do {
                                try await store.write { try $0.insert(payment) }
                                return nil
                            } catch StoreError.corrupt {
                                return number
                            }
                        }
                    }
                    return try await group.reduce(into: []) { failed, number in failed += number.map { [$0] } ?? [] }
                }
                #expect(failed.sorted() == [50, 100, 150, 200])
                #expect(try await store.read { try $0.paymentsCount(PaymentQuery()) } == 196)
            }
        }
    }

    @Test func fullDiskIsUnavailableAndPasses() async throws {
        try await withDirectory { place in
            try await place.withStore { store in
                _ = try await Sample.fill(store)
                let before = try await Sample.content(of: store)
                try store.limitPages(to: 1)
                let key = SealedDataKey(id: "big", box: [UInt8](repeating: 7, count: 1_000_000), createdAt: Sample.now)
                let full = StoreError.unavailable("the disk is full; free some space, then try again")
                await #expect(throws: full) { try await store.write { try $0.insert(key) } }
                // A body that goes on as if nothing had happened is refused all the same.
                await #expect(throws: full) {
                    try await store.write { transaction in
                        try? transaction.insert(key)
                        try? transaction.insert(Sample.merchant(2))
                    }
                }
                #expect(try await Sample.content(of: store) == before)
                try store.limitPages(to: nil)
                try await store.write { try $0.insert(key) }
                #expect(try await store.read { try $0.dataKeys() } == before.dataKeys + [key])
            }
        }
    }

    @Test func othersInTheBatchSurviveAFullDisk() async throws {
        try await withDirectory { place in
            try await place.withStore { store in
                try store.limitPages(to: 400)
                let written = await withTaskGroup(of: Int?.self) { group in
                    for number in 1...200 {
                        let big = SealedDataKey(
                            id: "\(number)", box: [UInt8](repeating: 7, count: number % 20 == 0 ? 3_000_000 : 10),
                            createdAt: Sample.now)
                        group.addTask {
                            do {
                                try await store.write { try $0.insert(big) }
                                return number
                            } catch {
                                return nil
                            }
                        }
                    }
                    return await group.reduce(into: []) { written, number in written += number.map { [$0] } ?? [] }
                }
                let stored = try await store.read { try $0.dataKeys().compactMap { Int($0.id) } }
                #expect(stored.sorted() == written.sorted(), "what was answered is what is stored")
                #expect(stored.allSatisfy { $0 % 20 != 0 })
            }
        }
    }

    @Test func bodiesOfOneCallerRunInOrder() async throws {
        try await withDirectory { place in
            try await place.withStore { store in
                try await store.write { transaction in
                    try transaction.insert(Sample.merchant())
                    try transaction.insert(Sample.account())
                }
                for number in 1...50 {
                    let payment = try Sample.payment(number)
                    try await store.write { try $0.insert(payment) }
                    #expect(try await store.write { try $0.payment(payment.id) } == payment)
                    #expect(try await store.read { try $0.paymentsCount(PaymentQuery()) } == number)
                }
            }
        }
    }
}
