//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import Foundation
public import Gateway
import MemoryStore
public import Payments
import Redaction
public import SimulatorAcquirer
import SwiftASN1
import Time
import WalletSimulator

/// A real gateway over a real store and the simulated acquirer, with everything that a test moves by hand: the clock,
/// the acquirer's script, a wallet. Nothing sleeps, and the random bytes are the same for the same seed.
///
/// ```swift
/// let test = try await TestGateway.open()
/// let merchant = try await test.addMerchant(dialect: dialect.name, key: "TEST", secrets: ["password": …])
/// let token = try test.mint(amount, for: merchant)
/// ```
public final class TestGateway: Sendable {
    public let gateway: Gateway
    public let store: any PaymentStore
    public let acquirer: SimulatorAcquirer
    public let script: SimulatorScript
    public let clock: TestClock
    /// Of the acquirer's answers.
    public let deadline: TestDeadline
    public let log: CapturedLog
    public let jar: SecretsJar
    /// Of the merchants that are added without saying theirs.
    public let mode: Mode

    private init(
        _ parts: GatewayParts, gateway: Gateway, acquirer: SimulatorAcquirer, script: SimulatorScript, clock: TestClock,
        deadline: TestDeadline, log: CapturedLog, jar: SecretsJar, mode: Mode
    ) {
        self.gateway = gateway
        self.store = parts.store
        self.acquirer = acquirer
        self.script = script
        self.clock = clock
        self.deadline = deadline
        self.log = log
        self.jar = jar
        self.mode = mode
    }

    /// What the acquirer really did.
    public var book: SimulatorBook { self.acquirer.book }

    /// - Parameters:
    ///   - mode: of the merchants that are added without saying theirs. Tokens of both modes are trusted, each by the
    ///     merchants of its own.
    ///   - seed: of all random bytes.
    ///   - store: where payments are kept; a new store in memory if left out.
    ///   - configure: changes what the gateway is made of.
    public static func open(
        mode: Mode = .sandbox, seed: UInt64 = 1, store: (any PaymentStore)? = nil,
        configure: (inout GatewayParts) throws -> Void = { _ in }
    ) async throws -> TestGateway {
        let clock = TestClock(Timestamp(seconds: Int64(TestAuthorities.now.timeIntervalSince1970)))
        let script = SimulatorScript()
        let acquirer = SimulatorAcquirer(book: try .inMemory(), script: script)
        let deadline = TestDeadline()
        let log = CapturedLog()
        let jar = SecretsJar()
        let bytes = TestBytes(seed: seed)
        let masterKey = bytes.next(32)
        jar.keep(Secret("master key", masterKey))
        var parts = GatewayParts(
            store: store ?? MemoryStore(), connectors: [SharedAcquirerConnector(acquirer, takesLive: true)],
            masterKeys: .fixed(Redacted(masterKey)),
            clock: { clock.now }, random: { bytes.next($0) }, sleep: { _ in try await deadline.wait() },
            logger: log.logger)
        parts.sandboxTrustRoots = [try Self.root(.sandbox)]
        parts.liveTrustRoots = [try Self.root(.live)]
        parts.sandboxCertificateIssuers = [try Self.issuer(.sandbox)]
        parts.liveCertificateIssuers = [try Self.issuer(.live)]
        try configure(&parts)
        return TestGateway(
            parts, gateway: try await Gateway.start(parts), acquirer: acquirer, script: script, clock: clock,
            deadline: deadline, log: log, jar: jar, mode: mode)
    }

    private static func issuer(_ mode: Mode) throws -> MerchantCertificateIssuer {
        let certificate = try TestAuthorities.authority(mode).merchantIntermediateCertificate
        return try MerchantCertificateIssuer(certificate: Array(try certificate.serializeAsPEM().pemString.utf8))
    }

    private static func root(_ mode: Mode) throws -> TrustAnchor {
        try TrustAnchor(certificatePEM: try TestAuthorities.authority(mode).rootCertificatePEM)
    }

    /// Moves the clock past the grace of recovery, and recovers until nothing is open any more.
    public func recover() async {
        for _ in 0..<10 {
            self.clock.advance(seconds: 61)
            let report = await self.gateway.recover()
            if report.examinedCount == 0, report.openCount == 0 { return }
        }
    }
}
