//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Ledger
import MemoryStore
import Money
import Payments
import Synchronization
import TestGateway
import Testing

/// The audit finds what is wrong with the books, whatever it is.
struct LedgerAuditTests {
    /// A store whose rows somebody has tampered with.
    private struct TamperedStore: PaymentStore {
        let base: any PaymentStore
        var payment: @Sendable (Payment?) throws -> Payment? = { $0 }
        var journal: @Sendable ([JournalEntry]) -> [JournalEntry] = { $0 }
        var sums: @Sendable ([LedgerBalances.Key: LedgerBalances.Sums]) -> [LedgerBalances.Key: LedgerBalances.Sums] = {
            $0
        }
        var movement: @Sendable (MovementEntry?) throws -> MovementEntry? = { $0 }
        var extraMovementsCount = 0

        func write<Value: Sendable>(
            _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
        ) async throws -> Value {
            try await self.base.write(body)
        }

        func read<Value: Sendable>(
            _ body: @escaping @Sendable (any StoreReader) throws -> Value
        ) async throws -> Value {
            let tampered = self
            return try await self.base.read { try body(TamperedReader(base: $0, store: tampered)) }
        }

        struct TamperedReader: ForwardingReader {
            let base: any StoreReader
            let store: TamperedStore

            func payment(_ id: PaymentID) throws -> Payment? { try self.store.payment(self.base.payment(id)) }
            func journal(of payment: PaymentID) throws -> [JournalEntry] {
                self.store.journal(try self.base.journal(of: payment))
            }
            func ledgerSums() throws -> [LedgerBalances.Key: LedgerBalances.Sums] {
                self.store.sums(try self.base.ledgerSums())
            }
            func movementEntry(_ place: MovementQuery.Cursor, of merchant: MerchantID) throws -> MovementEntry? {
                try self.store.movement(try self.base.movementEntry(place, of: merchant))
            }
            func movementEntriesCount() throws -> Int {
                try self.base.movementEntriesCount() + self.store.extraMovementsCount
            }
        }
    }

    private static func shop() async throws -> Shop {
        let shop = try await Shop.open()
        let id = try await shop.authorize(money(10_00)).payment.id
        _ = try await shop.capture(money(6_00), of: id, isFinal: true)
        _ = try await shop.refund(money(2_00), of: id)
        return shop
    }

    private static func problems(_ tamper: (inout TamperedStore) -> Void) async throws -> [String] {
        var store = TamperedStore(base: try await self.shop().store)
        tamper(&store)
        let report = try await LedgerAudit.run(store: store)
        #expect(report.isSound == report.problems.isEmpty)
        return report.problems
    }

    @Test func soundBooksAreFoundSound() async throws {
        let shop = try await Self.shop()
        let report = try await LedgerAudit.run(store: shop.store)
        #expect(report.problems == [])
        #expect(report.paymentsCount == 1)
        #expect(report.entriesCount == 4)
        let payable = Bookkeeping.payable(to: shop.merchant.merchant.id)
        let posted = report.balances[LedgerBalances.Key(account: payable, layer: .posted, currency: cad)]
        let held = report.balances[LedgerBalances.Key(account: payable, layer: .pending, currency: cad)]
        #expect(posted?.creditBalance == 4_00)
        #expect(held?.creditBalance == 0)
    }

    /// The check goes on to its end, and says what it is.
    @Test func sumBeyond64BitsIsFound() async throws {
        let shop = try await Self.shop()
        struct Full: PaymentStore {
            let base: any PaymentStore

            func write<Value: Sendable>(
                _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
            ) async throws -> Value { try await self.base.write(body) }

            func read<Value: Sendable>(
                _ body: @escaping @Sendable (any StoreReader) throws -> Value
            ) async throws -> Value { try await self.base.read { try body(Reader(base: $0)) } }

            struct Reader: ForwardingReader {
                let base: any StoreReader

                func ledgerSums() throws -> [LedgerBalances.Key: LedgerBalances.Sums] {
                    throw LedgerError.sumTooLarge(account: "merchant/m/payable")
                }
            }
        }
        let report = try await LedgerAudit.run(store: Full(base: shop.store))
        #expect(report.problems.count == 1 && !report.isSound)
        #expect(report.problems.first?.contains("merchant/m/payable is beyond what 64 bits hold") == true)
        #expect(report.balances.isEmpty && report.paymentsCount == 1)
    }

    @Test func missingEntryIsFound() async throws {
        let problems = try await Self.problems { $0.journal = { $0.filter { $0.kind != .refund } } }
        #expect(problems.contains { $0.contains("refunded 200 by its operations, 0 by the ledger") })
        #expect(problems.contains { $0.contains("not the sums of the payments' journals") })
    }

    @Test func doubledEntryIsFound() async throws {
        let problems = try await Self.problems { $0.journal = { $0 + $0.filter { $0.kind == .capture } } }
        #expect(problems.contains { $0.contains("captured 600 by its operations, 1200 by the ledger") })
    }

    @Test func holdThatWasNotReleasedIsFound() async throws {
        let problems = try await Self.problems { $0.journal = { $0.filter { $0.kind != .release } } }
        #expect(problems.contains { $0.contains("left of the authorization 0 by its operations, 400 by the ledger") })
    }

    // MARK: - What was taken back or set anew

    /// A capture and a refund voided, a sale voided, an authorization adjusted both ways, a card verified.
    private static func changefulShop() async throws -> Shop {
        let shop = try await Shop.open()
        let id = try await shop.authorize(money(10_00)).payment.id
        _ = try await shop.adjust(money(15_00), of: id)
        let capture = try await shop.capture(money(6_00), of: id, isFinal: true)
        _ = try await shop.void(.operation(capture.operation.id), of: id)
        _ = try await shop.adjust(money(8_00), of: id)
        _ = try await shop.capture(money(3_00), of: id)
        let refund = try await shop.refund(money(1_00), of: id)
        _ = try await shop.void(.operation(refund.operation.id), of: id)
        let sale = try await shop.sell(money(20_00)).payment.id
        _ = try await shop.void(.payment(sale), of: sale)
        _ = try await shop.verify()
        return shop
    }

    @Test func booksWithVoidsAndAdjustmentsAreFoundSound() async throws {
        let shop = try await Self.changefulShop()
        let report = try await LedgerAudit.run(store: shop.store)
        #expect(report.problems == [])
        #expect(report.paymentsCount == 3)
        let payable = Bookkeeping.payable(to: shop.merchant.merchant.id)
        let posted = report.balances[LedgerBalances.Key(account: payable, layer: .posted, currency: cad)]
        let held = report.balances[LedgerBalances.Key(account: payable, layer: .pending, currency: cad)]
        #expect(posted?.creditBalance == 3_00)
        #expect(held?.creditBalance == 5_00)
        try await expectAgreement(shop)
    }

    /// Books of earlier versions have entries of other names.
    @Test func nameOfAnEntryIsNotProven() async throws {
        let shop = try await Self.changefulShop()
        let tampered = TamperedStore(
            base: shop.store,
            journal: { entries in
                entries.compactMap { entry in
                    let kind: JournalEntry.Kind = entry.kind == .void ? .release : .hold
                    return try? JournalEntry(
                        id: entry.id, subject: entry.subject, kind: kind, bookedAt: entry.bookedAt,
                        postings: entry.postings)
                }
            })
        #expect(try await LedgerAudit.run(store: tampered).problems == [])
    }

    @Test(arguments: [
        (JournalEntry.Kind.void, "captured and not refunded 300 by its operations, 800 by the ledger"),
        (.void, "captured and not refunded 0 by its operations, 2000 by the ledger"),
        (.capture, "captured and not refunded 300 by its operations, -600 by the ledger"),
        (.release, "left of the authorization 500 by its operations, 2100 by the ledger"),
        (.refund, "captured and not refunded 300 by its operations, 400 by the ledger"),
    ])
    func entryThatIsMissingBesideAVoidIsFound(_ kind: JournalEntry.Kind, _ problem: String) async throws {
        let shop = try await Self.changefulShop()
        let tampered = TamperedStore(base: shop.store, journal: { $0.filter { $0.kind != kind } })
        let problems = try await LedgerAudit.run(store: tampered).problems
        #expect(problems.contains { $0.contains(problem) }, "\(problems)")
    }

    @Test func wrongBalanceIsFound() async throws {
        let problems = try await Self.problems { store in
            store.sums = { sums in
                var sums = sums
                for key in sums.keys where key.layer == .posted { sums[key]?.debits += 1 }
                return sums
            }
        }
        #expect(problems == ["the account balances are not the sums of the payments' journals"])
    }

    // MARK: - What reports go by

    @Test func movementThatIsMissingIsFound() async throws {
        let problems = try await Self.problems { store in
            store.movement = { $0?.kind == .refund ? nil : $0 }
            store.extraMovementsCount = -1
        }
        #expect(problems.count == 2)
        #expect(problems.first?.hasSuffix("has no movement") == true)
        #expect(problems.last == "3 operations have ended, and 2 movements are written")
    }

    @Test(arguments: MovementDifference.allCases)
    func movementThatIsNotTheOperationsIsFound(_ difference: MovementDifference) async throws {
        let problems = try await Self.problems { store in
            store.movement = { $0?.kind == .capture ? $0.map(difference.applied) : $0 }
        }
        #expect(problems.count == 1)
        #expect(problems.first?.hasSuffix("is not what the operation is") == true, "\(problems)")
    }

    @Test func movementOfNoOperationIsFound() async throws {
        let problems = try await Self.problems { $0.extraMovementsCount = 1 }
        #expect(problems == ["3 operations have ended, and 4 movements are written"])
    }

    @Test func missingPaymentIsFound() async throws {
        let problems = try await Self.problems { $0.payment = { _ in nil } }
        #expect(problems.contains { $0.hasSuffix("its row is gone") })
    }

    @Test func corruptRowIsAFindingAndAnUnreadableStoreIsNone() async throws {
        let problems = try await Self.problems { store in
            store.payment = { _ in throw StoreError.corrupt("payments.state") }
        }
        #expect(problems.contains { $0.contains("payments.state") })
        await #expect(throws: StoreError.unavailable("gone")) {
            _ = try await Self.problems { $0.payment = { _ in throw StoreError.unavailable("gone") } }
        }
    }

    /// They are read together, and one that can't be read hides nothing of another.
    @Test func corruptRowHidesNoOtherFinding() async throws {
        let shop = try await Self.shop()
        let other = try await shop.authorize(money(5_00)).payment.id
        for pass in 0..<2 {
            var store = TamperedStore(base: shop.store)
            if pass == 0 {
                store.payment = { payment in
                    guard payment?.id != other else { throw StoreError.corrupt("payments.state") }
                    return payment
                }
                store.journal = { $0.filter { $0.kind != .refund } }
            } else {
                store.movement = { entry in
                    guard entry?.paymentID != other else { throw StoreError.corrupt("movements.kind") }
                    return entry?.kind == .refund ? nil : entry
                }
            }
            let problems = try await LedgerAudit.run(store: store).problems
            #expect(
                problems.contains {
                    $0.contains("\(other)") && $0.contains(pass == 0 ? "payments.state" : "movements.kind")
                })
            let finding = pass == 0 ? "refunded 200 by its operations, 0 by the ledger" : "has no movement"
            #expect(problems.count { $0.contains(finding) } == 1, "\(problems)")
        }
    }

    @Test func auditBesideLivePaymentsFindsNothingWrong() async throws {
        let shop = try await Shop.open()
        let isOver = Mutex(false)
        async let auditor: Int = {
            var audits = 0
            while !isOver.withLock({ $0 }) {
                let report = try await LedgerAudit.run(store: shop.store)
                #expect(report.problems == [])
                audits += 1
                await Task.yield()
            }
            return audits
        }()
        for _ in 1...30 { _ = try await shop.sell(money(10_00)) }
        isOver.withLock { $0 = true }
        #expect(try await auditor > 0)
    }

    @Test func progressIsReported() async throws {
        let shop = try await Shop.open()
        for _ in 1...3 { _ = try await shop.sell(money(10_00)) }
        let reported = Mutex<[Int]>([])
        _ = try await LedgerAudit.run(store: shop.store) { count in reported.withLock { $0.append(count) } }
        #expect(reported.withLock { $0 } == [3])
    }
}

/// What may be wrong about a movement's row.
enum MovementDifference: CaseIterable, Sendable {
    case payment, dialect, account, kind, success

    @Sendable func applied(to entry: MovementEntry) -> MovementEntry {
        let random = [UInt8](0..<10)
        return MovementEntry(
            merchantID: entry.merchantID, resolvedAt: entry.resolvedAt, operationID: entry.operationID,
            paymentID: self == .payment ? PaymentID(at: entry.resolvedAt, random: random) : entry.paymentID,
            dialect: self == .dialect ? DialectName("other") : entry.dialect,
            accountID: self == .account ? AcquirerAccountID(at: entry.resolvedAt, random: random) : entry.accountID,
            kind: self == .kind ? .refund : entry.kind,
            hasSucceeded: self == .success ? !entry.hasSucceeded : entry.hasSucceeded)
    }
}
