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
import Time

// What became of an operation. Each is recognised by a name that no other has, and never by its amount.

extension TapPayAcquirer {
    func query(_ query: AcquirerQuery) async -> AcquirerQueryOutcome {
        let original = query.original
        let budget = self.calls.budget
        if original.kind == .authorization {
            return await self.findPayment(named: original.id.shortName, original.amount, within: budget)
        }
        // The memo is durable before anything is sent: without one nothing was.
        guard !original.memo.isEmpty else { return .notFound }
        switch original.kind {
        case .capture:
            guard let trade = original.memo[AcquirerMemo.trade] else { return .notFound }
            return await self.findCapture(of: trade, original.amount, within: budget)
        case .refund:
            guard let trade = original.memo[AcquirerMemo.trade] else { return .notFound }
            return await self.findRefund(original, trade, within: budget)
        case .void, .reversal: return await self.findTakingBack(original, within: budget)
        case .authorization, .adjustment, .verification, .lateFailure, .chargeback:
            return .unknown(.unclear("not_offered"))
        }
    }

    private func findPayment(
        named name: String, _ amount: Money, within budget: UpstreamBudget
    ) async -> AcquirerQueryOutcome {
        switch await self.findTrade(named: name, within: budget) {
        case .none: .notFound
        case .unknown(let unknown): .unknown(unknown)
        case .found(let record): record.outcome(of: amount)
        }
    }

    private func findRefund(
        _ original: OriginalOperation, _ trade: String, within budget: UpstreamBudget
    ) async -> AcquirerQueryOutcome {
        let refund = await self.findRefund(
            named: original.id.shortName, of: trade, original.amount, begunAt: original.begunAt, within: budget)
        switch refund {
        case .done(_, let approval): return .approved(approval)
        case .declined(let decline): return .declined(decline)
        case .pending: return .accepted(AcquirerAcceptance())
        case .canceled: return .reversed
        case .none: return .notFound
        case .unknown(let unknown): return .unknown(unknown)
        }
    }

    private func findTakingBack(
        _ original: OriginalOperation, within budget: UpstreamBudget
    ) async -> AcquirerQueryOutcome {
        let memo = original.memo
        let approved = AcquirerQueryOutcome.approved(
            AcquirerApproval(amount: original.amount, answer: AcquirerAnswer()))
        switch memo[AcquirerMemo.target].flatMap(PaymentOperation.Kind.init(rawValue:)) {
        case .authorization: return await self.findPaymentTakenBack(original, orElse: approved, within: budget)
        case .capture:
            guard let trade = memo[AcquirerMemo.trade] else { return .notFound }
            switch await self.findCapture(of: trade, original.amount, within: budget) {
            case .notFound: return approved
            case .approved, .accepted, .declined, .reversed: return .notFound
            case .unknown(let unknown): return .unknown(unknown)
            }
        case .refund:
            guard let trade = memo[AcquirerMemo.trade] else { return .notFound }
            switch await self.history(of: trade, within: budget) {
            case .failure(let unanswered): return .unknown(unanswered.unknown)
            case .success(let history):
                let name = memo[AcquirerMemo.targetName] ?? ""
                if let id = memo[AcquirerMemo.refund] { return history.isCanceled(id) ? approved : .notFound }
                let refund = history.refund(named: name, of: original.amount, begunAt: original.begunAt)
                if case .canceled = refund { return approved }
                return .notFound
            }
        case .void, .adjustment, .verification, .reversal, .lateFailure, .chargeback, nil:
            return .unknown(.unclear("not_offered"))
        }
    }

    /// By its own name among the trade's refunds; and where it was somebody else's, by the trade itself.
    private func findPaymentTakenBack(
        _ original: OriginalOperation, orElse approved: AcquirerQueryOutcome, within budget: UpstreamBudget
    ) async -> AcquirerQueryOutcome {
        let record: TradeRecord
        switch await self.findTrade(named: original.memo[AcquirerMemo.targetName] ?? "", within: budget) {
        case .none: return .notFound
        case .unknown(let unknown): return .unknown(unknown)
        case .found(let one): record = one
        }
        let found = await self.findRefund(original, record.trade, within: budget)
        guard found == .notFound, record.isTakenBack else { return found }
        return approved
    }

    // MARK: - Calls

    /// The trade of a payment, by the name that we gave it.
    ///
    /// - Parameter secrets: what beside the keys may stand nowhere in what is kept.
    func findTrade(
        named name: String, within budget: UpstreamBudget, secrets: [Redacted<String>] = []
    ) async -> TradeSearch {
        // Without a name all trades would be listed.
        guard !name.isEmpty else { return .unknown(.unclear("name_missing")) }
        let reply = await self.calls.asPartner(within: budget) { client throws(ClientError) in
            client.query(named: name)
        }
        return self.search(reply, secrets) { $0.name == name }
    }

    private func search(
        _ reply: TapPayReply, _ secrets: [Redacted<String>] = [], where fits: (TradeRecord) -> Bool
    ) -> TradeSearch {
        switch reply.asQuestion {
        case .success(let answer): TradeSearch(answer, secrets: self.account.secrets + secrets, where: fits)
        case .failure(let unanswered): .unknown(unanswered.unknown)
        }
    }

    /// A trade is captured whole or not at all, so that its own word is the capture's.
    func findCapture(of trade: String, _ amount: Money, within budget: UpstreamBudget) async -> AcquirerQueryOutcome {
        let reply = await self.calls.asPartner(within: budget) { client throws(ClientError) in
            client.query(trade: trade)
        }
        switch self.search(reply, where: { $0.trade == trade }) {
        case .none: return .unknown(.unclear("trade_not_listed"))
        case .unknown(let unknown): return .unknown(unknown)
        case .found(let record):
            guard record.amount == amount else { return .unknown(.unclear("record_of_another_amount")) }
            if record.status == .pending { return .unknown(.unclear("trade_pending")) }
            switch record.capture {
            case .captured: return .approved(AcquirerApproval(amount: amount, answer: AcquirerAnswer()))
            case .planned where !record.isTakenBack: return .accepted(AcquirerAcceptance())
            case .planned, .none: return .notFound
            }
        }
    }

    func findRefund(
        named name: String, of trade: String, _ amount: Money, begunAt: Timestamp, within budget: UpstreamBudget
    ) async -> TradeHistory.Refund {
        switch await self.history(of: trade, within: budget) {
        case .success(let history): history.refund(named: name, of: amount, begunAt: begunAt)
        case .failure(let unanswered): .unknown(unanswered.unknown)
        }
    }

    func history(of trade: String, within budget: UpstreamBudget) async -> Result<TradeHistory, Unanswered> {
        let reply = await self.calls.asPartner(within: budget) { client throws(ClientError) in
            client.tradeHistory(trade)
        }
        switch reply.asQuestion {
        case .failure(let unanswered): return .failure(unanswered)
        case .success(let answer):
            do throws(Unanswered) {
                return .success(try TradeHistory(answer, of: trade, secrets: self.account.secrets))
            } catch {
                return .failure(error)
            }
        }
    }
}
