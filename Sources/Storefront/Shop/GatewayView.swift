//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
public import StrictJSON
public import Time

/// What the shop's page shows of the gateway's inside, beside what goes over the wire. A real shop sees none of it.
public struct GatewayView: Sendable {
    /// A second gateway between this one and the bank.
    public struct Upstream: Hashable, Sendable {
        /// "PAYONE".
        public var title: String
        /// Whether it opens the tokens, so that this gateway cannot.
        public var opensTokens: Bool

        public init(title: String, opensTokens: Bool) {
            self.title = title
            self.opensTokens = opensTokens
        }
    }

    /// `nil` where the gateway speaks to the bank itself.
    public var upstream: Upstream?
    /// What the gateway does with a token, layer by layer: ``TokenStages``.
    public var tokenStages: @Sendable (_ dialect: String, _ token: JSON) async -> [ExchangeEntry]
    /// How the newest payment of an order stands; `nil` where there is none yet.
    public var payment: @Sendable (_ dialect: String, _ order: String, _ since: Timestamp) async -> PaymentView?
    /// A merchant session by the gateway, for services that have no call for it.
    public var merchantSession:
        @Sendable (_ dialect: String, _ domain: String, _ validationURL: String) async throws(ShopWireError) -> JSON

    public init(
        upstream: Upstream? = nil,
        tokenStages: @escaping @Sendable (_ dialect: String, _ token: JSON) async -> [ExchangeEntry],
        payment: @escaping @Sendable (_ dialect: String, _ order: String, _ since: Timestamp) async -> PaymentView?,
        merchantSession:
            @escaping @Sendable (_ dialect: String, _ domain: String, _ validationURL: String)
            async throws(ShopWireError) -> JSON
    ) {
        self.upstream = upstream
        self.tokenStages = tokenStages
        self.payment = payment
        self.merchantSession = merchantSession
    }
}

/// A payment as the gateway's store has it.
public struct PaymentView: Hashable, Sendable {
    /// An entry of the ledger's journal.
    public struct LedgerEntry: Hashable, Sendable {
        public var id: String
        /// "capture".
        public var title: String
        /// A line for each posting.
        public var text: String

        public init(id: String, title: String, text: String) {
            self.id = id
            self.title = title
            self.text = text
        }
    }

    public var id: String
    public var state: PaymentState
    /// "Visa 489537…5671, expires 12/31, ECI 7".
    public var instrument: String
    /// Oldest first.
    public var journal: [LedgerEntry]

    public init(id: String, state: PaymentState, instrument: String, journal: [LedgerEntry]) {
        self.id = id
        self.state = state
        self.instrument = instrument
        self.journal = journal
    }
}
