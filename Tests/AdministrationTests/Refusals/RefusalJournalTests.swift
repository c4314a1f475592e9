//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import BaseEncoding
import DialectKit
import Gateway
import MemoryStore
import Money
import Payments
import Synchronization
import TestGateway
import Testing
import Time
import WalletSimulator

/// The record of refused calls: what stands in it, and what it costs whoever pays.
struct RefusalJournalTests {
    private static let dialect = DialectName("test")
    private static let services: Set = ["test"]

    private enum Code: String, CaseIterable {
        case invalid = "TOKEN_INVALID"
    }

    private enum Call: String, CaseIterable {
        case pay
    }

    private static func open(
        store: (any PaymentStore)? = nil, configure: (inout GatewayParts) throws -> Void = { _ in }
    ) async throws -> (TestGateway, TestMerchant) {
        let test = try await TestGateway.open(store: store, configure: configure)
        return (test, try await test.addMerchant("shop", dialect: Self.dialect, key: "SHOP"))
    }

    private static func money(_ minorUnits: Int64) throws -> Money {
        Money(minorUnits: minorUnits, currency: try #require(Currency.alphabetic("CAD")))
    }

    /// A call with a token as a dialect makes it, refused.
    private static func call(
        _ test: TestGateway, _ merchant: TestMerchant, _ token: MintedToken, of amount: Money,
        requestID: String = "0123456789abcdef"
    ) async throws -> RefusedWireCall {
        let notes = CallNotes()
        let refusal = await notes.during { () -> GatewayRefusal? in
            do throws(GatewayRefusal) {
                guard let context = try await test.gateway.account(dialect: Self.dialect, key: merchant.key) else {
                    return nil
                }
                CallNotes.note(.proven)
                _ = try await test.gateway.authorize(
                    AuthorizeCommand(
                        context: CallContext(merchant: context, idempotency: nil),
                        instrument: try .applePay(json: token.paymentData), amount: amount,
                        purpose: .sale))
                return nil
            } catch {
                CallNotes.note(error)
                return error
            }
        }
        _ = try #require(refusal)
        return RefusedWireCall(
            requestID: requestID, service: "test", refusal: WireRefusal(Code.invalid, of: Call.pay),
            reachedRoute: true, notes: notes.content)
    }

    private static func bare(
        _ service: String = "test", reachedRoute: Bool = true, _ caller: CallNotes.Caller = .unknown
    ) async -> RefusedWireCall {
        let notes = CallNotes()
        await notes.during { CallNotes.note(caller) }
        return RefusedWireCall(
            requestID: "1", service: service, refusal: WireRefusal(Code.invalid), reachedRoute: reachedRoute,
            notes: notes.content)
    }

    private static func calls(_ test: TestGateway) async throws -> [RefusedCall] {
        try await test.gateway.administration.refusedCalls(RefusedCallQuery())
    }

    @Test func recordsWhoseCallItWasWhatWasWrongAndWhatToDo() async throws {
        let (test, merchant) = try await Self.open()
        let journal = RefusalJournal(test.gateway, services: Self.services)
        let amount = try Self.money(1000)
        let token = try test.mint(amount, for: merchant, options: .forged(.publicKeyHashUnknown))
        #expect(journal.take(try await Self.call(test, merchant, token, of: amount)))
        // Nothing is written where the call is.
        #expect(try await Self.calls(test).isEmpty)
        #expect(try await journal.write() == 1)
        #expect(try await journal.write() == 0)
        let call = try #require(try await Self.calls(test).first)
        #expect(call.at == test.clock.now && call.merchantID == merchant.id && call.dialect == Self.dialect)
        #expect(call.operation == "pay" && call.wireCode == "TOKEN_INVALID")
        #expect(call.stage == .keySelection && call.code == "key_unknown" && call.requestID == "0123456789abcdef")
        #expect(call.amount == amount && call.merchantIdentifier == nil)
        let hash = try #require(call.publicKeyHash)
        #expect(Hex.decode(hash)?.count == 32)
        #expect(!call.text.isEmpty)
        for secret in test.jar.secrets {
            let text = String(decoding: secret.bytes, as: UTF8.self)
            #expect(!"\(call)".contains(text) && !"\(call)".contains(Hex.encode(secret.bytes)), "\(secret.name)")
        }
    }

    /// The list is read on terminals, too.
    @Test func sentencesHaveNothingThatATerminalObeys() async throws {
        let (test, _) = try await Self.open()
        let journal = RefusalJournal(test.gateway, services: Self.services)
        let notes = CallNotes()
        await notes.during {
            CallNotes.note(
                GatewayRefusal.referenceTaken(kind: "order\u{1B}[2J\u{7F}\u{9B}1m" + String(repeating: "x", count: 999))
            )
        }
        #expect(
            journal.take(
                RefusedWireCall(
                    requestID: "1", service: "test", refusal: WireRefusal(Code.invalid), reachedRoute: true,
                    notes: notes.content)))
        _ = try await journal.write()
        let text = try #require(try await Self.calls(test).first?.text)
        #expect(text.hasPrefix("The order [2J  1mxxx") && text.unicodeScalars.count == 400)
    }

    @Test func namesTheIdentifierOfAKeyThatTheMerchantHas() async throws {
        let (test, merchant) = try await Self.open()
        let journal = RefusalJournal(test.gateway, services: Self.services)
        let token = try test.mint(try Self.money(1000), for: merchant)
        #expect(journal.take(try await Self.call(test, merchant, token, of: try Self.money(999))))
        try await journal.write()
        let call = try #require(try await Self.calls(test).first)
        #expect(call.stage == .binding && call.code == "amount_differs_from_token")
        #expect(call.merchantIdentifier == merchant.merchantIdentifier)
    }

    @Test(arguments: [
        (false, CallNotes.Caller.proven, RefusedCall.Stage.http), (true, .unknown, .fields), (true, .proven, .fields),
        (true, .claimed, .credentials), (true, .waiting, .credentials),
    ])
    func namesTheStageOfWhatOnlyTheDialectKnows(
        reachedRoute: Bool, caller: CallNotes.Caller, stage: RefusedCall.Stage
    ) async throws {
        let (test, _) = try await Self.open()
        let journal = RefusalJournal(test.gateway, services: Self.services)
        #expect(journal.take(await Self.bare(reachedRoute: reachedRoute, caller)))
        try await journal.write()
        let call = try #require(try await Self.calls(test).first)
        #expect(call.stage == stage && call.code == "TOKEN_INVALID" && call.merchantID == nil)
        #expect(call.text.contains("TOKEN_INVALID"))
    }

    /// What is no dialect has a document of its own.
    @Test(arguments: [
        ("payone", "docs/dialects/payone.md"), ("merchant-session", "docs/merchant-validation.md"),
    ])
    func namesTheDocumentOfTheService(_ service: String, _ page: String) async throws {
        let (test, _) = try await Self.open()
        let journal = RefusalJournal(test.gateway, services: [service])
        for reachedRoute in [true, false] {
            #expect(journal.take(await Self.bare(service, reachedRoute: reachedRoute)))
        }
        try await journal.write()
        let calls = try await Self.calls(test)
        #expect(calls.count == 2)
        for call in calls { #expect(call.text.contains(" \(page)"), "\(call.text)") }
    }

    /// Whoever has many calls refused fills neither the memory nor the store.
    @Test func dropsWhatIsMoreThanItHolds() async throws {
        let (test, _) = try await Self.open()
        let journal = RefusalJournal(test.gateway, services: Self.services, waitingMax: 300)
        let call = await Self.bare()
        for _ in 0..<300 { #expect(journal.take(call)) }
        #expect(!journal.take(call))
        #expect(try await journal.write() == RefusalJournal.batchMax)
        #expect(journal.take(call))
        #expect(try await journal.write() == 301 - RefusalJournal.batchMax)
        // Pages that take no payments are nobody's refused payment.
        #expect(journal.take(await Self.bare("scripts")))
        #expect(try await journal.write() == 0)
        #expect(try await Self.calls(test).count == 100)
    }

    @Test func keepsWhatTheStoreDoesNotTake() async throws {
        let store = FailingStore()
        let (test, _) = try await Self.open(store: store)
        let journal = RefusalJournal(test.gateway, services: Self.services)
        #expect(journal.take(await Self.bare()))
        store.fails.withLock { $0 = true }
        await #expect(throws: StoreError.self) { try await journal.write() }
        store.fails.withLock { $0 = false }
        #expect(try await journal.write() == 1)
        #expect(try await Self.calls(test).count == 1)
    }

    @Test func forgetsWhatIsOldAndWhatIsTooMuch() async throws {
        let (test, _) = try await Self.open {
            $0.settings.refusalsKeptSeconds = 100
            $0.settings.refusalsKeptMax = 2
        }
        let journal = RefusalJournal(test.gateway, services: Self.services)
        for _ in 0..<3 {
            _ = journal.take(await Self.bare())
            test.clock.advance(seconds: 40)
        }
        try await journal.write()
        try await journal.sweep()
        let times = try await Self.calls(test).map(\.at)
        #expect(times == [test.clock.now.adding(seconds: -40), test.clock.now.adding(seconds: -80)])
        test.clock.advance(seconds: 30)
        try await journal.sweep()
        #expect(try await Self.calls(test).map(\.at) == [times[0]])
    }

    @Test func forgetsNothingWhileItsClockIsNotTheDatabases() async throws {
        let database = TestClock(Timestamp(seconds: 0))
        let (test, _) = try await Self.open(store: ClockedStore(MemoryStore()) { database.now })
        database.advance(to: test.clock.now)
        let journal = RefusalJournal(test.gateway, services: Self.services)
        _ = journal.take(await Self.bare())
        try await journal.write()
        test.clock.advance(seconds: 365 * 86_400)
        try await journal.sweep()
        #expect(try await Self.calls(test).count == 1)
        database.advance(to: test.clock.now)
        try await journal.sweep()
        #expect(try await Self.calls(test).isEmpty)
    }
}

/// A store that takes no commits while it is set not to.
private final class FailingStore: PaymentStore {
    let fails = Mutex(false)
    private let base = MemoryStore()

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
    ) async throws -> Value {
        if self.fails.withLock({ $0 }) { throw StoreError.unavailable("the disk is full") }
        return try await self.base.write(body)
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws -> Value
    ) async throws -> Value { try await self.base.read(body) }
}
