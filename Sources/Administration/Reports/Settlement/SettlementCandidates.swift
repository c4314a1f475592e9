//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Time

/// The movements of an account that lines of a settlement file may be about, by the names that such lines may have for
/// them.
struct SettlementCandidates: Sendable {
    struct Candidate: Sendable {
        let operationID: OperationID
        let paymentID: PaymentID
        let kind: PaymentOperation.Kind
        let amount: Money
        let resolvedAt: Timestamp
        /// The item that settled it in an earlier file.
        let settledBy: SettlementItem.ID?
        /// The item by which an earlier file lacks it.
        let lacking: SettlementItem?
        let isFeeBooked: Bool
        /// Whether it came to nothing, as a chargeback that was reversed. It is not settled, and a line about it is a
        /// difference, but for the fee, which stands.
        let isTakenBack: Bool

        /// Whether a line may settle it: no line has, and nobody has booked what it is worth elsewhere.
        var isOpen: Bool {
            guard self.settledBy == nil, !self.isTakenBack else { return false }
            return self.lacking?.resolution.map { $0.decision == .theirs } ?? true
        }
    }

    private(set) var all: [Candidate] = []
    private var byReference: [String: [Int]] = [:]

    /// Those that the acquirer's, or else our own, names of a line mean, of the line's kind and currency, the earliest
    /// first.
    func meant(by line: SettlementLine) -> [Int] {
        guard let kind = line.kind.operationKind else { return [] }
        for names in [line.references, line.ownReferences] {
            var found: [Int] = []
            for name in names {
                found += (self.byReference[name] ?? []).filter {
                    self.all[$0].kind == kind && self.all[$0].amount.currency == line.amount.currency
                        && !found.contains($0)
                }
            }
            if !found.isEmpty { return found }
        }
        return []
    }

    /// A candidate with all its names.
    struct Named: Sendable {
        fileprivate let candidate: Candidate
        fileprivate let names: Set<String>

        /// - Returns: `nil` for what was taken back, and had no fee.
        init?(_ movement: Movement, in reader: any StoreReader) throws {
            let (payment, operation) = (movement.payment, movement.operation)
            let (isFeeBooked, isTakenBack) = (try movement.fee(in: reader) != nil, payment.isUndone(operation.id))
            guard isFeeBooked || !isTakenBack else { return nil }
            let identity = SettlementItem.lackingIdentity(of: operation.id)
            self.candidate = Candidate(
                operationID: operation.id, paymentID: payment.id, kind: operation.kind,
                amount: operation.approvedAmount ?? operation.amount, resolvedAt: movement.resolvedAt,
                settledBy: try reader.settlementItem(settling: operation.id)?.id,
                lacking: try reader.settlementItem(of: payment.accountID, identity: identity),
                isFeeBooked: isFeeBooked, isTakenBack: isTakenBack)
            self.names = SettlementCandidates.names(
                of: movement, try payment.orderID.flatMap { try reader.order($0) })
        }
    }

    mutating func add(_ named: Named) {
        for name in named.names { self.byReference[name, default: []].append(self.all.count) }
        self.all.append(named.candidate)
    }

    /// Everything by which an acquirer may call the operation or its payment.
    fileprivate static func names(of movement: Movement, _ order: Order?) -> Set<String> {
        let (payment, operation) = (movement.payment, movement.operation)
        var names: Set<String> = [
            operation.id.text, operation.id.shortName, payment.id.text, payment.id.shortName,
        ]
        if let opening = payment.opening { names.formUnion([opening.id.text, opening.id.shortName]) }
        for answer in [operation.answer, payment.opening?.answer] {
            guard let reference = answer?.reference else { continue }
            names.insert(reference)
            // PAYONE's: the process and the number of what happened in it.
            if let process = reference.split(separator: "/").first { names.insert(String(process)) }
        }
        names.formUnion(
            [operation.answer.networkReference, operation.labels.reference, order?.reference].compactMap(\.self))
        return names.filter { !$0.isEmpty }
    }
}
