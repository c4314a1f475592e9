//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StrictJSON
import Time

/// Looks up what the lines of a settlement file mean, some hundred names at once: kept is what lines mean and nothing
/// else, however many movements the account has had meanwhile.
///
/// Names lead to their payments by indexes, and what leads to none is a line that nobody knows: that costs what its look-up
/// costs. A short name has no index, since every payment would have to write it; nor is more looked up than some payments of
/// one name. Only for the sake of lines with a name of that form, or of so many, the names of all movements of the time are
/// walked over.
struct SettlementSearch: Sendable {
    typealias Named = SettlementCandidates.Named

    /// How many operations or orders of one name are looked up; what is called so more often, the walk finds.
    private static let sameNameMax = 100
    private static let walkPageCount = 1000
    private static let kinds = Set(SettlementItem.Kind.allCases.compactMap(\.operationKind))

    let administration: Administration
    let merchantID: MerchantID
    let accountID: AcquirerAccountID
    /// When the movements were resolved that lines may mean.
    let from: Timestamp
    let to: Timestamp

    /// The candidates of lines.
    func candidates(for lines: [SettlementLine]) async throws -> SettlementCandidates {
        let lines = lines.filter { $0.kind.operationKind != nil }
        let names = Set(lines.lazy.flatMap { $0.references + $0.ownReferences })
        let references = Set(lines.lazy.flatMap(\.references))
        var found: [OperationID: Named] = [:]
        var crowded: Set<ExactText> = []
        func lookUp(_ wanted: Set<ExactText>, _ leads: (ExactText) -> [ExactText]) async throws {
            for part in Self.parts(of: wanted) {
                let (ids, cut) = try await self.payments(named: part, leads)
                crowded.formUnion(cut)
                for page in Self.parts(of: ids) {
                    for named in try await self.candidates(of: page, calledAnyOf: names) {
                        found[named.candidate.operationID] = named
                    }
                }
            }
        }
        try await lookUp(names) { references.contains($0) ? SettlementCandidates.leads(of: $0) : [$0] }
        let left = Self.names(of: lines, leftBy: SettlementCandidates(found.values), crowded)
        try await lookUp(left.intersection(references), SettlementCandidates.lateLeads)
        let near = SettlementCandidates(found.values)
        let wanted = Self.names(of: lines, leftBy: near, crowded)
            .filter { crowded.contains($0) || OperationID.mayBeShortName($0.text) }
        guard !wanted.isEmpty else { return near }
        try await self.walk(for: wanted, names) { found[$0.candidate.operationID] = $0 }
        return SettlementCandidates(found.values)
    }

    /// What decides what a line means, and has led to no candidate yet, or not surely to all.
    private static func names(
        of lines: [SettlementLine], leftBy near: SettlementCandidates, _ crowded: Set<ExactText>
    ) -> Set<ExactText> {
        var left: Set<ExactText> = []
        for line in lines {
            // Another's name may be the same: found is what has the line's amount, too.
            let isLeft = { (name: ExactText) in
                crowded.contains(name)
                    || !near.meant(by: [name], of: line).contains { near.all[$0].amount == line.amount }
            }
            left.formUnion(line.references.lazy.filter(isLeft))
            // Our own names are asked where the acquirer's mean nothing.
            guard near.meant(by: line.references, of: line).isEmpty else { continue }
            left.formUnion(line.ownReferences.lazy.filter(isLeft))
        }
        return left
    }

    /// - Parameter leads: the names that are looked up for one.
    /// - Returns: the payments that names lead to, of whomever; and the names that lead to too many.
    private func payments(
        named names: [ExactText], _ leads: (ExactText) -> [ExactText]
    ) async throws -> (ids: Set<PaymentID>, cut: Set<ExactText>) {
        try Task.checkCancellation()
        let asked = Set(names.lazy.flatMap(leads))
        let found = try await self.administration.read { reader in
            try reader.payments(named: asked, of: self.merchantID, limit: Self.sameNameMax)
        }
        var (ids, cut): (Set<PaymentID>, Set<ExactText>) = ([], [])
        for name in names {
            for payments in leads(name).compactMap({ found[$0] }) {
                if payments.isCut { cut.insert(name) } else { ids.formUnion(payments.ids) }
            }
        }
        return (ids, cut)
    }

    private func candidates(
        of payments: [PaymentID], calledAnyOf names: Set<ExactText>
    ) async throws -> [Named] {
        try await self.administration.read { reader in
            let payments = try reader.payments(Set(payments)).values.lazy.filter { $0.accountID == self.accountID }
            let movements = payments.flatMap { payment in
                payment.operations.lazy.filter { $0.state == .succeeded && Self.kinds.contains($0.kind) }
                    .compactMap { Movement(of: payment, operation: $0.id) }
                    .filter { $0.resolvedAt >= self.from && $0.resolvedAt < self.to }
            }
            return try SettlementCandidates.read(
                Array(movements), calledAnyOf: names, of: self.accountID, in: reader)
        }
    }

    /// Walks over what all movements are called.
    ///
    /// - Parameters:
    ///   - wanted: of which names candidates are wanted.
    ///   - names: which of their names they are to have.
    private func walk(for wanted: Set<ExactText>, _ names: Set<ExactText>, _ found: (Named) -> Void) async throws {
        try await self.eachPage(from: self.from, to: self.to, count: Self.walkPageCount) { page, reader in
            let called = page.filter { SettlementCandidates.names(of: $0).contains(where: wanted.contains) }
            return try SettlementCandidates.read(
                try Self.movements(called, in: reader), calledAnyOf: names, of: self.accountID, in: reader)
        } each: {
            for named in $0 { found(named) }
        }
    }

    /// The movements of a file's time, earliest first, that no file has settled, and none lacks so far.
    ///
    /// - Parameter taken: those that the file has.
    /// - Throws: ``AdministrationError`` `settlement_malformed` for more than one commit may write; `StoreError`.
    func lacking(
        from: Timestamp, to: Timestamp, without taken: Set<OperationID>
    ) async throws -> [SettlementCandidates.Candidate] {
        var lacking: [SettlementCandidates.Candidate] = []
        try await self.eachPage(from: from, to: to, count: Administration.reportPageCount) { page, reader in
            let ids = Set(page.lazy.map(\.operationID)).subtracting(taken)
            let settled = try reader.settlementItems(settling: ids)
            let known = try reader.settlementItems(
                of: self.accountID, identities: Set(ids.map { SettlementItem.lackingIdentity(of: $0) }))
            let left = page.filter { movement in
                ids.contains(movement.operationID) && settled[movement.operationID] == nil
                    && known[SettlementItem.lackingIdentity(of: movement.operationID)] == nil
            }
            let movements = try Self.movements(left, in: reader)
            return try SettlementCandidates.read(movements, of: self.accountID, in: reader)
                .filter { !$0.isTakenBack }
        } each: { page in
            lacking += page
            guard lacking.count <= SettlementLines.linesMax else {
                throw AdministrationError(
                    .settlementMalformed,
                    """
                    The settlement file lacks more than \(SettlementLines.linesMax) movements of the account in its time. \
                    Say the days that it is about, or import it under its own account. Nothing was booked.
                    """)
            }
        }
        return lacking
    }

    private static func movements(_ names: [MovementNames], in reader: any StoreReader) throws -> [Movement] {
        let payments = try reader.payments(Set(names.map(\.paymentID)))
        return names.compactMap { name in
            payments[name.paymentID].flatMap { Movement(of: $0, operation: name.operationID) }
        }
    }

    private func eachPage<Value: Sendable>(
        from: Timestamp, to: Timestamp, count: Int,
        _ read: @escaping @Sendable ([MovementNames], any StoreReader) throws -> Value,
        each: (Value) throws -> Void
    ) async throws {
        var query = MovementQuery(
            merchantID: self.merchantID, accountID: self.accountID, kinds: Self.kinds, from: from, to: to, limit: count)
        while true {
            try Task.checkCancellation()
            let asked = query
            let (value, found, last) = try await self.administration.search { reader in
                let page = try reader.movementNames(asked)
                return (try read(page, reader), page.count, page.last?.cursor)
            }
            try each(value)
            query.after = last
            guard found == count else { return }
        }
    }

    /// Some hundred each.
    static func parts<Element: Hashable>(of elements: Set<Element>) -> [[Element]] {
        let all = Array(elements)
        return stride(from: 0, to: all.count, by: Administration.reportPageCount).map { start in
            Array(all[start..<min(all.count, start + Administration.reportPageCount)])
        }
    }
}
