//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import AppleSessions
import AsyncHTTPClient
import Crypto
import DialectKit
import Foundation
import Gateway
import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL
import Payments
import Redaction
import Server
import StrictJSON
import TestApple
import Testing
import Time
import WalletSimulator

@testable import pomona

/// Merchant validation in a whole sandbox: the gateway asks the simulated Apple over real TLS with the certificates that
/// the demo merchants were given.
struct SimulatedAppleTests {
    private static func run(
        host: String = "127.0.0.1", applePort: Int? = 0,
        _ body: @escaping @Sendable (Application, [String]) async throws -> Void
    ) async throws {
        let folder = try CliFolder()
        var configuration = ApplicationConfiguration.sandbox(DataDirectory(path: folder.file("data")))
        configuration.listeners = [
            ApplicationConfiguration.Listener(host: host, port: 0),
            ApplicationConfiguration.Listener(host: host, port: 0, tls: .sandboxAuthority),
        ]
        configuration.applePort = applePort
        configuration.logLevel = .critical
        let application = try await Application.build(configuration)
        try await application.withRunning { addresses in
            try await body(application, addresses.map(\.url))
        }
    }

    private static func merchant(_ application: Application, _ name: String) async throws -> MerchantContext {
        let module = try #require(DialectModule.all.first { $0.name == name })
        return try #require(
            try await application.gateway.account(dialect: DialectName(name), key: module.plan.demoKey))
    }

    private static func session(
        _ application: Application, _ name: String = "payone", domainName: String = "localhost",
        validationURL: String? = nil
    ) async throws -> Redacted<[UInt8]> {
        try await application.gateway.merchantSession(
            MerchantSessionCommand(
                merchant: try await Self.merchant(application, name), domainName: domainName,
                validationURL: validationURL))
    }

    private static func verify(
        _ session: Redacted<[UInt8]>, _ application: Application, host: String
    ) throws -> SimulatedMerchantSession {
        try SimulatedMerchantSession.verify(
            session.reveal(), host: host, now: .now, authority: try application.directory.loadAuthority())
    }

    @Test func everyDemoMerchantGetsSessionsThatTheWalletBelieves() async throws {
        try await Self.run { application, _ in
            for module in DialectModule.all {
                for host in ["localhost", "127.0.0.1"] {
                    let bytes = try await Self.session(application, module.name, domainName: host)
                    let session = try Self.verify(bytes, application, host: host)
                    #expect(session.belongs(to: "merchant.dev.pomona.\(module.name)"))
                    #expect(session.displayName == module.plan.demo.displayName)
                }
            }
        }
    }

    @Test func thePagesValidationURLLeadsToTheSimulatedApple() async throws {
        try await Self.run { application, _ in
            let url = try #require(application.apple?.url)
            for call in AppleSessionTarget.Call.allCases {
                let bytes = try await Self.session(application, validationURL: url + call.path)
                #expect(try Self.verify(bytes, application, host: "localhost").domainName == "localhost")
            }
        }
    }

    @Test func theSandboxesOwnHostIsRegisteredAndOthersAreNot() async throws {
        try await Self.run(host: "127.0.0.2") { application, _ in
            let bytes = try await Self.session(application, domainName: "127.0.0.2")
            #expect(try Self.verify(bytes, application, host: "127.0.0.2").domainName == "127.0.0.2")
            await #expect(throws: GatewayRefusal.merchantSessionFailed(.domainNotRegistered)) {
                _ = try await Self.session(application, domainName: "shop.example.com")
            }
        }
    }

    @Test func domainsOfTheCommandAreRegisteredAtOnceForTheirMerchantAlone() async throws {
        try await Self.run { application, _ in
            let administration = application.gateway.administration
            let merchant = try await administration.merchant(named: "payone").id
            let host = try #require(WellKnownHost("shop.example.com"))
            try await administration.addDomain(host, to: merchant, file: Array("file".utf8))
            let bytes = try await Self.session(application, domainName: "shop.example.com")
            #expect(try Self.verify(bytes, application, host: "shop.example.com").domainName == "shop.example.com")
            await #expect(throws: GatewayRefusal.merchantSessionFailed(.domainNotRegistered)) {
                _ = try await Self.session(application, "radial", domainName: "shop.example.com")
            }
            try await administration.removeDomain(host, of: merchant)
            await #expect(throws: GatewayRefusal.merchantSessionFailed(.domainNotRegistered)) {
                _ = try await Self.session(application, domainName: "shop.example.com")
            }
        }
    }

    @Test func applesOtherEnvironmentIsRefused() async throws {
        try await Self.run { application, _ in
            await #expect(throws: GatewayRefusal.merchantSessionFailed(.validationURLOfOtherEnvironment)) {
                _ = try await Self.session(
                    application, validationURL: "https://apple-pay-gateway.apple.com/paymentservices/startSession")
            }
        }
    }

    @Test func sandboxWithoutASimulatedAppleAsksNobody() async throws {
        try await Self.run(applePort: nil) { application, _ in
            #expect(application.apple == nil)
            await #expect(throws: GatewayRefusal.merchantSessionFailed(.notConnected)) {
                _ = try await Self.session(application)
            }
        }
    }

    @Test func secondStartKeepsTheIdentities() async throws {
        let folder = try CliFolder()
        let configuration = ApplicationConfiguration.sandbox(DataDirectory(path: folder.file("data")))
        var seen: [[AppleCredential]] = []
        for _ in 0..<2 {
            let application = try await Application.build(configuration)
            seen.append(try await application.gateway.administration.credentials(of: nil))
            await application.close()
        }
        #expect(seen[0] == seen[1])
        #expect(seen[0].count(where: { $0.purpose == .merchantIdentity }) == DialectModule.all.count)
        #expect(seen[0].allSatisfy { $0.certificatePEM != nil })
    }

    // MARK: The listener itself

    private static func client(
        _ application: Application, showing identity: (certificate: String, key: String)?
    ) throws -> HTTPClient {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .file(application.directory.caCertificatePath)
        if let identity {
            tls.certificateChain = try NIOSSLCertificate.fromPEMBytes(Array(identity.certificate.utf8))
                .map { .certificate($0) }
            tls.privateKey = .privateKey(try NIOSSLPrivateKey(bytes: Array(identity.key.utf8), format: .pem))
        }
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// What a client gets that comes with a certificate of its own choice.
    private static func ask(
        _ application: Application, _ method: HTTPMethod = .POST, _ path: String = "/paymentservices/paymentSession",
        showing identity: (certificate: String, key: String)?,
        merchantIdentifier: String = "merchant.dev.pomona.payone",
        body: String? = nil
    ) async throws -> (status: UInt, json: JSON, allow: String?) {
        let client = try Self.client(application, showing: identity)
        do {
            var request = HTTPClientRequest(url: try #require(application.apple?.url) + path)
            request.method = method
            let json: JSON = [
                "merchantIdentifier": .string(merchantIdentifier), "displayName": "x", "initiative": "web",
                "initiativeContext": "localhost",
            ]
            if method == .POST { request.body = .bytes(ByteBuffer(string: body ?? json.text())) }
            let response = try await client.execute(request, timeout: .seconds(120))
            let bytes = Array(try await response.body.collect(upTo: 1 << 20).readableBytesView)
            try await client.shutdown()
            return (response.status.code, try JSON.parse(bytes), response.headers.first(name: "Allow"))
        } catch {
            try? await client.shutdown()
            throw error
        }
    }

    private static func identity(
        _ application: Application, kind: MerchantCertificateKind = .merchantIdentity,
        of identifier: String = "merchant.dev.pomona.payone", issued: Date = .now
    ) throws -> (certificate: String, key: String) {
        let made = try TestIdentity(
            by: try application.directory.loadAuthority(), kind: kind, of: identifier, issued: issued)
        return (made.certificatePEM, made.privateKeyPEM)
    }

    @Test func nobodyIsLetInWithoutAnIdentityByTheTestAuthority() async throws {
        try await Self.run { application, _ in
            let foreign = try TestIdentity(by: try TestAuthority.make(now: .now))
            let expired = try Self.identity(application, issued: Date.now.addingTimeInterval(-3 * 365 * 86_400))
            let processing = try Self.identity(application, kind: .paymentProcessing)
            for identity in [nil, (foreign.certificatePEM, foreign.privateKeyPEM), expired, processing] {
                for path in ["/paymentservices/paymentSession", "/metrics"] {
                    await #expect(throws: (any Error).self) {
                        _ = try await Self.ask(application, .POST, path, showing: identity)
                    }
                }
            }
            let good = try await Self.ask(application, showing: try Self.identity(application))
            #expect(good.status == 200)
        }
    }

    @Test func refusesAsAppleDoes() async throws {
        try await Self.run { application, _ in
            let own = try Self.identity(application)
            let unknown = try Self.identity(application, of: "merchant.com.example.unknown")
            let cases: [(status: UInt, (certificate: String, key: String), identifier: String)] = [
                (417, own, "merchant.dev.pomona.radial"),
                (417, unknown, "merchant.com.example.unknown"), (200, own, "merchant.dev.pomona.payone"),
            ]
            for (status, identity, identifier) in cases {
                let answer = try await Self.ask(application, showing: identity, merchantIdentifier: identifier)
                #expect(answer.status == status, "\(answer.json.text())")
                if status != 200 { #expect(answer.json["statusCode"]?.string == "\(status)") }
            }
        }
    }

    @Test func everyOtherRequestGetsAnErrorInApplesShape() async throws {
        try await Self.run { application, _ in
            let own = try Self.identity(application)
            let unknown = try await Self.ask(application, .POST, "/paymentservices/other", showing: own)
            #expect(unknown.status == 404 && unknown.json["statusCode"] == "404")
            let wrongMethod = try await Self.ask(application, .GET, showing: own)
            #expect(wrongMethod.status == 405 && wrongMethod.allow == "POST")
            let long = try await Self.ask(application, showing: own, body: String(repeating: " ", count: 17_000))
            #expect(long.status == 413 && long.json["statusCode"] == "413")
            let broken = try await Self.ask(application, showing: own, body: "{")
            #expect(broken.status == 400 && broken.json["statusCode"] == "400")
        }
    }

    private static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test func paymentServiceProviderHandsTheSessionToThePage() async throws {
        try await Self.run { application, urls in
            let card = try application.directory.loadMerchant("payone")
            let key = Insecure.MD5.hash(data: Data(try card.value("key").utf8))
            let form = [
                "mid": try card.value("mid"), "aid": try card.value("aid"), "portalid": try card.value("portalid"),
                "key": Self.hex(key), "mode": "test", "request": "genericpayment", "clearingtype": "wlt",
                "wallettype": "APL", "currency": "EUR", "add_paydata%5Baction%5D": "init_applepay_session",
                "add_paydata%5Bdomain_name%5D": "localhost", "encoding": "UTF-8", "api_version": "3.11",
            ]
            var request = HTTPClientRequest(url: urls[0] + "/post-gateway/")
            request.method = .POST
            request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
            request.headers.add(name: "Accept", value: "application/json")
            request.body = .bytes(ByteBuffer(string: form.map { "\($0.key)=\($0.value)" }.joined(separator: "&")))
            let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
            let json = try JSON.parse(Array(try await response.body.collect(upTo: 1 << 20).readableBytesView))
            let encoded = try #require(
                json["AddPayData"]?["applepay_payment_session"]?.string, "\(json.text())")
            let session = try #require(Data(base64Encoded: encoded))
            #expect(try Self.verify(Redacted(Array(session)), application, host: "localhost").domainName == "localhost")
        }
    }
}
