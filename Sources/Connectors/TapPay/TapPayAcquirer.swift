//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Money
import Payments
import Redaction
import StrictJSON

/// TapPay, as one account has it. `bank_transaction_id` is the authorization's short name, `bank_refund_id` that of a
/// refund, or of what takes an authorization back: by these names TapPay is asked what became of them.
struct TapPayAcquirer: Acquirer {
    let name: AcquirerName
    let calls: TapPayCalls

    var account: TapPayAccount { self.calls.account }
    var capabilities: AcquirerCapabilities { self.account.features.capabilities(self.calls.calls) }

    /// Notes what a query will need, should the answer be lost: a query knows the operation alone. A payment itself is
    /// asked after by its own name, and needs nothing noted.
    func prepare(_ request: AcquirerRequest) async -> AcquirerPreparation {
        guard let original = request.original else { return .ready(AcquirerMemo()) }
        var memo = AcquirerMemo(trade: original.trade, refund: original.refund)
        memo[AcquirerMemo.target] = original.kind.rawValue
        memo[AcquirerMemo.targetName] = original.id.shortName
        return .ready(memo)
    }

    func perform(_ request: AcquirerRequest) async -> AcquirerOutcome {
        switch request.action {
        case .authorize(let charge): return await self.charge(request, charge)
        case .capture(let original, _): return await self.capture(request, original)
        case .refund(let original, _):
            guard let trade = original.trade else { return .wrongState }
            return await self.refund(request, original, trade)
        case .void(let original): return await self.void(request, original)
        case .reverse(let original): return await self.reverse(request, original)
        // The capabilities rule them out.
        case .verify, .adjust: return .notProcessed(NotProcessed(.requestRefused, "not_offered"))
        }
    }

    // MARK: - Capture

    /// All at once: cap has no amount.
    private func capture(_ request: AcquirerRequest, _ original: OriginalOperation) async -> AcquirerOutcome {
        // A sale is captured by TapPay itself, what is captured is not captured again, and never anything but all.
        guard let trade = original.trade, !original.isSale, !original.capturedTotal.isPositive,
            request.amount == original.authorizedTotal
        else { return .wrongState }
        let budget = self.calls.budget
        let fields = request.followUp(trade)
        let reply = await self.calls.asPartner(within: budget) { client throws(ClientError) in
            try client.capture(fields)
        }
        switch reply {
        case .notProcessed(let not): return .notProcessed(not)
        case .unknown(let unknown): return .unknown(unknown)
        case .answered(let answer):
            switch answer.meaning {
            case .done:
                return self.isAbout(trade, request.amount.currency, answer)
                    ? .approved(AcquirerApproval(amount: request.amount, answer: AcquirerAnswer()))
                    : .unclear("answer_about_another_trade")
            case .declined(let reason): return .declined(self.decline(answer, reason))
            case .notProcessed(let reason): return .notProcessed(NotProcessed(reason, answer.word))
            case .open(let reason): return .unknown(UnknownOutcome(reason, answer.word))
            case .wrongState: return await self.captureStanding(request, trade, within: budget)
            case .bankFailed, .primeNotTaken, .nameUsed, .tokenNotTaken, .notCapturedYet, .notUnderstood:
                return .unclear(answer.word)
            }
        }
    }

    /// After a capture that the trade's state refuses: it may have been made before, by this very operation.
    private func captureStanding(
        _ request: AcquirerRequest, _ trade: String, within budget: UpstreamBudget
    ) async -> AcquirerOutcome {
        switch await self.findCapture(of: trade, request.amount, within: budget) {
        case .approved(let approval): return .approved(approval)
        case .declined(let decline): return .declined(decline)
        case .accepted(let acceptance): return .accepted(acceptance)
        case .notFound, .reversed: return .wrongState
        case .unknown(let unknown): return .unknown(unknown)
        }
    }

    // MARK: - Answers

    func words(_ answer: TapPayAnswer) -> AnswerWords {
        AnswerWords(json: answer.json, secrets: self.account.secrets)
    }

    /// Whether nothing in an answer says that it is about another trade, or another currency.
    func isAbout(_ trade: String, _ currency: Currency, _ answer: TapPayAnswer) -> Bool {
        let words = self.words(answer)
        return (answer.json["rec_trade_id"] == nil || words.trade == trade)
            && (answer.json["currency"] == nil || words.currency == currency)
    }

    func decline(_ answer: TapPayAnswer, _ reason: DeclineReason) -> AcquirerDecline {
        let words = self.words(answer)
        var said = AcquirerAnswer(responseCode: words.resultCode)
        words.add(to: &said)
        return AcquirerDecline(reason: DeclineReason(words.resultCode, orElse: reason), answer: said)
    }
}

extension AcquirerOutcome {
    /// TapPay does not know what this refers to, or it is in no state for it.
    static let wrongState = AcquirerOutcome.declined(
        AcquirerDecline(reason: .invalidOperation, answer: AcquirerAnswer()))
}

extension OriginalOperation {
    /// TapPay's id of the trade. Where the memo was lost, the authorization's reference is the same.
    var trade: String? {
        self.memo[AcquirerMemo.trade] ?? (self.kind == .authorization ? self.answer.reference : nil)
    }

    /// TapPay's id of the refund.
    var refund: String? {
        guard self.kind == .refund else { return nil }
        return self.memo[AcquirerMemo.refund] ?? self.answer.reference
    }
}

extension AcquirerRequest {
    /// A follow-up under the operation's own short name.
    ///
    /// - Parameter refund: TapPay's id of the refund that is taken back.
    func followUp(_ trade: String, refund: String? = nil) -> FollowUpFields {
        var fields = FollowUpFields(
            order: self.paymentID.shortName, key: self.operationID.shortName, ordinal: self.ordinal,
            amount: self.amount, handle: [TapPayClient.recTradeID: trade])
        fields.target = refund
        return fields
    }
}
