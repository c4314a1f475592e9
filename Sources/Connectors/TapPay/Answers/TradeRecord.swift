//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Redaction
import StrictJSON

/// A trade, as query lists it.
struct TradeRecord: Sendable {
    /// `record_status`.
    enum Status: Int64, Sendable {
        case error = -1
        case authorized = 0
        case ok = 1
        case partiallyRefunded = 2
        /// Also of a trade that was refunded before its capture: then nothing was ever taken.
        case refunded = 3
        case pending = 4
        case canceled = 5
    }

    enum Capture: Hashable, Sendable {
        case none
        /// It is to be captured at a time that stands there.
        case planned
        case captured
    }

    let trade: String
    /// Our name for the payment.
    let name: String?
    let status: Status
    let amount: Money
    let capture: Capture
    let answer: AcquirerAnswer

    /// `nil` for what can't be understood.
    init?(_ json: JSON, secrets: [Redacted<String>]) {
        let words = AnswerWords(json: json, secrets: secrets)
        guard let trade = words.trade, let status = words.integer("record_status").flatMap(Status.init(rawValue:)),
            let currency = words.currency, let amount = Self.amount(words, currency),
            let isCaptured = json["is_captured"]?.bool
        else { return nil }
        self.trade = trade
        self.name = words.name
        self.status = status
        self.amount = amount
        let isPlanned = (words.integer("cap_millis") ?? 0) > 0
        self.capture = isCaptured ? .captured : isPlanned ? .planned : .none
        self.answer = words.answer
    }

    /// What was asked for; `amount` is what of it is left.
    private static func amount(_ words: AnswerWords, _ currency: Currency) -> Money? {
        if let original = words.money("original_amount", currency) { return original }
        guard let refunded = words.integer("refunded_amount"), refunded == 0 else { return nil }
        return words.money("amount", currency)
    }

    /// Whether it was given back before anything was taken.
    var isTakenBack: Bool {
        self.status == .canceled || self.status == .refunded && self.capture != .captured
    }

    /// What became of the payment, if it is the one that was asked for.
    func outcome(of asked: Money, orElse reason: DeclineReason = .unspecified) -> AcquirerQueryOutcome {
        guard self.amount == asked else { return .unknown(.unclear("record_of_another_amount")) }
        let memo = AcquirerMemo(trade: self.trade)
        if self.isTakenBack { return .reversed }
        switch self.status {
        case .authorized, .ok, .partiallyRefunded, .refunded:
            return .approved(AcquirerApproval(amount: asked, answer: self.answer, memo: memo))
        case .error:
            return .declined(
                AcquirerDecline(
                    reason: DeclineReason(self.answer.responseCode, orElse: reason), answer: self.answer, memo: memo))
        case .pending: return .accepted(AcquirerAcceptance(self.answer, memo: memo))
        case .canceled: return .reversed
        }
    }
}

/// What a search for one trade has found.
enum TradeSearch: Sendable {
    case found(TradeRecord)
    /// TapPay has listed all that there are, which are none.
    case none
    case unknown(UnknownOutcome)

    /// - Parameter fits: whether a record is what was searched for: a filter that a service does not know it may ignore.
    init(_ answer: TapPayAnswer, secrets: [Redacted<String>], where fits: (TradeRecord) -> Bool) {
        // 2 is "End of list": the last page of a list, with the records on it.
        guard [0, 2].contains(answer.status), let list = answer.json["trade_records"]?.array else {
            self = .unknown(.unclear(answer.status == 0 || answer.status == 2 ? "records_missing" : answer.word))
            return
        }
        guard !list.isEmpty else {
            let count = answer.json["number_of_transactions"]
            self = count == nil || count?.integer == 0 ? .none : .unknown(.unclear("records_missing"))
            return
        }
        guard list.count == 1, let record = TradeRecord(list[0], secrets: secrets), fits(record) else {
            self = .unknown(.unclear("record_not_understood"))
            return
        }
        self = .found(record)
    }
}
