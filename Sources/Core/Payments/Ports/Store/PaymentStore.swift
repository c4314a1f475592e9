//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Where payments are kept.
///
/// All writing is one method that runs a body inside a transaction: the body sees a consistent state, nothing of it is
/// kept when it throws, and all of it is durable when the call returns. The body is synchronous, may run more than once
/// (a serialization failure), and so has no effect but on the transaction.
public protocol PaymentStore: Sendable {
    /// - Throws: ``StoreError``, or what the body throws.
    func write<Value: Sendable>(_ body: @escaping @Sendable (any StoreTransaction) throws -> Value) async throws
        -> Value

    /// The same. What the body is known to ask for first, a store may ask its server for in one go with what others ask for.
    func write<Value: Sendable>(
        expecting lookups: ExpectedLookups, _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
    ) async throws -> Value

    /// Runs a body on a consistent state without changing it.
    func read<Value: Sendable>(_ body: @escaping @Sendable (any StoreReader) throws -> Value) async throws -> Value
}

extension PaymentStore {
    public func write<Value: Sendable>(
        expecting lookups: ExpectedLookups, _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
    ) async throws -> Value { try await self.write(body) }
}

/// What a body that writes is known to ask for before anybody has run it. It may ask for more, and for less.
public struct ExpectedLookups: Sendable {
    /// Of ``PaymentReading/claim(_:)``.
    public var claim: IdempotencyKey?
    /// Of ``PaymentReading/operation(_:)``.
    public var references: [Reference]
    /// Of ``StoreTransaction/rememberToken(transactionIdentifier:mode:payment:at:)``.
    public var tokens: [TokenUse]

    public init(claim: IdempotencyKey? = nil, references: [Reference] = [], tokens: [TokenUse] = []) {
        self.claim = claim
        self.references = references
        self.tokens = tokens
    }
}

/// What of a token is used once: its transaction identifier, or the digest of its cryptogram.
public struct TokenUse: Hashable, Sendable {
    public let mode: Mode
    public let transactionIdentifier: [UInt8]

    public init(mode: Mode, transactionIdentifier: [UInt8]) {
        self.mode = mode
        self.transactionIdentifier = transactionIdentifier
    }
}

/// All that can be read. Who asks for what is one protocol each, so that what a caller needs can be seen.
public protocol StoreReader:
    AdministrationReading, ApprovalReading, ClosingReading, SettlementReading, MerchantReading, PaymentReading,
    PeopleReading,
    ReportReading, WorkReading, WatchReading
{}
