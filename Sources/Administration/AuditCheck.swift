//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) public import Gateway
import Payments

/// What a check of the audit log has found.
public struct AuditReport: Hashable, Sendable {
    /// How many entries are right, from the first one on.
    public fileprivate(set) var entriesCount: Int64 = 0
    /// The digest of the last of them; 32 zero bytes when there is none.
    public fileprivate(set) var head = AuditEntry.noDigest
    /// Where the chain breaks.
    public fileprivate(set) var firstBreak: Break?
    /// Whether the head that was asked for is in the chain; `nil` when none was.
    public fileprivate(set) var hasKnownHead: Bool?

    /// The first thing that is wrong.
    public struct Break: Hashable, Sendable {
        /// The entry that is wrong, or that should be there.
        public let number: Int64
        public let reason: Reason
    }

    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// There is no entry of that number, and there are later ones.
        case missing
        /// It does not hold the digest of the one before.
        case unlinked
        /// It is not as it was written, or nobody can read it.
        case changed
        /// There are no entries, and there were: their key is there, or merchants are.
        case emptied
        /// A merchant is there whose making it does not record: it was begun anew, with another key.
        case begunAnew
        /// What the log's key is made from is gone.
        case keyMissing
    }

    public var isSound: Bool { self.firstBreak == nil && self.hasKnownHead != false }
}

extension Administration {
    /// Writes an act into the log that is none of the store's: a file that is put beside it.
    public func note(_ draft: AuditDraft) async throws {
        try await self.gateway.administer(draft) { _, _ in }
    }

    /// Checks every entry of the audit log against the one before it and against its digest.
    ///
    /// Entries that were taken from the end are found only by a head that was noted before.
    /// - Parameter knownHead: the digest of an entry that must be there.
    public func checkAuditLog(knownHead: [UInt8]? = nil) async throws -> AuditReport {
        try await self.gateway.longReads.value {
            try await self.gateway.withFreshKeys {
                try await self.read { reader in
                    try AuditReport(reader, key: try self.gateway.auditKey(in: reader), knownHead: knownHead)
                }
            }
        }
    }

    /// How many entries the log has and the digest of the last one, unchecked.
    public func auditHead() async throws -> (entriesCount: Int64, digest: [UInt8]) {
        let last = try await self.read { try $0.lastAuditEntry() }
        return (last?.number ?? 0, last?.digest ?? AuditEntry.noDigest)
    }
}

extension AuditReport {
    private static let pageCount = 256

    fileprivate init(_ reader: any StoreReader, key: AuditKey?, knownHead: [UInt8]?) throws {
        self.hasKnownHead = knownHead.map { $0 == AuditEntry.noDigest }
        var last: AuditEntry?
        var made: Set<String> = []
        while self.firstBreak == nil {
            let page = try self.page(after: last?.number ?? 0, reader)
            for entry in page {
                if let reason = Self.problem(of: entry, after: last, key) {
                    self.firstBreak = Break(
                        number: reason == .missing ? self.entriesCount + 1 : entry.number, reason: reason)
                    break
                }
                self.entriesCount = entry.number
                self.head = entry.digest
                if entry.digest == knownHead { self.hasKnownHead = true }
                if entry.act == .merchantCreate, let id = entry.details["id"] { made.insert(id) }
                last = entry
            }
            if page.isEmpty { break }
        }
        guard self.firstBreak == nil else { return }
        // A merchant and the entry that records its making were written in one commit, and so were the first entry and
        // the key.
        let isRecorded = try reader.merchants().allSatisfy { made.contains($0.id.text) }
        if last == nil, key != nil || !isRecorded {
            self.firstBreak = Break(number: 1, reason: .emptied)
        } else if !isRecorded {
            self.firstBreak = Break(number: 1, reason: .begunAnew)
        }
    }

    /// The next entries. Of those that come before one that cannot be read there are fewer, and the one itself is a break.
    private mutating func page(after number: Int64, _ reader: any StoreReader) throws -> [AuditEntry] {
        do {
            return try reader.auditEntries(after: number, limit: Self.pageCount)
        } catch StoreError.corrupt {
            var page: [AuditEntry] = []
            do {
                while true {
                    guard let next = try reader.auditEntries(after: page.last?.number ?? number, limit: 1).first
                    else { return page }
                    page.append(next)
                }
            } catch StoreError.corrupt {
                guard page.isEmpty else { return page }
                self.firstBreak = Break(number: number + 1, reason: .changed)
                return []
            }
        }
    }

    private static func problem(of entry: AuditEntry, after last: AuditEntry?, _ key: AuditKey?) -> Reason? {
        guard entry.number == (last?.number ?? 0) + 1 else { return .missing }
        guard let key else { return .keyMissing }
        guard entry.follows(last) else { return .unlinked }
        return key.isOf(entry) ? nil : .changed
    }
}
