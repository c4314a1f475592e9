//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import Logging
import Money
import Payments
import Redaction
import SimulatorAcquirer
import TestGateway

/// Many callers of two nodes on one store.
struct Crowd: Sendable {
    private static let dialect = DialectName("crowd")

    let callsCount: Int
    private let test: TestGateway
    private let nodes: [Gateway]
    private let merchant: MerchantContext

    /// What became of many calls.
    struct Results: Sendable {
        var succeeded: Int64 = 0
        /// Which operations the answers name.
        var operations: Set<OperationID> = []
        var refused: [GatewayRefusal: Int64] = [:]

        /// How many were refused by one of these rules: which of them it was depends on what was under way.
        func refused(by rules: PaymentRefusal...) -> Int64 {
            rules.reduce(0) { $0 + (self.refused[.payment($1)] ?? 0) }
        }

        mutating func add(_ result: Result<OperationOutcome, GatewayRefusal>) {
            switch result {
            case .success(let outcome):
                if outcome.operation.state == .succeeded { self.succeeded += 1 }
                self.operations.insert(outcome.operation.id)
            case .failure(let refusal): self.refused[refusal, default: 0] += 1
            }
        }
    }

    /// - Parameter stores: one that the nodes share, or one for each.
    static func open(_ stores: [any PaymentStore], callsCount: Int) async throws -> Crowd {
        var shared: GatewayParts?
        let test = try await TestGateway.open(store: stores.first) { parts in
            parts.settings.ownsStore = false
            parts.store = Self.clocked(parts.store, parts)
            shared = parts
        }
        let added = try await test.addMerchant(dialect: self.dialect, key: "CROWD", certified: false)
        guard var parts = shared,
            let merchant = try await test.gateway.account(dialect: self.dialect, key: added.key)
        else { throw StoreError.corrupt("the crowd's account") }
        if let store = stores.last { parts.store = Self.clocked(store, parts) }
        return Crowd(
            callsCount: callsCount, test: test, nodes: [test.gateway, try await Gateway.start(parts)],
            merchant: merchant)
    }

    /// The nodes' clock is moved by hand, and a database that has its own would not be recovered by it.
    private static func clocked(_ store: any PaymentStore, _ parts: GatewayParts) -> ClockedStore {
        ClockedStore(store, time: parts.clock)
    }

    // MARK: - One call

    func authorize(_ minorUnits: Int64) async throws -> PaymentID {
        try await self.pay(cad(minorUnits), on: 0).payment.id
    }

    private func pay(
        _ amount: Money, on index: Int, proof: UInt8 = 0xC0, _ initiator: PaymentInitiator? = nil
    ) async throws(GatewayRefusal) -> OperationOutcome {
        let token = NetworkToken(
            pan: Redacted("4895370012345671"), expiryYearMonth: "2812",
            proof: .cryptogram(Redacted([UInt8](repeating: proof, count: 20))), eci: "05")
        var command = AuthorizeCommand(
            context: CallContext(merchant: self.merchant, idempotency: nil), instrument: .opened(token),
            amount: amount, purpose: .authorization)
        if let initiator { command.details.initiator = initiator }
        return try await self.node(index).authorize(command)
    }

    @discardableResult
    func make(_ action: FollowUpCommand.Action, of payment: PaymentID) async throws -> OperationID {
        try await self.followUp(action, of: payment, key: nil, on: 0).operation.id
    }

    private func followUp(
        _ action: FollowUpCommand.Action, of payment: PaymentID, key: String?, on index: Int
    ) async throws(GatewayRefusal) -> OperationOutcome {
        let idempotency = key.map {
            CallContext.Idempotency(operation: "call", key: $0, digest: requestDigest($0.utf8))
        }
        return try await self.node(index).followUp(
            FollowUpCommand(
                context: CallContext(merchant: self.merchant, idempotency: idempotency), payment: .payment(payment),
                action: action, labels: OperationLabels(notifyURL: Shop.notifyURL)))
    }

    private func node(_ index: Int) -> Gateway { self.nodes[index % self.nodes.count] }

    // MARK: - Many at once

    /// - Parameter key: of all calls; without it each has one of its own.
    func atOnce(
        of payment: PaymentID, key: String? = nil, _ action: @escaping @Sendable (Int) -> FollowUpCommand.Action
    ) async -> Results {
        await self.many { index throws(GatewayRefusal) in
            try await self.followUp(action(index), of: payment, key: key ?? "call \(index)", on: index)
        }
    }

    /// - Parameter isOperators: whether a call is an operator's, and not the shop's.
    func refundAtOnce(
        _ amount: Money, of payment: PaymentID, _ isOperators: @escaping @Sendable (Int) -> Bool
    ) async -> Results {
        await self.many { index throws(GatewayRefusal) in
            guard isOperators(index) else {
                return try await self.followUp(.refund(amount), of: payment, key: "call \(index)", on: index)
            }
            do throws(PaymentActError) {
                return try await self.node(index).administration.refund(
                    payment, amount: amount, key: "act \(index)", reason: nil, plans: [])
            } catch {
                throw error.refusal.map { .payment($0) } ?? .storeUnavailable
            }
        }
    }

    func auditedRefunds() async throws -> Int64 {
        let entries = try await self.test.store.read { try $0.auditEntries(after: 0, limit: 10_000) }
        return Int64(entries.count { $0.act == .paymentRefund })
    }

    func payAtOnce(_ amount: Money) async -> Results {
        await self.many { index throws(GatewayRefusal) in try await self.pay(amount, on: index) }
    }

    /// First payments of one agreement, each with a proof of its own.
    func beginAgreement(_ id: String, count: Int, _ amount: @escaping @Sendable (Int) -> Money) async -> Results {
        let initiator = PaymentInitiator.customer(agreement: PaymentAgreement(kind: .recurring, id: id))
        return await self.many(count) { index throws(GatewayRefusal) in
            try await self.pay(amount(index), on: index, proof: UInt8(truncatingIfNeeded: index), initiator)
        }
    }

    /// How those have ended that the agreement has been named by, one after the other.
    func agreementNames(_ id: String) async throws -> [PaymentOperation.State] {
        let merchant = self.merchant.merchant.id
        return try await self.test.store.read { reader in
            try (1...20).compactMap { number in
                let reference = Reference(
                    merchantID: merchant, dialect: Self.dialect, kind: "agreement", value: "\(number):\(id)")
                return try reader.operation(reference).flatMap { id in
                    try reader.paymentID(ofOperation: id).flatMap { try reader.payment($0) }?.operation(id)?.state
                }
            }
        }
    }

    private func many(
        _ count: Int? = nil, _ call: @escaping @Sendable (Int) async throws(GatewayRefusal) -> OperationOutcome
    ) async -> Results {
        await withTaskGroup(of: Result<OperationOutcome, GatewayRefusal>.self) { group in
            for index in 0..<(count ?? self.callsCount) {
                group.addTask {
                    do throws(GatewayRefusal) {
                        return .success(try await call(index))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: Results()) { $0.add($1) }
        }
    }

    // MARK: - What is so afterwards

    func stored(_ id: PaymentID) async throws -> Payment {
        let payment = try await self.test.store.read { try $0.payment(id) }
        guard let payment else { throw GatewayRefusal.paymentNotFound }
        return payment
    }

    /// The same call once more on each node: all answers are one.
    func repeatedAnswers(of payment: PaymentID, key: String) async -> [String] {
        var answers: Set<Payment> = []
        for index in self.nodes.indices {
            do throws(GatewayRefusal) {
                let outcome = try await self.followUp(
                    .capture(cad(40), isFinal: false), of: payment, key: key, on: index)
                if !outcome.isRepeat { return ["a repeat is taken for a new call"] }
                answers.insert(outcome.payment)
            } catch {
                return ["a repeat is refused: \(error)"]
            }
        }
        return answers.count == 1 ? [] : ["repeats are answered in \(answers.count) ways"]
    }

    /// The book agrees, the ledger balances, and every operation has been booked and reported once.
    func lastProblems() async throws -> [String] {
        await self.test.recover()
        var problems = try await BookLaws.problems(store: self.test.store, book: self.test.book)
        for entry in try await self.test.book.entries() where entry.arrivalsCount > 1 {
            problems.append("\(entry.operationID) was sent \(entry.arrivalsCount) times")
        }
        for payment in try await self.test.payments() {
            let events = try await self.test.store.read { try $0.events(of: payment.id) }
            let notified = payment.operations.filter { $0.labels.notifyURL != nil && $0.kind != .reversal }
            if events.count != notified.count || Set(events.map(\.operationID)) != Set(notified.map(\.id)) {
                problems.append("\(events.count) events for \(notified.count) operations")
            }
        }
        return problems
    }
}
