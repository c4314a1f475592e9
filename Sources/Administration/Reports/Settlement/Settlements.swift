//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
import Ledger
import Money
public import Payments
public import StrictJSON
import Time

extension Administration {
    /// The settlement files of a merchant, or of all, newest first.
    ///
    /// - Parameter id: only those before that one: the next page.
    public func settlementFiles(
        of merchant: MerchantID? = nil, before id: SettlementFileID? = nil, limit: Int = 100
    ) async throws -> [SettlementFile] {
        try await self.read { try $0.settlementFiles(of: merchant, before: id, limit: limit) }
    }

    /// Items that fit, by their ids. What a file lacks has the date of its operation.
    public func settlementItems(_ query: SettlementQuery) async throws -> [SettlementItem] {
        try await self.read { try Self.dated(try $0.settlementItems(query), in: $0) }
    }

    /// How many items of a file there are of each verdict.
    public func settlementCounts(of file: SettlementFileID) async throws -> [SettlementItem.Verdict: Int] {
        var counts: [SettlementItem.Verdict: Int] = [:]
        try await self.eachItem(SettlementQuery(fileID: file)) { counts[$0.verdict, default: 0] += 1 }
        return counts
    }

    /// How many differences of a file nobody has resolved.
    public func openDifferences(of file: SettlementFileID, _ merchant: MerchantID) async throws -> Int {
        var count = 0
        try await self.eachItem(SettlementQuery(merchantID: merchant, fileID: file, isOpen: true)) { _ in count += 1 }
        return count
    }

    /// All items that fit, page by page.
    private func eachItem(_ query: SettlementQuery, _ body: (SettlementItem) -> Void) async throws {
        var query = query
        query.limit = Self.reportPageCount
        while true {
            let page = try await self.settlementItems(query)
            for item in page { body(item) }
            query.after = page.last?.id
            guard page.count == Self.reportPageCount else { return }
        }
    }

    /// Books what a difference has turned out to be, once.
    ///
    /// - Parameter reason: for whoever asks later, and for the audit log.
    /// - Returns: the item with its resolution.
    /// - Throws: ``AdministrationError`` `settlement_unknown`, `settlement_resolved`; `StoreError`.
    @discardableResult
    public func resolveSettlement(
        _ id: SettlementItem.ID, as decision: SettlementResolution.Decision, reason: String
    ) async throws -> SettlementItem {
        let resolution = SettlementResolution(
            decision: decision, reason: reason, at: self.gateway.now(), by: self.gateway.actor)
        let details = ["item": id.description, "decision": decision.rawValue, "reason": reason]
        let resolved = try await self.gateway.administer(AuditDraft(.settlementResolve, "", details)) {
            transaction, draft in
            guard var item = try transaction.settlementItem(id) else {
                throw AdministrationError(.settlementUnknown, "The store has no item \(id) of a settlement file.")
            }
            draft.subject = try Self.merchant(item.merchantID, in: transaction).name
            guard item.isOpen else {
                throw AdministrationError(
                    .settlementResolved,
                    item.verdict.isDifference
                        ? "The difference \(id) is resolved, and stays so." : "\(id) is no difference.")
            }
            try Self.checkStands(item, as: decision, in: transaction)
            item.resolution = resolution
            do {
                try transaction.resolve(item, booking: try Bookkeeping.resolutionEntry(for: item))
            } catch StoreError.conflict {
                throw AdministrationError(.settlementResolved, "The difference \(id) is resolved, and stays so.")
            }
            return item
        }
        // What is done is done, also where this cannot be read.
        return (try? await self.read { try Self.dated([resolved], in: $0).first }) ?? resolved
    }

    /// What the books have taken back already, when the payment was voided or came to nothing, is not booked once more.
    /// The payment is read, and so locked, before the resolution is written: a failure that is booked meanwhile either
    /// finds the resolution, and takes it back, or is found here.
    private static func checkStands(
        _ item: SettlementItem, as decision: SettlementResolution.Decision, in reader: any StoreReader
    ) throws {
        guard item.verdict == .missingInFile || item.verdict.settles, decision != .theirs,
            let operation = item.operationID,
            let payment = try item.paymentID.flatMap({ try reader.payment($0) }), payment.isUndone(operation)
        else { return }
        throw AdministrationError(
            .settlementTakenBack,
            "\(operation) has been taken back since, in the books too: resolve the difference \(item.id) as theirs.")
    }
}

/// An item as reports show it.
public struct SettlementRow: ReportRow {
    public static let columns = [
        "item", "date", "kind", "reference", "amount", "currency", "fee", "verdict", "ledgerAmount", "difference",
        "payment", "operation", "resolution", "reason", "resolvedAt", "resolvedBy",
    ]

    public let item: SettlementItem

    public init(_ item: SettlementItem) {
        self.item = item
    }

    public var cells: [JSON] {
        let item = self.item
        let money = { (units: Int64) -> JSON in
            .string(Money(minorUnits: units, currency: item.amount.currency).decimalText)
        }
        return [
            .string(item.id.description), .string(item.date), .string(item.kind.rawValue), .string(item.reference),
            .string(item.amount.decimalText), .string(item.amount.currency.code), money(item.feeMinorUnits),
            .string(item.verdict.rawValue), item.ledgerMinorUnits.map(money) ?? .string(""),
            money(item.differenceMinorUnits), .string(item.paymentID?.text ?? ""),
            .string(item.operationID?.text ?? ""), .string(item.resolution?.decision.rawValue ?? ""),
            .string(item.resolution?.reason ?? ""), .string(item.resolution?.at.description ?? ""),
            .string(item.resolution?.by ?? ""),
        ]
    }
}
