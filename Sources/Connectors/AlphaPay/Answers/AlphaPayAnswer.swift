//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Clients
import ConnectorKit
import Money
import Payments
import StrictJSON

/// An answer that AlphaPay has signed: `result`, and what stands beside it.
struct AlphaPayAnswer: Sendable {
    /// `result.resultStatus` (AlphaPay, "Apple Pay").
    enum Status: String, Sendable {
        case done = "S"
        case failed = "F"
        case open = "U"
    }

    let status: Status
    let code: String
    private let body: ReplyBody

    /// `nil` for an answer without an outcome.
    init?(_ body: ReplyBody) {
        guard let status = body["result.resultStatus"].flatMap(Status.init) else { return nil }
        self.status = status
        self.code = body["result.resultCode"] ?? ""
        self.body = body
    }

    subscript(path: String) -> String? { self.body[path] }

    /// A name that AlphaPay has given, if it is one: of plain characters, so that nothing else is kept or sent back.
    func name(_ path: String) -> String? { AlphaPayName.read(self.body[path]) }

    /// Whether it is about this operation. A field of another one makes the whole answer another's.
    func isAbout(_ path: String, _ value: String) -> Bool { self.body[path] == value }

    /// Whether the amount at a path is the operation's, where there is one.
    func agrees(_ path: String, with amount: Money) -> Bool {
        guard let value = self.body["\(path).value"] else { return true }
        let currency = self.body["\(path).currency"] ?? amount.currency.code
        return value == String(amount.minorUnits) && currency == amount.currency.code
    }
}

/// What AlphaPay calls orders, refunds and transactions. It documents neither length nor characters.
enum AlphaPayName {
    static func read(_ text: String?) -> String? { FieldText.whole(text, 1...128, where: ASCII.isNameCharacter) }
}

/// `paymentStatus` (AlphaPay, "Apple Pay" and "Order inquiry").
enum PaymentStatus: String, Sendable {
    case success = "SUCCESS"
    case partialRefund = "PARTIAL_REFUND"
    case fullRefund = "FULL_REFUND"
    case failed = "FAILED"
    /// An order that was never paid (AlphaPay, "Order Inquiry").
    case closed = "CLOSED"
    /// Not paid yet, or nobody knows yet.
    case inProcess = "PAYMENT_IN_PROCESS"

    /// Whether the customer has paid, whatever went back since.
    var isPaid: Bool {
        switch self {
        case .success, .partialRefund, .fullRefund: true
        case .failed, .closed, .inProcess: false
        }
    }
}

/// `refundStatus` (AlphaPay, "Refund inquiry").
enum RefundStatus: String, Sendable {
    case success = "SUCCESS"
    case failed = "FAILED"
    case inProcess = "REFUND_IN_PROCESS"
}
