//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import Gateway
import Logging
import MemoryStore
import Money
import Payments
import Redaction
import Synchronization
import TestGateway
import Testing
import Time
import Webhooks

/// A gateway whose outbox is filled by hand, and its clock.
final class Outbox: Sendable {
    /// A clock that stands still until it is moved.
    final class Clock: Sendable {
        private let moment = Mutex(Timestamp(seconds: 1_781_524_800))

        var now: Timestamp { self.moment.withLock { $0 } }

        /// It goes forward alone.
        var steadyNanoseconds: Int64 { self.now.milliseconds * 1_000_000 }

        func advance(seconds: Int64) { self.moment.withLock { $0 = $0.adding(seconds: seconds) } }
    }

    let store: MemoryStore
    let gateway: Gateway
    let merchant: Merchant
    let clock: Clock

    static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private init(store: MemoryStore, gateway: Gateway, merchant: Merchant, clock: Clock) {
        self.store = store
        self.gateway = gateway
        self.merchant = merchant
        self.clock = clock
    }

    static func open(mode: Mode = .sandbox, hasAccount: Bool = true) async throws -> Outbox {
        let (store, clock) = (MemoryStore(), Clock())
        let gateway = try await Gateway.start(
            GatewayParts(
                store: store, connectors: [], masterKeys: .fixed(Redacted(Self.randomBytes(32))), clock: { clock.now },
                random: Self.randomBytes, sleep: { _ in }, logger: Self.logger))
        let merchant = try await gateway.administration.createMerchant(
            name: "shop", displayName: "Shop", mode: mode, countryCode: "CA")
        if hasAccount {
            try await gateway.administration.putAccount(
                merchant: merchant.id, dialect: DialectName("test"), key: "SHOP", settings: [:], secrets: [:])
        }
        return Outbox(store: store, gateway: gateway, merchant: merchant, clock: clock)
    }

    static let randomBytes: @Sendable (Int) -> [UInt8] = { count in
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    func worker(
        _ settings: WebhookSettings = WebhookSettings(allowsPrivateTargets: true),
        dialects: [any Dialect] = [TestDialect()], resolver: Resolver = .system,
        wait: @escaping @Sendable (Int64) async throws -> Void = { _ in },
        passAttempt: @escaping @Sendable (Int64) async throws -> Void = { _ in await Gate().wait() }
    ) -> WebhookWorker {
        WebhookWorker(
            gateway: self.gateway, dialects: dialects, settings: settings, resolver: resolver, logger: Self.logger,
            steadyNanoseconds: { [clock = self.clock] in clock.steadyNanoseconds }, wait: wait, passAttempt: passAttempt
        )
    }

    /// A payment that has been authorized and captured, each of which is to be sent to its target.
    @discardableResult
    func put(_ targets: String...) async throws -> [EventID] {
        let now = self.clock.now
        let id = { PaymentID(at: now, random: Self.randomBytes(10)) }()
        let operationIDs = (0..<2).map { _ in OperationID(at: now, random: Self.randomBytes(10)) }
        let currency = try #require(Currency.alphabetic("CAD"))
        let accountID = AcquirerAccountID(at: now, random: Self.randomBytes(10))
        let account = AcquirerAccount(
            id: accountID, merchantID: self.merchant.id, name: accountID.text, connector: AcquirerName("simulator"),
            mode: self.merchant.mode, createdAt: now)
        let opening = try Payment.opening(
            id: id, merchantID: self.merchant.id, mode: self.merchant.mode, dialect: DialectName("test"),
            acquirer: account.connector, accountID: account.id, orderID: nil,
            amount: Money(minorUnits: 1099, currency: currency),
            instrument: InstrumentSummary(
                maskedPAN: MaskedPAN(prefix: "489537", suffix: "5671", length: 16), network: .visa,
                expiryYearMonth: "3112", eci: nil, displayName: nil),
            authorizationID: operationIDs[0], saleCaptureID: operationIDs[1], at: now)
        let change = try opening.transition(
            on: .resolve(operationIDs[0], .succeeded(approved: opening.amount, AcquirerAnswer())), at: now)
        let events = targets.enumerated().map { index, target in
            OutboxEvent(
                id: EventID(at: now.adding(milliseconds: Int64(index)), random: Self.randomBytes(10)),
                merchantID: self.merchant.id, dialect: DialectName("test"),
                kind: index == 0 ? .authorizationSucceeded : .captureSucceeded, paymentID: id,
                operationID: operationIDs[min(index, 1)], paymentVersion: 2, target: target, createdAt: now)
        }
        try await self.store.write { transaction in
            try transaction.insert(account)
            try transaction.insert(opening)
            try transaction.update(change, from: 1)
            for event in events { try transaction.insert(event) }
            try transaction.schedule(Job(kind: .deliver, paymentID: id, dueAt: now))
        }
        return events.map(\.id)
    }

    func event(_ id: EventID) async throws -> OutboxEvent {
        try #require(try await self.store.read { try $0.event(id) })
    }
}
