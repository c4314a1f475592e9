//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ApplePayToken
import Gateway
import Logging
import MemoryStore
import Money
import Payments
import Redaction
import SimulatorAcquirer
import Synchronization
import TestGateway
import Testing
import Time
import WalletSimulator

let cad = Currency.alphabetic("CAD") ?? iso4217Missing()
let usd = Currency.alphabetic("USD") ?? iso4217Missing()

private func iso4217Missing() -> Currency { preconditionFailure("ISO 4217 has no such currency") }

/// Dollars and cents.
func money(_ minorUnits: Int64, _ currency: Currency = cad) -> Money {
    Money(minorUnits: minorUnits, currency: currency)
}

/// A shop with everything behind it: a gateway over a store, a simulated acquirer with its own book, and a wallet whose
/// tokens it takes. (A class: copies of all this were a fifth of these tests' code.)
final class Shop: Sendable {
    static let dialect = DialectName("testwire")
    static let masterKey = Redacted([UInt8](repeating: 7, count: 32))
    static let notifyURL = "https://shop.example/notify"

    let gateway: Gateway
    let clock: TestClock
    let store: any PaymentStore
    let simulator: SimulatorAcquirer
    let script: SimulatorScript
    let merchant: MerchantContext
    let identity: ProcessingIdentity
    let authority: TestAuthority
    let parts: GatewayParts
    private let keys: Counter

    private init(
        gateway: Gateway, clock: TestClock, store: any PaymentStore, simulator: SimulatorAcquirer,
        script: SimulatorScript, merchant: MerchantContext, identity: ProcessingIdentity, authority: TestAuthority,
        parts: GatewayParts, keys: Counter
    ) {
        self.gateway = gateway
        self.clock = clock
        self.store = store
        self.simulator = simulator
        self.script = script
        self.merchant = merchant
        self.identity = identity
        self.authority = authority
        self.parts = parts
        self.keys = keys
    }

    var book: SimulatorBook { self.simulator.book }

    /// What a test may want otherwise.
    struct Options: Sendable {
        var mode = Mode.sandbox
        var seed: UInt64 = 1
        var settings = GatewaySettings(ownsStore: false)
        var store: (any PaymentStore)?
        var log: Logger?
        var sleep: @Sendable (Int64) async throws -> Void = { _ in try await sleepForEver() }
        /// Puts something between the gateway and the simulator.
        var acquirer: @Sendable (SimulatorAcquirer) -> any Acquirer = { $0 }
        var hasCertificate = true

        init() {}
    }

    static func open(_ configure: (inout Options) -> Void = { _ in }) async throws -> Shop {
        var options = Options()
        configure(&options)
        let clock = TestClock(TestAuthorities.start)
        let script = SimulatorScript()
        let simulator = SimulatorAcquirer(book: try SimulatorBook.inMemory(), script: script)
        let random = SeededBytes(seed: options.seed)
        let store = options.store ?? MemoryStore()
        var parts = GatewayParts(
            store: store, connectors: [SharedAcquirerConnector(options.acquirer(simulator), takesLive: true)],
            masterKeys: .fixed(self.masterKey),
            sandboxTrustRoots: [try TestAuthorities.anchor(TestAuthorities.sandbox)],
            liveTrustRoots: [.appleRootCAG3, try TestAuthorities.anchor(TestAuthorities.live)],
            settings: options.settings, clock: { clock.now }, random: { random.bytes($0) }, sleep: options.sleep,
            logger: options.log ?? Logger(label: "gateway-tests") { _ in SwiftLogNoOpLogHandler() })
        // The fixed identities are issued by the sandbox's, also for live merchants.
        parts.sandboxCertificateIssuers = [try TestAuthorities.issuer(TestAuthorities.sandbox)]
        parts.liveCertificateIssuers += parts.sandboxCertificateIssuers
        let gateway = try await Gateway.start(parts)
        let identity = try ProcessingIdentity.first.get()
        let authority = try (options.mode == .live ? TestAuthorities.live : TestAuthorities.sandbox).get()
        let merchant = try await self.makeMerchant("first", options.mode, gateway)
        if options.hasCertificate {
            _ = try await gateway.administration.importCredential(
                merchant: merchant.merchant.id, certificate: identity.certificateDER,
                privateKeyPEM: identity.privateKeyPEM, activates: true)
        }
        return Shop(
            gateway: gateway, clock: clock, store: store, simulator: simulator, script: script, merchant: merchant,
            identity: identity, authority: authority, parts: parts, keys: Counter())
    }

    static func makeMerchant(_ name: String, _ mode: Mode, _ gateway: Gateway) async throws -> MerchantContext {
        let merchant = try await gateway.administration.createMerchant(
            name: name, displayName: "The \(name) shop", mode: mode, countryCode: "CA")
        try await gateway.administration.ensureAcquirerAccount(of: merchant.id, connector: AcquirerName("simulator"))
        try await gateway.administration.putAccount(
            merchant: merchant.id, dialect: self.dialect, key: "account-\(name)", settings: ["city": "Toronto"],
            secrets: ["password": Redacted("correct horse battery staple")])
        return try #require(try await gateway.account(dialect: self.dialect, key: "account-\(name)"))
    }

    /// Another gateway on the same store, clock and acquirer: a second node, or the first one after a restart.
    func restarted(_ configure: (inout GatewayParts) -> Void = { _ in }) async throws -> Shop {
        var parts = self.parts
        configure(&parts)
        return self.with(try await Gateway.start(parts), parts)
    }

    private func with(_ gateway: Gateway, _ parts: GatewayParts) -> Shop {
        Shop(
            gateway: gateway, clock: self.clock, store: parts.store, simulator: self.simulator, script: self.script,
            merchant: self.merchant, identity: self.identity, authority: self.authority, parts: parts,
            keys: self.keys)
    }

    /// What the gateway sends to.
    var acquirer: (any Acquirer)? { (self.parts.connectors.first as? SharedAcquirerConnector)?.acquirer }

    /// A number that no other call of this shop has.
    func nextNumber() -> Int { self.keys.next() }
}

/// Counts up from 1; a shop shares it with itself restarted.
private final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        self.count.withLock { count in
            count += 1
            return count
        }
    }
}
