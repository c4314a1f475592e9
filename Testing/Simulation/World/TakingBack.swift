//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
import Money
import Payments
import Synchronization

// What the acquirer and the cardholders' banks take back after it was approved, while everything else goes on. The
// acquirer's book knows nothing of it, as an acquirer's authorization host does not.

extension World {
    /// Whether this history has any; the others are what they were without.
    var takesBack: Bool { self.settings.bug == nil && self.settings.hasFaults && self.seed % 3 == 1 }

    /// Takes back now and then, for about as long as shops are there.
    func takeBack() async {
        for _ in 0..<self.number(in: 3...16) {
            guard (try? await self.sleep(milliseconds: 200...15_000)) != nil else { return }
            await self.takeSomethingBack()
        }
    }

    private func takeSomethingBack() async {
        let payments = await self.store.allPayments().suffix(6)
        let choices = payments.flatMap { payment in self.choices(of: payment) }
        guard let (payment, subject, event) = self.draw({ choices.randomElement(using: &$0) }) else { return }
        let reference = self.state.withLock { state in
            state.reports.append(SentReport(reference: "report-\(state.reports.count)", of: subject, event))
            return "report-\(state.reports.count - 1)"
        }
        self.strike(event.fault, "\(reference) of \(subject)")
        let notice = AcquirerNotice(.operation(subject), event, reference: reference)
        // One that is not acknowledged is sent again, and some are although they are: to another node, at the same time.
        let copiesCount = self.happens(percent: 30) ? 3 : 1
        await withTaskGroup { group in
            for _ in 0..<copiesCount { group.addTask { await self.send(notice, of: payment) } }
            await group.waitForAll()
        }
    }

    /// Until a node has acknowledged it.
    private func send(_ notice: AcquirerNotice, of payment: Payment) async {
        while true {
            let index = self.draw { Int.random(in: 0..<1_000_000, using: &$0) } % self.nodesCount
            let reply = await self.call(index) { (gateway) async throws(GatewayRefusal) in
                await gateway.receive(notice, for: payment.accountID, by: payment.acquirer)
            }
            if case .answered(let receipt) = reply {
                switch receipt {
                case .booked: return
                case .notKnown: return self.record.violation("a report about \(payment.id) finds no operation")
                case .later: break
                }
            }
            guard (try? await self.sleep(milliseconds: 500...20_000)) != nil else { return }
        }
    }

    /// What may come to nothing of a payment as it stands: by the time that it is reported it may be voided.
    private func choices(of payment: Payment) -> [(Payment, OperationID, AcquirerNotice.Event)] {
        let standing = payment.operations.filter { operation in
            switch operation.kind {
            case .authorization where !operation.isSale: payment.capturedAmount.isZero
            case .authorization, .capture, .refund: true
            case .void, .adjustment, .verification, .reversal, .lateFailure, .chargeback: false
            }
        }.filter { $0.state == .succeeded && !payment.isUndone($0.id) }
        var choices = standing.map { operation in
            (payment, operation.id, AcquirerNotice.Event.failedLate(.doNotHonor, AcquirerAnswer()))
        }
        let left = payment.capturedAmount - payment.chargedBackAmount
        if let capture = standing.last(where: { $0.kind == .capture }), left.isPositive {
            let part = self.happens(percent: 50) ? left.minorUnits : self.number(in: 1...left.minorUnits)
            let taken = Money(minorUnits: part, currency: left.currency)
            choices.append((payment, capture.id, .chargedBack(taken, fee: nil)))
        }
        for chargeback in payment.operations where chargeback.kind == .chargeback && !payment.isUndone(chargeback.id) {
            guard let reference = chargeback.labels.reference else { continue }
            choices.append((payment, chargeback.id, .chargebackReversed(of: reference)))
        }
        return choices
    }
}

/// A report that was sent.
struct SentReport: Sendable {
    let reference: String
    let subject: OperationID
    let event: AcquirerNotice.Event

    init(reference: String, of subject: OperationID, _ event: AcquirerNotice.Event) {
        self.reference = reference
        self.subject = subject
        self.event = event
    }

    /// Whether it is what an operation was booked for.
    func isBooked(as operation: Operation, of payment: Payment) -> Bool {
        guard operation.labels.reference == self.reference else { return false }
        switch self.event {
        case .failedLate, .chargebackReversed:
            let isSales = payment.authorization.map { $0.saleCaptureID == self.subject && $0.id == operation.target }
            return operation.kind == .lateFailure && (operation.target == self.subject || isSales == true)
        case .chargedBack(let amount, _): return operation.kind == .chargeback && operation.amount == amount
        case .changed, .resolved, .approvedAsAsked, .declinedStillHeld, .chargedBackInAll: return false
        }
    }

    /// Whether something that came before it may have left nothing for it to take back.
    func mayBeLeftOut(of payment: Payment) -> Bool {
        switch self.event {
        case .chargedBack:
            payment.operations.contains { operation in
                operation.state == .succeeded && [.void, .lateFailure, .chargeback].contains(operation.kind)
            }
        // An authorization of which something was captured has held.
        case .failedLate where payment.authorization?.id == self.subject:
            payment.isUndone(self.subject)
                || payment.operations.contains { $0.kind == .capture && $0.state == .succeeded }
        default: payment.isUndone(self.subject)
        }
    }
}

extension AcquirerNotice.Event {
    fileprivate var fault: SimulatedFault {
        switch self {
        case .chargedBack, .chargedBackInAll: .chargedBack
        case .chargebackReversed: .chargebackReversed
        case .changed, .resolved, .approvedAsAsked, .declinedStillHeld, .failedLate: .failedLate
        }
    }
}

extension World {
    /// Each report is booked once, or came too late for that; and nothing else is booked as one.
    func checkReports(_ payments: [Payment]) {
        let sent = self.state.withLock { $0.reports }
        for payment in payments {
            for operation in payment.operations where operation.kind.isReported {
                let count = sent.count { $0.isBooked(as: operation, of: payment) }
                if count != 1 {
                    self.record.violation("\(operation.kind) \(operation.id) is booked for \(count) reports")
                }
            }
        }
        for report in sent {
            guard let payment = payments.first(where: { $0.operation(report.subject) != nil }) else {
                self.record.violation("the payment of \(report.reference) is lost")
                continue
            }
            let count = payment.operations.count { $0.kind.isReported && $0.labels.reference == report.reference }
            if count > 1 || count == 0 && !report.mayBeLeftOut(of: payment) {
                self.record.violation("\(report.reference) of \(report.subject) is booked \(count) times")
            }
        }
    }
}
