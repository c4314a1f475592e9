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
import TestGateway
import Testing

@testable import pomona

/// The files by which Apple verifies domains, served for the host that is asked for.
struct WellKnownTests {
    private static let file = "7B227073704964223A2239363432"

    private static func host(_ name: String) throws -> WellKnownHost { try #require(WellKnownHost(name)) }

    private static func run(
        _ kind: ApplicationConfiguration.Kind,
        _ body: @escaping @Sendable (Application, _ url: String) async throws -> Void
    ) async throws {
        let folder = try CliFolder()
        var configuration = ApplicationConfiguration(kind: kind, directory: DataDirectory(path: folder.file("data")))
        configuration.listeners = [ApplicationConfiguration.Listener(host: "127.0.0.1", port: 0)]
        configuration.logLevel = .critical
        let application = try await Application.build(configuration)
        try await application.withRunning { try await body(application, $0[0].url) }
    }

    // MARK: Names

    @Test(
        arguments: [
            ("shop.example.com", "shop.example.com"), ("Shop.Example.COM", "shop.example.com"),
            ("localhost", "localhost"), ("127.0.0.1", "127.0.0.1"), ("xn--bcher-kva.example", "xn--bcher-kva.example"),
        ])
    func hostNamesAreWrittenInOneWay(text: String, name: String) {
        #expect(WellKnownHost(text)?.name == name)
    }

    @Test(
        arguments: [
            "", ".", "..", "../etc", "/etc/passwd", "a/b", "a..b", ".a", "a.", "-a", "a-", "a_b", "a b", "a\u{0}b",
            "bücher.example", "https://a.example", "a.example:443", "%2e%2e", "a\\b", "[::1]",
            String(repeating: "a", count: 64), String(repeating: "abcdefg.", count: 32) + "example",
        ])
    func refusesWhatIsNoHostName(text: String) {
        #expect(WellKnownHost(text) == nil)
    }

    @Test(
        arguments: [
            ("shop.example.com:443", "shop.example.com"), ("shop.example.com", "shop.example.com"),
            ("SHOP.example.com:8443", "shop.example.com"), ("shop.example.com:", nil), ("shop.example.com:x", nil),
            ("shop.example.com:1:2", nil), ("shop.example.com:123456", nil), ("[::1]:443", nil), (":443", nil),
        ] as [(String, String?)])
    func portIsNoPartOfTheHost(authority: String, name: String?) {
        #expect(WellKnownHost(authority: authority)?.name == name)
    }

    // MARK: On the wire

    @Test(arguments: [ApplicationConfiguration.Kind.sandbox, .serve])
    func servesTheFileForItsHostAlone(kind: ApplicationConfiguration.Kind) async throws {
        try await Self.run(kind) { application, url in
            let administration = application.gateway.administration
            let merchant = try await administration.createMerchant(
                name: "one", displayName: "One", mode: .sandbox, countryCode: "CA")
            try await administration.addDomain(
                Self.host("shop.example.com"), to: merchant.id, file: Array(Self.file.utf8))
            for path in WellKnownService.paths {
                for host in ["shop.example.com", "Shop.example.com:443"] {
                    let answer = try await Self.get(url + path, host: host)
                    #expect(answer.status == 200 && answer.text == Self.file)
                    #expect(answer.contentType == "text/plain; charset=utf-8")
                }
                for host in [
                    "example.com", "other.shop.example.com", "shop.example.com.evil.example", "..", "127.0.0.1",
                ] {
                    #expect(try await Self.get(url + path, host: host).status == 404)
                }
                let head = try await Self.get(url + path, .HEAD, host: "shop.example.com")
                #expect(head.status == 200 && head.text.isEmpty)
                let post = try await Self.get(url + path, .POST, host: "shop.example.com")
                #expect(post.status == 405)
            }
            let below = try await Self.get(url + WellKnownService.paths[0] + "/x", host: "shop.example.com")
            #expect(below.status == 404)
            try await administration.removeDomain(Self.host("shop.example.com"), of: merchant.id)
            let gone = try await Self.get(url + WellKnownService.paths[0], host: "shop.example.com")
            #expect(gone.status == 404)
        }
    }

    private static func get(
        _ url: String, _ method: HTTPMethod = .GET, host: String
    ) async throws -> (status: UInt, text: String, contentType: String?) {
        var request = HTTPClientRequest(url: url)
        request.method = method
        request.headers.add(name: "Host", value: host)
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
        let bytes = Array(try await response.body.collect(upTo: 1 << 20).readableBytesView)
        return (
            response.status.code, String(decoding: bytes, as: UTF8.self), response.headers.first(name: "Content-Type")
        )
    }

    @Test(arguments: WireFailureCase.allCases) func everyFailureHasAnAnswer(failure: WireFailureCase) async throws {
        let test = try await TestGateway.open()
        let service = WellKnownService(administration: test.gateway.administration)
        let answer = await service.answer(
            to: failure.failure, request: WireRequest(method: .get, path: WellKnownService.paths[0]))
        #expect(answer.status.code == failure.status && !answer.body.isEmpty)
    }
}

/// Every ``WireFailure``, with the status that stands for it.
enum WireFailureCase: CaseIterable, Sendable {
    case pathUnknown
    case methodNotAllowed
    case bodyTooLarge
    case bodyIncomplete
    case timedOut
    case overloaded

    var failure: WireFailure {
        switch self {
        case .pathUnknown: .pathUnknown
        case .methodNotAllowed: .methodNotAllowed(allowed: [.get, .head])
        case .bodyTooLarge: .bodyTooLarge(bytesMax: 0)
        case .bodyIncomplete: .bodyIncomplete
        case .timedOut: .timedOut
        case .overloaded: .overloaded
        }
    }

    var status: Int {
        switch self {
        case .pathUnknown: 404
        case .methodNotAllowed: 405
        case .bodyTooLarge: 413
        case .bodyIncomplete: 400
        case .timedOut, .overloaded: 503
        }
    }
}
