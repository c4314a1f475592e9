//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments

/// What an answer to `refund` says of the refund.
struct RefundAnswer {
    private let answer: AlphaPayAnswer
    private let requestID: String
    private let paymentID: String

    init(_ answer: AlphaPayAnswer, requestID: String, paymentID: String) {
        self.answer = answer
        self.requestID = requestID
        self.paymentID = paymentID
    }

    func outcome(for amount: Money) -> AcquirerOutcome {
        switch self.answer.status {
        case .done:
            guard self.isAboutOurs else { return .unclear("other_refund") }
            guard self.answer.agrees("refund.refundAmount", with: amount) else { return .unclear("other_amount") }
            return .approved(self.answer.refundApproval(of: amount))
        case .failed: return self.failed
        case .open:
            var unknown = UnknownOutcome.unclear("in_process")
            // What it is called is needed to ask for it.
            if self.isAboutOurs { unknown.memo = AlphaPayAcquirer.memo(ofRefund: self.answer.name("refundId")) }
            return .unknown(unknown)
        }
    }

    private var isAboutOurs: Bool {
        self.answer.isAbout("refundRequestId", self.requestID) && self.answer.isAbout("paymentId", self.paymentID)
    }

    private var failed: AcquirerOutcome {
        if let named = self.answer["refundRequestId"], named != self.requestID { return .unclear("other_refund") }
        let word = self.answer.word
        switch self.answer.meaning {
        case .declined(let reason): return .declined(self.answer.refundDecline(reason))
        case .notProcessed(let reason): return .notProcessed(NotProcessed(reason, word))
        // More than is left, nothing paid, or no such order: the order's state.
        case .orderClosed, .orderState, .orderUnknown, .refundUnknown: return AlphaPayAcquirer.invalidOperation
        case .undecided: return .unclear(word)
        case nil: return .declined(self.answer.refundDecline(.unspecified))
        }
    }
}

extension AlphaPayAnswer {
    func refundApproval(of amount: Money) -> AcquirerApproval {
        AcquirerApproval(
            amount: amount, answer: self.acquirerAnswer("refundId"),
            memo: AlphaPayAcquirer.memo(ofRefund: self.name("refundId")))
    }

    func refundDecline(_ reason: DeclineReason) -> AcquirerDecline {
        AcquirerDecline(
            reason: reason, answer: self.refusal("refundId"),
            memo: AlphaPayAcquirer.memo(ofRefund: self.name("refundId")))
    }
}

extension DeclineReason {
    /// Why a payment or a refund that an inquiry or a notice calls FAILED did fail (`paymentResultCode`,
    /// `refundResultCode`).
    init(ofFailed code: String?) {
        switch code.flatMap({ ResultMeaning($0) }) {
        case .declined(let reason): self = reason
        case .notProcessed: self = .systemError
        // The order's time was over before it was paid.
        case .orderClosed: self = .timedOut
        case .orderState, .orderUnknown, .refundUnknown: self = .invalidOperation
        case .undecided, nil: self = .unspecified
        }
    }
}
