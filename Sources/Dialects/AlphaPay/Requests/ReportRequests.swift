//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Payments
import Time

/// A calendar day, `yyyymmdd` on the wire.
struct ReportDay: Hashable, Sendable {
    let text: String
    private let startOfDay: CivilTime

    init(reading body: RequestObject) throws(FieldError) {
        let text = try body.string("date", charactersMax: 8)
        let digits = text.utf8.map { Int($0) - 0x30 }
        guard digits.count == 8, digits.allSatisfy({ (0...9).contains($0) }),
            let day = CivilTime(
                year: digits[0] * 1000 + digits[1] * 100 + digits[2] * 10 + digits[3],
                month: digits[4] * 10 + digits[5], day: digits[6] * 10 + digits[7])
        else { throw body.error("date", "must be a day as yyyymmdd, for example \"20260131\"") }
        self.text = text
        self.startOfDay = day
    }

    /// From the first moment of the day to the first of the next, at an offset from UTC.
    func bounds(offsetSeconds: Int64) -> Range<Timestamp> {
        let start = self.startOfDay.timestamp(offsetSeconds: offsetSeconds)
        return start..<start.adding(seconds: 86_400)
    }
}

/// The body of `transactions`.
struct TransactionsRequest: Sendable {
    let day: ReportDay
    let page: Int
    let pageLimit: Int
    /// Captures, refunds or both.
    let kinds: Set<Operation.Kind>

    init(reading body: RequestObject) throws(AlphaPayResult) {
        do throws(FieldError) {
            self.day = try ReportDay(reading: body)
            self.page = Int(try body.optionalInteger("page", in: 1...1_000_000) ?? 1)
            self.pageLimit = Int(try body.optionalInteger("pageLimit", in: 10...100) ?? 10)
            // The vendor's SDK says Credit and Debit.
            switch try body.optionalString("transactionType", charactersMax: 16) {
            case nil, "All": self.kinds = [.capture, .refund]
            case "Credit", "Payment": self.kinds = [.capture]
            case "Debit", "Refund": self.kinds = [.refund]
            default: throw body.error("transactionType", "must be All, Credit (payments) or Debit (refunds)")
            }
        } catch {
            throw AlphaPayResult(error)
        }
    }
}

/// The body of `settlements`.
struct SettlementsRequest: Sendable {
    let day: ReportDay

    init(reading body: RequestObject) throws(AlphaPayResult) {
        do throws(FieldError) {
            self.day = try ReportDay(reading: body)
        } catch {
            throw AlphaPayResult(error)
        }
    }
}
