//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import Payments
import Time

/// What the store knows when the import of a settlement file begins.
struct SettlementStart: Sendable {
    let merchant: Merchant
    let accountID: AcquirerAccountID
    /// The first moment of the file's days.
    let from: Timestamp
    /// The first moment after them.
    let to: Timestamp
    /// What the file will be recognized by.
    let digest: [UInt8]
    /// The account's file of the same bytes and the same days.
    let earlier: SettlementFile?
    /// Whether the same bytes were imported for other days. Their lines were booked then, and are not again, although
    /// another mapping may read them otherwise and so not recognize them.
    let areLinesKnown: Bool
    /// The parts before the last one, as far as they were booked (``digest(ofPart:)``).
    let parts: [SettlementFile]
    var partsLinesCount: Int { self.parts.reduce(0) { $0 + $1.linesCount } }
    /// The account's newest files.
    let known: Set<SettlementFileID>

    /// - Parameters:
    ///   - bytesDigest: SHA-256 of the file's bytes.
    ///   - account: the name of the merchant's account with the acquirer.
    /// - Throws: ``AdministrationError`` `merchant_unknown`, `acquirer_unknown`; `StoreError`.
    init(
        _ bytesDigest: [UInt8], for days: ClosedRange<CalendarDay>, account: String, of merchant: MerchantID,
        in reader: any StoreReader
    ) throws {
        self.merchant = try Administration.merchant(merchant, in: reader)
        guard let found = try reader.acquirerAccounts(of: merchant).first(where: { $0.name == account }) else {
            throw AdministrationError(
                .acquirerUnknown, "The merchant \(self.merchant.name) has no acquirer account named \(account).")
        }
        self.accountID = found.id
        let zone = self.merchant.reportZone
        (self.from, self.to) = (zone.start(of: days.lowerBound), zone.start(of: days.upperBound.next))
        self.known = try Self.newestFiles(of: found.id, of: merchant, in: reader)
        guard let first = try reader.settlementFile(of: found.id, digest: bytesDigest) else {
            (self.digest, self.earlier, self.areLinesKnown) = (bytesDigest, nil, false)
            self.parts = try Self.parts(of: bytesDigest, of: found.id, in: reader)
            return
        }
        // The first file of the bytes is found by them alone, for whatever days: so it was before days counted, too.
        guard first.from != self.from || first.to != self.to else {
            (self.digest, self.earlier, self.areLinesKnown) = (first.digest, first, true)
            self.parts = try Self.parts(of: first.digest, of: found.id, in: reader)
            return
        }
        self.digest = Self.digest(of: bytesDigest, from: self.from, to: self.to)
        self.earlier = try reader.settlementFile(of: found.id, digest: self.digest)
        self.areLinesKnown = true
        self.parts = try Self.parts(of: self.digest, of: found.id, in: reader)
    }

    /// The digest of a part that is not the last: the file is recognized once all of it is booked, and until then its parts
    /// are.
    ///
    /// - Parameter number: from 1.
    func digest(ofPart number: Int) -> [UInt8] { Self.digest(ofPart: number, of: self.digest) }

    private static func digest(ofPart number: Int, of digest: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(data: digest)
        hash.update(data: Array("part \(number)".utf8))
        return Array(hash.finalize())
    }

    /// - Parameter digest: the whole file's.
    static func parts(
        of digest: [UInt8], of account: AcquirerAccountID, in reader: any StoreReader
    ) throws -> [SettlementFile] {
        var parts: [SettlementFile] = []
        while let part = try reader.settlementFile(
            of: account, digest: Self.digest(ofPart: parts.count + 1, of: digest))
        { parts.append(part) }
        return parts
    }

    /// By what a file is recognized whose bytes were imported for other days before.
    private static func digest(of bytesDigest: [UInt8], from: Timestamp, to: Timestamp) -> [UInt8] {
        var hash = SHA256()
        hash.update(data: bytesDigest)
        for moment in [from, to] {
            hash.update(data: withUnsafeBytes(of: moment.milliseconds.bigEndian, Array.init))
        }
        return Array(hash.finalize())
    }

    /// By which it is seen that no other file of the account was imported since.
    static func newestFiles(
        of account: AcquirerAccountID, of merchant: MerchantID, in reader: any StoreReader
    ) throws -> Set<SettlementFileID> {
        let files = try reader.settlementFiles(of: merchant, before: nil, limit: 100)
        return Set(files.lazy.filter { $0.accountID == account }.map(\.id))
    }
}

extension SettlementDocument {
    /// The days that it is about: those that were said, else those of its lines.
    ///
    /// - Throws: ``AdministrationError`` `settlement_malformed` where there are neither. Today's would be a guess, and what
    ///   was captured a moment ago would stand there as missing.
    func days(of lines: [SettlementLine]) throws(AdministrationError) -> ClosedRange<CalendarDay> {
        if let days = self.days { return days }
        let dates = lines.map(\.date)
        guard let first = dates.min(), let last = dates.max() else {
            throw AdministrationError(
                .settlementMalformed,
                """
                The settlement file has no lines that settle anything, and so no days of its own. Say the days that it is \
                about: --from and --through, or from and to in the API. Nothing was booked.
                """)
        }
        return first...last
    }
}
