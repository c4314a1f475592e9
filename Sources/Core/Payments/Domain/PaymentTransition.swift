//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Ledger
public import Money
public import Time

/// What happens to a payment.
public enum PaymentEvent: Hashable, Sendable {
    case begin(OperationRequest)
    /// - Parameter isAnswer: whether it is how the call that began the operation was answered: what is found out in another
    ///   way, by a notice, an inquiry or a person, had stayed open until then.
    case resolve(OperationID, Resolution, isAnswer: Bool = true)
    /// What the acquirer reports by itself.
    case report(AcquirerReport)
}

/// An operation that is asked for. Ids and time come from outside.
public struct OperationRequest: Hashable, Sendable {
    public enum Action: Hashable, Sendable {
        case capture(Money, isFinal: Bool)
        /// Takes back the authorization before anything is captured, or the operation named: an authorization, a sale, a
        /// capture or a refund.
        case void(of: OperationID?)
        /// Of the capture named, or of whatever has been captured.
        case refund(Money, of: OperationID? = nil)
        /// The new total of the authorization.
        case adjustment(Money)
        case reversal(of: OperationID)
    }

    public let id: OperationID
    public let action: Action
    public let labels: OperationLabels

    public init(id: OperationID, action: Action, labels: OperationLabels = OperationLabels()) {
        self.id = id
        self.action = action
        self.labels = labels
    }
}

/// How an operation ended, or that nobody can say.
public enum Resolution: Hashable, Sendable {
    case succeeded(approved: Money, AcquirerAnswer)
    case failed(OperationFailure, AcquirerAnswer)
    /// The acquirer has it, and decides later.
    case accepted(AcquirerAnswer)
    case unknown(UnknownReason)

    var isUnknown: Bool { if case .unknown = self { true } else { false } }
}

/// A payment after a transition, and what the ledger books for it. The one is never stored without the other.
public struct PaymentChange: Hashable, Sendable {
    public let payment: Payment
    public let journal: [JournalEntry]

    /// This change and one that follows it, as one: the later payment, and the journals of both.
    public func followed(by next: PaymentChange) -> PaymentChange {
        PaymentChange(payment: next.payment, journal: self.journal + next.journal)
    }

    /// The same with how often the acquirer had been asked about some of the operations that it resolves.
    public func noting(_ inquiries: Inquiries, on ids: Set<OperationID>) -> PaymentChange {
        var noted = self.payment
        for index in noted.operations.indices where ids.contains(noted.operations[index].id) {
            noted.operations[index].inquiries = inquiries
        }
        return PaymentChange(payment: noted, journal: self.journal)
    }
}

/// The most operations that a payment may have: a bound on the work of every transition.
public let operationsPerPaymentMax = 4096

extension Payment {
    /// A new payment with its authorization pending. The state machine's only way in.
    public static func opening(
        id: PaymentID, merchantID: MerchantID, mode: Mode, dialect: DialectName, acquirer: AcquirerName,
        accountID: AcquirerAccountID, orderID: OrderID?,
        amount: Money, instrument: InstrumentSummary, authorizationID: OperationID, saleCaptureID: OperationID? = nil,
        acceptsPartialApproval: Bool = false, labels: OperationLabels = OperationLabels(), at now: Timestamp
    ) throws(PaymentRefusal) -> Payment {
        guard amount.isPositive else { throw .amountNotPositive }
        let authorization = Operation(
            id: authorizationID, kind: .authorization, amount: amount, saleCaptureID: saleCaptureID,
            acceptsPartialApproval: acceptsPartialApproval, labels: labels, begunAt: now, begunInVersion: 1)
        return Payment(
            id: id, merchantID: merchantID, mode: mode, dialect: dialect, acquirer: acquirer,
            accountID: accountID, orderID: orderID,
            amount: amount,
            instrument: instrument, createdAt: now, version: 1, operations: [authorization])
    }

    /// A new payment that only verifies a card, pending. It moves nothing and nothing can follow it.
    public static func verifying(
        id: PaymentID, merchantID: MerchantID, mode: Mode, dialect: DialectName, acquirer: AcquirerName,
        accountID: AcquirerAccountID, orderID: OrderID?, currency: Currency, instrument: InstrumentSummary,
        verificationID: OperationID,
        labels: OperationLabels = OperationLabels(), at now: Timestamp
    ) -> Payment {
        let verification = Operation(
            id: verificationID, kind: .verification, amount: .zero(currency), labels: labels, begunAt: now,
            begunInVersion: 1)
        return Payment(
            id: id, merchantID: merchantID, mode: mode, dialect: dialect, acquirer: acquirer,
            accountID: accountID, orderID: orderID,
            amount: .zero(currency), instrument: instrument, createdAt: now, version: 1, operations: [verification])
    }

    /// The payment after an event, with the journal entries that the event books; or the first rule that refuses it.
    /// Pure.
    public func transition(on event: PaymentEvent, at now: Timestamp) throws(PaymentRefusal) -> PaymentChange {
        switch event {
        case .begin(let request): return try self.begin(request, at: now)
        case .resolve(let id, let resolution, let isAnswer):
            return try self.resolve(id, resolution, isAnswer: isAnswer, at: now)
        case .report(let report): return try self.book(report, at: now)
        }
    }
}

// MARK: - Beginning

extension Payment {
    private func begin(_ request: OperationRequest, at now: Timestamp) throws(PaymentRefusal) -> PaymentChange {
        let operation: Operation
        try self.checkMovesMoney(request.action)
        switch request.action {
        case .capture(let amount, let isFinal):
            try self.checkCapture(of: amount, isFinal: isFinal)
            operation = self.pending(request, .capture, amount, isFinalCapture: isFinal, at: now)
        case .void(let target):
            let (amount, target) = try self.checkVoid(of: target)
            operation = self.pending(request, .void, amount, target: target, at: now)
        case .adjustment(let amount):
            try self.checkAdjustment(to: amount)
            operation = self.pending(request, .adjustment, amount, at: now)
        case .refund(let amount, let capture):
            try self.checkRefund(of: amount, from: capture)
            operation = self.pending(request, .refund, amount, target: capture, at: now)
        case .reversal(let target):
            let amount = try self.checkReversal(of: target)
            operation = self.pending(request, .reversal, amount, target: target, at: now)
        }
        var changed = self
        changed.version += 1
        changed.operations.append(operation)
        return PaymentChange(payment: changed, journal: [])
    }

    private func pending(
        _ request: OperationRequest, _ kind: Operation.Kind, _ amount: Money, isFinalCapture: Bool = false,
        target: OperationID? = nil, at now: Timestamp
    ) -> Operation {
        Operation(
            id: request.id, kind: kind, amount: amount, isFinalCapture: isFinalCapture, target: target,
            labels: request.labels, begunAt: now, begunInVersion: self.version + 1)
    }

    /// Nothing follows a verification but what takes it back.
    private func checkMovesMoney(_ action: OperationRequest.Action) throws(PaymentRefusal) {
        if case .reversal = action { return }
        if self.opening?.kind == .verification { throw .verificationOnly }
    }

    private func checkCapture(of amount: Money, isFinal: Bool) throws(PaymentRefusal) {
        try self.checkAmount(amount)
        try self.checkAuthorized()
        // A final capture gives back what is left, so nothing may still be taking from it.
        if isFinal, self.hasUnresolvedCapture { throw .capturePending }
        if isFinal, self.unresolvedAdjustment != nil { throw .adjustmentPending }
        if let final = self.finalCapture { throw final.state.isResolved ? .captureIsFinal : .capturePending }
        guard amount > self.captureCeiling - self.captureReserve else { return }
        // What is under way may end such that there is room.
        guard amount > self.mostCapturableAmount else {
            throw self.hasUnresolvedCapture ? .capturePending : .adjustmentPending
        }
        throw .captureExceedsAuthorized
    }

    /// - Returns: what is taken back, and of which operation, where that is not the authorization.
    private func checkVoid(of target: OperationID?) throws(PaymentRefusal) -> (Money, OperationID?) {
        try self.checkRoom()
        try self.checkAuthorized()
        guard let target else {
            try self.checkVoidOfAuthorization()
            return (self.authorizedAmount, nil)
        }
        guard let operation = self.operation(target) else { throw .operationNotFound }
        if self.hasFailedLate(operation) { throw .notVoidable }
        if self.isUndone(target) { throw .alreadyVoided }
        let isSale = self.authorization?.isSale == true
        switch operation.kind {
        case .authorization where isSale, .capture where isSale:
            try self.checkGivenBack(leaving: .zero(self.amount.currency))
            return (self.capturedAmount, nil)
        case .authorization:
            try self.checkVoidOfAuthorization()
            return (self.authorizedAmount, nil)
        case .capture:
            guard operation.state == .succeeded, let captured = operation.approvedAmount else {
                throw operation.state.isResolved ? .notVoidable : .capturePending
            }
            try self.checkGivenBack(leaving: self.capturedAmount - captured, of: target)
            return (captured, target)
        case .refund:
            guard operation.state == .succeeded, let refunded = operation.approvedAmount else {
                throw operation.state.isResolved ? .notVoidable : .refundPending
            }
            return (refunded, target)
        case .void, .adjustment, .verification, .reversal, .lateFailure, .chargeback: throw .notVoidable
        }
    }

    /// What the cardholder has back, by a refund or from the bank, is not given back again.
    ///
    /// - Parameters:
    ///   - left: what stays captured.
    ///   - capture: what is to be taken back, where it is one of several.
    private func checkGivenBack(leaving left: Money, of capture: OperationID? = nil) throws(PaymentRefusal) {
        func isGivenBack(_ counts: (Operation) -> Bool) -> Bool {
            if self.sum(of: .refund, where: counts) + self.chargedBackAmount > left { return true }
            guard let capture else { return false }
            return (self.refundedAmount(of: capture, where: counts) + self.chargedBackAmount(of: capture)).isPositive
        }
        if isGivenBack({ $0.state == .succeeded }) { throw .alreadyRefunded }
        if isGivenBack(\.mayHaveHappened) { throw .refundPending }
    }

    private func checkVoidOfAuthorization() throws(PaymentRefusal) {
        if self.hasUnresolvedCapture { throw .capturePending }
        if self.capturedAmount.isPositive { throw .alreadyCaptured }
        if self.unresolvedAdjustment != nil { throw .adjustmentPending }
    }

    private func checkAdjustment(to total: Money) throws(PaymentRefusal) {
        try self.checkAmount(total)
        try self.checkAuthorized()
        if self.hasUnresolvedCapture { throw .capturePending }
        if self.unresolvedAdjustment != nil { throw .adjustmentPending }
        if self.finalCapture != nil { throw .captureIsFinal }
        if self.captureReserve > total { throw .adjustmentBelowCaptured }
    }

    private func checkRefund(of amount: Money, from capture: OperationID?) throws(PaymentRefusal) {
        try self.checkAmount(amount)
        if !self.hasCapturedDespiteFailure { try self.checkAuthorized() }
        guard self.capturedAmount.isPositive else {
            throw self.captureReserve.isPositive ? .capturePending : .notCaptured
        }
        if self.refundedAmount == self.capturedAmount { throw .alreadyRefunded }
        if let capture { try self.checkRefund(of: amount, fromCapture: capture) }
        guard amount > self.refundableAmount else { return }
        // What is under way may end such that there is enough.
        let givenBack = self.refundedAmount + self.chargedBackAmount
        guard amount > self.capturedAmount - givenBack else { throw .refundPending }
        guard amount > self.captureReserve - givenBack else { throw .capturePending }
        throw .refundExceedsCaptured
    }

    private func checkRefund(of amount: Money, fromCapture id: OperationID) throws(PaymentRefusal) {
        guard let capture = self.operation(id), capture.kind == .capture else { throw .operationNotFound }
        switch self.currentState(of: capture) {
        case .pending, .unknown, .accepted: throw .capturePending
        case .failed: throw .notCaptured
        case .succeeded: break
        }
        if self.isUndone(id) { throw .alreadyVoided }
        let left = self.refundableAmount(of: capture)
        guard amount > left else { return }
        let most = self.mostRefundableAmount(of: capture)
        guard most.isPositive else { throw .alreadyRefunded }
        throw amount > most ? .refundExceedsCaptured : .refundPending
    }

    private func checkReversal(of target: OperationID) throws(PaymentRefusal) -> Money {
        // A reversal or a void takes something back itself; it is repeated under its own id, never reversed.
        guard let operation = self.operation(target), operation.kind != .reversal, operation.kind != .void else {
            throw .operationNotFound
        }
        // What the acquirer has accepted is decided by the acquirer.
        if operation.state.isResolved || operation.state == .accepted { throw .operationAlreadyResolved }
        if self.unresolvedReversal(of: target) != nil { throw .reversalPending }
        return operation.amount
    }

    func checkAmount(_ amount: Money) throws(PaymentRefusal) {
        try self.checkMoney(amount)
        try self.checkRoom()
    }

    /// Whether it is something, and of the payment's currency.
    func checkMoney(_ amount: Money) throws(PaymentRefusal) {
        guard amount.isPositive else { throw .amountNotPositive }
        guard amount.currency == self.amount.currency else { throw .currencyDiffers }
    }

    private var hasUnresolvedCapture: Bool {
        self.operations.contains { $0.kind == .capture && !$0.state.isResolved }
    }

    /// Leaves a place for the reversal that an operation may need.
    func checkRoom() throws(PaymentRefusal) {
        guard self.operations.count < operationsPerPaymentMax else { throw .tooManyOperations }
    }

    private func checkAuthorized() throws(PaymentRefusal) {
        switch self.authorization?.state {
        case .pending, nil: throw .authorizationPending
        case .unknown: throw .authorizationUnknown
        case .accepted: throw .authorizationPending
        case .failed: throw .authorizationFailed
        case .succeeded: break
        }
        if self.authorizationHasFailedLate { throw .authorizationFailed }
        if self.operations.contains(where: { $0.kind == .void && !$0.state.isResolved }) { throw .voidPending }
        if self.isVoided { throw .alreadyVoided }
    }
}

// MARK: - Resolving

extension Payment {
    private func resolve(
        _ id: OperationID, _ resolution: Resolution, isAnswer: Bool, at now: Timestamp
    ) throws(PaymentRefusal) -> PaymentChange {
        guard let index = self.operations.firstIndex(where: { $0.id == id }) else { throw .operationNotFound }
        guard !self.operations[index].state.isResolved else { throw .operationAlreadyResolved }
        // The reversal takes back whatever there was: its acknowledgement decides, not an answer that comes late.
        if !resolution.isUnknown, self.unresolvedReversal(of: id) != nil { throw .reversalPending }
        var changed = self
        changed.version += 1
        // Also what a node of an earlier version has left open, which did not note it.
        if !isAnswer || self.operations[index].state != .pending { changed.leaveOpen(index) }
        switch resolution {
        case .unknown(let reason):
            changed.operations[index].state = .unknown
            changed.operations[index].unknownReason = reason
            changed.leaveOpen(index)
            return PaymentChange(payment: changed, journal: [])
        case .accepted(let answer):
            changed.operations[index].state = .accepted
            changed.operations[index].unknownReason = nil
            changed.operations[index].answer = answer
            changed.leaveOpen(index)
            return PaymentChange(payment: changed, journal: [])
        case .failed(let failure, let answer):
            changed.end(index, .failed(failure), answer, at: now)
            return PaymentChange(payment: changed, journal: [])
        case .succeeded(let approved, let answer):
            if let refusal = self.operations[index].refusal(ofApproval: approved) { throw refusal }
            changed.end(index, .succeeded, answer, at: now)
            changed.operations[index].approvedAmount = approved
            changed.followSuccess(of: index, at: now)
        }
        return PaymentChange(payment: changed, journal: Bookkeeping.entries(from: self, to: changed, at: now))
    }

    private mutating func leaveOpen(_ index: Int) {
        self.operations[index].leftOpenInVersion = self.operations[index].leftOpenInVersion ?? self.version
    }

    private mutating func end(
        _ index: Int, _ state: Operation.State, _ answer: AcquirerAnswer, at now: Timestamp
    ) {
        self.operations[index].state = state
        if state != .failed(.reversed) { self.operations[index].unknownReason = nil }
        self.operations[index].answer = answer
        self.operations[index].resolvedAt = now
        self.operations[index].resolvedInVersion = self.version
    }

    /// What a success brings with it: a sale's capture, or the end of the operation that a reversal took back.
    private mutating func followSuccess(of index: Int, at now: Timestamp) {
        let operation = self.operations[index]
        if let captureID = operation.saleCaptureID, let approved = operation.approvedAmount {
            self.operations.append(
                Operation(
                    id: captureID, kind: .capture, amount: approved, isFinalCapture: true, begunAt: now,
                    begunInVersion: self.version, state: .succeeded, approvedAmount: approved, answer: operation.answer,
                    resolvedAt: now, resolvedInVersion: self.version))
        }
        if operation.kind == .reversal, let target = self.operations.firstIndex(where: { $0.id == operation.target }),
            !self.operations[target].state.isResolved
        {
            self.end(target, .failed(.reversed), self.operations[target].answer, at: now)
        }
    }
}
