//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Redaction
import StrictJSON
import Time

/// All that was asked of the bank for one trade (trade-history): the one place where TapPay says of a refund which of
/// ours it is. Amounts and sums say nothing there, since another refund may have the same.
struct TradeHistory: Sendable {
    /// `action`. The vendor does not publish the numbers; these are docs/dialects/tappay.md's.
    private enum Action: Int64 {
        case authorization = 0
        case capture = 1
        case refund = 3
        case pending = 4
        case cancel = 5
        case refundCancel = 6
    }

    private struct Entry: Sendable {
        let action: Action
        let amount: Money?
        /// TapPay's id of the refund.
        let refund: String?
        /// Our name for it.
        let name: String?
        let isPending: Bool
        let isDone: Bool
        let at: Int64?
        let resultCode: String?

        init?(_ json: JSON, _ currency: Currency, secrets: [Redacted<String>]) {
            let words = AnswerWords(json: json, secrets: secrets)
            guard let action = words.integer("action").flatMap(Action.init(rawValue:)),
                let isDone = json["success"]?.bool
            else { return nil }
            self.action = action
            self.amount = words.money("amount", currency)
            self.refund = words.refund
            self.name = words.refundName
            self.isPending = json["is_pending"]?.bool == true || action == .pending
            self.isDone = isDone
            self.at = words.integer("millis")
            self.resultCode = words.resultCode
        }
    }

    /// What became of a refund.
    enum Refund: Sendable {
        case done(id: String, AcquirerApproval)
        case declined(AcquirerDecline)
        case pending
        /// It was made, and taken back.
        case canceled
        case none
        case unknown(UnknownOutcome)
    }

    private let entries: [Entry]

    /// How far TapPay's clock may be from ours.
    private static let skewMilliseconds: Int64 = 300_000

    /// - Parameter trade: whose history it must be.
    init(_ answer: TapPayAnswer, of trade: String, secrets: [Redacted<String>]) throws(Unanswered) {
        guard [0, 2].contains(answer.status) else { throw Unanswered(.unclear(answer.word)) }
        let words = AnswerWords(json: answer.json, secrets: secrets)
        guard words.trade == nil || words.trade == trade, let currency = words.currency,
            let list = answer.json["trade_history"]?.array
        else { throw Unanswered(.unclear("history_not_understood")) }
        var entries: [Entry] = []
        for json in list {
            guard let entry = Entry(json, currency, secrets: secrets) else {
                throw Unanswered(.unclear("history_not_understood"))
            }
            entries.append(entry)
        }
        self.entries = entries
    }

    /// The refund that we have given a name: `bank_refund_id`.
    ///
    /// - Parameters:
    ///   - amount: for which it must be.
    ///   - begunAt: one without a name that is older than this is not ours. One of the same amount that is younger could
    ///     be, and nothing is concluded then.
    func refund(named name: String, of amount: Money, begunAt: Timestamp) -> Refund {
        let named = self.entries.filter { $0.name == name }
        let made = named.filter { $0.action == .refund || $0.action == .pending }
        guard let latest = made.last else {
            if named.contains(where: { $0.action == .refundCancel && $0.isDone }) { return .canceled }
            guard named.isEmpty, !self.hasUnnamed(amount, since: begunAt) else {
                return .unknown(.unclear("refund_not_recognized"))
            }
            return .none
        }
        if made.contains(where: \.isPending) { return .pending }
        let done = made.filter(\.isDone)
        guard let refund = done.first else {
            return .declined(
                AcquirerDecline(
                    reason: DeclineReason(latest.resultCode, orElse: .unspecified),
                    answer: AcquirerAnswer(reference: latest.refund, responseCode: latest.resultCode)))
        }
        guard done.count == 1, refund.amount == amount, let id = refund.refund else {
            return .unknown(.unclear("refund_not_recognized"))
        }
        if self.isCanceled(id) { return .canceled }
        return .done(
            id: id,
            AcquirerApproval(
                amount: amount, answer: AcquirerAnswer(reference: id, responseCode: refund.resultCode),
                memo: AcquirerMemo(trade: nil, refund: id)))
    }

    /// Whether the refund of TapPay's id was taken back.
    func isCanceled(_ id: String) -> Bool {
        self.entries.contains { $0.action == .refundCancel && $0.isDone && $0.refund == id }
    }

    private func hasUnnamed(_ amount: Money, since begunAt: Timestamp) -> Bool {
        self.entries.contains { entry in
            guard entry.action == .refund, entry.name == nil, entry.amount == nil || entry.amount == amount else {
                return false
            }
            return entry.at.map { $0 >= begunAt.milliseconds - Self.skewMilliseconds } ?? true
        }
    }
}
