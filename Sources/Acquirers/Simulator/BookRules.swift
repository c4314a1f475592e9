//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Time

/// What an acquirer does with a request: the rules of its book, inside one transaction.
struct BookRules {
    let pages: BookPages
    var behavior = SimulatorBehavior()
    /// Whom the end of an operation is reported to.
    var reportsTo: AcquirerAccountID?

    /// Takes a request in, or answers it again.
    func enter(_ request: BookRequest) throws -> AcquirerOutcome {
        if let entry = try self.pages.entry(request.operationID) { return try self.answerAgain(request, entry) }
        let verdict = try self.verdict(on: request)
        let entry = SimulatorEntry(
            request, verdict, reference: try self.pages.freeReference(for: request.operationID),
            holdsForSeconds: self.behavior.holdsForSeconds)
        try self.pages.insert(entry)
        if let reportsTo {
            let dueAt = request.at.adding(seconds: self.behavior.acceptsForSeconds)
            try self.pages.insertReport(of: request.operationID, to: reportsTo, dueAt: dueAt)
        }
        if case .approveUnheard = verdict { return .timedOut() }
        return entry.outcome
    }

    func answer(_ query: AcquirerQuery) throws -> AcquirerQueryOutcome {
        guard let entry = try self.pages.entry(query.original.id), entry.paymentID == query.paymentID,
            entry.merchantID == query.merchantID,
            self.behavior.findsAfterSeconds == 0
                || query.at.milliseconds(since: entry.bookedAt) >= self.behavior.findsAfterSeconds * 1000
        else { return .notFound }
        switch entry.state {
        case .voided, .reversed: return .reversed
        case .approved, .declined, .unclear:
            switch entry.outcome {
            case .approved(let approval): return .approved(approval)
            case .declined(let decline): return .declined(decline)
            case .accepted(let acceptance): return .accepted(acceptance)
            case .notProcessed: return .notFound
            case .unknown(let unknown): return .unknown(unknown)
            }
        }
    }

    private func answerAgain(_ request: BookRequest, _ entry: SimulatorEntry) throws -> AcquirerOutcome {
        let isRepeat =
            entry.kind == request.kind && entry.amount == request.amount && entry.targetID == request.targetID
            && entry.captures == request.captures && entry.isFinal == request.isFinal
        guard entry.paymentID == request.paymentID, entry.merchantID == request.merchantID,
            isRepeat || entry.kind == nil
        else { return .refused(.invalidOperation, reference: nil) }
        try self.pages.countArrival(of: entry.operationID)
        // What has been taken back is refused for good, and that is an answer.
        let stands = entry.state != .voided && entry.state != .reversed
        if self.behavior.refusesRepeats, stands, entry.kind != .reversal { return .unclear("repeat_refused") }
        return entry.outcome
    }

    // MARK: - Deciding

    private func verdict(on request: BookRequest) throws -> Verdict {
        guard try request.amount.isPositive || self.movesNothing(request) else { return .decline(.invalidOperation) }
        switch request.kind {
        case .authorization, .verification:
            break
        case .capture, .refund, .adjustment:
            switch try self.room(for: request) {
            case .none: return .decline(.invalidOperation)
            case .lapsed: return .declineAsLapsed
            case .enough: break
            }
        case .reversal:
            if let refusal = request.refusal { return .decline(refusal) }
            if request.isVoid, TestAmount(request.amount) == .voidDeclined { return .decline(.doNotHonor) }
            return try self.takeBack(request) ? .approve(request.amount) : .decline(.invalidOperation)
        }
        if let refusal = request.refusal { return .decline(refusal) }
        let verdict = Verdict(on: request.amount, kind: request.kind)
        if request.losesAnswer, case .approve(let amount) = verdict { return .approveUnheard(amount) }
        return verdict
    }

    /// A verification, and what takes one back: also one that has not arrived.
    private func movesNothing(_ request: BookRequest) throws -> Bool {
        guard request.amount.isZero else { return false }
        guard request.kind == .reversal else { return request.kind == .verification }
        let target = try request.targetID.flatMap(self.pages.entry)
        return target?.kind == nil || target?.kind == .verification
    }

    private enum Room {
        case none
        /// There would be room, if the authorization were held still.
        case lapsed
        case enough
    }

    /// Whether a capture, a refund or an adjustment fits into what its authorization allows.
    private func room(for request: BookRequest) throws -> Room {
        guard let authorization = try request.targetID.flatMap(self.pages.entry), authorization.kind == .authorization,
            authorization.state == .approved, let authorized = authorization.approvedAmount,
            authorization.isOf(request), authorized.currency == request.amount.currency
        else { return .none }
        // By the end that it was given when it was approved, whatever the account's setting is by now.
        let isHeld = authorization.answer.authorizationExpiresAt.map { request.at < $0 } ?? true
        let sums = try self.pages.followUps(of: authorization.operationID)
        let captured = authorization.captures ? authorized.minorUnits : sums.captured
        let total = try self.pages.adjustedTotal(of: authorization.operationID) ?? authorized.minorUnits
        switch request.kind {
        case .capture:
            // A sale is captured already, and whole.
            guard !authorization.captures, !sums.hasFinalCapture, request.amount.minorUnits <= total - captured
            else { return .none }
            return isHeld ? .enough : .lapsed
        case .adjustment:
            guard !authorization.captures, !sums.hasFinalCapture, request.amount.minorUnits >= captured
            else { return .none }
            // What only gives a part back may come at any time.
            return isHeld || request.amount.minorUnits <= total ? .enough : .lapsed
        case .refund: return request.amount.minorUnits <= captured - sums.refunded ? .enough : .none
        case .authorization, .verification, .reversal: return .none
        }
    }

    /// Takes the target of a reversal back, if that leaves nothing that follows it without a ground.
    private func takeBack(_ request: BookRequest) throws -> Bool {
        guard let targetID = request.targetID else { return false }
        guard let target = try self.pages.entry(targetID) else {
            guard self.behavior.remembersReversals else { return false }
            try self.pages.insert(SimulatorEntry(takenBackBeforeArrival: targetID, by: request))
            return true
        }
        guard target.isOf(request) else { return false }
        switch target.state {
        case .voided, .reversed, .declined: return true
        case .unclear:
            try self.pages.set(.reversed, of: targetID)
            return true
        case .approved:
            guard try self.mayBeTakenBack(target) else { return false }
            let isVoid = target.kind == .authorization && request.isVoid
            try self.pages.set(isVoid ? .voided : .reversed, of: targetID)
            return true
        }
    }

    private func mayBeTakenBack(_ target: SimulatorEntry) throws -> Bool {
        switch target.kind {
        case .authorization:
            let sums = try self.pages.followUps(of: target.operationID)
            return sums.captured == 0 && sums.refunded == 0
        case .capture:
            guard let authorizationID = target.targetID, let amount = target.approvedAmount else { return false }
            let sums = try self.pages.followUps(of: authorizationID)
            return sums.captured - amount.minorUnits >= sums.refunded
        case .adjustment:
            guard let authorization = try target.targetID.flatMap(self.pages.entry),
                let authorized = authorization.approvedAmount
            else { return false }
            let total = try self.pages.adjustedTotal(of: authorization.operationID, except: target.operationID)
            let captured = try self.pages.followUps(of: authorization.operationID).captured
            return captured <= total ?? authorized.minorUnits
        case .refund, .verification: return true
        case .reversal, nil: return false
        }
    }
}

extension SimulatorEntry {
    fileprivate func isOf(_ request: BookRequest) -> Bool {
        self.paymentID == request.paymentID && self.merchantID == request.merchantID
    }

    /// A new entry.
    fileprivate init(_ request: BookRequest, _ verdict: Verdict, reference: String, holdsForSeconds: Int64) {
        let state: State
        var approvedAmount: Money?
        var declineReason: DeclineReason?
        var answer = AcquirerAnswer(
            reference: reference, stan: SimulatedAnswer.stan(of: request.operationID),
            addressCheck: request.checks.address, securityCodeCheck: request.checks.securityCode)
        switch verdict {
        case .approve(let amount), .approveUnheard(let amount):
            state = .approved
            approvedAmount = amount
            // The day is the batch, as acquirers do that settle once a day.
            answer.reconciliationID = request.at.compactDate
            if request.kind == .capture || request.kind == .refund || request.captures {
                answer.acquirerReferenceNumber = SimulatedAnswer.acquirerReferenceNumber(
                    of: request.operationID, at: request.at)
            }
            answer.responseCode =
                amount == request.amount ? SimulatedAnswer.approvedCode : SimulatedAnswer.partiallyApprovedCode
            if request.kind == .authorization || request.kind == .verification {
                answer.authorizationCode = SimulatedAnswer.authorizationCode(of: request.operationID)
                if request.kind == .authorization, !request.captures {
                    answer.authorizationExpiresAt = request.at.adding(seconds: holdsForSeconds)
                }
                answer.networkReference = SimulatedAnswer.networkReference(of: request.operationID)
                answer.fundingPANSuffix = request.checks.fundingPANSuffix
                answer.fundingExpiryYearMonth = request.checks.fundingExpiryYearMonth
                answer.paymentAccountReference = request.checks.paymentAccountReference
                answer.eci = request.checks.eci
            }
        case .decline(let reason):
            state = .declined
            declineReason = reason
            answer.responseCode = request.refusalResponseCode ?? reason.responseCode
            answer.merchantAdviceCode = request.checks.isMastercard ? SimulatedAnswer.adviceCode(of: reason) : nil
            answer.vendorCode = reason.rawValue
            answer.vendorText = "Declined by the simulator"
        case .declineAsLapsed:
            state = .declined
            declineReason = .invalidOperation
            answer.responseCode = DeclineReason.invalidOperation.responseCode
            answer.vendorCode = SimulatedAnswer.authorizationExpiredCode
            answer.vendorText = "The authorization has expired"
        case .unclear:
            state = .unclear
        }
        self.init(
            operationID: request.operationID, kind: request.kind, paymentID: request.paymentID,
            merchantID: request.merchantID, targetID: request.targetID, amount: request.amount,
            captures: request.captures, isFinal: request.isFinal, state: state, approvedAmount: approvedAmount,
            declineReason: declineReason, answer: answer, arrivalsCount: 1, bookedAt: request.at)
    }

    /// The mark that an operation which has not arrived is to be refused when it does.
    fileprivate init(takenBackBeforeArrival id: OperationID, by request: BookRequest) {
        self.init(
            operationID: id, kind: nil, paymentID: request.paymentID, merchantID: request.merchantID, targetID: nil,
            amount: request.amount, captures: false, isFinal: false, state: .reversed, approvedAmount: nil,
            declineReason: nil, answer: AcquirerAnswer(), arrivalsCount: 0, bookedAt: request.at)
    }

    /// What is answered to a request that is in the book.
    fileprivate var outcome: AcquirerOutcome {
        switch (self.state, self.approvedAmount, self.declineReason) {
        case (.approved, let amount?, _): .approved(AcquirerApproval(amount: amount, answer: self.answer))
        case (.declined, _, let reason?): .declined(AcquirerDecline(reason: reason, answer: self.answer))
        case (.voided, _, _), (.reversed, _, _):
            .refused(.invalidOperation, reference: self.answer.reference)
        case (.unclear, _, _), (.approved, nil, _), (.declined, _, nil): .unclear("unclear")
        }
    }
}

extension AcquirerOutcome {
    /// A decline that isn't an entry of its own.
    fileprivate static func refused(_ reason: DeclineReason, reference: String?) -> AcquirerOutcome {
        .declined(
            AcquirerDecline(
                reason: reason,
                answer: AcquirerAnswer(reference: reference, responseCode: reason.responseCode)))
    }
}
