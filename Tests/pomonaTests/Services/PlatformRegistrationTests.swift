//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Foundation
import Gateway
import Logging
import Payments
import Redaction
import StrictJSON
import Testing
import Time
import WalletSimulator

@testable import pomona

/// A platform integrator registers merchants at the simulated Apple, over real TLS with the identity of the sandbox's
/// merchant `platform`; sessions of a merchant that has no identity of its own follow.
struct PlatformRegistrationTests {
    private static let integrator = "platformintegrator.com.example"

    struct Bench {
        let application: Application
        let shop: Merchant

        var administration: Administration { self.application.gateway.administration }
        var registrar: any MerchantRegistrar { self.application.appleSessions }

        func standing() async throws -> PlatformStanding {
            try await self.administration.platformStanding(of: self.shop, by: self.registrar)
        }

        func register(_ domains: [String], encryptTo: String = "merchant.com.example.shop") async throws {
            try await self.administration.register(
                self.shop, as: "The shop", domainNames: domains, encryptTo: encryptTo, url: "https://shop.example",
                by: self.registrar)
        }

        func session(on domain: String) async throws -> SimulatedMerchantSession {
            let account = try await self.application.gateway.account(dialect: DialectName("commweb"), key: "SHOP")
            let bytes = try await self.application.gateway.merchantSession(
                MerchantSessionCommand(merchant: try #require(account), domainName: domain))
            return try SimulatedMerchantSession.verify(
                bytes.reveal(), host: domain, now: .now, authority: try self.application.directory.loadAuthority())
        }
    }

    /// A sandbox with a shop that has a processing key, and no identity.
    ///
    /// - Parameter platform: whether there is the platform integrator, too.
    static func run(
        platform: Bool = true, in folder: CliFolder? = nil, _ body: @escaping @Sendable (Bench) async throws -> Void
    ) async throws {
        let folder = try folder ?? CliFolder()
        var configuration = ApplicationConfiguration.sandbox(DataDirectory(path: folder.file("data")))
        configuration.listeners = [
            ApplicationConfiguration.Listener(host: "127.0.0.1", port: 0, tls: .sandboxAuthority)
        ]
        configuration.applePort = 0
        configuration.logLevel = .critical
        let application = try await Application.build(configuration)
        try await application.withRunning { _ in
            let administration = application.gateway.administration
            let authority = try application.directory.loadAuthority()
            if let shop = try? await administration.merchant(named: "shop") {
                return try await body(Bench(application: application, shop: shop))
            }
            let shop = try await administration.createMerchant(
                name: "shop", displayName: "The shop", mode: .sandbox, countryCode: "AU")
            try await administration.putAccount(
                merchant: shop.id, dialect: DialectName("commweb"), key: "SHOP", settings: [:], secrets: [:])
            _ = try await administration.certify(
                .paymentProcessing, "merchant.com.example.shop", of: shop.id, by: authority)
            for name in ["a.example", "b.example"] {
                let host = try #require(WellKnownHost(name))
                try await administration.addDomain(host, to: shop.id, file: Array("file".utf8))
            }
            if platform {
                let owner = try await administration.createMerchant(
                    name: ApplicationConfiguration.sandboxPlatformMerchant, displayName: "Platform", mode: .sandbox,
                    countryCode: "AU")
                _ = try await administration.certify(
                    .merchantIdentity, Self.integrator, of: owner.id, by: authority)
            }
            try await body(Bench(application: application, shop: shop))
        }
    }

    @Test func merchantIsRegisteredGetsSessionsAndIsUnregistered() async throws {
        try await Self.run { bench in
            let before = try await bench.standing()
            #expect(before.platform == Self.integrator && before.registration == nil)
            #expect(before.identifier == bench.shop.id.text && before.recipients == ["merchant.com.example.shop"])
            await #expect(throws: GatewayRefusal.merchantSessionFailed(.merchantNotRegistered)) {
                _ = try await bench.session(on: "a.example")
            }
            try await bench.register(["a.example"])
            let standing = try await bench.standing()
            #expect(standing.registration?.domainNames == ["a.example"])
            #expect(standing.registration?.merchantName == "The shop")
            #expect(standing.registration?.merchantURL == "https://shop.example")
            #expect(standing.recipient == "merchant.com.example.shop", "by its name, though Apple says a digest")
            let session = try await bench.session(on: "a.example")
            #expect(session.belongs(to: bench.shop.id.text))
            await #expect(throws: GatewayRefusal.merchantSessionFailed(.domainNotRegistered)) {
                _ = try await bench.session(on: "b.example")
            }
            try await bench.register(["b.example"])
            _ = try await bench.session(on: "b.example")
            for domain in ["a.example", "b.example"] {
                try await bench.administration.unregister(
                    [domain], of: bench.shop, because: "It has moved.", by: bench.registrar)
            }
            #expect(try await bench.standing().registration == nil)
            await #expect(throws: GatewayRefusal.merchantSessionFailed(.merchantNotRegistered)) {
                _ = try await bench.session(on: "a.example")
            }
            let acts = try await bench.administration.read { try $0.auditEntries(after: 0, limit: 1000) }
                .map(\.act).filter { $0.name.hasPrefix("registration.") }
            #expect(acts == [.registrationMake, .registrationMake, .registrationEnd, .registrationEnd])
        }
    }

    @Test func refusesWhatCannotBeRegistered() async throws {
        try await Self.run { bench in
            func refusal(_ body: () async throws -> Void) async -> AdministrationError.Code? {
                do { try await body() } catch { return (error as? AdministrationError)?.code }
                return nil
            }
            let strange = await refusal { try await bench.register(["c.example"]) }
            let none = await refusal { try await bench.register([]) }
            let twice = await refusal { try await bench.register(["a.example", "a.example"]) }
            let closed = await refusal { try await bench.register(["a.example"], encryptTo: "merchant.com.other") }
            #expect([strange, none, twice, closed] == Array(repeating: .registrationInvalid, count: 4))
            do {
                try await bench.administration.unregister(
                    ["a.example"], of: bench.shop, because: "x", by: bench.registrar)
                Issue.record("Apple knows no such merchant")
            } catch let failure as MerchantRegistrationFailure {
                #expect(failure.reason == .requestRefused)
                #expect(failure.message == "Payment Services Exception merchant is not registered")
            }
            #expect(try await bench.standing().registration == nil)
        }
    }

    @Test func withoutPlatformIntegratorNobodyIsRegistered() async throws {
        try await Self.run(platform: false) { bench in
            do {
                _ = try await bench.standing()
                Issue.record("there is no platform integrator")
            } catch let error as AdministrationError {
                #expect(error.code == .platformUnknown)
            }
            await #expect(throws: GatewayRefusal.merchantIdentityMissing) {
                _ = try await bench.session(on: "a.example")
            }
        }
    }

    @Test func appleForgetsNobodyWhenTheSandboxEnds() async throws {
        let folder = try CliFolder()
        try await Self.run(in: folder) { try await $0.register(["a.example"]) }
        try await Self.run(in: folder) { bench in
            let standing = try await bench.standing()
            #expect(standing.registration?.domainNames == ["a.example"])
        }
    }
}
