//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

extension SQLiteReading {
    func closedDay(_ day: String, of merchant: MerchantID) throws -> ClosedDay? {
        try self.connection.record(dayByKey, merchant.text, day)
    }

    func lastClosedDay(of merchant: MerchantID) throws -> ClosedDay? {
        try self.connection.record(lastDay, merchant.text)
    }

    func closedDays(of merchant: MerchantID, after day: String, limit: Int) throws -> [ClosedDay] {
        try self.connection.records(daysQuery, merchant.text, day, max(0, limit))
    }
}

extension SQLiteTransaction {
    func insert(_ day: ClosedDay) throws {
        try self.connection.execute(dayInsert, day.columnValues)
    }
}

private let dayByKey = ClosedDay.table.select(by: .merchantID, .day, with: parameters)
private let lastDay = ClosedDay.last(parameters)
private let daysQuery = ClosedDay.select(parameters)
private let dayInsert = ClosedDay.table.insert(parameters)
