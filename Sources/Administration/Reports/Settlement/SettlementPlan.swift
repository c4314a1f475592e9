//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Crypto
import Money
import Payments
import StrictJSON
import Time

/// Which movements the lines of a settlement file mean.
struct SettlementMatches: Sendable {
    /// A line that no earlier file had.
    struct Fresh: Sendable {
        let line: SettlementLine
        let identity: String
    }

    struct Match: Sendable {
        let fresh: Fresh
        /// What the line means, if it means anything.
        let candidate: SettlementCandidates.Candidate?
        let settles: Bool
    }

    /// In the order of the lines.
    let all: [Match]
    /// What they mean.
    let taken: Set<OperationID>

    init(_ lines: [Fresh], _ candidates: SettlementCandidates) {
        let meant = lines.map { candidates.meant(by: $0.line) }
        var taken: Set<Int> = []
        var matches: [Int: Int] = [:]
        // Equal amounts first, so that no line takes from another what is surely its own.
        for wantsEqual in [true, false] {
            for (place, fresh) in lines.enumerated() where matches[place] == nil {
                let match = meant[place].first { index in
                    let candidate = candidates.all[index]
                    return candidate.isOpen && !taken.contains(index)
                        && (candidate.amount == fresh.line.amount) == wantsEqual
                }
                guard let match else { continue }
                matches[place] = match
                taken.insert(match)
            }
        }
        var all: [Match] = []
        for (place, fresh) in lines.enumerated() {
            if let match = matches[place] {
                all.append(Match(fresh: fresh, candidate: candidates.all[match], settles: true))
            } else {
                let index =
                    meant[place].first { !candidates.all[$0].isTakenBack } ?? meant[place].first { !taken.contains($0) }
                if let index { taken.insert(index) }
                all.append(Match(fresh: fresh, candidate: index.map { candidates.all[$0] }, settles: false))
            }
        }
        self.all = all
        self.taken = Set(taken.map { candidates.all[$0].operationID })
    }

    /// By what lines are recognized in another file, in their order: what each says, and which one of those that say it.
    static func identities(of lines: [SettlementLine]) -> [String] {
        var occurrences: [String: Int] = [:]
        return lines.map { line in
            let digest = line.identity
            occurrences[digest, default: 0] += 1
            return "\(digest) \(occurrences[digest, default: 1])"
        }
    }
}

/// What importing a settlement file comes to, before any of it is written.
struct SettlementPlan: Sendable {
    enum Entry: Sendable {
        case line(SettlementMatches.Match)
        case lacking(SettlementCandidates.Candidate)

        var isLine: Bool {
            switch self {
            case .line: true
            case .lacking: false
            }
        }
    }

    /// The lines, then what is lacking: that is right whatever was cut off before it, once all lines are booked.
    let entries: [Entry]

    /// - Parameter lacking: movements of the file's time that it and all earlier ones lack.
    init(_ matches: SettlementMatches, lacking: [SettlementCandidates.Candidate]) {
        self.entries = matches.all.map(Entry.line) + lacking.map(Entry.lacking)
    }
}

/// What is written of a plan in one commit.
struct SettlementPart: Sendable {
    private(set) var items: [SettlementItem] = []
    /// Items of earlier files that lacked what this one has, with their resolutions.
    private(set) var found: [SettlementItem] = []

    private let file: SettlementFile

    init(_ entries: some Sequence<SettlementPlan.Entry>, of file: SettlementFile) {
        self.file = file
        for entry in entries {
            switch entry {
            case .line(let match):
                let (line, identity) = (match.fresh.line, match.fresh.identity)
                if match.settles, let candidate = match.candidate {
                    self.add(line, identity, settling: candidate)
                } else {
                    self.add(line, identity, meaning: match.candidate)
                }
            case .lacking(let candidate): self.add(lacking: candidate)
            }
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
            date: line.date.description, reference: (line.references.first ?? line.ownReferences.first)?.text ?? "",
            amount: line.amount, feeMinorUnits: line.feeMinorUnits, verdict: verdict,
            operationID: candidate?.operationID, paymentID: candidate?.paymentID,
            ledgerMinorUnits: candidate?.amount.minorUnits, isFeeBooked: isFeeBooked, identity: identity,
            bookedAt: self.file.importedAt)
    }

    private mutating func add(lacking candidate: SettlementCandidates.Candidate) {
        guard let kind = SettlementItem.Kind(settling: candidate.kind) else { return }
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
        hash.update(
            fields: [
                self.kind.rawValue, self.date.description, "\(self.amount.minorUnits)", self.amount.currency.code,
                "\(self.feeMinorUnits)", "\(self.references.count)",
            ] + (self.references + self.ownReferences).map(\.text))
        return Hex.encode(hash.finalize())
    }
}
