//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Ledger
import Money
import Time

/// What the ledger books for settlement files.
///
/// | what | posted layer |
/// |---|---|
/// | a capture that is settled | debit clearing, credit receivable |
/// | a refund or a chargeback that is settled | debit receivable, credit clearing |
/// | a line that names nothing, and what differs in an amount | debit clearing, credit differences, or the other way |
/// | a fee | debit fees, credit clearing; debit receivable where the fee was booked when it was reported |
/// | a resolved difference | between differences (receivable, for what the file lacks) and what it turned out to be |
/// | a resolved difference of what came to nothing late | what it turned out to be, back to receivable |
///
/// So clearing always is what the acquirer's files add up to: what it must have paid to the bank account. Receivable is
/// what it has yet to settle, and differences what somebody has yet to look into.
extension Bookkeeping {
    /// What the acquirer has settled, and has paid or will pay to the bank account.
    public static func clearing(of account: AcquirerAccountID) -> LedgerAccount {
        LedgerAccount(path: "acquirer/\(account.text)/clearing")
    }

    /// What the acquirer has settled otherwise than the ledger expects, and nobody has explained yet.
    public static func differences(of account: AcquirerAccountID) -> LedgerAccount {
        LedgerAccount(path: "acquirer/\(account.text)/differences")
    }

    /// What was given up.
    public static func writtenOff(of account: AcquirerAccountID) -> LedgerAccount {
        LedgerAccount(path: "acquirer/\(account.text)/written-off")
    }

    /// All that is booked for an item: an entry for the line, and one for its resolution; neither where there is nothing
    /// to book.
    ///
    /// - Throws: `LedgerError` where a sum goes beyond 64 bits.
    public static func entries(for item: SettlementItem) throws(LedgerError) -> [JournalEntry] {
        var entries: [JournalEntry] = []
        if let entry = try self.lineEntry(for: item) { entries.append(entry) }
        if let entry = try self.resolutionEntry(for: item) { entries.append(entry) }
        return entries
    }

    /// What is booked when the file is imported.
    public static func lineEntry(for item: SettlementItem) throws(LedgerError) -> JournalEntry? {
        let clearing = self.clearing(of: item.accountID)
        let receivable = self.receivable(of: item.accountID)
        var postings = Postings(item)
        switch item.verdict {
        case .matched, .amountDiffers:
            let owed = item.ledgerMinorUnits ?? item.amount.minorUnits
            postings.move(item.kind.isPaid ? owed : -owed, from: receivable, to: clearing)
            postings.move(item.differenceMinorUnits, from: self.differences(of: item.accountID), to: clearing)
        case .settledBefore, .missingInLedger:
            postings.move(item.differenceMinorUnits, from: self.differences(of: item.accountID), to: clearing)
        case .fee: postings.move(item.amount.minorUnits, from: clearing, to: self.fees(of: item.accountID))
        case .missingInFile, .failedLate: break
        }
        let fees = item.isFeeBooked ? receivable : self.fees(of: item.accountID)
        postings.move(item.feeMinorUnits, from: clearing, to: fees)
        return try postings.entry(item.id.description, .settlement, at: item.bookedAt)
    }

    /// What is booked when a difference is resolved.
    public static func resolutionEntry(for item: SettlementItem) throws(LedgerError) -> JournalEntry? {
        guard let resolution = item.resolution else { return nil }
        let receivable = self.receivable(of: item.accountID)
        let lies =
            switch item.verdict {
            case .missingInFile, .failedLate: receivable
            case .matched, .amountDiffers, .settledBefore, .missingInLedger, .fee: self.differences(of: item.accountID)
            }
        let belongs =
            switch resolution.decision {
            case .writtenOff: self.writtenOff(of: item.accountID)
            case .fee: self.fees(of: item.accountID)
            case .ours: self.payable(to: item.merchantID)
            case .theirs: receivable
            }
        var postings = Postings(item)
        if lies != belongs { postings.move(item.differenceMinorUnits, from: belongs, to: lies) }
        return try postings.entry("\(item.id)/resolution", .correction, at: resolution.at)
    }
}

/// The legs of an item's entry.
private struct Postings {
    private let item: SettlementItem
    private var legs: [JournalEntry.Leg] = []

    init(_ item: SettlementItem) {
        self.item = item
    }

    /// Credits one account and debits the other; the other way round for a negative number.
    mutating func move(_ minorUnits: Int64, from credited: LedgerAccount, to debited: LedgerAccount) {
        guard minorUnits != 0, minorUnits != .min else { return }
        let isForward = minorUnits > 0
        self.legs.append(
            JournalEntry.Leg(
                layer: .posted, debit: isForward ? debited : credited, credit: isForward ? credited : debited,
                amount: Money(minorUnits: abs(minorUnits), currency: self.item.amount.currency)))
    }

    func entry(_ id: String, _ kind: JournalEntry.Kind, at moment: Timestamp) throws(LedgerError) -> JournalEntry? {
        guard !self.legs.isEmpty else { return nil }
        return try JournalEntry.transfer(
            id: id, subject: self.item.id.file.text, kind: kind, bookedAt: moment, legs: self.legs)
    }
}
