//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money

// What may still be refunded, and of which capture.

extension Payment {
    /// What may still be refunded: never less than nothing, also when a capture came to nothing after it was refunded.
    public var refundableAmount: Money { self.refundableAmount(where: \.mayHaveHappened) }

    /// What may still be refunded of one capture, as far as refunds name theirs.
    public func refundableAmount(of capture: Operation) -> Money {
        self.refundableAmount(of: capture, where: \.mayHaveHappened)
    }

    /// What there is to refund if what is under way leaves as much as it can: captures succeed, refunds come to nothing. More
    /// than ``refundableAmount`` while there is such a thing.
    public var mostRefundableAmount: Money {
        let most = self.refundableAmount(where: { $0.state == .succeeded })
        // A refund under way is what is waited for first.
        guard !(most > self.refundableAmount) else { return most }
        return self.refundableAmount(ofCaptured: self.captureReserve, where: { $0.state == .succeeded })
    }

    /// What there is to refund of one capture if nothing comes of the refunds that are under way, as far as they name theirs.
    public func mostRefundableAmount(of capture: Operation) -> Money {
        self.refundableAmount(of: capture, where: { $0.state == .succeeded })
    }

    /// - Parameter isCounted: which refunds count: with those that have succeeded alone it is what there will be if all
    ///   others come to nothing.
    private func refundableAmount(where isCounted: (Operation) -> Bool) -> Money {
        self.refundableAmount(ofCaptured: self.capturedAmount, where: isCounted)
    }

    private func refundableAmount(ofCaptured captured: Money, where isCounted: (Operation) -> Bool) -> Money {
        let left = captured - self.sum(of: .refund, where: isCounted) - self.chargedBackAmount
        return left.isPositive ? left : .zero(self.amount.currency)
    }

    private func refundableAmount(of capture: Operation, where isCounted: (Operation) -> Bool) -> Money {
        guard capture.state == .succeeded, !self.isUndone(capture.id) else { return .zero(self.amount.currency) }
        let left = self.left(of: capture, where: isCounted)
        let most = self.refundableAmount(where: isCounted)
        // A bank may take back what has been refunded, too.
        guard left.isPositive else { return .zero(self.amount.currency) }
        return left > most ? most : left
    }

    /// What refunds and chargebacks by name leave of a capture.
    private func left(of capture: Operation, where isCounted: (Operation) -> Bool) -> Money {
        capture.movedAmount - self.refundedAmount(of: capture.id, where: isCounted)
            - self.chargedBackAmount(of: capture.id)
    }

    /// What refunds that name a capture give back.
    func refundedAmount(of capture: OperationID, where isCounted: (Operation) -> Bool) -> Money {
        self.sum(of: .refund) { isCounted($0) && $0.target == capture }
    }

    /// What is left to refund of each capture that stands, in the order begun: refunds that name none are taken from
    /// theirs by ``RefundedCapture/first``.
    public var refundableByCapture: [(capture: Operation, left: Money)] {
        let captures = self.operations.filter {
            $0.kind == .capture && $0.state == .succeeded && !self.isUndone($0.id)
        }
        var left = captures.map { self.left(of: $0, where: \.mayHaveHappened) }
        let others = self.operations.filter {
            $0.kind == .refund && $0.target == nil && $0.mayHaveHappened && !self.isUndone($0.id)
        }
        for other in others {
            guard let index = left.firstIndex(where: { !(other.amount > $0) }) else { continue }
            left[index] = left[index] - other.amount
        }
        return zip(captures, left).map { (capture: $0, left: $1) }
    }

    /// Which capture a refund takes its money from, of several that have enough left.
    ///
    /// There are two rules because a refund must stay the same message however often it is sent. One that is about to
    /// begin chooses its capture by the better rule, and keeps its name. For one that keeps none the capture is found
    /// again whenever it is sent, by a rule that must never change.
    public enum RefundedCapture: Hashable, Sendable {
        /// The one of which least is left, at best just that much: so what is left elsewhere can be given back at once.
        /// For refunds that keep the name: those of operators, and of acquirers that refund one capture at a time.
        case smallest
        /// The first, once earlier refunds have been taken from theirs. For all other refunds, and for those that an
        /// earlier version has begun.
        case first
    }

    /// The capture that a refund takes its money from, where it names none.
    ///
    /// - Parameter amount: of a refund that is begun now.
    /// - Returns: `nil` where there is one capture alone, which needs no name, and where no single one has enough left.
    public func capture(refunding amount: Money, by rule: RefundedCapture) -> Operation? {
        let captures = self.refundableByCapture
        guard captures.count > 1, !(amount > self.refundableAmount) else { return nil }
        let fitting = captures.filter { !(amount > $0.left) }
        switch rule {
        case .smallest: return fitting.min { $1.left > $0.left }?.capture
        case .first: return fitting.first?.capture
        }
    }
}
