//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Logging
import Metrics
import Money
public import Payments
import StrictJSON
import Time

// What acquirers report by themselves: how an operation ended, and what came to nothing later.

extension Gateway {
    /// Books what an acquirer has sent to an account's address for notices.
    ///
    /// - Returns: what the acquirer is answered: its connector's answer when everything has been booked or says nothing
    ///   new, 404 for an account or an operation that is not known, 503 when the store cannot be reached. After these it
    ///   sends the same again.
    @_spi(Administration)
    public func receive(_ call: NoticeCall, for id: AcquirerAccountID) async -> NoticeAnswer {
        do throws(GatewayRefusal) {
            guard let (account, reading) = try await self.read(call, for: id) else { return NoticeAnswer(status: 404) }
            switch reading {
            case .refused(let answer, let word):
                self.logger.warning(
                    "notice of an acquirer refused", metadata: ["account": "\(id)", "reason": "\(word)"])
                return answer
            case .notices(let notices, let answer):
                var isKnown = true
                for notice in notices where try await !self.book(notice, of: account) {
                    isKnown = false
                    self.logger.notice(
                        "notice of an acquirer names no operation of the account", metadata: ["account": "\(id)"])
                }
                return isKnown ? answer : NoticeAnswer(status: 404)
            }
        } catch {
            return NoticeAnswer(status: 503)
        }
    }

    /// Books what a connector has got over a connection of its own: only what is about accounts of its kind.
    @_spi(Administration)
    public func receive(
        _ notice: AcquirerNotice, for id: AcquirerAccountID, by connector: AcquirerName
    ) async -> AcquirerReports.Receipt {
        do throws(GatewayRefusal) {
            guard let account = try await self.reading({ try $0.acquirerAccount(id) }), account.connector == connector,
                try await self.book(notice, of: account)
            else {
                self.logger.warning(
                    "notice of an acquirer names no operation of an account of its own",
                    metadata: ["account": "\(id)", "connector": "\(connector)"])
                return .notKnown
            }
            return .booked
        } catch {
            return .later
        }
    }

    /// Lets the connectors keep their connections, until the task is cancelled.
    @_spi(Administration)
    public func runConnectors() async {
        await withTaskGroup(of: Void.self) { group in
            for connector in self.connectors.values {
                let name = connector.name
                let reports = AcquirerReports { notice, account in
                    await self.receive(notice, for: account, by: name)
                }
                group.addTask { await connector.run(reports) }
            }
        }
    }

    private func read(
        _ call: NoticeCall, for id: AcquirerAccountID
    ) async throws(GatewayRefusal) -> (AcquirerAccount, NoticeReading)? {
        let found = try await self.readingSecrets { reader in
            try reader.acquirerAccount(id).map { ($0, try self.opened($0)) }
        }
        guard let (account, opened) = found,
            let reading = self.connectors[account.connector]?.read(call, for: opened)
        else { return nil }
        return (account, reading)
    }

    /// - Returns: whether the account has a payment of that name.
    private func book(_ notice: AcquirerNotice, of account: AcquirerAccount) async throws(GatewayRefusal) -> Bool {
        let named = try await self.reading { reader -> (Payment, Operation?)? in
            guard let id = try notice.subject.named(of: account, in: reader),
                let paymentID = try reader.paymentID(ofOperation: id), let payment = try reader.payment(paymentID),
                payment.merchantID == account.merchantID
            else { return nil }
            return (payment, payment.operation(meantBy: notice.subject, named: id))
        }
        guard let (payment, operation) = named else { return false }
        do throws(GatewayRefusal) {
            guard payment.accountID == account.id else {
                // The payment has left the account, which had said that it did nothing with it.
                guard notice.event.isApproval else { return true }
                throw .payment(.operationAlreadyResolved)
            }
            guard let operation else {
                if case .latest = notice.subject { return true }
                // Asked for by somebody else, under the same contract: in the acquirer's portal, say.
                throw .payment(.operationNotFound)
            }
            try await self.book(notice, operation, of: payment)
        } catch .payment(let refusal) {
            // What the acquirer has done stands, whatever our rules say: somebody has to look at it. It is acknowledged all
            // the same, since sent again it would say no more, and some acquirers send nothing else before it is.
            self.logger.error(
                "notice of an acquirer cannot be booked",
                metadata: [
                    "payment": "\(payment.id)", "operation": "\(operation.map { "\($0.id)" } ?? "none")",
                    "reason": "\(refusal)",
                ])
            Counter(label: "pomona_notices_not_booked_total").increment()
        }
        return true
    }

    private func book(
        _ notice: AcquirerNotice, _ operation: Operation, of payment: Payment
    ) async throws(GatewayRefusal) {
        if payment.hasReportedFailure(of: notice.subject, notice.event, before: operation) {
            throw .payment(.operationAlreadyResolved)
        }
        switch notice.event {
        case .changed: try await self.look(at: operation, of: payment)
        case .resolved(let outcome): try await self.book(outcome, notice, operation, of: payment)
        case .approvedAsAsked(let answer, let memo):
            let approval = AcquirerApproval(amount: operation.amount, answer: answer, memo: memo)
            try await self.resolve(operation, of: payment, .approved(approval))
        case .declinedStillHeld(let decline) where operation.state.isResolved:
            try await self.fail(operation, of: payment, decline.reason, decline.answer, notice.reference)
        case .declinedStillHeld(let decline):
            let acceptance = AcquirerAcceptance(decline.answer, memo: decline.memo)
            try await self.resolve(operation, of: payment, .accepted(acceptance))
            try await self.look(at: operation, of: payment)
        case .failedLate(let reason, let answer):
            try await self.fail(operation, of: payment, reason, answer, notice.reference)
        case .chargedBack(let amount, let fee):
            let capture = notice.subject.namesOperation && operation.kind == .capture ? operation.id : nil
            try await self.book(
                .chargedBack(amount, of: capture), fee: fee, notice.reference, AcquirerAnswer(), of: payment)
        case .chargedBackInAll(let total):
            let id: OperationID = self.makeID()
            try await self.book(of: payment) { payment throws(PaymentRefusal) in
                guard total.currency == payment.amount.currency else { throw .currencyDiffers }
                let more = total - payment.chargedBackAmount
                guard more.isPositive else { return nil }
                let answer = AcquirerAnswer(reference: notice.reference)
                return AcquirerReport(id: id, event: .chargedBack(more), answer: answer)
            }
        case .chargebackReversed(let reference):
            let chargeback = payment.operations.first { $0.kind == .chargeback && $0.reportReference == reference }
            guard let chargeback else { throw .payment(.operationNotFound) }
            try await self.book(
                .failed(chargeback.id, .unspecified), fee: nil, notice.reference, AcquirerAnswer(), of: payment)
        }
    }

    /// Recovery is due now.
    private func look(at operation: Operation, of payment: Payment) async throws(GatewayRefusal) {
        guard !operation.state.isResolved else { return }
        let now = self.clock()
        try await self.writing { transaction in
            try transaction.schedule(Job(kind: .recover, paymentID: payment.id, dueAt: now))
        }
    }

    private func book(
        _ outcome: AcquirerQueryOutcome, _ notice: AcquirerNotice, _ operation: Operation, of payment: Payment
    ) async throws(GatewayRefusal) {
        switch outcome {
        case .approved(let approval): try await self.resolve(operation, of: payment, .approved(approval))
        case .accepted(let acceptance): try await self.resolve(operation, of: payment, .accepted(acceptance))
        case .declined(let decline):
            try await self.fail(operation, of: payment, decline.reason, decline.answer, notice.reference)
        // Recovery finds out what has been taken back, and by whom.
        case .reversed, .notFound, .unknown: return
        }
    }

    /// An outcome that comes before the call's answer, or instead of it. What is resolved stays as it is, but an approval of
    /// what has failed is money that our books do not have.
    ///
    /// - Returns: the payment as it is then.
    @discardableResult
    private func resolve(
        _ operation: Operation, of payment: Payment, _ outcome: AcquirerOutcome
    ) async throws(GatewayRefusal) -> Payment {
        guard !operation.state.isResolved else {
            guard case .approved(let approval) = outcome else { return payment }
            if case .failed(let failure) = operation.state, failure != .reversed {
                throw .payment(.operationAlreadyResolved)
            }
            try await self.keep(approval.memo, on: operation, of: payment)
            return payment
        }
        if operation.kind == .reversal { return try await self.commit(outcome, ofReversal: operation, of: payment) }
        if operation.state == .accepted, case .approved(let approval) = outcome,
            let refusal = operation.refusal(ofApproval: approval.amount),
            try await self.acquirer(of: payment)?.capabilities.recovery.reversesUnknown == false
        {
            // It cannot stand and cannot be taken back: taken for unknown, it would be sent once more.
            throw .payment(refusal)
        }
        let recorded = try await self.record(operation.id, of: payment, outcome)
        if let reversal = recorded.reversal, let account = try await self.acquirer(of: payment) {
            _ = try await self.sendReversal(reversal, of: recorded.payment, to: account)
        }
        if let resolved = recorded.payment.operation(operation.id) { self.count(resolved, of: recorded.payment) }
        return recorded.payment
    }

    /// Notes what the acquirer calls an operation that a person has resolved: nothing could follow it without that.
    /// Of the card nothing: it may have been forgotten since.
    private func keep(_ memo: AcquirerMemo, on operation: Operation, of payment: Payment) async throws(GatewayRefusal) {
        guard !memo.entries.isEmpty, let account = try await self.acquirer(of: payment) else { return }
        let known = try await self.memos(of: payment, account)[operation.id].entries
        guard known.merging(memo.entries, uniquingKeysWith: { $1 }) != known else { return }
        let noted = AcquirerMemo(memo.entries, handles: memo.handles)
        try await self.changing(payment, keeping: noted) { payment, transaction in
            guard payment.accountID == account.id else { return }
            try self.keep(
                noted, on: operation.id, of: payment.id, payment.merchantID, account.id, in: transaction)
        }
    }

    private func fail(
        _ operation: Operation, of payment: Payment, _ reason: DeclineReason, _ answer: AcquirerAnswer,
        _ reference: String?
    ) async throws(GatewayRefusal) {
        var (operation, payment) = (operation, payment)
        if !operation.state.isResolved {
            payment = try await self.resolve(
                operation, of: payment, .declined(AcquirerDecline(reason: reason, answer: answer)))
            // A success that was committed in between has failed late.
            guard operation.kind != .reversal, let known = payment.operation(operation.id) else { return }
            operation = known
        }
        // Whether it has been booked before, the commit knows.
        guard operation.state == .succeeded else { return }
        try await self.book(.failed(operation.id, reason), fee: nil, reference, answer, of: payment)
    }

    private func book(
        _ event: AcquirerReport.Event, fee: Money?, _ reference: String?, _ answer: AcquirerAnswer,
        of payment: Payment
    ) async throws(GatewayRefusal) {
        let believed = fee.flatMap { payment.takes(fee: $0) ? $0 : nil }
        let report = AcquirerReport(
            id: self.makeID(), event: event, fee: believed, reference: reference, answer: answer)
        if let fee, believed == nil, !payment.hasBooked(report) {
            self.logger.error(
                "fee of an acquirer's report cannot be booked; the report is, without it",
                metadata: ["payment": "\(payment.id)", "fee": "\(fee)"])
            Counter(label: "pomona_notices_not_booked_total").increment()
        }
        try await self.book(of: payment) { payment in payment.hasBooked(report) ? nil : report }
    }

    /// One commit: what the acquirer reports, its postings and its event.
    ///
    /// - Parameter report: made of the payment as it stands in the commit; `nil` where all of it has been booked.
    private func book(
        of payment: Payment, _ report: @escaping @Sendable (Payment) throws(PaymentRefusal) -> AcquirerReport?
    ) async throws(GatewayRefusal) {
        let eventID: EventID = self.makeID()
        let now = self.clock()
        let settings = try await self.notifySettings(of: payment)
        let result = try await self.writing { transaction -> (Payment, OperationID, [SettlementItem])? in
            guard let payment = try transaction.payment(payment.id) else { throw GatewayRefusal.paymentNotFound }
            guard let report = try report(payment) else { return nil }
            let change = try payment.transition(on: .report(report), at: now)
            let changed = try self.commit(
                change, of: report.id, from: payment, eventID, settings, at: now, in: transaction)
            let takenBack = try report.takeDifferencesBack(of: payment, by: self.actor, at: now, in: transaction)
            return (changed, report.id, takenBack)
        }
        guard let (booked, id, takenBack) = result, let operation = booked.operation(id) else { return }
        self.log(takenBack, of: booked)
        self.wakeDeliveries(after: booked, settings)
        self.count(operation, of: booked)
        self.log(operation, of: booked)
        self.warnOfExcess(operation, of: booked)
    }

    /// The money is gone all the same: what can be refunded of the payment is less by it.
    private func warnOfExcess(_ chargeback: Operation, of payment: Payment) {
        guard chargeback.kind == .chargeback, let capture = chargeback.target.flatMap(payment.operation),
            payment.chargedBackAmount(of: capture.id) > capture.movedAmount
        else { return }
        self.logger.warning(
            "chargebacks are more than the capture that they name",
            metadata: ["payment": "\(payment.id)", "operation": "\(chargeback.id)", "capture": "\(capture.id)"])
    }

    /// That money is the merchant's again is no warning.
    private func log(_ reported: Operation, of payment: Payment) {
        let isOfChargeback = reported.target.flatMap(payment.operation)?.kind == .chargeback
        let (level, message): (Logger.Level, Logger.Message) =
            if isOfChargeback {
                (.notice, "chargeback was reversed")
            } else if reported.kind == .chargeback {
                (.warning, "cardholder's bank has charged back what was captured")
            } else {
                (.warning, "acquirer has taken back what it had approved")
            }
        self.logger.log(
            level: level, message,
            metadata: [
                "payment": "\(payment.id)", "operation": "\(reported.id)", "kind": "\(reported.kind.rawValue)",
            ])
    }
}

extension Payment {
    fileprivate func hasBooked(_ report: AcquirerReport) -> Bool {
        if let reference = report.reference, self.isReported(reference) { return true }
        guard case .failed(let id, _) = report.event, let operation = self.operation(id) else { return false }
        return self.currentState(of: operation) != operation.state
    }

    /// - Parameter id: the operation that the acquirer's name for it, or for the payment, leads to.
    fileprivate func operation(meantBy subject: AcquirerNotice.Subject, named id: OperationID) -> Operation? {
        switch subject {
        case .operation, .shortName, .handle: self.operation(id)
        case .latest(let kinds, _): self.operations.filter { kinds.contains($0.kind) }.latest
        case .request(let ordinal, _): self.operations(ofOrdinal: ordinal).latest
        }
    }

    /// An acquirer may give the number of a request that failed to the next one. Whose failure it reports again then, it does
    /// not say.
    fileprivate func hasReportedFailure(
        of subject: AcquirerNotice.Subject, _ event: AcquirerNotice.Event, before operation: Operation
    ) -> Bool {
        guard case .request(let ordinal, _) = subject, let reference = event.failureReference else { return false }
        return self.operations(ofOrdinal: ordinal).contains { earlier in
            guard earlier.id != operation.id, case .failed(.declined) = earlier.state else { return false }
            return earlier.answer.reference.isExactly(reference)
        }
    }
}

extension [Operation] {
    /// What is open comes before what was done, and that before what failed.
    fileprivate var latest: Operation? {
        self.last { !$0.state.isResolved } ?? self.last { $0.state == .succeeded } ?? self.last
    }
}

extension AcquirerNotice.Event {
    fileprivate var isApproval: Bool {
        switch self {
        case .approvedAsAsked, .resolved(.approved): true
        case .changed, .resolved, .declinedStillHeld, .failedLate, .chargedBack, .chargedBackInAll,
            .chargebackReversed:
            false
        }
    }

    /// Of a failure: what the acquirer calls the request.
    fileprivate var failureReference: String? {
        switch self {
        case .resolved(.declined(let decline)), .declinedStillHeld(let decline): decline.answer.reference
        case .failedLate(_, let answer): answer.reference
        case .changed, .resolved, .approvedAsAsked, .chargedBack, .chargedBackInAll, .chargebackReversed: nil
        }
    }
}

extension AcquirerNotice.Subject {
    /// Whether it names the very operation, and not an order of which that is only the likeliest.
    fileprivate var namesOperation: Bool {
        if case .latest = self { false } else { true }
    }

    fileprivate func named(of account: AcquirerAccount, in reader: any StoreReader) throws -> OperationID? {
        switch self {
        case .operation(let id): id
        case .shortName(let name), .handle(let name), .latest(_, let name), .request(_, let name):
            try reader.operation(.acquirer(account.id, name, of: account.merchantID))
        }
    }
}
