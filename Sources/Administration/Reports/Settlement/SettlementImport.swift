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
    /// Whether these bytes had been imported for these days before: then nothing was done now.
    public let isRepeated: Bool
    /// How many items there are of each verdict.
    public let counts: [SettlementItem.Verdict: Int]
    /// Lines that an earlier file had, and that were passed over: all of them, where it had these bytes.
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
    /// or nothing. The same file is imported once for the same days; for others it is compared with the movements of those,
    /// and none of its lines is booked again. So is the same line of another file.
    ///
    /// - Parameter account: the name of the merchant's account with the acquirer.
    /// - Throws: ``AdministrationError`` `merchant_unknown`, `acquirer_unknown`, `settlement_malformed` with line and
    ///   column, or for a file without lines of which nobody says the days, `settlement_raced`; `StoreError`.
    public func importSettlement(
        _ document: SettlementDocument, account: String, of merchant: MerchantID
    ) async throws -> SettlementImport {
        let read = try SettlementLines(document.bytes, document.mapping)
        let days = try document.days(of: read.lines)
        let bytesDigest = Array(SHA256.hash(data: document.bytes))
        let start = try await self.read {
            try SettlementStart(bytesDigest, for: days, account: account, of: merchant, in: $0)
        }
        if let earlier = start.earlier {
            return SettlementImport(
                file: earlier, isRepeated: true, counts: try await self.settlementCounts(of: earlier.id),
                repeatedLinesCount: 0, ignoredLinesCount: 0, foundCount: 0)
        }
        let zone = start.merchant.reportZone
        let dates = read.lines.map(\.date) + [days.lowerBound, days.upperBound]
        let search = SettlementSearch(
            administration: self, merchantID: merchant, accountID: start.accountID,
            from: zone.start(of: (dates.min() ?? days.lowerBound).adding(days: -Self.settlementDaysBefore)),
            to: zone.start(of: (dates.max() ?? days.upperBound).adding(days: Self.settlementDaysAfter + 1)))
        let fresh = start.areLinesKnown ? [] : try await self.freshLines(read.lines, of: start.accountID)
        let matches = SettlementMatches(fresh, try await search.candidates(for: fresh.map(\.line)))
        let lacking = try await search.lacking(from: start.from, to: start.to, without: matches.taken)
        // Once all are found, which may take a while: a day that was closed meanwhile is not booked into.
        let now = self.gateway.now()
        let file = SettlementFile(
            id: self.gateway.makeID(), merchantID: merchant, accountID: start.accountID,
            name: String(document.name.unicodeScalars.prefix(255)), mapping: document.mapping.name,
            digest: start.digest, linesCount: read.lines.count, from: start.from, to: start.to, importedAt: now,
            importedBy: self.gateway.actor)
        let plan = SettlementPlan(file, matches, lacking: lacking)
        try await self.book(plan, of: file, account: account, start.merchant, among: start.known)
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
                let files = try SettlementStart.newestFiles(of: file.accountID, of: file.merchantID, in: transaction)
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
