//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import GRDB
import Ledger
import Money
import Payments
import SQLiteStore
import StoreConformance
import Testing
import Time

/// A directory of its own for one test, gone after it.
@discardableResult
func withDirectory<Value>(_ body: (TemporaryStore) async throws -> Value) async throws -> Value {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("pomona-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    return try await body(TemporaryStore(directory: directory.path))
}

/// Where a test's database lies, and what tests do with it behind the store's back.
struct TemporaryStore {
    let directory: String

    var path: String { self.directory + "/pomona.sqlite" }

    func permissions(_ suffix: String = "") throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: self.path + suffix)
        return try #require(attributes[.posixPermissions] as? NSNumber).intValue
    }

    /// Opens the store, runs the body and closes the store.
    @discardableResult
    func withStore<Value>(_ body: (SQLiteStore) async throws -> Value) async throws -> Value {
        let store = try SQLiteStore.open(path: self.path)
        do {
            let value = try await body(store)
            try await store.close()
            return value
        } catch {
            try await store.close()
            throw error
        }
    }

    /// Runs SQL as another program would, with checks off.
    func tamper(_ sql: String) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: self.path, configuration: configuration)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA ignore_check_constraints = ON")
            try database.execute(sql: sql)
        }
        try queue.close()
    }

    func query(_ sql: String) throws -> [String] {
        let queue = try DatabaseQueue(path: self.path)
        defer { try? queue.close() }
        return try queue.read { try String.fetchAll($0, sql: sql) }
    }
}

/// Records for these tests.
enum Sample {
    static let now = Timestamp(milliseconds: 1_750_000_000_000)
    static let dialect = DialectName("alphapay")

    static func id<Tag>(_ number: Int, _ type: Identifier<Tag>.Type = Identifier<Tag>.self) -> Identifier<Tag> {
        let digits = (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * (3 - $0))) }
        return Identifier<Tag>(at: self.now, random: [0, 0, 0, 0, 0, 0] + digits)
    }

    static func merchant(_ number: Int = 1) -> Merchant {
        Merchant(
            id: self.id(number), name: "merchant\(number)", displayName: "Shop", mode: .sandbox,
            countryCode: "CA", createdAt: self.now)
    }

    /// The account of the merchant with that number.
    static func account(_ number: Int = 1) -> AcquirerAccount {
        AcquirerAccount(
            id: self.id(number), merchantID: self.id(number), name: "main", connector: AcquirerName("simulator"),
            mode: .sandbox, settings: ["a": "b"], secrets: ["k": SealedBytes(keyID: "1", box: [7])],
            createdAt: self.now)
    }

    static func payment(_ number: Int = 1, merchant: Int = 1) throws -> Payment {
        try Payment.opening(
            id: self.id(number), merchantID: self.id(merchant), mode: .sandbox, dialect: self.dialect,
            acquirer: AcquirerName("simulator"), accountID: self.id(merchant), orderID: nil,
            amount: Money(minorUnits: 1000, currency: try #require(Currency.alphabetic("CAD"))),
            instrument: Fixtures().instrument(), authorizationID: self.id(number * 10),
            saleCaptureID: self.id(number * 10 + 1), at: self.now)
    }

    /// Writes a merchant and a payment that is captured, with everything that hangs on it.
    static func fill(_ store: SQLiteStore) async throws -> Payment {
        let payment = try self.payment()
        let change = try payment.transition(
            on: .resolve(
                payment.operations[0].id, .succeeded(approved: payment.amount, AcquirerAnswer(reference: "1"))),
            at: self.now)
        try await store.write { transaction in
            try transaction.insert(Sample.merchant())
            try transaction.insert(Sample.account())
            try transaction.replaceRoutes(of: payment.merchantID, with: [Route(number: 1, account: payment.accountID)])
            try transaction.upsert(
                MerchantAccount(
                    merchantID: payment.merchantID, dialect: Sample.dialect, key: "M1", settings: ["a": "b"],
                    secrets: ["k": SealedBytes(keyID: "1", box: [1, 2, 3])]))
            try transaction.upsert(
                AppleCredential(
                    id: "hash", merchantID: payment.merchantID, purpose: .paymentProcessing, merchantIdentifier: "m",
                    certificatePEM: nil, notAfter: nil, sealedPrivateKey: SealedBytes(keyID: "1", box: [4]),
                    createdAt: Sample.now))
            try transaction.insert(
                Order(
                    id: Sample.id(1), merchantID: payment.merchantID, dialect: Sample.dialect, reference: "o",
                    amount: payment.amount, summary: "", notifyURL: nil, merchantIdentifier: nil, createdAt: Sample.now,
                    expiresAt: Sample.now, paymentID: payment.id))
            try transaction.insert(payment)
            try transaction.update(change, from: 1)
            try transaction.insert(
                IdempotencyClaim(
                    key: Sample.key, digest: [1], subject: .operation(payment.id, payment.operations[0].id),
                    createdAt: Sample.now))
            try transaction.insert(Sample.reference, operation: payment.operations[0].id)
            _ = try transaction.rememberToken(
                transactionIdentifier: [1, 2], mode: .sandbox, payment: payment.id, at: Sample.now)
            try transaction.insert(
                OutboxEvent(
                    id: Sample.id(1), merchantID: payment.merchantID, dialect: Sample.dialect, kind: .captureSucceeded,
                    paymentID: payment.id, operationID: payment.operations[0].id, paymentVersion: 2,
                    target: "https://shop.example", createdAt: Sample.now))
            try transaction.schedule(Job(kind: .deliver, paymentID: payment.id, dueAt: Sample.now))
            try transaction.insert(SealedDataKey(id: "1", box: [6], createdAt: Sample.now))
            try transaction.upsert(
                KeptItem(
                    name: Sample.keptName, content: SealedBytes(keyID: "1", box: [5]), version: 3,
                    createdAt: Sample.now, expiresAt: Sample.now))
        }
        return change.payment
    }

    static let key = IdempotencyKey(merchantID: Sample.id(1), dialect: Sample.dialect, operation: "pay", key: "k")
    static let keptName = KeptItemName(
        merchantID: Sample.id(1), dialect: Sample.dialect, kind: "session", id: "s")
    static let reference = Reference(merchantID: Sample.id(1), dialect: Sample.dialect, kind: "refundId", value: "v")

    /// What `fill` has written, read back.
    struct Content: Hashable, Sendable {
        let merchants: [Merchant]
        let account: MerchantAccount?
        let acquirerAccounts: [AcquirerAccount]
        let routes: [Route]
        let credentials: [AppleCredential]
        let dataKeys: [SealedDataKey]
        let order: Order?
        let payment: Payment?
        let claim: IdempotencyClaim?
        let operation: OperationID?
        let events: [OutboxEvent]
        let jobs: [Job]
        let journal: [JournalEntry]
        let sums: [LedgerBalances.Key: LedgerBalances.Sums]
    }

    static func content(of store: SQLiteStore) async throws -> Content {
        try await store.read { reader in
            Content(
                merchants: try reader.merchants(), account: try reader.account(dialect: Sample.dialect, key: "M1"),
                acquirerAccounts: try reader.acquirerAccounts(of: Sample.id(1)),
                routes: try reader.routes(of: Sample.id(1)),
                credentials: try reader.appleCredentials(of: nil), dataKeys: try reader.dataKeys(),
                order: try reader.order(Sample.id(1)),
                payment: try reader.payment(Sample.id(1)), claim: try reader.claim(Sample.key),
                operation: try reader.operation(Sample.reference), events: try reader.events(of: Sample.id(1)),
                jobs: try reader.jobs(.deliver, limit: 9), journal: try reader.journal(of: Sample.id(1)),
                sums: try reader.ledgerSums())
        }
    }
}
