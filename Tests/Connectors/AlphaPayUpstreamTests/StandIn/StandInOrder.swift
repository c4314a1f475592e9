//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// One order, as AlphaPay keeps it. Amounts are cents.
struct StandInOrder: Sendable {
    /// `paymentStatus`, but for refunds.
    enum Standing: String, Sendable {
        case open = "PAYMENT_IN_PROCESS"
        case paid = "SUCCESS"
        case failed = "FAILED"
        case closed = "CLOSED"
    }

    struct Refund: Sendable {
        enum Standing: String, Sendable {
            case inProcess = "REFUND_IN_PROCESS"
            case done = "SUCCESS"
            case failed = "FAILED"
        }

        let id: String
        let requestID: String?
        let amount: Int64
        var standing: Standing
    }

    let requestID: String
    let paymentID: String
    let amount: Int64
    let notifyURL: String?
    var standing = Standing.open
    /// A service that pays an order twice.
    var paidCount = 0
    var refunds: [Refund] = []

    // MARK: - The book

    var refunded: Int64 { self.refunds.reduce(0) { $1.standing == .failed ? $0 : $0 + $1.amount } }

    /// What the customer has paid, less what was given back.
    var taken: Int64 { Int64(self.paidCount) * self.amount - self.refunded }

    var status: String {
        guard self.standing == .paid, self.refunded > 0 else { return self.standing.rawValue }
        return self.refunded == self.amount ? "FULL_REFUND" : "PARTIAL_REFUND"
    }
}
