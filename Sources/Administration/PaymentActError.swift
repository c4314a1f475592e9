//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
public import Money
public import Payments

/// Why an operator's capture, void or refund was not begun. Nothing was done, and nothing stands in the audit log.
public struct PaymentActError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A stable name.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        case paymentUnknown = "payment_unknown"
        /// The payment has no such capture.
        case captureUnknown = "capture_unknown"
        /// The payment does not allow it as it stands: ``PaymentActError/refusal`` says which rule.
        case notPossible = "act_not_possible"
        /// The acquirer cannot do it, or the payment's dialect has no word for it.
        case notOffered = "act_not_offered"
        /// The amount has a part that the acquirer, or the payment's dialect, cannot say.
        case amountNotTaken = "act_amount_not_taken"
        /// The acquirer's account cannot be opened.
        case acquirerNotConnected = "acquirer_not_connected"
        /// The key was used for another act, or for another amount.
        case keyUsed = "key_used"
        case keyMalformed = "key_malformed"
        case reasonMalformed = "reason_malformed"
        case storeUnavailable = "store_unavailable"
        /// A second person must approve it: ``PaymentActError/amount`` is what it would give back.
        case approvalRequired = "approval_required"
        /// It is more than whoever acts may refund.
        case aboveRefundLimit = "above_refund_limit"
    }

    public let code: Code
    /// What was wrong, and what to do, without data.
    public let message: String
    /// The rule, with ``Code/notPossible``.
    public let refusal: PaymentRefusal?
    /// What can be done instead, as far as that is known.
    public let possible: PossibleActs?
    /// With ``Code/approvalRequired``.
    public let amount: Money?

    init(
        _ code: Code, _ message: String, refusal: PaymentRefusal? = nil, possible: PossibleActs? = nil,
        amount: Money? = nil
    ) {
        self.code = code
        self.message = message
        self.refusal = refusal
        self.possible = possible
        self.amount = amount
    }

    public var description: String { self.message }
}

extension PaymentActError {
    init?(_ permit: RefundPermit, of amount: Money) {
        switch permit {
        case .allowed: return nil
        case .needsApproval:
            self.init(
                .approvalRequired,
                "A second person must approve it: ask for it over the administration's API or portal.", amount: amount)
        case .aboveLimit:
            self.init(.aboveRefundLimit, "It is more than you may refund at once. Ask somebody who may do more.")
        }
    }

    init(unknown id: PaymentID) {
        self.init(.paymentUnknown, "The store has no payment with the id \(id).")
    }

    init(
        _ refusal: GatewayRefusal, on id: PaymentID, _ action: OperatorCommand.Action?, _ possible: PossibleActs?
    ) {
        switch refusal {
        case .paymentNotFound: self.init(unknown: id)
        case .payment(.operationNotFound):
            self.init(.captureUnknown, "The payment has no capture with that id.", possible: possible)
        case .payment(.alreadyRefunded) where action == .void && possible?.refund.bounds != nil:
            let rest = possible?.refund.bounds.map { " Refund the rest instead: up to \($0.upTo)." } ?? ""
            self.init(
                .notPossible,
                "A part of the payment has been refunded or charged back, and a void takes back the whole." + rest,
                refusal: .alreadyRefunded, possible: possible)
        case .payment(let rule):
            let bounds = action.flatMap { possible?.bounds(of: $0) }.map { " \($0)" } ?? ""
            self.init(.notPossible, refusal.explanation + bounds, refusal: rule, possible: possible)
        case .operationNotSupported:
            self.init(
                .notOffered,
                "The payment's acquirer does not offer it, in part or at all, or the shop's interface knows no such thing.",
                possible: possible)
        case .amountNotSupported:
            let bounds = action.flatMap { possible?.bounds(of: $0) }.map { " \($0)" } ?? ""
            self.init(
                .amountNotTaken,
                "The amount has decimals that the payment's acquirer, or the shop's interface, does not take." + bounds,
                possible: possible)
        case .cardDataDeleted: self.init(.notOffered, refusal.explanation, possible: possible)
        case .acquirerNotConnected:
            self.init(
                .acquirerNotConnected,
                "The payment's account with its acquirer cannot be opened. Look at it with pomona acquirer check.")
        case .idempotencyConflict:
            self.init(.keyUsed, "The key was used for another act or another amount. Use a new one for a new act.")
        case .storeUnavailable: self.init(.storeUnavailable, refusal.explanation)
        // Whatever else refuses a payment is about its beginning.
        default: self.init(.notOffered, refusal.explanation, possible: possible)
        }
    }
}

extension PossibleActs {
    /// The amount that can be asked for in place of one that is too much.
    fileprivate func bounds(of action: OperatorCommand.Action) -> String? {
        switch action {
        case .capture: self.capture.bounds.map { "Up to \($0.upTo) can be captured." }
        case .refund(_, nil): self.refund.bounds.map { "Up to \($0.upTo) can be refunded at once." }
        case .refund(_, let capture?): self.refund.bounds.map { $0.bounds(of: capture) }
        case .void: nil
        }
    }
}

extension PossibleActs.Refund {
    /// The same of one capture that was named.
    fileprivate func bounds(of capture: OperationID) -> String {
        // One alone is not listed: what is left of it is all that is left.
        guard !self.captures.isEmpty else { return "Up to \(self.upTo) can be refunded at once." }
        guard let left = self.captures.first(where: { $0.capture == capture })?.left else {
            return "Nothing is left of that capture."
        }
        return "Up to \(left) of that capture can be refunded."
    }
}
