//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Logging
import Metrics
import Payments

// What an acquirer reports as failed after an operator has booked it as a difference of a settlement file. To resolve such a
// difference later than the failure is refused; the other way round the acquirer cannot be refused, and what was taken from
// the merchant, given up or called a fee is taken back from the merchant once more.

extension Gateway {
    /// Somebody has to look at it: the books cannot know which of both was right.
    func report(_ differences: [SettlementItem], of payment: Payment) {
        for item in differences {
            self.logger.error(
                "what has failed late was booked before as a settlement's difference, and is booked twice",
                metadata: [
                    "payment": "\(payment.id)", "item": "\(item.id)",
                    "resolution": "\(item.resolution?.decision.rawValue ?? "none")",
                    "minorUnits": "\(item.differenceMinorUnits)",
                ])
            Counter(label: "pomona_notices_not_booked_total").increment()
        }
    }
}

extension AcquirerReport {
    /// The differences by which the operation that has failed was booked elsewhere before.
    func differencesBookedBefore(in payment: Payment, _ reader: any StoreReader) throws -> [SettlementItem] {
        guard case .failed(let id, _) = self.event, let operation = payment.operation(id) else { return [] }
        // Files settle a sale's capture.
        return try [id, operation.saleCaptureID].compactMap(\.self).flatMap { id in
            let identity = SettlementItem.lackingIdentity(of: id)
            let items = [
                try reader.settlementItem(of: payment.accountID, identity: identity),
                try reader.settlementItem(settling: id),
            ]
            return items.compactMap(\.self).filter { item in
                item.differenceMinorUnits != 0 && item.resolution.map { $0.decision != .theirs } ?? false
            }
        }
    }
}
