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
    /// The parts that it was booked in, one after the other (``SettlementDocument/commitItemsMax``): most often one. Those
    /// of an import that was cut off are among them.
    public let parts: [SettlementFile]
    /// The last of them.
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
    /// How many lines, and movements that it lacks, are booked in one commit: who pays waits for as long in an embedded store.
    /// A file of more is booked in parts.
    public var commitItemsMax = 5_000

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

    /// Reads a settlement file, compares it with the account's movements, and books what it says. All of it is read and
    /// compared first: a file that cannot be read books nothing. The same file is imported once for the same days; for others
    /// it is compared with the movements of those, and none of its lines is booked again. So is the same line of another file.
    ///
    /// It is booked in one commit, or in several where it is long. An import that was cut off between them has booked whole
    /// parts; who imports the file again has the rest booked. The act's condition (``Gateway/acting(as:if:)``) is the last
    /// commit's, as the whole file is recognized by that alone.
    ///
    /// - Parameter account: the name of the merchant's account with the acquirer.
    /// - Throws: ``AdministrationError`` `merchant_unknown`, `acquirer_unknown`, `settlement_malformed` with line and
    ///   column, or for a file without lines of which nobody says the days, or for one that was begun with another mapping,
    ///   `settlement_raced`; `StoreError`.
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
            let parts = start.parts + [earlier]
            return SettlementImport(
                parts: parts, file: earlier, isRepeated: true, counts: try await self.settlementCounts(of: parts),
                repeatedLinesCount: 0, ignoredLinesCount: 0, foundCount: 0)
        }
        let identities = SettlementMatches.identities(of: read.lines)
        try await self.checkReading(of: start, by: document.mapping, identities)
        let zone = start.merchant.reportZone
        let dates = read.lines.map(\.date) + [days.lowerBound, days.upperBound]
        let search = SettlementSearch(
            administration: self, merchantID: merchant, accountID: start.accountID,
            from: zone.start(of: (dates.min() ?? days.lowerBound).adding(days: -Self.settlementDaysBefore)),
            to: zone.start(of: (dates.max() ?? days.upperBound).adding(days: Self.settlementDaysAfter + 1)))
        let fresh =
            start.areLinesKnown ? [] : try await self.freshLines(read.lines, identities, of: start.accountID)
        let matches = SettlementMatches(fresh, try await search.candidates(for: fresh.map(\.line)))
        let lacking = try await search.lacking(from: start.from, to: start.to, without: matches.taken)
        let booked = try await self.book(
            SettlementPlan(matches, lacking: lacking), of: document, linesCount: read.lines.count, account: account,
            start)
        let linesCount = fresh.count + start.partsLinesCount
        return SettlementImport(
            parts: start.parts + booked.files, file: booked.last, isRepeated: false,
            counts: try await self.settlementCounts(of: start.parts).merging(booked.counts, uniquingKeysWith: +),
            repeatedLinesCount: read.lines.count - linesCount, ignoredLinesCount: read.ignoredCount,
            foundCount: booked.foundCount)
    }

    /// What was booked now.
    private struct BookedParts {
        var files: [SettlementFile] = []
        var last: SettlementFile
        var counts: [SettlementItem.Verdict: Int] = [:]
        var foundCount = 0
    }

    private func settlementCounts(of parts: [SettlementFile]) async throws -> [SettlementItem.Verdict: Int] {
        var counts: [SettlementItem.Verdict: Int] = [:]
        for part in parts { counts.merge(try await self.settlementCounts(of: part.id), uniquingKeysWith: +) }
        return counts
    }

    /// Who reads the lines of an import that was cut off otherwise than it did would book them twice.
    private func checkReading(
        of start: SettlementStart, by mapping: SettlementMapping, _ identities: [String]
    ) async throws {
        guard let first = start.parts.first else { return }
        let item = try await self.read { try $0.settlementItem(SettlementItem.ID(file: first.id, number: 1)) }
        let isRead = item.map { $0.verdict == .missingInFile || Set(identities).contains($0.identity) } ?? true
        guard first.mapping == mapping.name, isRead else {
            throw AdministrationError(
                .settlementMalformed,
                """
                The import of this file was begun with the mapping \(first.mapping), as it was then, and cut off. Import it \
                with that to have the rest booked. Nothing was booked now.
                """)
        }
    }

    /// The lines that no earlier file had.
    private func freshLines(
        _ lines: [SettlementLine], _ identities: [String], of account: AcquirerAccountID
    ) async throws -> [SettlementMatches.Fresh] {
        var known: Set<String> = []
        for part in SettlementSearch.parts(of: Set(identities)) {
            known.formUnion(
                try await self.read { try $0.settlementItems(of: account, identities: Set(part)).keys.map(\.self) })
        }
        return zip(lines, identities).lazy.filter { !known.contains($0.1) }
            .map { SettlementMatches.Fresh(line: $0.0, identity: $0.1) }
    }

    /// Books a plan, part by part. Only the last part has the digest by which the file is known to be imported.
    private func book(
        _ plan: SettlementPlan, of document: SettlementDocument, linesCount: Int, account: String,
        _ start: SettlementStart
    ) async throws -> BookedParts {
        var (files, foundCount) = ([SettlementFile](), 0)
        var counts: [SettlementItem.Verdict: Int] = [:]
        var rest = plan.entries[...]
        let whole = SettlementFile.Part(
            wholeDigest: start.digest,
            wholeLinesCount: start.partsLinesCount + plan.entries.count(where: \.isLine))
        while true {
            try Task.checkCancellation()
            let entries = rest.prefix(max(1, document.commitItemsMax))
            rest = rest.dropFirst(entries.count)
            let (isLast, number) = (rest.isEmpty, start.parts.count + files.count + 1)
            let isWhole = isLast && number == 1
            let name = document.name.unicodeScalars
            // The moment of each commit: a day that was closed meanwhile is not booked into.
            let file = SettlementFile(
                id: self.gateway.makeID(), merchantID: start.merchant.id, accountID: start.accountID,
                name: isWhole ? String(name.prefix(255)) : String(name.prefix(240)) + ", part \(number)",
                mapping: document.mapping.name,
                digest: isLast ? start.digest : start.digest(ofPart: number),
                linesCount: isWhole ? linesCount : entries.count(where: \.isLine), from: start.from, to: start.to,
                importedAt: self.gateway.now(), importedBy: self.gateway.actor, part: isLast ? nil : whole)
            let part = SettlementPart(entries, of: file)
            let known = start.known.union(files.map(\.id))
            try await self.book(part, of: file, account: account, start.merchant, isLast: isLast, among: known)
            files.append(file)
            foundCount += part.found.count
            for item in part.items { counts[item.verdict, default: 0] += 1 }
            if isLast { return BookedParts(files: files, last: file, counts: counts, foundCount: foundCount) }
        }
    }

    /// - Parameter known: the account's files when the plan was begun, and those of the plan: of two at once neither knows what
    ///   the other settles.
    private func book(
        _ part: SettlementPart, of file: SettlementFile, account: String, _ merchant: Merchant, isLast: Bool,
        among known: Set<SettlementFileID>
    ) async throws {
        let differencesCount = part.items.count(where: \.verdict.isDifference)
        let draft = AuditDraft(
            .settlementImport, merchant.name,
            [
                "file": file.id.text, "acquirer": account, "mapping": file.mapping, "lines": "\(file.linesCount)",
                "differences": "\(differencesCount)",
            ])
        let gateway = isLast ? self.gateway : self.gateway.acting(as: self.gateway.actor)
        do {
            try await gateway.administer(draft) { transaction, _ in
                try transaction.insert(file)
                for item in part.items {
                    try transaction.insert(item, booking: try Bookkeeping.lineEntry(for: item))
                }
                for item in part.found {
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
