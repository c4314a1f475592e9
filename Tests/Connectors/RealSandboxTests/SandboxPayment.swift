//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Redaction
import Time

/// One payment with one token, and what follows it, as the gateway sends it.
final class SandboxPayment {
    let acquirer: any Acquirer
    private let given: SandboxFile.Payment
    private let surroundings: Surroundings
    private let paymentID: PaymentID
    private let merchantID: MerchantID
    private let authorizationID: OperationID
    private let refundID: OperationID
    private let begunAt: Timestamp
    private var memo = AcquirerMemo()
    private var refundMemo = AcquirerMemo()
    private var answer = AcquirerAnswer()
    private var isSale = false
    /// What has been done or may have been.
    private var ordinal = 1
    private var charged: AcquirerRequest?
    private var refunded: AcquirerRequest?
    private var captured: Money

    init(_ acquirer: any Acquirer, _ given: SandboxFile.Payment, _ surroundings: Surroundings) {
        self.acquirer = acquirer
        self.given = given
        self.surroundings = surroundings
        self.begunAt = surroundings.clock()
        func id<Tag: IdentifierTag>() -> Identifier<Tag> {
            Identifier(at: surroundings.clock(), random: surroundings.random(10))
        }
        (self.paymentID, self.merchantID) = (id(), id())
        (self.authorizationID, self.refundID) = (id(), id())
        self.captured = .zero(given.amount.currency)
    }

    private func request(
        _ action: AcquirerRequest.Action, _ amount: Money, _ id: OperationID, ordinal: Int
    ) -> AcquirerRequest {
        AcquirerRequest(
            operationID: id, paymentID: self.paymentID, merchantID: self.merchantID, amount: amount,
            begunAt: self.begunAt, action: action, ordinal: ordinal)
    }

    private func charge(captures: Bool) -> AcquirerRequest {
        let charge = Charge(
            instrument: self.given.instrument, network: self.given.network, captures: captures,
            details: ChargeDetails())
        return self.request(.authorize(charge), self.given.amount, self.authorizationID, ordinal: 1)
    }

    /// Prepares and performs.
    private func send(_ request: AcquirerRequest) async -> (AcquirerRequest, AcquirerOutcome) {
        guard self.acquirer.capabilities.memos == .prepared else {
            return (request, await self.acquirer.perform(request))
        }
        switch await self.acquirer.prepare(request) {
        case .notProcessed(let not): return (request, .notProcessed(not))
        case .ready(let memo):
            let prepared = request.with(memo)
            return (prepared, await self.acquirer.perform(prepared))
        }
    }

    private func original() -> OriginalOperation {
        OriginalOperation(
            id: self.authorizationID, kind: .authorization, isSale: self.isSale, isFinal: self.isSale,
            amount: self.given.amount, begunAt: self.begunAt, resolvedAt: self.surroundings.clock(),
            answer: self.answer, ordinal: 1, authorizedTotal: self.given.amount, capturedTotal: self.captured,
            memo: self.memo)
    }

    // MARK: - Steps

    /// Whether what is asked for before a payment is the same when it is asked for twice; `nil` where nothing is, or it
    /// was not to be had.
    func prepareTwice() async -> Bool? {
        let request = self.charge(captures: !self.acquirer.capabilities.authorizes)
        guard case .ready(let first) = await self.acquirer.prepare(request), !first.isEmpty,
            case .ready(let second) = await self.acquirer.prepare(request)
        else { return nil }
        return first == second
    }

    func pay(captures: Bool) async -> AcquirerOutcome {
        let (request, outcome) = await self.send(self.charge(captures: captures))
        self.charged = request
        self.isSale = captures
        self.memo = request.memo.merging(outcome.memo)
        if captures { self.captured = self.given.amount }
        if case .approved(let approval) = outcome { self.answer = approval.answer }
        return outcome
    }

    func payAgain() async -> AcquirerOutcome {
        guard let charged = self.charged else { return .unclear("nothing_was_paid") }
        return await self.acquirer.perform(charged)
    }

    /// As where the answer was lost: with no more than was noted before it was sent.
    func ask() async -> AcquirerQueryOutcome {
        await self.ask(
            OriginalOperation(
                id: self.authorizationID, kind: .authorization, isSale: self.isSale, amount: self.given.amount,
                begunAt: self.begunAt, authorizedTotal: self.given.amount, capturedTotal: self.captured,
                memo: self.charged?.memo ?? AcquirerMemo()))
    }

    private func ask(_ original: OriginalOperation) async -> AcquirerQueryOutcome {
        await self.acquirer.query(
            AcquirerQuery(
                paymentID: self.paymentID, merchantID: self.merchantID, original: original,
                at: self.surroundings.clock()))
    }

    func capture() async -> AcquirerOutcome {
        self.ordinal += 1
        let id = OperationID(at: self.surroundings.clock(), random: self.surroundings.random(10))
        let (_, outcome) = await self.send(
            self.request(
                .capture(of: self.original(), isFinal: true), self.given.amount, id, ordinal: self.ordinal))
        if outcome.isApprovedOrAccepted { self.captured = self.given.amount }
        return outcome
    }

    /// More than was taken. What is refused is not counted.
    func refundBeyond() async -> AcquirerOutcome {
        let more = Money(minorUnits: self.given.amount.minorUnits * 2, currency: self.given.amount.currency)
        let id = OperationID(at: self.surroundings.clock(), random: self.surroundings.random(10))
        return await self.send(
            self.request(.refund(of: self.original(), capture: nil), more, id, ordinal: self.ordinal + 1)
        ).1
    }

    func refund() async -> AcquirerOutcome {
        self.ordinal += 1
        let (request, outcome) = await self.send(
            self.request(
                .refund(of: self.original(), capture: nil), self.given.amount, self.refundID, ordinal: self.ordinal))
        self.refunded = request
        self.refundMemo = request.memo
        return outcome
    }

    func askForRefund() async -> AcquirerQueryOutcome {
        // A refund's memo begins with the payment's.
        await self.ask(
            OriginalOperation(
                id: self.refundID, kind: .refund, amount: self.given.amount, begunAt: self.begunAt,
                ordinal: self.ordinal, authorizedTotal: self.given.amount, capturedTotal: self.captured,
                memo: self.memo.merging(self.refundMemo)))
    }

    func refundAgain() async -> AcquirerOutcome {
        guard let refunded = self.refunded else { return .unclear("nothing_was_refunded") }
        return await self.acquirer.perform(refunded)
    }

    func void() async -> AcquirerOutcome {
        self.ordinal += 1
        let id = OperationID(at: self.surroundings.clock(), random: self.surroundings.random(10))
        return await self.send(
            self.request(.void(self.original()), self.given.amount, id, ordinal: self.ordinal)
        ).1
    }
}
