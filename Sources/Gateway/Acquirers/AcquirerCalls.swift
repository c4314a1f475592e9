//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Deadlines
import Logging
import Money
public import Payments
import Time

// How operations become requests, and what is left of their outcomes.

extension Gateway {
    /// Has the acquirer do an operation with which a payment begins.
    ///
    /// - Parameter milliseconds: how long it may take, where that is less than the deadline.
    func send(
        _ opening: Operation, of payment: Payment, _ charge: Charge, to account: OpenAcquirer,
        within milliseconds: Int64? = nil
    ) async -> AcquirerOutcome {
        let action: AcquirerRequest.Action = opening.kind == .verification ? .verify(charge) : .authorize(charge)
        let request = payment.request(opening, action)
        let outcome = await self.perform(request, account, charge.instrument, isFirst: true, within: milliseconds)
        guard outcome.memo.mustNotBeKept(of: charge.instrument) else { return outcome }
        self.reportForbidden(request, account.acquirer.name)
        return outcome.withoutMemo
    }

    /// The connector's error, of which its author has to know; nobody's data is lost, only what he wanted to remember.
    private func reportForbidden(_ request: AcquirerRequest, _ acquirer: AcquirerName) {
        self.logger.critical(
            "connector wants to keep what must not be kept: a cryptogram, or a card number outside of its card data",
            metadata: [
                "acquirer": "\(acquirer)", "payment": "\(request.paymentID)", "operation": "\(request.operationID)",
            ])
    }

    /// Has the acquirer do an operation that follows another. The same operation always makes the same message.
    ///
    /// - Parameters:
    ///   - isFirst: whether it was never sent before.
    ///   - milliseconds: how long it may take, where that is less than the deadline.
    func send(
        _ operation: Operation, of payment: Payment, to account: OpenAcquirer, isFirst: Bool = false,
        within milliseconds: Int64? = nil
    ) async -> AcquirerOutcome {
        let memos: Memos
        do throws(GatewayRefusal) {
            memos = try await self.memos(of: payment, account)
        } catch {
            return .unclear("memos_not_read")
        }
        // What needs the instrument is sent once and never again, because the instrument is not kept.
        guard let action = payment.action(of: operation, memos) else { return .unclear("not_repeatable") }
        return await self.perform(
            payment.request(operation, action, memos[operation.id]), account, isFirst: isFirst, within: milliseconds)
    }

    /// Has it prepared, where the acquirer needs that and it has not been, and done, both within one deadline.
    ///
    /// Waits for as long as that may take. What comes later is not waited for: the operation is unknown, and recovery
    /// asks.
    ///
    /// - Parameters:
    ///   - instrument: what is paid with, which no memo may hold.
    ///   - milliseconds: how long it may take, where that is less than the deadline.
    private func perform(
        _ request: AcquirerRequest, _ account: OpenAcquirer, _ instrument: PaymentInstrument? = nil, isFirst: Bool,
        within milliseconds: Int64? = nil
    ) async -> AcquirerOutcome {
        if isFirst, self.isTooLate(request) { return self.reported(Self.tooLate, of: request, account) }
        if let most = account.capabilities.requestsPerSecond,
            !self.paces.admits(account.id, upTo: most, at: self.clock())
        {
            return self.reported(.notProcessed(NotProcessed(.busy, "account_busy")), of: request, account)
        }
        let isPrepared = account.capabilities.memos != .prepared || !request.memo.isEmpty
        let outcome: AcquirerOutcome
        if isPrepared, milliseconds == nil {
            // Nearly all: sent at once, within the usual deadline, whose end says all that there is to say.
            outcome = await self.acquirerDeadlines.run(OperationTime.passed) { await account.acquirer.perform(request) }
        } else {
            let usual = self.settings.acquirerDeadlineSeconds * 1000
            let time = OperationTime(
                milliseconds: min(milliseconds ?? usual, usual), isPrepared: isPrepared, now: self.steadyClock)
            outcome = await self.acquirerDeadlines.run(time.outcome(), within: milliseconds) {
                guard !isPrepared else { return await Self.perform(request, account, time) }
                return await self.prepareAndPerform(request, account, instrument, isFirst: isFirst, time)
            }
        }
        return self.reported(outcome, of: request, account)
    }

    private func prepareAndPerform(
        _ request: AcquirerRequest, _ account: OpenAcquirer, _ instrument: PaymentInstrument?, isFirst: Bool,
        _ time: OperationTime
    ) async -> AcquirerOutcome {
        switch await self.prepare(request, account, instrument, time) {
        case .notProcessed(let not): return .notProcessed(not)
        case .ready(let memo):
            if isFirst, self.isTooLate(request) { return Self.tooLate }
            guard time.mayBeSent() else { return .notProcessed(NotProcessed(.notSent, "no_time_left")) }
            return await Self.perform(request.with(memo), account, time)
        }
    }

    /// Within what is left of its time, as the connector too gets to know.
    private static func perform(
        _ request: AcquirerRequest, _ account: OpenAcquirer, _ time: OperationTime
    ) async -> AcquirerOutcome {
        await AcquirerCallTime.limited(to: time.connectorMilliseconds) { await account.acquirer.perform(request) }
    }

    /// Whether recovery may have taken up an operation that was not sent yet, because the process stood still in between, or
    /// its preparation took long: what it finds that the acquirer has never heard of must not be sent afterwards.
    private func isTooLate(_ request: AcquirerRequest) -> Bool {
        let graceSeconds = self.settings.recoveryGraceSeconds
        // Begun in the future was begun before the clock was set back, and recovery takes that up too.
        return graceSeconds > 0 && abs(self.clock().milliseconds(since: request.begunAt)) >= graceSeconds * 1000
    }

    private static let tooLate = AcquirerOutcome.notProcessed(NotProcessed(.notSent, "too_late"))

    /// What is noted is durable before anything that moves money leaves.
    private func prepare(
        _ request: AcquirerRequest, _ account: OpenAcquirer, _ instrument: PaymentInstrument?, _ time: OperationTime
    ) async -> AcquirerPreparation {
        let prepared = await AcquirerCallTime.limited(to: time.connectorMilliseconds) {
            await account.acquirer.prepare(request)
        }
        guard case .ready(let memo) = prepared, !memo.isEmpty else { return prepared }
        if let instrument, memo.mustNotBeKept(of: instrument) {
            self.reportForbidden(request, account.acquirer.name)
            return .notProcessed(NotProcessed(.requestRefused, "memo_forbidden"))
        }
        do throws(GatewayRefusal) {
            try await self.writing { transaction in
                // By now it may be another account's.
                guard !time.isOver else { return }
                try self.keep(
                    memo, on: request.operationID, of: request.paymentID, request.merchantID, account.id,
                    in: transaction)
            }
            return prepared
        } catch {
            return .notProcessed(NotProcessed(.notSent, "memo_not_stored"))
        }
    }

    /// The outcome, in the log if the operator should know of it: an acquirer that cannot be reached, or does not take
    /// what it is sent.
    private func reported(
        _ outcome: AcquirerOutcome, of request: AcquirerRequest, _ account: OpenAcquirer
    ) -> AcquirerOutcome {
        let (level, word): (Logger.Level, String)
        switch outcome {
        case .approved, .declined, .accepted: return outcome
        case .notProcessed(let not): (level, word) = (not.reason.isRetryable ? .warning : .error, not.word)
        case .unknown(let unknown): (level, word) = (.notice, unknown.word)
        }
        self.logger.log(
            level: level, level == .notice ? "acquirer gave no outcome" : "acquirer did not process an operation",
            metadata: [
                "acquirer": "\(account.acquirer.name)", "payment": "\(request.paymentID)",
                "operation": "\(request.operationID)", "reason": "\(word)",
            ])
        return outcome
    }
}

extension Payment {
    fileprivate func request(
        _ operation: Operation, _ action: AcquirerRequest.Action, _ memo: AcquirerMemo = AcquirerMemo()
    ) -> AcquirerRequest {
        AcquirerRequest(
            operationID: operation.id, paymentID: self.id, merchantID: self.merchantID, amount: operation.amount,
            begunAt: operation.begunAt, action: action, ordinal: self.ordinal(of: operation), memo: memo,
            statementDescriptor: operation.labels.statementDescriptor)
    }

    /// What was sent under a number, in the order in which it was. A number is used again after a request was refused in its
    /// answer, or was never processed; one that was accepted first keeps its own.
    func operations(ofOrdinal ordinal: Int) -> [Operation] {
        self.operations.filter { operation in
            !operation.kind.isReported && operation.id != self.authorization?.saleCaptureID
                && self.ordinal(of: operation) == ordinal
        }
    }

    /// How many requests the acquirer had counted when the operation was begun, and one.
    private func ordinal(of operation: Operation) -> Int {
        let saleCaptureID = self.authorization?.saleCaptureID
        let before = operation.begunInVersion - 1
        return 1
            + self.operations.count { earlier in
                // A sale is one request with its capture.
                guard earlier.begunInVersion <= before, earlier.id != saleCaptureID else { return false }
                switch earlier.kind {
                case .reversal, .lateFailure, .chargeback: return false
                case .authorization, .capture, .void, .refund, .adjustment, .verification: break
                }
                guard let end = earlier.resolvedInVersion, end <= before, case .failed(let failure) = earlier.state
                else { return true }
                if case .notProcessed = failure { return false }
                return !earlier.wasResolvedAtOnce
            }
    }

    /// `nil` for an operation that follows none.
    fileprivate func action(of operation: Operation, _ memos: Memos) -> AcquirerRequest.Action? {
        // The sums are those of the time when it was begun, so that it is the same message whenever it is sent.
        let earlier = self.asOf(version: operation.begunInVersion - 1)
        let target = operation.target.flatMap(self.operation).map { self.original($0, in: earlier, memos) }
        if operation.kind == .reversal { return target.map { .reverse($0) } }
        guard let authorization = self.authorization.map({ self.original($0, in: earlier, memos) }) else { return nil }
        switch operation.kind {
        case .capture: return .capture(of: authorization, isFinal: operation.isFinalCapture)
        case .refund:
            let covering = earlier.capture(refunding: operation.amount, by: .first)
            let capture = target ?? covering.map { self.original($0, in: earlier, memos) }
            return .refund(of: authorization, capture: capture)
        case .adjustment: return .adjust(authorization)
        case .void: return .void(target ?? authorization)
        case .authorization, .verification, .reversal, .lateFailure, .chargeback: return nil
        }
    }

    /// An operation as an acquirer is asked about it.
    func original(_ operation: Operation, _ memos: Memos) -> OriginalOperation {
        self.original(operation, in: self.asOf(version: operation.begunInVersion - 1), memos)
    }

    private func original(
        _ operation: Operation, in earlier: Payment, _ memos: Memos
    ) -> OriginalOperation {
        OriginalOperation(
            id: operation.id, kind: operation.kind, isSale: operation.isSale, isFinal: operation.isFinalCapture,
            amount: operation.movedAmount, begunAt: operation.begunAt,
            resolvedAt: operation.resolvedAt, answer: operation.answer,
            ordinal: (self.operations.firstIndex { $0.id == operation.id } ?? 0) + 1,
            authorizedTotal: earlier.authorizedAmount, capturedTotal: earlier.capturedAmount, memo: memos[operation.id])
    }
}

extension Payment {
    /// Captures that were made, or may have been.
    fileprivate var standingCapturesCount: Int {
        self.operations.count { operation in
            guard operation.kind == .capture else { return false }
            if case .failed = self.currentState(of: operation) { return false }
            return true
        }
    }
}

extension AcquirerCapabilities {
    /// Whether what follows an authorization can be asked for. What the payment's own rules refuse is theirs to refuse.
    @_spi(Administration)
    public func allows(_ action: OperationRequest.Action, of payment: Payment) -> Bool {
        switch action {
        case .capture(let amount, _):
            return self.counts(amount) && (self.capturesInParts || payment.authorizedAmount == amount)
                && self.capturesMax ?? .max > payment.standingCapturesCount
        case .refund(let amount, _):
            return self.counts(amount) && (self.refundsInParts || payment.capturedAmount == amount)
        case .adjustment(let total):
            return self.takes(total) && self.adjustments.contains(total > payment.authorizedAmount ? .up : .down)
        case .void(let target): return self.voids.contains(payment.voidable(by: target))
        case .reversal: return true
        }
    }
}
