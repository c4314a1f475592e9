//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money
public import Time

/// A line of a settlement file, or a movement that such a file lacks, with what the comparison found. Written once; only
/// its resolution is added, once.
public struct SettlementItem: Hashable, Sendable, Identifiable {
    /// What the line is about.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A capture: the acquirer pays it.
        case payment
        case refund
        case chargeback
        /// The acquirer keeps it, for no payment in particular.
        case fee
        /// Anything else that the acquirer pays.
        case credit
        /// Anything else that the acquirer keeps.
        case debit

        /// Whether the acquirer pays it out, rather than keeps it.
        public var isPaid: Bool {
            switch self {
            case .payment, .credit: true
            case .refund, .chargeback, .fee, .debit: false
            }
        }

        /// The kind of the ledger's operation that such a line settles.
        public var operationKind: Operation.Kind? {
            switch self {
            case .payment: .capture
            case .refund: .refund
            case .chargeback: .chargeback
            case .fee, .credit, .debit: nil
            }
        }
    }

    /// What the comparison found.
    public enum Verdict: String, Hashable, Sendable, CaseIterable {
        case matched
        /// The line settles an operation, with another amount.
        case amountDiffers
        /// The line names an operation that another line has settled before.
        case settledBefore
        /// The line names nothing that the ledger knows.
        case missingInLedger
        /// The ledger has an operation that the file lacks.
        case missingInFile
        /// A fee, which is booked as it stands.
        case fee
        /// An operation that came to nothing late, after a difference of it was resolved: what that has booked is taken back.
        /// No line says so, but the acquirer's report.
        case failedLate

        public var isDifference: Bool {
            switch self {
            case .amountDiffers, .settledBefore, .missingInLedger, .missingInFile: true
            case .matched, .fee, .failedLate: false
            }
        }

        /// Whether the line settles its operation.
        public var settles: Bool { self == .matched || self == .amountDiffers }
    }

    public struct ID: Hashable, Sendable, Comparable, CustomStringConvertible {
        public let file: SettlementFileID
        /// From 1, in the order of the file.
        public let number: Int

        public init(file: SettlementFileID, number: Int) {
            self.file = file
            self.number = number
        }

        /// "set_01M7…/12".
        public init?(_ text: String) {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, let file = SettlementFileID(String(parts[0])), let number = Int(parts[1]),
                number >= 1, String(number) == parts[1]
            else { return nil }
            self.init(file: file, number: number)
        }

        public var description: String { "\(self.file)/\(self.number)" }

        public static func < (first: ID, second: ID) -> Bool {
            (first.file, first.number) < (second.file, second.number)
        }
    }

    public let id: ID
    public let merchantID: MerchantID
    public let accountID: AcquirerAccountID
    public let kind: Kind
    /// The line's date, "2026-11-22"; empty in a store for what the file lacks.
    public let date: String
    /// What the line calls it: the acquirer's reference, else the merchant's. May be empty.
    public let reference: String
    /// What the line says; nothing for what the file lacks. Of what came to nothing late all that was paid for it.
    public let amount: Money
    /// What the acquirer kept of it, in minor units of the amount's currency; negative for what it gave back.
    public let feeMinorUnits: Int64
    public let verdict: Verdict
    /// The operation that is settled, or is lacking.
    public let operationID: OperationID?
    public let paymentID: PaymentID?
    /// What the ledger has of the operation, in minor units.
    public let ledgerMinorUnits: Int64?
    /// Whether the fee was booked when the acquirer reported the operation.
    public let isFeeBooked: Bool
    /// By what the same line is recognized in another file. Unique in the account.
    public let identity: String
    public let bookedAt: Timestamp
    public var resolution: SettlementResolution?

    public init(
        id: ID, merchantID: MerchantID, accountID: AcquirerAccountID, kind: Kind, date: String, reference: String,
        amount: Money, feeMinorUnits: Int64 = 0, verdict: Verdict, operationID: OperationID? = nil,
        paymentID: PaymentID? = nil, ledgerMinorUnits: Int64? = nil, isFeeBooked: Bool = false, identity: String,
        bookedAt: Timestamp, resolution: SettlementResolution? = nil
    ) {
        self.id = id
        self.merchantID = merchantID
        self.accountID = accountID
        self.kind = kind
        self.date = date
        self.reference = reference
        self.amount = amount
        self.feeMinorUnits = feeMinorUnits
        self.verdict = verdict
        self.operationID = operationID
        self.paymentID = paymentID
        self.ledgerMinorUnits = ledgerMinorUnits
        self.isFeeBooked = isFeeBooked
        self.identity = identity
        self.bookedAt = bookedAt
        self.resolution = resolution
    }

    /// What the acquirer has paid more than the ledger says (or less, if negative), in minor units.
    public var differenceMinorUnits: Int64 {
        let (paid, owed) =
            switch self.verdict {
            case .matched, .fee: (Int64(0), Int64(0))
            case .amountDiffers: (self.amount.minorUnits, self.ledgerMinorUnits ?? 0)
            case .settledBefore, .missingInLedger: (self.amount.minorUnits, Int64(0))
            case .missingInFile: (Int64(0), self.ledgerMinorUnits ?? 0)
            // The other way: what was resolved is taken back.
            case .failedLate: (self.ledgerMinorUnits ?? 0, self.amount.minorUnits)
            }
        return self.kind.isPaid ? paid - owed : owed - paid
    }

    /// By what it is recognized that a file lacks an operation: it is listed once, however many files lack it.
    public static func lackingIdentity(of operation: OperationID) -> String { "lacking \(operation)" }

    /// By what it is recognized that a resolved difference was taken back: it is once.
    public static func failedIdentity(of id: ID) -> String { "failed late \(id)" }

    /// What takes the resolution of a difference back, since the acquirer reports that the operation came to nothing: the
    /// same decision about the same amount, the other way. The difference is then what it is as
    /// ``SettlementResolution/Decision/theirs``: whatever was paid for an operation that came to nothing is the acquirer's.
    ///
    /// - Parameters:
    ///   - number: its own in the file.
    ///   - actor: who is named as having resolved it.
    /// - Returns: `nil` where nothing was booked that has to be taken back.
    public func takenBack(as number: Int, by actor: String, at now: Timestamp) -> SettlementItem? {
        guard let decision = self.resolution?.decision, decision != .theirs, self.differenceMinorUnits != 0,
            self.verdict != .failedLate, let operationID = self.operationID, let owed = self.ledgerMinorUnits
        else { return nil }
        let difference = self.kind.isPaid ? self.differenceMinorUnits : -self.differenceMinorUnits
        return SettlementItem(
            id: ID(file: self.id.file, number: number), merchantID: self.merchantID, accountID: self.accountID,
            kind: self.kind, date: "", reference: self.reference,
            amount: Money(minorUnits: owed + difference, currency: self.amount.currency), verdict: .failedLate,
            operationID: operationID, paymentID: self.paymentID, ledgerMinorUnits: owed,
            identity: Self.failedIdentity(of: self.id), bookedAt: now,
            resolution: SettlementResolution(
                decision: decision, reason: "\(operationID) failed late: takes back \(self.id)", at: now, by: actor))
    }

    /// Whether somebody has yet to say what it is.
    public var isOpen: Bool { self.verdict.isDifference && self.resolution == nil }
}

/// What a difference has turned out to be.
public struct SettlementResolution: Hashable, Sendable {
    public enum Decision: String, Hashable, Sendable, CaseIterable {
        /// Nobody will get it back, or ask for it.
        case writtenOff = "written-off"
        /// The acquirer has kept it as a fee.
        case fee
        /// The acquirer is right: what the merchant is owed was wrong.
        case ours
        /// The ledger is right: the acquirer owes it, or is owed it.
        case theirs
    }

    public let decision: Decision
    /// For whoever asks later.
    public let reason: String
    public let at: Timestamp
    public let by: String

    public init(decision: Decision, reason: String, at: Timestamp, by: String) {
        self.decision = decision
        self.reason = reason
        self.at = at
        self.by = by
    }
}
