//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) public import Gateway
public import Payments
public import Time

/// What an operator does: merchants, their accounts with dialects and acquirers, their routes. Every act is one commit,
/// and stands in the audit log.
///
/// Dialects cannot import it: whoever has a merchant's password administers nothing.
public struct Administration: Sendable {
    let gateway: Gateway
    /// By what right it acts, where a second person may be needed.
    let authority: Authority

    public init(_ gateway: Gateway) {
        self.init(gateway, Authority())
    }

    private init(_ gateway: Gateway, _ authority: Authority) {
        self.gateway = gateway
        self.authority = authority
    }

    /// The same, which acts by another right.
    public func by(_ authority: Authority) -> Administration { Administration(self.gateway, authority) }

    /// The same, on behalf of somebody else: see `Gateway.acting(as:if:)`.
    ///
    /// - Parameter condition: what must hold in the act's own transaction, for acts that are one commit.
    public func acting(
        as actor: String, if condition: (@Sendable (any StoreTransaction) throws -> Void)? = nil
    ) -> Administration {
        Administration(self.gateway.acting(as: actor, if: condition), self.authority)
    }

    /// The gateway's clock.
    public func now() -> Timestamp { self.gateway.now() }

    /// Looks something up in the store, all of it as it stands at one moment. Nothing is written past the acts.
    ///
    /// - Throws: `StoreError`, and what the body throws.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws -> Value
    ) async throws -> Value {
        try await self.gateway.store.read(body)
    }

    /// The same for what may walk over much of it: lists with filters, searches, pages of exports. A few at a time.
    ///
    /// - Throws: `StoreError`, and what the body throws.
    public func search<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws -> Value
    ) async throws -> Value {
        try await self.gateway.longReads.search { try await self.gateway.store.read(body) }
    }

    /// The merchant of that name.
    ///
    /// - Throws: ``AdministrationError`` `merchant_unknown`, `StoreError`.
    public func merchant(named name: String) async throws -> Merchant {
        try await self.read { try Self.merchant(named: name, in: $0) }
    }

    /// The merchant of that name, within a read.
    ///
    /// - Throws: ``AdministrationError`` `merchant_unknown`, which names those that there are; `StoreError`.
    public static func merchant(named name: String, in reader: any StoreReader) throws -> Merchant {
        if let merchant = try reader.merchant(named: name) { return merchant }
        let names = try reader.merchants().map(\.name)
        let known = names.isEmpty ? "it has none yet" : "it has " + names.joined(separator: ", ")
        throw AdministrationError(.merchantUnknown, "The store has no merchant named \(name); \(known).")
    }

    static func merchant(_ id: MerchantID, in reader: any StoreReader) throws -> Merchant {
        guard let merchant = try reader.merchant(id) else {
            throw AdministrationError(.merchantUnknown, "The store has no merchant with the id \(id).")
        }
        return merchant
    }

    /// The merchant, for an act that changes what new payments take: a closed one never takes any.
    ///
    /// - Throws: ``AdministrationError`` `merchant_unknown`, `merchant_closed`.
    static func openMerchant(_ id: MerchantID, in reader: any StoreReader) throws -> Merchant {
        let merchant = try Self.merchant(id, in: reader)
        guard merchant.state != .closed else {
            throw AdministrationError(
                .merchantClosed, "The merchant \(merchant.name) is closed, which is for ever. Make a new one.")
        }
        return merchant
    }

    /// A merchant's account in a dialect, and the merchant.
    ///
    /// - Throws: ``AdministrationError`` `merchant_unknown`, `account_unknown`.
    static func account(
        of merchant: MerchantID, _ dialect: DialectName, in reader: any StoreReader
    ) throws -> (account: MerchantAccount, owner: Merchant) {
        let owner = try Self.merchant(merchant, in: reader)
        if let account = try reader.account(dialect: dialect, merchant: merchant) { return (account, owner) }
        throw AdministrationError(.accountUnknown, "The merchant \(owner.name) has no account in \(dialect).")
    }

    /// Proves the books from their rows.
    ///
    /// - Throws: `StoreError`.
    public func checkLedger() async throws -> LedgerReport {
        let store = self.gateway.store
        return try await self.gateway.longReads.ledgerCheck.value { try await LedgerAudit.run(store: store) }
    }
}

extension Gateway {
    /// The operator's side of this gateway.
    public var administration: Administration { Administration(self) }
}
