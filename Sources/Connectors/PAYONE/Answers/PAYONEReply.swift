//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Clients
import Money
import Payments

/// How a call ended, as far as it can be said without what was asked for.
enum PAYONEReply: Sendable {
    /// - Parameter txid: of the payment process; `nil` where the answer has none that could be one.
    case approved(txid: String?)
    /// "PENDING": the outcome comes as a TransactionStatus. So does what a customer would have to be redirected for, which
    /// no Apple Pay payment needs.
    case pending(txid: String?)
    /// "ERROR", with its number.
    case error(Int)
    case notProcessed(NotProcessed)
    case unknown(UnknownOutcome)

    init(_ reading: Reading) {
        let txid = Self.value("txid", reading).flatMap(Self.txid)
        switch Self.value("status", reading) {
        case "APPROVED": self = .approved(txid: txid)
        case "PENDING", "REDIRECT": self = .pending(txid: txid)
        case "ERROR":
            guard let text = Self.value("errorcode", reading), ASCII.isDigits(text, 1...6), let code = Int(text) else {
                self = .unknown(.unclear("error_without_code"))
                return
            }
            self = .error(code)
        case nil: self = .unknown(.unclear("answer_unreadable"))
        // "OK" among them, which answers other requests.
        default: self = .unknown(.unclear("status_not_understood"))
        }
    }

    /// Without the blanks around it: PAYONE's plugin for plentymarkets reads values so.
    private static func value(_ name: String, _ reading: Reading) -> String? {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        return reading[name].map { value in
            let rest = value.drop(while: isBlank)
            return String(rest.reversed().drop(while: isBlank).reversed())
        }
    }

    /// "NUMERIC(9..12)": PAYONE's Apple Pay page, "Response Parameters".
    static func txid(_ text: String) -> String? { ASCII.isDigits(text, 9...12) ? text : nil }

    /// Whether PAYONE has said that it does not know the key, and so has done nothing.
    var refusesTheKey: Bool {
        if case .error(let code) = self { ErrorVerdict.keyIncorrect == code } else { false }
    }

    /// Whether PAYONE has answered.
    var isTheServices: Bool {
        switch self {
        case .approved, .pending, .error: true
        case .notProcessed, .unknown: false
        }
    }
}

/// What an approval must say to be one of what was asked for.
struct ExpectedAnswer: Sendable {
    /// Of the operation. PAYONE answers none, and approves no part.
    let amount: Money
    /// Of the payment process; `nil` of what opens one.
    let txid: String?
    /// 0 for what opens a payment process.
    let sequenceNumber: Int

    func outcome(of reply: PAYONEReply) -> AcquirerOutcome {
        switch reply {
        case .approved(let txid):
            guard let txid else { return .unclear("txid_missing") }
            guard self.txid == nil || self.txid == txid else { return .unclear("txid_of_another") }
            return .approved(
                AcquirerApproval(
                    amount: self.amount, answer: AcquirerAnswer(reference: Self.reference(txid, self.sequenceNumber)),
                    memo: self.txid == nil ? PAYONEMemo.memo(txid: txid) : AcquirerMemo()))
        case .pending(let txid):
            var unknown = UnknownOutcome.unclear("pending")
            if self.txid == nil, let txid { unknown.memo = PAYONEMemo.memo(txid: txid) }
            return .unknown(unknown)
        case .error(let code): return self.outcome(ofError: code)
        case .notProcessed(let not): return .notProcessed(not)
        case .unknown(let unknown): return .unknown(unknown)
        }
    }

    private func outcome(ofError code: Int) -> AcquirerOutcome {
        let word = "error_\(code)"
        switch ErrorVerdict(code) {
        case .declined(let reason):
            let answer = AcquirerAnswer(responseCode: String(code), vendorCode: String(code))
            return .declined(AcquirerDecline(reason: reason, answer: answer))
        case .notProcessed(let reason): return .notProcessed(NotProcessed(reason, word))
        case .unknown(let reason): return .unknown(UnknownOutcome(reason, word))
        }
    }

    /// What an operation is called at PAYONE: a payment process, and the number of a request in it.
    static func reference(_ txid: String, _ sequenceNumber: Int) -> String {
        sequenceNumber == 0 ? txid : "\(txid)/\(sequenceNumber)"
    }
}

/// What is noted on the operation that opened a payment process: nothing can follow without it.
enum PAYONEMemo {
    private static let txid = "txid"

    static func memo(txid: String) -> AcquirerMemo {
        var memo = AcquirerMemo()
        memo[Self.txid] = txid
        return memo
    }

    /// Where a person has decided that it was approved, nothing is noted, and its reference is what he gave.
    static func txid(of original: OriginalOperation) -> String? {
        let reference = original.kind == .authorization ? original.answer.reference : nil
        return (original.memo[Self.txid] ?? reference).flatMap(PAYONEReply.txid)
    }
}
