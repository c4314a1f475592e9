//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Time

/// Of a file of several days each day has the differences that are its own. What the file lacks has no line and so no date
/// there: it is of the day on which the ledger has its operation.
extension Administration {
    /// Items, with dates for those that a file lacks.
    ///
    /// - Throws: `StoreError`.
    static func dated(_ items: [SettlementItem], in reader: any StoreReader) throws -> [SettlementItem] {
        let lacking = items.filter(\.isWithoutLine)
        guard !lacking.isEmpty else { return items }
        let payments = try reader.payments(Set(lacking.compactMap(\.paymentID)))
        var zones: [MerchantID: ReportZone] = [:]
        return try items.map { item in
            guard item.isWithoutLine, let operationID = item.operationID,
                let resolvedAt = item.paymentID.flatMap({ payments[$0] })?.operation(operationID)?.resolvedAt
            else { return item }
            let zone = try zones[item.merchantID] ?? reader.merchant(item.merchantID)?.reportZone ?? .utc
            zones[item.merchantID] = zone
            return item.dated(zone.day(of: resolvedAt))
        }
    }
}

extension SettlementItem {
    fileprivate var isWithoutLine: Bool { self.verdict == .missingInFile && self.date.isEmpty }

    fileprivate func dated(_ day: CalendarDay) -> SettlementItem {
        SettlementItem(
            id: self.id, merchantID: self.merchantID, accountID: self.accountID, kind: self.kind,
            date: day.description, reference: self.reference, amount: self.amount, feeMinorUnits: self.feeMinorUnits,
            verdict: self.verdict, operationID: self.operationID, paymentID: self.paymentID,
            ledgerMinorUnits: self.ledgerMinorUnits, isFeeBooked: self.isFeeBooked, identity: self.identity,
            bookedAt: self.bookedAt, resolution: self.resolution)
    }
}
