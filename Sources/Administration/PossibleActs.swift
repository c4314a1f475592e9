//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
@_spi(Administration) import Gateway
public import Money
public import Payments
import Time

/// What an operator can do to a payment now, and up to which amount.
public struct PossibleActs: Hashable, Sendable {
    public enum Possibility<Bounds: Hashable & Sendable>: Hashable, Sendable {
        case possible(Bounds)
        /// By the payment's own rules, as it stands.
        case refused(PaymentRefusal)
        /// The acquirer cannot do it, or the payment's dialect has no word for it.
        case notOffered

        public var bounds: Bounds? {
            guard case .possible(let bounds) = self else { return nil }
            return bounds
        }
    }

    public struct Capture: Hashable, Sendable {
        /// The most that can be captured.
        public let upTo: Money
        /// Whether less can be captured.
        public let isInParts: Bool
        /// Whether the rest can be given back with it.
        public let mayBeFinal: Bool
    }

    public struct Void: Hashable, Sendable {
        /// The operation that is taken back: the authorization, or the sale.
        public let operation: OperationID
        public let isSale: Bool
        /// What the customer is spared, or gets back.
        public let amount: Money
    }

    public struct Refund: Hashable, Sendable {
        /// The most that one refund can give back.
        public let upTo: Money
        /// Whether less can be given back.
        public let isInParts: Bool
        /// What all refunds that are still possible can give back.
        public let total: Money
        /// With several captures, what is left of each of which anything is.
        public let captures: [CaptureLeft]
    }

    public struct CaptureLeft: Hashable, Sendable {
        public let capture: OperationID
        public let left: Money
    }

    public let capture: Possibility<Capture>
    public let void: Possibility<Void>
    public let refund: Possibility<Refund>
}

extension Payment {
    /// What an operator can do to the payment now. Pure: a commit that comes later decides by the same rules.
    ///
    /// - Parameters:
    ///   - capabilities: of the acquirer's account; `nil` where they are not known, and then anything is taken to be offered.
    ///   - plan: of the payment's dialect; `nil` where that is not known, as above.
    public func possibleActs(_ capabilities: AcquirerCapabilities?, _ plan: AccountPlan?) -> PossibleActs {
        let look = ActsLook(payment: self, capabilities: capabilities, plan: plan)
        return PossibleActs(capture: look.capture, void: look.void, refund: look.refund)
    }
}

/// One look at what can be done to a payment: by beginning it, and keeping nothing of that.
private struct ActsLook {
    let payment: Payment
    let capabilities: AcquirerCapabilities?
    let plan: AccountPlan?

    /// Of the operations that are begun for the look.
    private let probe = OperationID(at: Timestamp(milliseconds: 0), random: [])

    init(payment: Payment, capabilities: AcquirerCapabilities?, plan: AccountPlan?) {
        self.payment = payment
        self.capabilities = capabilities
        self.plan = plan
    }

    var capture: PossibleActs.Possibility<PossibleActs.Capture> {
        let left = self.payment.capturableAmount
        let whole = left.wholeUnits(of: self.unit)
        let amount = whole.isPositive ? whole : self.refused(left, most: self.payment.mostCapturableAmount)
        return self.possibility(of: .capture(amount, isFinal: false)) {
            PossibleActs.Capture(
                upTo: amount, isInParts: self.capabilities?.capturesInParts ?? true,
                mayBeFinal: self.refusal(of: .capture(amount, isFinal: true)) == nil)
        }
    }

    var void: PossibleActs.Possibility<PossibleActs.Void> {
        let opening = self.payment.authorization
        let isSale = opening?.isSale == true
        return self.possibility(of: .void(of: isSale ? opening?.id : nil)) {
            PossibleActs.Void(
                operation: opening?.id ?? self.probe, isSale: isSale,
                amount: isSale ? self.payment.capturedAmount : self.payment.authorizedAmount)
        }
    }

    var refund: PossibleActs.Possibility<PossibleActs.Refund> {
        let left = self.payment.refundableAmount
        let total = left.wholeUnits(of: self.unit)
        let captures = self.payment.refundableByCapture
        let refused = self.refused(left, most: self.payment.mostRefundableAmount)
        var upTo = total.isPositive ? total : refused
        if self.capabilities?.refundsOneCapture == true, captures.count > 1,
            let most = captures.map(\.left).max(by: { $1 > $0 })?.wholeUnits(of: self.unit), upTo > most
        {
            // Where no single one has a unit left, more is asked about, and refused.
            upTo = most.isPositive ? most : refused
        }
        return self.possibility(of: .refund(upTo)) {
            PossibleActs.Refund(
                upTo: upTo, isInParts: self.capabilities?.refundsInParts ?? true, total: total,
                captures: captures.count > 1
                    ? captures.compactMap { capture, left in
                        let most = (left > total ? total : left).wholeUnits(of: self.unit)
                        return most.isPositive ? .init(capture: capture.id, left: most) : nil
                    } : [])
        }
    }

    /// What is asked about where not a unit is left, for the rule that says why: what is under way and may still leave
    /// more, or that there is no more.
    private func refused(_ left: Money, most: Money) -> Money { most > left ? most : self.payment.amount }

    /// In whole ones of which the wire and the acquirer count the payment's currency.
    private var unit: Int64 {
        let own = self.plan?.wireUnit(self.payment) ?? 1
        return self.capabilities?.unit(of: self.payment.amount.currency, atLeast: own) ?? own
    }

    private func possibility<Bounds>(
        of action: OperationRequest.Action, _ bounds: () -> Bounds
    ) -> PossibleActs.Possibility<Bounds> {
        if let refusal = self.refusal(of: action) { return .refused(refusal) }
        return self.isOffered(action) ? .possible(bounds()) : .notOffered
    }

    private func refusal(of action: OperationRequest.Action) -> PaymentRefusal? {
        do throws(PaymentRefusal) {
            let request = OperationRequest(id: self.probe, action: action)
            _ = try self.payment.transition(on: .begin(request), at: self.payment.createdAt)
            return nil
        } catch {
            return error
        }
    }

    private func isOffered(_ action: OperationRequest.Action) -> Bool {
        guard self.capabilities?.allows(action, of: self.payment) ?? true else { return false }
        let operation = OperatorOperation(id: self.probe, action: action, payment: self.payment, order: nil)
        return self.plan.map { $0.operatorMark(operation) != nil } ?? true
    }
}
