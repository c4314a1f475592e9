//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
public import Money
public import Payments
import Redaction
import StrictJSON
public import Time

/// Asks to verify and open a token now and to keep it, sealed, for a payment later.
public struct KeepTokenCommand: Sendable {
    public var instrument: AuthorizationInstrument
    public var merchant: MerchantContext
    /// What the dialect calls such a thing: "prime".
    public var kind: String
    public var id: String
    public var lifetimeSeconds: Int64
    /// Whether the customer has left the amount open. Then the payment names it; else it must be the token's.
    public var isAmountPending: Bool

    public init(
        instrument: AuthorizationInstrument, merchant: MerchantContext, kind: String, id: String,
        lifetimeSeconds: Int64, isAmountPending: Bool
    ) {
        self.instrument = instrument
        self.merchant = merchant
        self.kind = kind
        self.id = id
        self.lifetimeSeconds = lifetimeSeconds
        self.isAmountPending = isAmountPending
    }
}

/// What may be shown of a token that is kept.
public struct KeptToken: Hashable, Sendable {
    public let summary: InstrumentSummary
    /// What the token says; of no meaning when the amount is pending, `nil` for a token that only the acquirer can open.
    public let amount: Money?
    public let isAmountPending: Bool
    public let expiresAt: Timestamp
    /// Of the merchant identifier that the sheet was shown for, as the token has it.
    private let merchantIdentifierHash: [UInt8]?

    init(_ reading: InstrumentReading, isAmountPending: Bool, expiresAt: Timestamp) {
        self.summary = reading.summary
        self.amount = reading.amount
        self.isAmountPending = isAmountPending
        self.expiresAt = expiresAt
        self.merchantIdentifierHash = reading.merchantIdentifierHash
    }

    /// Whether the token was made for a merchant identifier; `false` where the token does not say.
    public func isFor(merchantIdentifier: String) -> Bool {
        self.merchantIdentifierHash == requestDigest(merchantIdentifier.utf8)
    }
}

extension Gateway {
    /// Verifies and opens an Apple Pay token and keeps what is in it, sealed, until it is paid with
    /// (``AuthorizationInstrument/kept(kind:id:)``) or its time is over. The number never leaves the gateway.
    ///
    /// A token is kept once, and not when it has paid: of one approval of the customer's there is never more than one
    /// thing to pay with.
    ///
    /// - Throws: what refuses a token, ``GatewayRefusal/tokenReplayed``, ``GatewayRefusal/networkNotSupported``,
    ///   ``GatewayRefusal/keptItemConflict`` for a name that is taken, ``GatewayRefusal/storeUnavailable``.
    public func keepToken(_ command: KeepTokenCommand) async throws(GatewayRefusal) -> KeptToken {
        guard case .applePay(let token) = command.instrument else { throw .operationNotSupported }
        let merchant = command.merchant.merchant
        guard merchant.state == .active else { throw .merchantSuspended }
        let routes = try await self.routes(of: command.merchant)
        let reading = try await self.read(token, command.merchant, routes, nil)
        let network = reading.summary.network
        let accounts = routes.candidates(dialect: command.merchant.dialect)
        guard accounts.contains(where: { $0.capabilities.networks.contains(network) }) else {
            throw .networkNotSupported
        }
        let expiresAt = self.clock().adding(seconds: command.lifetimeSeconds)
        try await self.keep(reading, command, until: expiresAt)
        return KeptToken(reading, isAmountPending: command.isAmountPending, expiresAt: expiresAt)
    }

    /// One commit, which also marks the token as kept for as long as it could be handed in again.
    private func keep(
        _ reading: InstrumentReading, _ command: KeepTokenCommand, until expiresAt: Timestamp
    ) async throws(GatewayRefusal) {
        let merchant = command.merchant.merchant
        let now = self.clock()
        let content = Redacted(reading.archive(isAmountPending: command.isAmountPending).serialized())
        let name = Gateway.keptName(command.kind, command.id, command.merchant)
        let marks = reading.singleUses.map {
            Gateway.keptName("kept-token", Hex.encode(requestDigest($0)), command.merchant)
        }
        let tooOldAt = now.adding(seconds: self.settings.tokenAcceptanceSecondsMax(merchant.mode))
        try await self.writing { transaction in
            for use in reading.singleUses
            where try transaction.isTokenRemembered(transactionIdentifier: use, mode: merchant.mode) {
                throw GatewayRefusal.tokenReplayed
            }
            for mark in marks {
                if let item = try transaction.keptItem(mark), item.expiresAt > now {
                    throw GatewayRefusal.tokenReplayed
                }
                try self.keep(Redacted([]), as: mark, until: tooOldAt, at: now, in: transaction)
            }
            try self.keep(content, as: name, until: expiresAt, at: now, in: transaction)
        }
    }

    /// What is kept under a name, to pay with.
    func keptReading(
        kind: String, id: String, _ merchant: MerchantContext
    ) async throws(GatewayRefusal) -> InstrumentReading {
        let name = Gateway.keptName(kind, id, merchant)
        let now = self.clock()
        guard let (item, content) = try await self.openedItem(name) else { throw .keptTokenUnknown }
        guard item.expiresAt > now else { throw .keptTokenExpired }
        guard let reading = InstrumentReading(archive: content) else { throw .keptTokenUnknown }
        return reading
    }

    /// Destroys what is paid with, in the commit that records the payment: of two payments with it, one finds nothing.
    static func use(
        _ instrument: AuthorizationInstrument, of merchant: MerchantContext, in transaction: any StoreTransaction
    ) throws {
        guard case .kept(let kind, let id) = instrument else { return }
        let name = self.keptName(kind, id, merchant)
        guard try transaction.keptItem(name) != nil else { throw GatewayRefusal.keptTokenUnknown }
        try transaction.delete(name)
    }
}
