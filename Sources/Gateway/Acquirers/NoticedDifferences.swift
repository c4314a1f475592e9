//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Logging
import Money
import Payments
import Time

// What an acquirer reports as failed after an operator has resolved it as a difference of a settlement file. To resolve such a
// difference later than the failure is refused; the other way round the acquirer cannot be refused, and what was taken from
// the merchant, given up or called a fee would be taken back from the merchant once more.

extension Gateway {
    /// Nobody has to do anything; whoever has resolved it may want to know.
    func log(_ takenBack: [SettlementItem], of payment: Payment) {
        for item in takenBack {
            self.logger.notice(
                "what has failed late was resolved before as a settlement's difference, which is taken back",
                metadata: [
                    "payment": "\(payment.id)", "item": "\(item.id)",
                    "resolution": "\(item.resolution?.decision.rawValue ?? "none")",
                    "minorUnits": "\(item.differenceMinorUnits)",
                ])
        }
    }
}

extension AcquirerReport {
    /// Books the resolved differences of the operation that has failed the other way: with the failure's own postings in
    /// one commit, so that neither is there without the other.
    ///
    /// - Parameters:
    ///   - payment: as it was before the report.
    ///   - actor: who is named beside what is taken back.
    /// - Returns: what it has written.
    func takeDifferencesBack(
        of payment: Payment, by actor: String, at now: Timestamp, in transaction: any StoreTransaction
    ) throws -> [SettlementItem] {
        var written: [SettlementItem] = []
        for item in try self.resolvedDifferences(of: payment, transaction) {
            let identity = SettlementItem.failedIdentity(of: item.id)
            let number = try transaction.nextNumber(after: item.id)
            guard let takenBack = item.takenBack(as: number, by: actor, at: now),
                try transaction.settlementItem(of: item.accountID, identity: identity) == nil
            else { continue }
            var open = takenBack
            open.resolution = nil
            try transaction.insert(open, booking: try Bookkeeping.lineEntry(for: open))
            try transaction.resolve(takenBack, booking: try Bookkeeping.resolutionEntry(for: takenBack))
            written.append(takenBack)
        }
        return written
    }

    /// The differences by which the operation that has failed was booked elsewhere before.
    private func resolvedDifferences(of payment: Payment, _ reader: any StoreReader) throws -> [SettlementItem] {
        guard case .failed(let id, _) = self.event, let operation = payment.operation(id) else { return [] }
        // Files settle a sale's capture.
        let ids = [id] + [operation.saleCaptureID].compactMap(\.self)
        return try ids.flatMap { id -> [SettlementItem] in
            let identity = SettlementItem.lackingIdentity(of: id)
            let first = [
                try reader.settlementItem(of: payment.accountID, identity: identity),
                try reader.settlementItem(settling: id),
            ].compactMap(\.self).filter(\.isResolvedAgainstLedger)
            guard !first.isEmpty else { return [] }
            // What came after all, or a second time, was resolved with regard to the first.
            let all = try reader.settlementItems(
                SettlementQuery(merchantID: payment.merchantID, operationID: id, limit: .max))
            return all.filter { $0.isResolvedAgainstLedger && $0.accountID == payment.accountID }
        }
    }
}

extension SettlementItem {
    /// Whether it was resolved as something that the ledger did not have.
    fileprivate var isResolvedAgainstLedger: Bool {
        self.verdict.isDifference && self.differenceMinorUnits != 0
            && self.resolution.map { $0.decision != .theirs } ?? false
    }
}

extension SettlementReading {
    /// A file's items are numbered without gaps: the first number that none has, found without reading them all.
    fileprivate func nextNumber(after id: SettlementItem.ID) throws -> Int {
        let isTaken = { number in
            try self.settlementItem(SettlementItem.ID(file: id.file, number: number)) != nil
        }
        var (taken, step) = (id.number, 1)
        while try isTaken(taken + step) {
            taken += step
            step *= 2
        }
        // It is above `taken`, and `step` above it at most.
        while step > 1 {
            step /= 2
            if try isTaken(taken + step) { taken += step }
        }
        return taken + 1
    }
}
