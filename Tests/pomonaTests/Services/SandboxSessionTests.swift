//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import AsyncHTTPClient
import DialectKit
import Foundation
import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1
import Payments
import Server
import StrictJSON
import Testing

@testable import pomona

/// Merchant sessions for pages, from a whole sandbox whose simulated Apple is asked over real TLS.
@Suite struct SandboxSessionTests {
    private struct Reply {
        let status: Int
        let json: JSON
        let headers: [String: String]
    }

    private static func run(
        mode: ApplicationConfiguration.Kind = .sandbox, tlsNames: [String] = [],
        _ body: @escaping @Sendable (Application, String) async throws -> Void
    ) async throws {
        let folder = try CliFolder()
        var configuration = ApplicationConfiguration.sandbox(DataDirectory(path: folder.file("data")))
        configuration.listeners = [
            ApplicationConfiguration.Listener(host: "127.0.0.1", port: 0),
            ApplicationConfiguration.Listener(host: "127.0.0.1", port: 0, tls: .sandboxAuthority),
        ]
        configuration.applePort = 0
        configuration.tlsNames = tlsNames
        configuration.hasShop = false
        configuration.logLevel = .critical
        let application = try await Application.build(configuration)
        try await application.withRunning { addresses in try await body(application, addresses[0].url) }
    }

    private static func ask(
        _ url: String, _ body: JSON, origin: String? = nil, method: String = "POST"
    ) async throws -> Reply {
        var request = HTTPClientRequest(url: url + "/apple-pay/merchant-session")
        request.method = .init(rawValue: method)
        request.headers.add(name: "Content-Type", value: "application/json")
        if let origin { request.headers.add(name: "Origin", value: origin) }
        if method == "POST" { request.body = .bytes(ByteBuffer(bytes: body.serialized())) }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        let buffer = try await response.body.collect(upTo: 1 << 20)
        let headers = Dictionary(response.headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }
        return Reply(
            status: Int(response.status.code),
            json: (try? JSON.parse(Array(buffer.readableBytesView))) ?? .null, headers: headers)
    }

    @Test func givesPagesOfEveryDialectASession() async throws {
        try await Self.run { application, url in
            for card in application.merchants {
                let module = try #require(DialectModule.all.first { $0.name == card.name })
                let body: JSON = ["dialect": .string(card.name), "account": .string(module.plan.demoKey)]
                let reply = try await Self.ask(url, body, origin: "http://localhost:4242")
                #expect(reply.status == 200, "\(card.name): \(reply.json.text())")
                #expect(reply.json["domainName"]?.string == "localhost")
                #expect(reply.json["signature"]?.string?.isEmpty == false)
                #expect(reply.headers["access-control-allow-origin"] == "*")
                #expect(reply.headers["access-control-allow-credentials"] == nil)
                #expect(reply.headers["cache-control"] == "no-store")
            }
        }
    }

    /// A shop's server names the domain; a page of it may name it too.
    @Test func takesDomainsThatAreRegisteredForTheMerchant() async throws {
        try await Self.run { application, url in
            let body: JSON = ["dialect": "radial", "account": "POMONA", "domainName": "shop.example.com"]
            #expect(try await Self.ask(url, body).status == 403)
            let administration = application.gateway.administration
            let merchant = try await administration.merchant(named: "radial").id
            let host = try #require(WellKnownHost("shop.example.com"))
            try await administration.addDomain(host, to: merchant, file: Array("association".utf8))
            #expect(try await Self.ask(url, body).json["domainName"]?.string == "shop.example.com")
            #expect(try await Self.ask(url, body, origin: "https://shop.example.com:8443").status == 200)
            // It is no other merchant's domain.
            let other: JSON = ["dialect": "commweb", "account": "POMONA", "domainName": "shop.example.com"]
            let refused = try await Self.ask(url, other)
            #expect(refused.status == 403 && refused.json["error"]?["code"]?.string == "not_registered")
            try await administration.removeDomain(host, of: merchant)
            #expect(try await Self.ask(url, body).status == 403)
        }
    }

    @Test func namesOfTheCertificateNeedNoRegistrationInASandbox() async throws {
        try await Self.run(tlsNames: ["team.example.com"]) { _, url in
            let body: JSON = ["dialect": "alphapay", "account": "POMONA"]
            let reply = try await Self.ask(url, body, origin: "https://team.example.com")
            #expect(reply.status == 200)
        }
    }

    @Test(
        arguments: [
            (#"{"dialect": "commweb", "account": "POMONA"}"#, "https://evil.example", 403, "not_registered"),
            (#"{"dialect": "commweb", "account": "NOBODY"}"#, "http://localhost", 403, "not_registered"),
            (#"{"dialect": "nothing", "account": "POMONA"}"#, "http://localhost", 403, "not_registered"),
            (
                #"{"dialect": "commweb", "account": "POMONA", "domainName": "localhost"}"#, "https://evil.example", 400,
                "request_malformed"
            ),
            (
                #"{"dialect": "commweb", "account": "POMONA", "domainName": "localhost"}"#, "null", 400,
                "request_malformed"
            ),
            (#"{"dialect": "commweb", "account": "POMONA"}"#, "null", 400, "request_malformed"),
            (#"{"dialect": "commweb", "account": "POMONA"}"#, nil, 400, "request_malformed"),
            (
                #"{"dialect": "commweb", "account": "POMONA", "domainName": "local host"}"#, nil, 400,
                "request_malformed"
            ),
            (#"{"account": "POMONA"}"#, "http://localhost", 400, "request_malformed"),
            (#"[1]"#, "http://localhost", 400, "request_malformed"),
            (#""x""#, "http://localhost", 400, "request_malformed"),
            (
                #"{"dialect": "commweb", "account": "POMONA", "validationURL": "https://evil.example/"}"#,
                "http://localhost", 502, "session_failed"
            ),
            (
                #"{"dialect": "commweb", "account": "POMONA", "merchantIdentifier": "merchant.other"}"#,
                "http://localhost", 409, "identity_missing"
            ),
        ] as [(String, String?, Int, String)])
    func refuses(_ body: String, _ origin: String?, _ status: Int, _ code: String) async throws {
        try await Self.run { _, url in
            let reply = try await Self.ask(url, try JSON.parse(body), origin: origin)
            #expect(reply.status == status, "\(reply.json.text())")
            #expect(reply.json["error"]?["code"]?.string == code)
            #expect(reply.headers["access-control-allow-origin"] == "*")
            #expect(!reply.json.text().contains("evil"))
        }
    }

    @Test func answersWhatBrowsersAskBefore() async throws {
        try await Self.run { _, url in
            let reply = try await Self.ask(url, .null, origin: "https://anywhere.example", method: "OPTIONS")
            #expect(reply.status == 204)
            #expect(reply.headers["access-control-allow-methods"] == "POST")
            #expect(reply.headers["access-control-allow-headers"] == "content-type")
            #expect(try await Self.ask(url, .null, method: "GET").status == 405)
        }
    }
}
