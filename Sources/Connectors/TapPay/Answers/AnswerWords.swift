//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Clients
import ConnectorKit
import Money
import Payments
import Redaction
import StrictJSON

/// What is kept of an answer: short words of plain characters, in which nothing stands that was sent in confidence.
struct AnswerWords: Sendable {
    let json: JSON
    let secrets: [Redacted<String>]

    /// TapPay's id of the trade: "D20190723Uxy4ZR". At most twenty characters (TapPay, error code 597); of another
    /// Pomona the same.
    var trade: String? { self.word("rec_trade_id", 1...40) }

    /// TapPay's id of a refund.
    var refund: String? { self.word("refund_id", 1...40) }

    var authorizationCode: String? { self.word("auth_code", 1...6) }

    /// The bank's code; what is longer is none of ISO 8583's.
    var resultCode: String? { self.word("bank_result_code", 1...4) }

    /// Our own name for a payment, which is compared and not kept.
    var name: String? { self.filled("bank_transaction_id") }

    /// Our own name for a refund.
    var refundName: String? { self.filled("bank_refund_id") }

    var currency: Currency? { self.filled("currency").flatMap { Currency.alphabetic($0) } }

    /// An amount as TapPay counts it, in the currency that the answer names.
    func money(_ name: String, _ currency: Currency?) -> Money? {
        TapPayClient.money(self.integer(name), currency)
    }

    /// A number, or the digits of one.
    func integer(_ name: String) -> Int64? {
        guard let value = self.json[name] else { return nil }
        if let integer = value.integer { return integer }
        return value.string.flatMap { ASCII.isDigits($0, 1...18) ? Int64($0) : nil }
    }

    /// Of the authorization.
    var answer: AcquirerAnswer {
        AcquirerAnswer(
            reference: self.trade, authorizationCode: self.authorizationCode, responseCode: self.resultCode)
    }

    /// With TapPay's own words beside the bank's.
    var refusal: AcquirerAnswer {
        var answer = self.answer
        self.add(to: &answer)
        return answer
    }

    /// TapPay's own words about an outcome: `status` and `msg`.
    func add(to answer: inout AcquirerAnswer) {
        answer.vendorCode = self.integer("status").map { String($0) }
        answer.vendorText = FieldText.sentence(self.filled("msg"), without: self.secrets)
    }

    private func filled(_ name: String) -> String? {
        self.json[name]?.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    private func word(_ name: String, _ lengths: ClosedRange<Int>) -> String? {
        let value = self.json[name]
        let word = FieldText.whole(value?.string ?? value?.numberText, lengths, where: ASCII.isNameCharacter)
        guard let word else { return nil }
        let isSecret = self.secrets.contains { secret in
            let text = secret.reveal()
            return !text.isEmpty && word.contains(text)
        }
        return isSecret ? nil : word
    }
}

extension AcquirerMemo {
    /// TapPay's id of the trade.
    static let trade = "trade"
    /// TapPay's id of the refund.
    static let refund = "refund"
    /// What kind of operation is taken back, of a void or a reversal: `Operation.Kind`.
    static let target = "target"
    /// Our name for what is taken back.
    static let targetName = "targetName"

    init(trade: String?, refund: String? = nil) {
        self.init()
        self[Self.trade] = trade
        self[Self.refund] = refund
    }
}

extension DeclineReason {
    /// What the bank's code says, and where it says no more than "no", the reason that is known otherwise.
    init(_ code: String?, orElse reason: DeclineReason) {
        self = code.flatMap { DeclineReason(issuerResponseCode: $0) } ?? reason
    }
}
