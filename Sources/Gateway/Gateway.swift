//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import ApplePayToken
import BaseEncoding
import Crypto
import Deadlines
import Foundation
public import Logging
public import Payments
public import Redaction
public import Time

/// The use cases: what a dialect can ask for, what an operator can set up, and what the workers do.
///
/// All state is in the store, but for caches that may be lost. Every method may be called from any number of tasks.
///
/// A reference, since every service and every call has one: a copy would be two dozen retains, each time it is handed on.
public final class Gateway: Sendable {
    /// Out of reach of dialects, and of operators too: those have ``Administration``.
    @_spi(Administration)
    public let store: any PaymentStore
    /// The kinds of acquirers that accounts may be with.
    @_spi(Administration)
    public let connectors: [AcquirerName: any Connector]
    let vault: Vault
    @_spi(Administration)
    public let masterKeys: MasterKeySource
    /// On whose behalf administrative acts are logged.
    @_spi(Administration)
    public let actor: String
    /// What must hold for an administrative act, in the transaction that does it.
    let condition: AdministrativeCondition?
    let tokens: TokenOpener
    /// Whose certificates merchants of a mode may have.
    @_spi(Administration)
    public let certificateIssuers: CertificateIssuers
    let accounts: AccountCache
    @_spi(Administration)
    public let settings: GatewaySettings
    let clock: @Sendable () -> Timestamp
    let random: @Sendable (Int) -> [UInt8]
    /// Of calls to an acquirer.
    let acquirerDeadlines: Deadlines
    let requestMerchantSession: MerchantSessionSender?
    @_spi(Administration)
    public let logger: Logger
    /// Operations begun before this moment, and still pending, were orphaned by a crash.
    let startedAt: Timestamp
    let paces: AcquirerPaces
    let plannedCaptures: CapturePlaces
    let latestRecovery: LatestPass
    let latestDelivery: LatestPass
    let clockTrust: ClockTrust
    /// Raised when a commit of this process has made a notification due.
    public let deliveriesDue: DueSignal
    let keySightings: KeySightings
    let credentialSightings: CredentialSightings
    @_spi(Administration)
    public let longReads: LongReads
    let walks: MerchantWalks
    let steadyClock: @Sendable () -> ContinuousClock.Instant

    /// Opens the store's data keys; makes the first one in a new store. Starts no task.
    ///
    /// - Throws: ``VaultError`` when the master key is not this store's; ``StoreError``.
    public static func start(_ parts: GatewayParts) async throws -> Gateway {
        let now = parts.clock()
        let masterKeys = try await parts.masterKeys.read()
        var dataKeys = try await parts.store.read { try $0.dataKeys() }
        if dataKeys.isEmpty {
            guard let masterKey = masterKeys.first else { throw VaultError(code: .masterKeyWrong) }
            let made = try Vault.makeDataKey(
                id: "dk_" + Hex.encode(parts.random(8)), key: Redacted(parts.random(32)), masterKey: masterKey, at: now)
            dataKeys = try await parts.store.write { transaction in
                let existing = try transaction.dataKeys()
                if existing.isEmpty { try transaction.insert(made) }
                return existing.isEmpty ? [made] : existing
            }
        }
        let vault = try Vault(masterKeys: masterKeys, dataKeys: dataKeys)
        return Gateway(parts, vault: vault, startedAt: now)
    }

    private init(_ parts: GatewayParts, vault: Vault, startedAt: Timestamp) {
        self.store = parts.store
        self.connectors = Dictionary(
            parts.connectors.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.vault = vault
        self.masterKeys = parts.masterKeys
        self.actor = parts.actor
        self.condition = nil
        self.tokens = TokenOpener(parts)
        self.certificateIssuers = CertificateIssuers(parts)
        self.accounts = AccountCache(lifetimeSeconds: parts.settings.accountCacheSeconds)
        self.settings = parts.settings
        self.clock = parts.clock
        self.random = parts.random
        self.acquirerDeadlines = Deadlines(
            milliseconds: parts.settings.acquirerDeadlineSeconds * 1000, sleep: parts.sleep, now: parts.steadyClock,
            executor: parts.taskExecutor)
        self.requestMerchantSession = parts.requestMerchantSession
        self.logger = parts.logger
        self.startedAt = startedAt
        self.paces = AcquirerPaces()
        self.plannedCaptures = CapturePlaces()
        self.latestRecovery = LatestPass()
        self.latestDelivery = LatestPass()
        self.clockTrust = ClockTrust()
        self.deliveriesDue = DueSignal()
        self.keySightings = KeySightings()
        self.credentialSightings = CredentialSightings()
        self.longReads = LongReads(now: parts.clock, steadyNow: parts.steadyClock)
        self.walks = MerchantWalks()
        self.steadyClock = parts.steadyClock
    }

    /// The same gateway, on somebody's behalf and under a condition.
    init(_ gateway: Gateway, actor: String, condition: AdministrativeCondition?) {
        self.store = gateway.store
        self.connectors = gateway.connectors
        self.vault = gateway.vault
        self.masterKeys = gateway.masterKeys
        self.actor = actor
        self.condition = condition
        self.tokens = gateway.tokens
        self.certificateIssuers = gateway.certificateIssuers
        self.accounts = gateway.accounts
        self.settings = gateway.settings
        self.clock = gateway.clock
        self.random = gateway.random
        self.acquirerDeadlines = gateway.acquirerDeadlines
        self.requestMerchantSession = gateway.requestMerchantSession
        self.logger = gateway.logger
        self.startedAt = gateway.startedAt
        self.paces = gateway.paces
        self.plannedCaptures = gateway.plannedCaptures
        self.latestRecovery = gateway.latestRecovery
        self.latestDelivery = gateway.latestDelivery
        self.clockTrust = gateway.clockTrust
        self.deliveriesDue = gateway.deliveriesDue
        self.keySightings = gateway.keySightings
        self.credentialSightings = gateway.credentialSightings
        self.longReads = gateway.longReads
        self.walks = gateway.walks
        self.steadyClock = gateway.steadyClock
    }

    public func now() -> Timestamp { self.clock() }

    public func randomBytes(_ count: Int) -> [UInt8] { self.random(count) }

    @_spi(Administration)
    public func makeID<Tag: IdentifierTag>() -> Identifier<Tag> {
        Identifier(at: self.clock(), random: self.random(10))
    }
}

/// Sends a request for a merchant session to Apple.
public typealias MerchantSessionSender =
    @Sendable (MerchantSessionRequest) async throws(MerchantSessionFailure) -> Redacted<[UInt8]>

/// What a gateway is made of.
public struct GatewayParts: Sendable {
    public var store: any PaymentStore
    public var connectors: [any Connector]
    /// Seals the store's data keys.
    public var masterKeys: MasterKeySource
    /// On whose behalf administrative acts are logged: "alice@db1".
    public var actor = "gateway"
    /// Trusted for sandbox merchants only: the wallet simulator's root.
    public var sandboxTrustRoots: [TrustAnchor]
    /// Finds that root where there was none at the start; it blocks, and is asked once in a second at most.
    public var findSandboxTrustRoots: (@Sendable () -> [TrustAnchor])?
    public var liveTrustRoots: [TrustAnchor]
    /// Who may have issued the certificates of sandbox merchants beside Apple: the wallet simulator's authority.
    public var sandboxCertificateIssuers: [MerchantCertificateIssuer] = []
    /// Finds those where there were none at the start; it blocks, and is asked once in a second at most.
    public var findSandboxCertificateIssuers: (@Sendable () -> [MerchantCertificateIssuer])?
    public var liveCertificateIssuers = MerchantCertificateIssuer.apple
    public var settings: GatewaySettings
    public var clock: @Sendable () -> Timestamp
    /// That many bytes from a cryptographically secure source.
    public var random: @Sendable (Int) -> [UInt8]
    public var sleep: @Sendable (_ milliseconds: Int64) async throws -> Void
    /// A clock that nobody sets: for spans, never for the time of day.
    public var steadyClock: @Sendable () -> ContinuousClock.Instant = { .now }
    /// Runs the tasks that the gateway starts by itself; `nil` for the system's.
    public var taskExecutor: (any TaskExecutor)?
    /// Asks Apple for a merchant session; `nil` where the gateway is not connected to Apple.
    public var requestMerchantSession: MerchantSessionSender?
    public var logger: Logger

    public init(
        store: any PaymentStore, connectors: [any Connector], masterKeys: MasterKeySource,
        sandboxTrustRoots: [TrustAnchor] = [], liveTrustRoots: [TrustAnchor] = [.appleRootCAG3],
        settings: GatewaySettings = GatewaySettings(), clock: @escaping @Sendable () -> Timestamp,
        random: @escaping @Sendable (Int) -> [UInt8],
        sleep: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void, logger: Logger
    ) {
        self.store = store
        self.connectors = connectors
        self.masterKeys = masterKeys
        self.sandboxTrustRoots = sandboxTrustRoots
        self.liveTrustRoots = liveTrustRoots
        self.settings = settings
        self.clock = clock
        self.random = random
        self.sleep = sleep
        self.logger = logger
    }
}

/// SHA-256 of what a call asks for: the digest of an idempotency key.
public func requestDigest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    Array(SHA256.hash(data: Data(bytes)))
}
