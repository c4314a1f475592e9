//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money
public import Time

/// A payment: an authorization and what followed it. Its state follows from its operations; what a
/// store keeps of it is there to be searched by.
public struct Payment: Hashable, Sendable, Identifiable {
    public let id: PaymentID
    public let merchantID: MerchantID
    public let mode: Mode
    public let dialect: DialectName
    /// The kind of acquirer that the account is with.
    public internal(set) var acquirer: AcquirerName
    /// Under which of the merchant's accounts its money moves, for life once anything has been processed there.
    public internal(set) var accountID: AcquirerAccountID
    /// The order that it pays, where the dialect has orders.
    public let orderID: OrderID?
    /// What the customer was asked for.
    public let amount: Money
    @Boxed public private(set) var instrument: InstrumentSummary
    public let createdAt: Timestamp
    /// Counts the changes, from 1. A store refuses to write a version over another.
    public internal(set) var version: Int
    /// In the order begun; the first is the authorization, or the verification of a payment that moves no money.
    public internal(set) var operations: [Operation]

    /// A payment as a store read it back.
    public init(
        id: PaymentID, merchantID: MerchantID, mode: Mode, dialect: DialectName, acquirer: AcquirerName,
        accountID: AcquirerAccountID, orderID: OrderID?, amount: Money, instrument: InstrumentSummary,
        createdAt: Timestamp, version: Int, operations: [Operation]
    ) {
        self.id = id
        self.merchantID = merchantID
        self.mode = mode
        self.dialect = dialect
        self.acquirer = acquirer
        self.accountID = accountID
        self.orderID = orderID
        self.amount = amount
        self.instrument = instrument
        self.createdAt = createdAt
        self.version = version
        self.operations = operations
    }

    public func operation(_ id: OperationID) -> Operation? {
        self.operations.first { $0.id == id }
    }

    /// The authorization. Every payment but a verification has one, and it comes first.
    public var authorization: Operation? {
        self.operations.first { $0.kind == .authorization }
    }

    /// The operation with which the payment began: its authorization or its verification.
    public var opening: Operation? { self.operations.first }

    /// What a void takes back: without a target, with the authorization's or with that of a sale's capture, the authorization
    /// or the sale.
    public func voidable(by target: OperationID?) -> AcquirerCapabilities.Voidable {
        let isSale = self.authorization?.isSale == true
        switch target.flatMap(self.operation)?.kind {
        case .refund: return .refund
        case .capture where !isSale: return .capture
        // Of other kinds nothing is taken back; the payment's rules refuse it.
        case .authorization, .capture, .void, .adjustment, .verification, .reversal, .lateFailure, .chargeback, nil:
            return isSale ? .sale : .authorization
        }
    }

    /// The payment as it was in a version: later operations are gone, later outcomes are still pending.
    ///
    /// This is what makes an idempotent answer the same for ever without storing it: an answer is a function of the
    /// payment in the version in which its operation was resolved. An operation whose outcome is unknown counts as
    /// pending here, also now.
    public func asOf(version: Int) -> Payment {
        var earlier = self
        earlier.version = min(version, self.version)
        earlier.operations = self.operations.compactMap { operation in
            guard operation.begunInVersion <= version else { return nil }
            if let resolvedInVersion = operation.resolvedInVersion, resolvedInVersion <= version { return operation }
            var unresolved = operation
            unresolved.state = .pending
            unresolved.unknownReason = nil
            unresolved.approvedAmount = nil
            unresolved.answer = AcquirerAnswer()
            unresolved.resolvedAt = nil
            unresolved.resolvedInVersion = nil
            unresolved.inquiries = nil
            if let leftOpen = operation.leftOpenInVersion, leftOpen > version { unresolved.leftOpenInVersion = nil }
            return unresolved
        }
        return earlier
    }
}

// MARK: - Sums

extension Payment {
    /// What the authorization holds or held: its approved amount, or the total that the last adjustment made of it.
    public var authorizedAmount: Money {
        guard let authorization = self.authorization, authorization.state == .succeeded else {
            return .zero(self.amount.currency)
        }
        let adjustment = self.operations.last { $0.kind == .adjustment && $0.state == .succeeded }
        return adjustment?.approvedAmount ?? authorization.movedAmount
    }

    public var capturedAmount: Money { self.sum(of: .capture) { $0.state == .succeeded } }

    public var refundedAmount: Money { self.sum(of: .refund) { $0.state == .succeeded } }

    /// Captured, or perhaps captured: what a further capture must leave room for.
    public var captureReserve: Money { self.sum(of: .capture, where: \.mayHaveHappened) }

    /// What may be captured in all: while an adjustment is under way, the smaller of both totals.
    var captureCeiling: Money {
        let authorized = self.authorizedAmount
        guard let adjustment = self.unresolvedAdjustment, authorized > adjustment.amount else { return authorized }
        return adjustment.amount
    }

    /// What may still be captured.
    public var capturableAmount: Money {
        self.mayBeCaptured ? self.captureCeiling - self.captureReserve : .zero(self.amount.currency)
    }

    /// What may be captured if what is under way, captures or an adjustment, leaves as much as it can: more than
    /// ``capturableAmount`` while there is such a thing.
    public var mostCapturableAmount: Money {
        guard self.mayBeCaptured else { return .zero(self.amount.currency) }
        let authorized = self.authorizedAmount
        let most = self.unresolvedAdjustment.map { $0.amount > authorized ? $0.amount : authorized } ?? authorized
        return most - self.capturedAmount
    }

    private var mayBeCaptured: Bool {
        !self.isUndone && !self.hasFinalCapture && self.authorization?.state == .succeeded
    }

    /// What the cardholder's bank has taken back, and not given up since.
    public var chargedBackAmount: Money { self.sum(of: .chargeback) { $0.state == .succeeded } }

    /// What of that was one capture's, as far as the acquirer has named it.
    public func chargedBackAmount(of capture: OperationID) -> Money {
        self.sum(of: .chargeback) { $0.state == .succeeded && $0.target == capture }
    }

    /// What the authorization still holds on the card: nothing once it is undone or finally captured.
    public var heldAmount: Money {
        let isClosed = self.isUndone || self.operations.contains { $0.isFinalCapture && self.hasHappened($0) }
        return isClosed ? .zero(self.amount.currency) : self.authorizedAmount - self.capturedAmount
    }

    /// Whether the authorization is gone, and with it a sale's capture: voided, or come to nothing late.
    var isUndone: Bool { self.isVoided || self.authorizationHasFailedLate }

    /// Whether a void that the acquirer has acknowledged has taken the authorization back, and with it a sale's capture.
    var isVoided: Bool {
        self.operations.contains { $0.kind == .void && $0.target == nil && $0.state == .succeeded }
    }

    /// Whether the acquirer has reported that the authorization, or the sale, came to nothing after all.
    var authorizationHasFailedLate: Bool { self.authorization.map(self.hasFailedLate) == true }

    /// Whether the acquirer has reported of an operation that it came to nothing after all: of a sale's capture with the
    /// sale.
    func hasFailedLate(_ operation: Operation) -> Bool { self.end(of: operation) != nil }

    /// Whether a capture that was under way has taken money after its authorization was reported as come to nothing: nothing
    /// more is held, but what was taken must find its way back.
    var hasCapturedDespiteFailure: Bool { self.authorizationHasFailedLate && self.capturedAmount.isPositive }

    /// Whether an operation counts for nothing any more: a void that the acquirer has acknowledged has taken it back, or it
    /// came to nothing late.
    public func isUndone(_ id: OperationID) -> Bool { self.undoneOperations.contains(id) }

    /// The reversal by which an operation is being taken back, until it is acknowledged or declined: there is one at a time,
    /// and every further try is this one.
    public func unresolvedReversal(of id: OperationID) -> Operation? {
        self.operations.first { $0.kind == .reversal && $0.target == id && !$0.state.isResolved }
    }

    /// Whether any of its operations is being taken back.
    public var isBeingReversed: Bool { self.operations.contains { $0.kind == .reversal && !$0.state.isResolved } }

    /// Whether an operation was declined that came when the acquirer held the authorization no longer, by its own word
    /// (``AcquirerAnswer/authorizationExpiresAt``). No reason says that by itself: it is an `invalidOperation`.
    public func cameAfterHold(_ operation: Operation) -> Bool {
        guard operation.kind == .capture || operation.kind == .adjustment,
            operation.state == .failed(.declined(.invalidOperation))
        else { return false }
        return !self.isHeldByItsAcquirer(at: operation.begunAt)
    }

    /// Whether the acquirer would hold what nobody has captured, as far as it has said until when.
    public func isHeldByItsAcquirer(at now: Timestamp) -> Bool {
        self.authorization?.answer.authorizationExpiresAt.map { now < $0 } ?? true
    }

    /// What the acquirer reported of an operation that came to nothing after it was approved.
    public func lateFailure(of operation: Operation) -> Operation? {
        self.operations.first { $0.kind == .lateFailure && $0.target == operation.id }
    }

    /// The payment as it is shown: what came to nothing late has failed, with all that followed of it. The history has it
    /// as it was.
    public var asKnown: Payment {
        let ends = self.ends
        guard !ends.isEmpty else { return self }
        var known = self
        for index in known.operations.indices {
            let operation = self.operations[index]
            guard let end = ends[operation.id] else { continue }
            let state = end.stateOfTarget
            guard state != operation.state else { continue }
            known.operations[index].state = state
            known.operations[index].resolvedAt = end.resolvedAt
            known.operations[index].resolvedInVersion = end.resolvedInVersion
            // The codes of the approval say nothing of how it ended: those of the report do, as far as it has any.
            known.operations[index].answer.responseCode = end.answer.responseCode
            known.operations[index].answer.authorizationCode = end.answer.authorizationCode
            // What ends like this was open until then, whatever its first answer was.
            known.operations[index].leftOpenInVersion = operation.leftOpenInVersion ?? operation.resolvedInVersion
        }
        return known
    }

    /// Where an operation stands by all that is known: one that came to nothing late has failed, and so has a sale's
    /// capture when the sale has.
    public func currentState(of operation: Operation) -> Operation.State {
        self.end(of: operation)?.stateOfTarget ?? operation.state
    }

    /// What ended an operation late. A sale's capture ends with the sale.
    public func end(of operation: Operation) -> Operation? {
        self.lateFailure(of: operation)
            ?? self.authorization.flatMap { $0.saleCaptureID == operation.id ? self.lateFailure(of: $0) : nil }
    }

    /// What ended operations late, by theirs: ``end(of:)`` of all at once.
    private var ends: [OperationID: Operation] {
        var ends: [OperationID: Operation] = [:]
        for failure in self.operations where failure.kind == .lateFailure {
            guard let target = failure.target, ends[target] == nil else { continue }
            ends[target] = failure
        }
        guard let authorization = self.authorization, let captureID = authorization.saleCaptureID else { return ends }
        ends[captureID] = ends[captureID] ?? ends[authorization.id]
        return ends
    }

    /// Whether a capture may have been made that gives back the rest of the authorization.
    public var hasFinalCapture: Bool { self.finalCapture != nil }

    /// The capture that gives back the rest of the authorization, or may come to: there is one at a time.
    public var finalCapture: Operation? {
        let undone = self.undoneOperations
        return self.operations.first { $0.isFinalCapture && $0.mayHaveHappened && !undone.contains($0.id) }
    }

    var unresolvedAdjustment: Operation? {
        self.operations.last { $0.kind == .adjustment && !$0.state.isResolved }
    }

    private func hasHappened(_ operation: Operation) -> Bool {
        operation.state == .succeeded && !self.isUndone(operation.id)
    }

    private var undoneOperations: Set<OperationID> {
        var undone: Set<OperationID> = []
        for operation in self.operations where operation.takesBack && operation.state == .succeeded {
            if let target = operation.target, target != self.authorization?.id {
                undone.insert(target)
            } else if let authorization = self.authorization {
                undone.insert(authorization.id)
                if let captureID = authorization.saleCaptureID { undone.insert(captureID) }
            }
        }
        return undone
    }

    func sum(of kind: Operation.Kind, where isCounted: (Operation) -> Bool) -> Money {
        let undone = self.undoneOperations
        return self.operations.reduce(.zero(self.amount.currency)) { sum, operation in
            guard operation.kind == kind, isCounted(operation), !undone.contains(operation.id) else { return sum }
            return sum + operation.movedAmount
        }
    }
}

extension Operation {
    /// Whether its target counts for nothing once it has succeeded.
    fileprivate var takesBack: Bool { self.kind == .void || self.kind == .lateFailure }

    /// Of a late failure: where what it ended stands since.
    fileprivate var stateOfTarget: State { .failed(.declined(self.lateFailureReason ?? .unspecified)) }

    /// What it moves: as much as was approved, else as much as is asked for.
    public var movedAmount: Money { self.approvedAmount ?? self.amount }

    /// Not known to have failed.
    var mayHaveHappened: Bool {
        switch self.state {
        case .pending, .unknown, .accepted, .succeeded: true
        case .failed: false
        }
    }
}
