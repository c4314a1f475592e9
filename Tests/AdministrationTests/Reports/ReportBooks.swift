//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import Ledger
import MemoryStore
import Money
import Payments
import Redaction
import Synchronization
import TestGateway
import Testing
import Time

/// A merchant with a history that a test writes by hand, at moments of its own, over a real gateway.
struct ReportBooks: Sendable {
    let test: TestGateway
    let merchant: Merchant
    let account: AcquirerAccount
    private let counter = Counter()

    var administration: Administration { self.test.gateway.administration }
    var store: any PaymentStore { self.test.store }

    static func open(timeZone: String = "UTC", store: (any PaymentStore)? = nil) async throws -> ReportBooks {
        let test = try await TestGateway.open(store: store)
        let administration = test.gateway.administration
        let merchant = try await administration.createMerchant(
            name: "shop", displayName: "Shop", mode: .sandbox, countryCode: "DE", timeZone: timeZone)
        try await administration.ensureAcquirerAccount(of: merchant.id, connector: AcquirerName("simulator"))
        let account = try #require(try await test.store.read { try $0.acquirerAccounts(of: merchant.id) }.first)
        return ReportBooks(test: test, merchant: merchant, account: account)
    }

    static func money(_ minorUnits: Int64, _ code: String = "EUR") throws -> Money {
        Money(minorUnits: minorUnits, currency: try #require(Currency.alphabetic(code)))
    }

    func id<Tag>(at moment: Timestamp) -> Identifier<Tag> {
        Identifier(at: moment, random: withUnsafeBytes(of: self.counter.next().bigEndian, Array.init) + [7, 7])
    }

    private final class Counter: Sendable {
        private let count = Mutex<UInt64>(0)

        func next() -> UInt64 {
            self.count.withLock { count in
                count += 1
                return count
            }
        }
    }

    /// A sale: authorized and captured at a moment.
    func sell(
        _ amount: Money, at moment: Timestamp, reference: String? = nil, network: String? = nil, failing: Bool = false
    ) async throws -> Payment {
        let authorizationID: OperationID = self.id(at: moment)
        let payment = try Payment.opening(
            id: self.id(at: moment), merchantID: self.merchant.id, mode: .sandbox, dialect: DialectName("alphapay"),
            acquirer: self.account.connector, accountID: self.account.id, orderID: nil, amount: amount,
            instrument: InstrumentSummary(
                maskedPAN: MaskedPAN(prefix: "411111", suffix: "1111", length: 16), network: .visa,
                expiryYearMonth: "3112", eci: "05", displayName: nil),
            authorizationID: authorizationID, saleCaptureID: self.id(at: moment), at: moment)
        let answer = AcquirerAnswer(
            reference: reference, authorizationCode: "A1B2C3", networkReference: network)
        let resolution: Resolution =
            failing ? .failed(.declined(.insufficientFunds), answer) : .succeeded(approved: amount, answer)
        let change = try payment.transition(on: .resolve(authorizationID, resolution), at: moment)
        try await self.store.write { transaction in
            try transaction.insert(payment)
            try transaction.update(change, from: payment.version)
        }
        return change.payment
    }

    /// Something that is asked for and done at a moment.
    @discardableResult
    func perform(
        _ action: OperationRequest.Action, of amount: Money, on id: PaymentID, at moment: Timestamp,
        reference: String? = nil
    ) async throws -> PaymentOperation {
        let request = OperationRequest(
            id: self.id(at: moment), action: action, labels: OperationLabels(reference: "=cmd|'/c calc'!A1"))
        return try await self.store.write { transaction in
            guard let payment = try transaction.payment(id) else { throw StoreError.conflict }
            let begun = try payment.transition(on: .begin(request), at: moment)
            let ended = try begun.payment.transition(
                on: .resolve(request.id, .succeeded(approved: amount, AcquirerAnswer(reference: reference))),
                at: moment)
            try transaction.update(begun.followed(by: ended), from: payment.version)
            guard let operation = ended.payment.operation(request.id) else { throw StoreError.conflict }
            return operation
        }
    }

    @discardableResult
    func refund(
        _ amount: Money, of id: PaymentID, at moment: Timestamp, reference: String? = nil
    ) async throws -> PaymentOperation {
        try await self.perform(.refund(amount), of: amount, on: id, at: moment, reference: reference)
    }

    /// What the acquirer reports by itself.
    @discardableResult
    func report(
        _ event: AcquirerReport.Event, fee: Money? = nil, of id: PaymentID, at moment: Timestamp,
        reference: String? = nil
    ) async throws -> OperationID {
        let report = AcquirerReport(id: self.id(at: moment), event: event, fee: fee, reference: reference)
        try await self.store.write { transaction in
            guard let payment = try transaction.payment(id) else { throw StoreError.conflict }
            try transaction.update(try payment.transition(on: .report(report), at: moment), from: payment.version)
        }
        return report.id
    }

    /// What an account of the ledger holds in the posted layer: debits less credits.
    func balance(_ account: LedgerAccount, _ code: String = "EUR") async throws -> Int64 {
        let currency = try #require(Currency.alphabetic(code))
        let sums = try await self.store.read { try $0.ledgerSums() }
        return -(sums[LedgerBalances.Key(account: account, layer: .posted, currency: currency)]?.creditBalance ?? 0)
    }

    /// What settlements move: receivable, clearing, fees, differences, written off, and what the merchant is owed.
    func settlementBalances() async throws -> [Int64] {
        let id = self.account.id
        var balances: [Int64] = []
        for account in [
            Bookkeeping.receivable(of: id), Bookkeeping.clearing(of: id), Bookkeeping.fees(of: id),
            Bookkeeping.differences(of: id), Bookkeeping.writtenOff(of: id),
            Bookkeeping.payable(to: self.merchant.id),
        ] { balances.append(try await self.balance(account)) }
        return balances
    }

    func expectSoundBooks(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let report = try await LedgerAudit.run(store: self.store)
        #expect(report.problems == [], sourceLocation: sourceLocation)
    }

    /// Expects that an act is refused, and nothing is written in the audit log.
    func expect(
        _ code: AdministrationError.Code, sourceLocation: SourceLocation = #_sourceLocation,
        _ act: (Administration) async throws -> Void
    ) async throws {
        let before = try await self.store.read { try $0.lastAuditEntry() }
        let error = await #expect(throws: AdministrationError.self, sourceLocation: sourceLocation) {
            try await act(self.administration)
        }
        #expect(error?.code == code, "\(error?.message ?? "")", sourceLocation: sourceLocation)
        #expect(try await self.store.read { try $0.lastAuditEntry() } == before, sourceLocation: sourceLocation)
    }
}

/// A day that a test knows to be one.
func day(_ text: String) throws -> CalendarDay { try #require(CalendarDay(text)) }

/// A moment that a test knows to be one.
func moment(_ text: String) throws -> Timestamp { try #require(Timestamp(rfc3339: text)) }
