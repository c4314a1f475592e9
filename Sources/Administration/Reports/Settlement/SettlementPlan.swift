//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Crypto
import Money
import Payments
import Time

/// What importing a settlement file comes to, before any of it is written.
struct SettlementPlan: Sendable {
    private(set) var items: [SettlementItem] = []
    /// Items of earlier files that lacked what this one has, with their resolutions.
    private(set) var found: [SettlementItem] = []
    /// How many lines an earlier file had.
    private(set) var repeatedCount = 0

    private let file: SettlementFile

    /// - Parameters:
    ///   - isKnown: whether the account has an item of an identity.
    init(
        _ file: SettlementFile, _ lines: [SettlementLine], _ candidates: SettlementCandidates,
        isKnown: (String) throws -> Bool
    ) rethrows {
        self.file = file
        var occurrences: [String: Int] = [:]
        var fresh: [(line: SettlementLine, identity: String)] = []
        for line in lines {
            let digest = line.identity
            occurrences[digest, default: 0] += 1
            let identity = "\(digest) \(occurrences[digest, default: 1])"
            if try isKnown(identity) { self.repeatedCount += 1 } else { fresh.append((line, identity)) }
        }
        var taken: Set<Int> = []
        var matches: [Int: Int] = [:]
        // Equal amounts first, so that no line takes from another what is surely its own.
        for wantsEqual in [true, false] {
            for (place, (line, _)) in fresh.enumerated() where matches[place] == nil {
                let match = candidates.meant(by: line).first { index in
                    let candidate = candidates.all[index]
                    return candidate.isOpen && !taken.contains(index)
                        && (candidate.amount == line.amount) == wantsEqual
                }
                guard let match else { continue }
                matches[place] = match
                taken.insert(match)
            }
        }
        for (place, (line, identity)) in fresh.enumerated() {
            if let match = matches[place] {
                self.add(line, identity, settling: candidates.all[match])
            } else {
                let meant = candidates.meant(by: line)
                let index = meant.first { !candidates.all[$0].isTakenBack } ?? meant.first { !taken.contains($0) }
                if let index { taken.insert(index) }
                self.add(line, identity, meaning: index.map { candidates.all[$0] })
            }
        }
        for (index, candidate) in candidates.all.enumerated() where !taken.contains(index) {
            self.add(lacking: candidate)
        }
    }

    private var nextID: SettlementItem.ID { SettlementItem.ID(file: self.file.id, number: self.items.count + 1) }

    private mutating func add(
        _ line: SettlementLine, _ identity: String, settling candidate: SettlementCandidates.Candidate
    ) {
        let item = self.item(
            line, identity, candidate.amount == line.amount ? .matched : .amountDiffers, candidate,
            isFeeBooked: candidate.isFeeBooked)
        self.items.append(item)
        guard var lacking = candidate.lacking, lacking.resolution == nil else { return }
        lacking.resolution = SettlementResolution(
            decision: .theirs, reason: "settled by \(item.id)", at: self.file.importedAt, by: self.file.importedBy)
        self.found.append(lacking)
    }

    private mutating func add(
        _ line: SettlementLine, _ identity: String, meaning candidate: SettlementCandidates.Candidate?
    ) {
        let verdict: SettlementItem.Verdict =
            line.kind == .fee ? .fee : candidate?.isTakenBack ?? true ? .missingInLedger : .settledBefore
        // What was taken back is a candidate for its fee alone.
        self.items.append(
            self.item(line, identity, verdict, candidate, isFeeBooked: candidate?.isTakenBack ?? false))
    }

    private func item(
        _ line: SettlementLine, _ identity: String, _ verdict: SettlementItem.Verdict,
        _ candidate: SettlementCandidates.Candidate?, isFeeBooked: Bool
    ) -> SettlementItem {
        SettlementItem(
            id: self.nextID, merchantID: self.file.merchantID, accountID: self.file.accountID, kind: line.kind,
            date: line.date.description, reference: line.references.first ?? line.ownReferences.first ?? "",
            amount: line.amount, feeMinorUnits: line.feeMinorUnits, verdict: verdict,
            operationID: candidate?.operationID, paymentID: candidate?.paymentID,
            ledgerMinorUnits: candidate?.amount.minorUnits, isFeeBooked: isFeeBooked, identity: identity,
            bookedAt: self.file.importedAt)
    }

    /// A movement of the file's time that the file lacks, unless an earlier file has lacked it too.
    private mutating func add(lacking candidate: SettlementCandidates.Candidate) {
        guard candidate.resolvedAt >= self.file.from, candidate.resolvedAt < self.file.to, candidate.settledBy == nil,
            candidate.lacking == nil, !candidate.isTakenBack, let kind = SettlementItem.Kind(settling: candidate.kind)
        else { return }
        self.items.append(
            SettlementItem(
                id: self.nextID, merchantID: self.file.merchantID, accountID: self.file.accountID, kind: kind, date: "",
                reference: candidate.operationID.text, amount: .zero(candidate.amount.currency),
                verdict: .missingInFile, operationID: candidate.operationID, paymentID: candidate.paymentID,
                ledgerMinorUnits: candidate.amount.minorUnits,
                identity: SettlementItem.lackingIdentity(of: candidate.operationID), bookedAt: self.file.importedAt))
    }
}

extension SettlementItem.Kind {
    fileprivate init?(settling kind: PaymentOperation.Kind) {
        guard let found = Self.allCases.first(where: { $0.operationKind == kind }) else { return nil }
        self = found
    }
}

extension SettlementLine {
    /// A digest of all that the line says. The same line of another file has the same.
    fileprivate var identity: String {
        var hash = SHA256()
        let fields =
            [
                self.kind.rawValue, self.date.description, "\(self.amount.minorUnits)", self.amount.currency.code,
                "\(self.feeMinorUnits)", "\(self.references.count)",
            ] + self.references + self.ownReferences
        for field in fields {
            hash.update(data: withUnsafeBytes(of: UInt32(field.utf8.count).bigEndian, Array.init))
            hash.update(data: Array(field.utf8))
        }
        return Hex.encode(hash.finalize())
    }
}
