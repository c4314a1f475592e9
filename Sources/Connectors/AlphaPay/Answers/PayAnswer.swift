//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Money
import Payments
import Redaction

/// What an answer to `pay` says of the payment.
struct PayAnswer {
    private let answer: AlphaPayAnswer
    private let paymentID: String
    private let secrets: [Redacted<String>]

    /// - Parameter secrets: what was sent and must not be kept.
    init(_ answer: AlphaPayAnswer, paymentID: String, secrets: [Redacted<String>]) {
        self.answer = answer
        self.paymentID = paymentID
        self.secrets = secrets
    }

    func outcome(for amount: Money) -> AcquirerOutcome {
        switch self.answer.status {
        case .done: self.paid(amount)
        case .failed: self.failed
        // It has to be asked for, says AlphaPay, "Apple Pay": the order as a rule is in process.
        case .open: .unclear("in_process")
        }
    }

    private func paid(_ amount: Money) -> AcquirerOutcome {
        guard self.answer.isAbout("paymentId", self.paymentID) else { return .unclear("other_payment") }
        // "S: Payment succeeded" and the status say the same, or one of them is wrong.
        guard let status = self.status, status.isPaid else { return .unclear("status_not_understood") }
        return .approved(self.answer.approval(of: amount, paymentID: self.paymentID, secrets: self.secrets))
    }

    /// "F: Payment failed": nothing was charged. Whether the card was declined or the request refused, the code says
    /// where it is listed, and the payment's status where it is not: a request that was refused made no payment.
    private var failed: AcquirerOutcome {
        if let named = self.answer["paymentId"], named != self.paymentID { return .unclear("other_payment") }
        if self.status?.isPaid == true { return .unclear("order_paid") }
        let word = self.answer.word
        switch self.answer.meaning {
        case .declined(let reason): return .declined(self.decline(reason))
        case .notProcessed(let reason): return .notProcessed(NotProcessed(reason, word))
        case .orderClosed, .orderUnknown, .refundUnknown: return .notProcessed(NotProcessed(.requestRefused, word))
        case .orderState, .undecided: return .unclear(word)
        case nil:
            return self.status == .failed
                ? .declined(self.decline(.unspecified)) : .notProcessed(NotProcessed(.requestRefused, word))
        }
    }

    private var status: PaymentStatus? { self.answer["paymentStatus"].flatMap(PaymentStatus.init) }

    private func decline(_ reason: DeclineReason) -> AcquirerDecline {
        AcquirerDecline(
            reason: reason, answer: self.answer.refusal("transactionId", secrets: self.secrets),
            memo: AlphaPayAcquirer.memo(ofOrder: self.paymentID))
    }
}

extension AlphaPayAnswer {
    func approval(of amount: Money, paymentID: String, secrets: [Redacted<String>] = []) -> AcquirerApproval {
        AcquirerApproval(
            amount: amount, answer: self.acquirerAnswer("transactionId", secrets: secrets),
            memo: AlphaPayAcquirer.memo(ofOrder: paymentID))
    }

    /// With AlphaPay's own words: `result.resultCode` and `result.resultMessage`.
    func refusal(_ path: String, secrets: [Redacted<String>] = []) -> AcquirerAnswer {
        var answer = self.acquirerAnswer(path, secrets: secrets)
        answer.vendorCode = AlphaPayName.read(self.code)
        answer.vendorText = FieldText.sentence(self["result.resultMessage"], without: secrets)
        return answer
    }

    /// All that is kept of an approval: AlphaPay hands on no authorization code and no response code of the issuer's.
    func acquirerAnswer(_ path: String, secrets: [Redacted<String>] = []) -> AcquirerAnswer {
        let reference = self.name(path).flatMap { name in
            secrets.contains { name.contains($0.reveal()) } ? nil : name
        }
        return AcquirerAnswer(reference: reference)
    }
}
