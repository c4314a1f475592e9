//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
public import Time

/// Which entries of the audit log.
public struct AuditQuery: Hashable, Sendable {
    /// Part of who has done it.
    public var actor: String?
    /// The act's name, or its first word: "merchant.create", "merchant".
    public var act: String?
    /// Part of what it was done to.
    public var subject: String?
    public var from: Timestamp?
    public var to: Timestamp?
    public var newestFirst = true
    /// Only those after that number in the order.
    public var after: Int64?
    public var limit = 50

    public init() {}

    /// Whether an entry is one of those.
    func fits(_ entry: AuditEntry) -> Bool {
        if let actor, !entry.actor.lowercased().contains(actor.lowercased()) { return false }
        if let act, entry.act.name != act, !entry.act.name.hasPrefix("\(act).") { return false }
        if let subject, !entry.subject.lowercased().contains(subject.lowercased()) { return false }
        if let from, entry.at < from { return false }
        if let to, entry.at >= to { return false }
        return true
    }
}

/// A page of the audit log.
public struct AuditPage: Sendable {
    public let entries: [AuditEntry]
    /// Where the next page begins; `nil` at the end. A page may be short, or empty, and not be the last: so many entries
    /// have been looked at.
    public let next: Int64?
}

extension Administration {
    /// How many entries are looked at for a page.
    static let auditLookMax = 5000

    /// Entries that fit, found by a walk over the numbers: they have no gaps.
    ///
    /// - Throws: `StoreError`.
    public func auditEntries(_ query: AuditQuery) async throws -> AuditPage {
        let step = Int64(Self.reportPageCount)
        return try await self.read { reader in
            var found: [AuditEntry] = []
            var looked = 0
            let last = try reader.lastAuditEntry()?.number ?? 0
            // What has been looked at reaches to there.
            var place = query.after ?? (query.newestFirst ? last + 1 : 0)
            while looked < Self.auditLookMax {
                let low = query.newestFirst ? max(0, place - 1 - step) : place
                let count = query.newestFirst ? place - 1 - low : step
                guard count > 0 else { return AuditPage(entries: found, next: nil) }
                var page = try reader.auditEntries(after: low, limit: Int(count))
                guard !page.isEmpty else { return AuditPage(entries: found, next: nil) }
                if query.newestFirst { page.reverse() }
                for entry in page {
                    place = entry.number
                    looked += 1
                    guard query.fits(entry) else { continue }
                    found.append(entry)
                    if found.count == query.limit {
                        let isLast = query.newestFirst ? entry.number <= 1 : entry.number >= last
                        return AuditPage(entries: found, next: isLast ? nil : entry.number)
                    }
                }
            }
            let isLast = query.newestFirst ? place <= 1 : place >= last
            return AuditPage(entries: found, next: isLast ? nil : place)
        }
    }
}
