//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
@_spi(Administration) import Gateway
import Ledger
public import Payments
import Time

/// What has come of importing a settlement file.
public struct SettlementImport: Hashable, Sendable {
    public let file: SettlementFile
    /// Whether these bytes had been imported before: then nothing was done now.
    public let isRepeated: Bool
    /// How many items there are of each verdict.
    public let counts: [SettlementItem.Verdict: Int]
    /// Lines that an earlier file had, and that were passed over.
    public let repeatedLinesCount: Int
    /// Lines that settle nothing, by the mapping.
    public let ignoredLinesCount: Int
    /// Differences of earlier files that this one has resolved.
    public let foundCount: Int

    public var differencesCount: Int {
        self.counts.reduce(0) { $0 + ($1.key.isDifference ? $1.value : 0) }
    }
}

/// A settlement file as an operator hands it in.
public struct SettlementDocument: Sendable {
    public let name: String
    public let bytes: [UInt8]
    public let mapping: SettlementMapping
    /// The first and the last day whose movements are expected in it; those of its lines if left out.
    public let days: ClosedRange<CalendarDay>?

    public init(name: String, bytes: [UInt8], mapping: SettlementMapping, days: ClosedRange<CalendarDay>? = nil) {
        self.name = name
        self.bytes = bytes
        self.mapping = mapping
        self.days = days
    }
}

extension Administration {
    /// For how long before a file's first day, and after its last, movements are looked for that its lines mean.
    private static let settlementDaysBefore: Int64 = 120
    private static let settlementDaysAfter: Int64 = 3

    /// Reads a settlement file, compares it with the account's movements, and books what it says: all of it in one commit,
    /// or nothing. The same file, and the same line of another file, is booked once.
    ///
    /// - Parameter account: the name of the merchant's account with the acquirer.
    /// - Throws: ``AdministrationError`` `merchant_unknown`, `acquirer_unknown`, `settlement_malformed` with line and
    ///   column, `settlement_raced`; `StoreError`.
    public func importSettlement(
        _ document: SettlementDocument, account: String, of merchant: MerchantID
    ) async throws -> SettlementImport {
        let read = try SettlementLines(document.bytes, document.mapping)
        let digest = Array(SHA256.hash(data: document.bytes))
        let (owner, accountID, earlier, known) = try await self.read { reader in
            let owner = try Self.merchant(merchant, in: reader)
            guard let found = try reader.acquirerAccounts(of: merchant).first(where: { $0.name == account }) else {
                throw AdministrationError(
                    .acquirerUnknown, "The merchant \(owner.name) has no acquirer account named \(account).")
            }
            return (
                owner, found.id, try reader.settlementFile(of: found.id, digest: digest),
                try Self.newestFiles(of: found.id, of: merchant, in: reader)
            )
        }
        if let earlier {
            return SettlementImport(
                file: earlier, isRepeated: true, counts: try await self.settlementCounts(of: earlier.id),
                repeatedLinesCount: 0, ignoredLinesCount: 0, foundCount: 0)
        }
        let zone = owner.reportZone
        let today = zone.day(of: self.gateway.now())
        let dates = read.lines.map(\.date)
        let (first, last) = (
            document.days?.lowerBound ?? dates.min() ?? today, document.days?.upperBound ?? dates.max() ?? today
        )
        let (from, to) = (zone.start(of: first), zone.start(of: last.next))
        let search = SettlementSearch(
            administration: self, merchantID: merchant, accountID: accountID,
            from: zone.start(of: min(first, dates.min() ?? first).adding(days: -Self.settlementDaysBefore)),
            to: zone.start(of: max(last, dates.max() ?? last).adding(days: Self.settlementDaysAfter + 1)))
        let fresh = try await self.freshLines(read.lines, of: accountID)
        let matches = SettlementMatches(fresh, try await search.candidates(for: fresh.map(\.line)))
        let lacking = try await search.lacking(from: from, to: to, without: matches.taken)
        // Once all are found, which may take a while: a day that was closed meanwhile is not booked into.
        let now = self.gateway.now()
        let file = SettlementFile(
            id: self.gateway.makeID(), merchantID: merchant, accountID: accountID,
            name: String(document.name.unicodeScalars.prefix(255)), mapping: document.mapping.name, digest: digest,
            linesCount: read.lines.count, from: from, to: to, importedAt: now, importedBy: self.gateway.actor)
        let plan = SettlementPlan(file, matches, lacking: lacking)
        try await self.book(plan, of: file, account: account, owner, among: known)
        return SettlementImport(
            file: file, isRepeated: false, counts: plan.items.reduce(into: [:]) { $0[$1.verdict, default: 0] += 1 },
            repeatedLinesCount: read.lines.count - fresh.count, ignoredLinesCount: read.ignoredCount,
            foundCount: plan.found.count)
    }

    /// The lines that no earlier file had.
    private func freshLines(
        _ lines: [SettlementLine], of account: AcquirerAccountID
    ) async throws -> [SettlementMatches.Fresh] {
        let identities = SettlementMatches.identities(of: lines)
        var known: Set<String> = []
        for part in SettlementSearch.parts(of: Set(identities)) {
            known.formUnion(
                try await self.read { try $0.settlementItems(of: account, identities: Set(part)).keys.map(\.self) })
        }
        return zip(lines, identities).lazy.filter { !known.contains($0.1) }
            .map { SettlementMatches.Fresh(line: $0.0, identity: $0.1) }
    }

    /// By which it is seen that no other file of the account was imported since.
    private static func newestFiles(
        of account: AcquirerAccountID, of merchant: MerchantID, in reader: any StoreReader
    ) throws -> Set<SettlementFileID> {
        let files = try reader.settlementFiles(of: merchant, before: nil, limit: 100)
        return Set(files.lazy.filter { $0.accountID == account }.map(\.id))
    }

    /// - Parameter known: the account's files when the plan was begun: of two at once neither knows what the other settles.
    private func book(
        _ plan: SettlementPlan, of file: SettlementFile, account: String, _ merchant: Merchant,
        among known: Set<SettlementFileID>
    ) async throws {
        let differencesCount = plan.items.count(where: \.verdict.isDifference)
        let draft = AuditDraft(
            .settlementImport, merchant.name,
            [
                "file": file.id.text, "acquirer": account, "mapping": file.mapping, "lines": "\(file.linesCount)",
                "differences": "\(differencesCount)",
            ])
        do {
            try await self.gateway.administer(draft) { transaction, _ in
                try transaction.insert(file)
                for item in plan.items {
                    try transaction.insert(item, booking: try Bookkeeping.lineEntry(for: item))
                }
                for item in plan.found {
                    try transaction.resolve(item, booking: try Bookkeeping.resolutionEntry(for: item))
                }
                // Last, since it locks the account until the commit: whoever comes second sees what the first has written.
                _ = try transaction.acquirerAccount(file.accountID)
                let files = try Self.newestFiles(of: file.accountID, of: file.merchantID, in: transaction)
                guard files.subtracting(known) == [file.id] else { throw StoreError.conflict }
            }
        } catch let error as StoreError {
            switch error {
            case .duplicate, .conflict:
                throw AdministrationError(
                    .settlementRaced,
                    "Another file of the account was imported at the same time. Import this one again.")
            case .dataKeyGone, .corrupt, .unavailable: throw error
            }
        }
    }
}
