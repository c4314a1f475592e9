//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes
import Money
import Payments
import StrictJSON

extension Caller {
    /// The most that the caller may refund at once, where that is less than an amount; `nil` where the amount is within it.
    /// Tokens have no limit, nor has a person who was given none.
    func refundLimit(exceededBy amount: Money) -> Money? {
        guard let person = self.person, !person.mayRefund(amount) else { return nil }
        return Money(minorUnits: person.refundLimits?[amount.currency] ?? 0, currency: amount.currency)
    }
}

extension Call {
    /// Holds a refund against the caller's limit.
    ///
    /// - Parameter amount: `nil` for all that is left, which could be more a moment later: whoever has a limit says how much.
    /// - Throws: ``Problem`` `refund_limit_exceeded`, whose member `limit` says it; `body_invalid`.
    func checkRefundLimit(_ amount: Money?) throws(Problem) {
        guard let amount else {
            guard self.caller.person?.refundLimits == nil else {
                throw .invalid([
                    Schema.Violation(pointer: "/amount", detail: "is required of whoever has a refund limit")
                ])
            }
            return
        }
        guard let limit = self.caller.refundLimit(exceededBy: amount) else { return }
        var problem = Problem(
            .refundLimitExceeded, "You may refund up to \(limit) at once. Ask somebody who may do more.")
        problem.members["limit"] = ["amount": .string(limit.decimalText), "currency": .string(limit.currency.code)]
        throw problem
    }
}
