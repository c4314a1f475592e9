//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Which days are closed.
public protocol ClosingReading {
    /// - Parameter day: the calendar date in the merchant's zone: "2026-11-22".
    func closedDay(_ day: String, of merchant: MerchantID) throws -> ClosedDay?
    /// The merchant's latest one.
    func lastClosedDay(of merchant: MerchantID) throws -> ClosedDay?
    /// The merchant's, by their dates.
    ///
    /// - Parameter day: only those of later dates; "" for all.
    func closedDays(of merchant: MerchantID, after day: String, limit: Int) throws -> [ClosedDay]
}
