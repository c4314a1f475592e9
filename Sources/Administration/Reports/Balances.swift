//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
public import Ledger
import Money
public import Payments
public import StrictJSON
public import Time

/// What one account of the ledger holds in one currency and layer.
public struct BalanceRow: ReportRow, Hashable {
    /// Whose it is.
    public let merchant: String
    /// What the account with the acquirer is called; empty for what the merchant is owed.
    public let acquirer: String
    /// What the ledger's account is for: "receivable", "clearing", "payable".
    public let purpose: String
    public let key: LedgerBalances.Key
    public let sums: LedgerBalances.Sums

    public static let columns = [
        "merchant", "acquirer", "account", "layer", "currency", "debits", "credits", "balance", "path",
    ]

    /// Debits less credits, in minor units: what is there, or is owed to whoever runs the gateway; negative for what he
    /// owes. `nil` beyond 64 bits.
    public var balanceMinorUnits: Int64? {
        let (balance, overflow) = self.sums.debits.subtractingReportingOverflow(self.sums.credits)
        return overflow ? nil : balance
    }

    public var cells: [JSON] {
        let text = { (minorUnits: Int64) -> JSON in
            .string(Money(minorUnits: minorUnits, currency: self.key.currency).decimalText)
        }
        return [
            .string(self.merchant), .string(self.acquirer), .string(self.purpose), .string(self.key.layer.rawValue),
            .string(self.key.currency.code), text(self.sums.debits), text(self.sums.credits),
            self.balanceMinorUnits.map(text) ?? .string(""), .string(self.key.account.path),
        ]
    }
}

extension Administration {
    /// What the ledger's accounts hold, of a merchant or of all, by merchant, acquirer account, purpose, currency, layer.
    ///
    /// - Throws: ``AdministrationError`` `merchant_unknown`, `sum_too_large`; `StoreError`.
    public func balances(of merchant: MerchantID? = nil) async throws -> [BalanceRow] {
        try await self.rows(self.ledgerSums { try await $0.value($1) }.value, of: merchant)
    }

    /// The same as of some minutes ago where adding takes long, and the moment.
    ///
    /// - Throws: as ``balances(of:)``.
    public func recentBalances(
        of merchant: MerchantID? = nil
    ) async throws -> (rows: [BalanceRow], asOf: Timestamp) {
        let sums = try await self.ledgerSums { try await $0.recent($1) }
        return (try await self.rows(sums.value, of: merchant), sums.asOf)
    }

    private func rows(_ sums: LedgerSums, of merchant: MerchantID?) async throws -> [BalanceRow] {
        try await self.read { reader in
            let merchants = try merchant.map { [try Self.merchant($0, in: reader)] } ?? reader.merchants()
            // Whose an account is, by what stands before its last word.
            var owners: [Substring: (place: Int, merchant: String, acquirer: String)] = [:]
            for owner in merchants {
                owners["merchant/\(owner.id.text)"] = (owners.count, owner.name, "")
                for account in try reader.acquirerAccounts(of: owner.id) {
                    owners["acquirer/\(account.id.text)"] = (owners.count, owner.name, account.name)
                }
            }
            var rows: [(place: Int, row: BalanceRow)] = []
            for (key, sums) in sums {
                let path = key.account.path
                guard let slash = path.lastIndex(of: "/"), let owner = owners[path[..<slash]] else { continue }
                let purpose = String(path[path.index(after: slash)...])
                rows.append(
                    (
                        owner.place,
                        BalanceRow(
                            merchant: owner.merchant, acquirer: owner.acquirer, purpose: purpose, key: key, sums: sums)
                    ))
            }
            return rows.sorted { ($0.place, $0.row.order) < ($1.place, $1.row.order) }.map(\.row)
        }
    }

    private func ledgerSums(
        _ ask: (KeptRead<LedgerSums>, @escaping @Sendable () async throws -> LedgerSums) async throws
            -> KeptRead<LedgerSums>.Answer
    ) async throws -> KeptRead<LedgerSums>.Answer {
        let store = self.gateway.store
        do {
            return try await ask(self.gateway.longReads.ledgerSums) { try await store.read { try $0.ledgerSums() } }
        } catch is LedgerError {
            // Whose account it is stays out: it may be another merchant's.
            throw AdministrationError(
                .sumTooLarge,
                "A sum of the ledger is beyond what 64 bits hold, so that there are no balances. pomona ledger check names the "
                    + "account; reports of single days have their own sums.")
        }
    }
}

private typealias LedgerSums = [LedgerBalances.Key: LedgerBalances.Sums]

extension BalanceRow {
    /// What no other row has.
    public var name: String { "\(self.key.account.path).\(self.key.currency.code).\(self.key.layer.rawValue)" }

    fileprivate var order: String {
        "\(self.purpose) \(self.key.currency.code) \(self.key.layer == .pending ? 0 : 1)"
    }
}
