//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments
import Time

/// What the wire calls trades and refunds, and how they are found again.
enum TradeReference {
    static let recTradeID = "rec_trade_id"
    static let bankTransactionID = "bank_transaction_id"
    static let refundID = "refund_id"

    static func recTradeID(_ id: String) -> ReferenceName { ReferenceName(kind: Self.recTradeID, value: id) }

    static func bankTransactionID(_ id: String) -> ReferenceName {
        ReferenceName(kind: Self.bankTransactionID, value: id)
    }

    static func refundID(_ id: String) -> ReferenceName { ReferenceName(kind: Self.refundID, value: id) }
}

/// A new trade's names: "D20190723Uxy4ZR", and "TP20190723Uxy4ZR" where the merchant gave none of its own.
struct TradeNumber: Hashable, Sendable {
    private static let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789".utf8)

    /// Ten letters of 56, where the vendor has six: two trades of a day never meet.
    static let randomBytesCount = 10

    private let dateAndTail: String

    /// - Parameter random: ``randomBytesCount`` bytes.
    init(at time: Timestamp, random: [UInt8]) {
        let tail = random.map { Self.alphabet[Int($0) % Self.alphabet.count] }
        self.dateAndTail = TaipeiTime.compactDate(time) + String(decoding: tail, as: UTF8.self)
    }

    var recTradeID: String { "D" + self.dateAndTail }
    var bankTransactionID: String { "TP" + self.dateAndTail }
    var refundID: String { "RF" + self.dateAndTail }

    /// Of a refund that none of the merchant's calls has made: the operation's id, which is unique, in the wire's form.
    static func refundID(of operation: OperationID) -> String {
        "RF" + operation.text.dropFirst(OperationTag.prefix.count)
    }
}

/// What is written on operations, to answer from it again.
enum LabelField {
    // On the authorization.
    static let recTradeID = "recTradeId"
    static let bankTransactionID = "bankTransactionId"
    static let merchantID = "merchantId"
    static let orderNumber = "orderNumber"
    static let eventCode = "eventCode"
    static let cardholderName = "cardholderName"
    static let cardholderPhoneNumber = "cardholderPhoneNumber"
    static let cardholderEmail = "cardholderEmail"
    static let cardholderMemberID = "cardholderMemberId"
    /// "apple_pay", or "direct_pay" for the published prime of Direct Pay.
    static let paymentMethod = "paymentMethod"
    // On refunds, and on the voids that take an authorization back.
    static let refundID = "refundId"
    static let bankRefundID = "bankRefundId"
}

extension Payment {
    /// What stands on the authorization.
    func label(_ name: String) -> String? { self.authorization?.labels.fields[name] }

    var recTradeID: String { self.label(LabelField.recTradeID) ?? "" }
}
