//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Ledger
import Money
import Payments
import StrictJSON
import Time

/// The movements of an account that lines of a settlement file may be about, by the names that the lines have for them.
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

    /// A candidate with its names.
    struct Named: Sendable {
        let candidate: Candidate
        let names: Set<ExactText>
    }

    private(set) var all: [Candidate] = []
    private var byReference: [ExactText: [Int]] = [:]

    init(_ found: some Sequence<Named>) {
        let sorted = found.sorted { first, second in
            (first.candidate.resolvedAt, first.candidate.operationID)
                < (second.candidate.resolvedAt, second.candidate.operationID)
        }
        for named in sorted {
            for name in named.names { self.byReference[name, default: []].append(self.all.count) }
            self.all.append(named.candidate)
        }
    }

    /// Those that the acquirer's, or else our own, names of a line mean, of the line's kind and currency, the earliest
    /// first.
    func meant(by line: SettlementLine) -> [Int] {
        let found = self.meant(by: line.references, of: line)
        return found.isEmpty ? self.meant(by: line.ownReferences, of: line) : found
    }

    func meant(by names: [ExactText], of line: SettlementLine) -> [Int] {
        guard let kind = line.kind.operationKind else { return [] }
        var found: [Int] = []
        for name in names {
            found += (self.byReference[name] ?? []).filter {
                self.all[$0].kind == kind && self.all[$0].amount.currency == line.amount.currency
                    && !found.contains($0)
            }
        }
        return found
    }
}

extension SettlementCandidates {
    /// What movements of an account are as candidates: all but those that were taken back, and had no fee.
    static func read(
        _ movements: [Movement], of account: AcquirerAccountID, in reader: any StoreReader
    ) throws -> [Candidate] {
        let ids = Set(movements.map(\.operation.id))
        let settled = try reader.settlementItems(settling: ids)
        let lacking = try reader.settlementItems(
            of: account, identities: Set(ids.map { SettlementItem.lackingIdentity(of: $0) }))
        let reported = movements.lazy.filter(\.operation.kind.isReported)
        let journals = try reader.journals(of: Set(reported.map(\.payment.id)))
        return movements.compactMap { movement in
            let (payment, operation) = (movement.payment, movement.operation)
            let isFeeBooked = movement.fee(in: journals[payment.id] ?? []) != nil
            let isTakenBack = payment.isUndone(operation.id)
            guard isFeeBooked || !isTakenBack else { return nil }
            return Candidate(
                operationID: operation.id, paymentID: payment.id, kind: operation.kind,
                amount: operation.movedAmount, resolvedAt: movement.resolvedAt,
                settledBy: settled[operation.id]?.id,
                lacking: lacking[SettlementItem.lackingIdentity(of: operation.id)],
                isFeeBooked: isFeeBooked, isTakenBack: isTakenBack)
        }
    }

    /// Likewise those that have one of some names, with these.
    static func read(
        _ movements: [Movement], calledAnyOf wanted: Set<ExactText>, of account: AcquirerAccountID,
        in reader: any StoreReader
    ) throws -> [Named] {
        let orders = try reader.orders(of: movements.map(\.payment))
        var names: [OperationID: Set<ExactText>] = [:]
        let called = movements.filter { movement in
            let order = movement.payment.orderID.flatMap { orders[$0] }
            let all = Self.names(of: MovementNames(of: movement, order))
            let found = wanted.intersection(all)
            if !found.isEmpty { names[movement.operation.id] = found }
            return !found.isEmpty
        }
        return try Self.read(called, of: account, in: reader).map { candidate in
            Named(candidate: candidate, names: names[candidate.operationID] ?? [])
        }
    }

    /// Everything by which an acquirer may call the operation or its payment.
    static func names(of movement: MovementNames) -> [ExactText] {
        var names = [
            movement.operationID.text, movement.operationID.shortName, movement.paymentID.text,
            movement.paymentID.shortName,
        ]
        if let opening = movement.openingID { names += [opening.text, opening.shortName] }
        for reference in movement.acquirerReferences {
            names.append(reference)
            // PAYONE's: the process and the number of what happened in it.
            if let end = reference.utf8.firstIndex(of: UInt8(ascii: "/")), end > reference.startIndex {
                names.append(String(reference[..<end]))
            }
        }
        return (names + movement.otherReferences).map { ExactText($0) }
    }

    /// The acquirer's names that may lead to a name's payment: itself, and what happened first in the process.
    static func leads(of name: ExactText) -> [ExactText] { [name] + Self.steps(of: name, 0...1) }

    /// What happened later in it, for a process of which only that is known.
    static func lateLeads(of name: ExactText) -> [ExactText] { Self.steps(of: name, 2...9) }

    private static func steps(of process: ExactText, _ numbers: ClosedRange<Int>) -> [ExactText] {
        numbers.map { ExactText("\(process.text)/\($0)") }
    }
}
