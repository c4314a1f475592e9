//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import Gateway
import MemoryStore
import Money
import Payments
import SimulatorAcquirer
import TestGateway
import TestRandom
import Testing
import Time
import WalletSimulator

/// A random life of a shop with two nodes: payments and what follows them, on a road to the acquirer that loses,
/// doubles, delays, holds up and garbles, over a store that fails, through crashes and restarts. The same seed lives
/// the same life, but for the order in which concurrent calls take their turns.
struct History {
    private enum Call: Sendable {
        case authorize(AuthorizeCommand)
        case followUp(FollowUpCommand)

        func make(at shop: Shop) async throws(GatewayRefusal) -> OperationOutcome {
            switch self {
            case .authorize(let command): try await shop.gateway.authorize(command)
            case .followUp(let command): try await shop.gateway.followUp(command)
            }
        }
    }

    private static let stepsCount = 24

    /// Tokens that every history spends anew, each in a store of its own: minting and reading them is most of the work.
    static let tokens = Result {
        let identity = try ProcessingIdentity.first.get()
        let amounts: [Int64] = [100_00, 100_00, 100_00, 200_00, 150_00, 58_58, 61_61, 61_61, 63_63, 57_57, 62_62, 7]
        return try amounts.map { cents in
            let minted = try TestAuthorities.mint(money(cents), for: identity)
            return (money(cents), try UnverifiedToken(json: minted.paymentToken))
        }
    }

    private var random: SeededRandom
    private let store: InterceptingStore
    /// Two gateways on one store; either may be the next to be called.
    private var nodes: [Shop]
    private var shop: Shop
    private var tokens: [(Money, UnverifiedToken)]
    private var payments: [PaymentID] = []
    private var calls: [(Call, OperationOutcome)] = []
    /// What happened, for whoever has to understand a failure.
    private(set) var trace: [String] = []

    init(seed: UInt64) async throws {
        let store = InterceptingStore(MemoryStore())
        var random = SeededRandom(seed: seed)
        let answersQueries = random.isTrue(percent: 75)
        let echoesZero = random.isTrue(percent: 25)
        let shop = try await Shop.open { options in
            options.store = store
            options.seed = seed
            options.acquirer = { base in
                InterceptingAcquirer(base, base.capabilities.changed { if !answersQueries { $0.recovery = .reversal } })
                { call, next in
                    let outcome = await next()
                    // Some acquirers repeat no amount in the answer to a reversal.
                    guard echoesZero, call.name == "reverse", case .approved(let approval) = outcome else {
                        return outcome
                    }
                    return .approved(AcquirerApproval(amount: money(0), answer: approval.answer))
                }
            }
        }
        self.store = store
        self.shop = shop
        self.nodes = [shop, try await shop.restarted()]
        self.tokens = try Self.tokens.get().shuffled(using: &random)
        self.random = random
    }

    /// Lives the life, then lets everything be recovered.
    /// - Returns: what is wrong at the end, or was on the way.
    mutating func run() async throws -> [String] {
        for _ in 0..<Self.stepsCount {
            self.shop = self.nodes.randomElement(using: &self.random) ?? self.shop
            self.spoilTheRoad()
            self.spoilTheStore()
            try await self.step()
            self.store.plan { _ in nil }
            let problems = try await self.brokenLimits()
            guard problems.isEmpty else { return problems }
        }
        self.shop.script.clear()
        let arrivesFirst = self.random.isTrue(percent: 50)
        if arrivesFirst { await self.shop.simulator.deliverLate() }
        try await self.shop.recoverUntilSettled()
        await self.shop.simulator.deliverLate()
        return try await Agreement.problems(of: self.shop) + self.changedAnswers() + self.wrongEvents()
    }

    // MARK: - What goes wrong

    private mutating func spoilTheRoad() {
        self.shop.script.clear()
        guard self.random.isTrue(percent: 55) else { return }
        let faults: [SimulatorFault] = [
            .dropBeforeBooking, .dropAfterBooking, .arriveLate, .duplicate, .garbage, .decline(.insufficientFunds),
        ]
        let fault = faults.randomElement(using: &self.random) ?? .garbage
        let callsCount = Int.random(in: 1...3, using: &self.random)
        self.shop.script.append(.init(nil, .first(callsCount), fault: fault))
        self.trace.append("road: \(fault) for \(callsCount) calls")
    }

    private mutating func spoilTheStore() {
        guard self.random.isTrue(percent: 10) else { return }
        let ordinal = Int.random(in: 1...3, using: &self.random)
        let failure: InterceptingStore.Failure = self.random.isTrue(percent: 50) ? .beforeCommit : .afterCommit
        self.store.plan { $0 == ordinal ? failure : nil }
        self.trace.append("store: write \(ordinal) fails \(failure)")
    }

    // MARK: - What is done

    private mutating func step() async throws {
        switch Int.random(in: 0..<100, using: &self.random) {
        case 0..<20: try await self.make(self.nextAuthorization())
        case 20..<60: try await self.make(self.nextFollowUp())
        case 60..<70:
            try await self.holdUp(self.random.isTrue(percent: 50) ? self.nextAuthorization() : self.nextFollowUp())
        case 70..<76: try await self.repeatACall()
        case 76..<84: await self.recover()
        case 84..<88:
            self.trace.append("late requests arrive")
            await self.shop.simulator.deliverLate()
        case 88..<92: try await self.restart()
        default: await self.concurrently()
        }
    }

    private mutating func nextAuthorization() throws -> Call? {
        let name = "N-\(Int.random(in: 1...2, using: &self.random))"
        let order = self.random.isTrue(percent: 20) ? OrderBinding.named(name) : nil
        if self.random.isTrue(percent: 20) {
            return .authorize(
                self.shop.command(.opened(Shop.cardNumber()), .zero(cad), .verification, order: order))
        }
        guard let (amount, token) = self.tokens.popLast() else { return nil }
        var command = try self.shop.authorization(
            of: amount, token: token, sale: self.random.isTrue(percent: 40),
            acceptsPartialApproval: self.random.isTrue(percent: 50))
        command.order = order
        return .authorize(command)
    }

    private mutating func nextFollowUp() -> Call? {
        guard let payment = self.payments.randomElement(using: &self.random) else { return nil }
        let special: [Int64] = [58_58, 63_63, 57_57, 59_59, 61_61, 1, 50_00, 100_00]
        let cents =
            self.random.isTrue(percent: 40)
            ? special.randomElement(using: &self.random) ?? 1 : Int64.random(in: 1...60_00, using: &self.random)
        let amount = self.random.isTrue(percent: 15) ? nil : money(cents)
        let action: FollowUpCommand.Action
        switch Int.random(in: 0..<100, using: &self.random) {
        case 0..<45: action = .capture(amount, isFinal: self.random.isTrue(percent: 20))
        case 45..<52: action = .void(nil)
        case 52..<65:
            let target = self.calls.filter { $0.1.payment.id == payment }.randomElement(using: &self.random)
            action = .void(target.map { .operation($0.1.operation.id) })
        case 65..<72: action = .adjust(money(cents))
        default: action = .refund(amount)
        }
        return .followUp(self.shop.followUp(action, of: payment))
    }

    private mutating func make(_ call: Call?) async throws {
        guard let call else { return }
        do throws(GatewayRefusal) {
            let outcome = try await call.make(at: self.shop)
            self.keep(call, outcome)
        } catch {
            self.trace.append("\(Self.name(of: call)): refused \(error)")
            // Whatever the store does, the rules of the state machine are the only other reason here.
            switch error {
            case .payment, .storeUnavailable: break
            case .orderPaid, .orderInProcess: if !Self.isOfAnOrder(call) { throw error }
            default: throw error
            }
        }
    }

    private static func isOfAnOrder(_ call: Call) -> Bool {
        guard case .authorize(let command) = call else { return false }
        return command.order != nil
    }

    private mutating func keep(_ call: Call, _ outcome: OperationOutcome) {
        self.trace.append(
            "\(Self.name(of: call)): \(outcome.operation.id) of \(outcome.payment.id) is \(outcome.operation.state)")
        if outcome.operation.id == outcome.payment.opening?.id { self.payments.append(outcome.payment.id) }
        self.calls.append((call, outcome))
    }

    private static func name(of call: Call) -> String {
        switch call {
        case .authorize(let command): "\(command.purpose) \(command.amount ?? money(0))"
        case .followUp(let command): "\(command.action)"
        }
    }

    private mutating func repeatACall() async throws {
        guard let (call, first) = self.calls.randomElement(using: &self.random) else { return }
        do throws(GatewayRefusal) {
            let again = try await call.make(at: self.shop)
            #expect(again.isRepeat)
            #expect(again.operation.id == first.operation.id)
        } catch {
            #expect(error == .storeUnavailable)
        }
    }

    private mutating func recover() async {
        let seconds = Int64.random(in: 1...90, using: &self.random)
        self.shop.clock.advance(seconds: seconds)
        let report = await self.shop.gateway.recover()
        self.trace.append("recovery after \(seconds) s: \(report)")
    }

    private mutating func restart() async throws {
        let ownsStore = self.random.isTrue(percent: 50)
        self.trace.append("restart, \(ownsStore ? "owning" : "sharing") the store")
        self.store.plan { _ in nil }
        self.shop.clock.advance(seconds: 1)
        self.shop = try await self.shop.restarted { $0.settings.ownsStore = ownsStore }
        self.nodes[Int.random(in: 0...1, using: &self.random)] = self.shop
        try await self.shop.gateway.prepareRecovery()
        _ = await self.shop.gateway.recover()
    }

    /// A call whose way to or from the acquirer takes so long that time passes, recovery runs and other calls are made.
    private mutating func holdUp(_ call: Call?) async throws {
        guard let call else { return }
        let shop = self.shop
        let asked = Gate()
        let answer = Gate()
        let hold: @Sendable () async -> Void = {
            asked.open()
            await answer.wait()
        }
        let isBooked = self.random.isTrue(percent: 50)
        let fault: SimulatorFault? = self.random.isTrue(percent: 30) ? .arriveLate : nil
        shop.script.clear()
        shop.script.append(
            .init(nil, .nth(1), beforeBooking: isBooked ? nil : hold, beforeAnswer: isBooked ? hold : nil))
        if let fault { shop.script.append(.init(nil, .first(4), fault: fault)) }
        self.trace.append(
            "held up \(isBooked ? "after" : "before") it is booked; then \(fault.map { "\($0)" } ?? "a good road")")
        let held = Task { () -> OperationOutcome? in
            // A call that is refused never gets that far, and must not leave its hold to another.
            defer {
                answer.open()
                asked.open()
            }
            do {
                return try await call.make(at: shop)
            } catch {
                return nil
            }
        }
        await asked.wait()
        for _ in 0..<Int.random(in: 0...3, using: &self.random) {
            self.shop = self.nodes.randomElement(using: &self.random) ?? self.shop
            if self.random.isTrue(percent: 30) { try await self.make(self.nextFollowUp()) }
            await self.recover()
        }
        answer.open()
        if let outcome = await held.value { self.keep(call, outcome) }
    }

    /// Several follow-ups and a pass of recovery at once.
    private mutating func concurrently() async {
        let calls = (0..<3).compactMap { _ in self.nextFollowUp() }
        let shop = self.shop
        shop.clock.advance(seconds: 2)
        let outcomes = await withTaskGroup(of: (Call, OperationOutcome)?.self) { group in
            for call in calls {
                group.addTask {
                    do {
                        return (call, try await call.make(at: shop))
                    } catch {
                        return nil
                    }
                }
            }
            group.addTask {
                _ = await shop.gateway.recover()
                return nil
            }
            var outcomes: [(Call, OperationOutcome)] = []
            for await one in group {
                if let one { outcomes.append(one) }
            }
            return outcomes
        }
        self.trace.append("\(calls.count) calls at once")
        for (call, outcome) in outcomes { self.keep(call, outcome) }
    }

    // MARK: - What must hold

    /// On the way: captured ≤ authorized, refunded ≤ captured, here and at the acquirer.
    private func brokenLimits() async throws -> [String] {
        var problems: [String] = []
        for payment in try await self.shop.payments() {
            if payment.capturedAmount > payment.authorizedAmount { problems.append("\(payment.id): too much captured") }
            if payment.refundedAmount > payment.capturedAmount { problems.append("\(payment.id): too much refunded") }
            guard let position = try await self.shop.book.position(payment.id) else { continue }
            if position.captured > position.authorized { problems.append("\(payment.id): too much captured there") }
            if position.refunded > position.captured { problems.append("\(payment.id): too much refunded there") }
        }
        return try await problems + self.brokenOrders()
    }

    /// Of an order's payments at most one holds money or may, and it is the newest.
    private func brokenOrders() async throws -> [String] {
        var problems: [String] = []
        for number in 1...2 {
            guard
                let history = try? await self.shop.gateway.orderHistory(
                    named: "N-\(number)", merchant: self.shop.merchant)
            else { continue }
            let open = history.payments.filter { ![.declined, .notProcessed, .reversed, .verified].contains($0.state) }
            if open.count > 1 { problems.append("order N-\(number) is paid \(open.count) times") }
            if let open = open.first, open.id != history.order.paymentID {
                problems.append("order N-\(number) does not name its payment")
            }
        }
        return problems
    }

    /// At the end: what a call once answered for certain it answers still, and every call has an end.
    private func changedAnswers() async throws -> [String] {
        var problems: [String] = []
        for (call, first) in self.calls {
            let again = try await call.make(at: self.shop)
            if !again.operation.state.isResolved { problems.append("\(again.operation.id) has no end") }
            guard first.operation.state.isResolved else { continue }
            let isSame =
                again.operation == first.operation && again.payment.version == first.payment.version
                && again.payment.state == first.payment.state
                && again.payment.capturedAmount == first.payment.capturedAmount
                && again.payment.refundableAmount == first.payment.refundableAmount
            if !isSame { problems.append("\(first.operation.id) is answered otherwise than at first") }
        }
        return problems
    }

    /// At the end: one event for each of the merchant's operations, of the kind of its end.
    private func wrongEvents() async throws -> [String] {
        var problems: [String] = []
        for payment in try await self.shop.payments() {
            let events = try await self.shop.events(of: payment.id)
            let wanted = payment.operations.filter { $0.kind != .reversal && $0.labels.notifyURL != nil }
            if Set(events.map(\.operationID)) != Set(wanted.map(\.id)) || events.count != wanted.count {
                problems.append("\(payment.id) has \(events.count) events for \(wanted.count) operations")
            }
        }
        return problems
    }
}
