//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import DialectKit
import Foundation
import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1
import Server
import Testing

@testable import pomona

/// The files by which Apple verifies domains: kept in the data directory, served for the host that is asked for.
struct WellKnownTests {
    private static let file = "7B227073704964223A2239363432"

    private static func domains(_ folder: CliFolder) -> WellKnownDomains {
        WellKnownDomains(directory: DataDirectory(path: folder.path))
    }

    private static func host(_ text: String) throws -> WellKnownHost { try #require(WellKnownHost(text)) }

    private static func code(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return (error as? CommandFailure)?.code
        }
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

    // MARK: Files

    @Test func keepsWhatHasBeenAdded() throws {
        let folder = try CliFolder()
        let domains = Self.domains(folder)
        #expect(try domains.entries().isEmpty)
        try domains.add(Self.host("shop.example.com"), merchant: "one", file: Array(Self.file.utf8))
        try domains.add(Self.host("b.example"), merchant: "two", file: Array("other\n".utf8))
        #expect(try domains.entries().map(\.host.name) == ["b.example", "shop.example.com"])
        let entry = try #require(try domains.entry(Self.host("shop.example.com")))
        #expect(entry.file == Self.file && entry.merchants == ["one"])
        #expect(try domains.hosts(of: "two") == ["b.example"] && domains.hosts(of: "three").isEmpty)
        try domains.add(Self.host("shop.example.com"), merchant: "one", file: Array("renewed".utf8))
        #expect(try domains.entry(Self.host("shop.example.com"))?.file == "renewed")
    }

    @Test func merchantsShareADomainOnlyWithTheSameFile() throws {
        let folder = try CliFolder()
        let domains = Self.domains(folder)
        let host = try Self.host("shop.example.com")
        try domains.add(host, merchant: "two", file: Array(Self.file.utf8))
        try domains.add(host, merchant: "one", file: Array(Self.file.utf8))
        try domains.add(host, merchant: "one", file: Array(Self.file.utf8))
        #expect(try domains.entry(host)?.merchants == ["one", "two"])
        #expect(Self.code { try domains.add(host, merchant: "one", file: Array("other".utf8)) } == "domain_taken")
        #expect(Self.code { try domains.add(host, merchant: "three", file: [0x61]) } == "domain_taken")
        try domains.remove(host, merchant: "one")
        #expect(try domains.entry(host)?.merchants == ["two"])
        try domains.remove(host, merchant: "two")
        #expect(try domains.entry(host) == nil)
        #expect(Self.code { try domains.remove(host, merchant: "two") } == "domain_unknown")
    }

    @Test func refusesFilesThatCannotBeApples() throws {
        let folder = try CliFolder()
        let domains = Self.domains(folder)
        let host = try Self.host("shop.example.com")
        for file in [[], [0xFF, 0xFE], Array(repeating: 0x41, count: 64 * 1024 + 1)] as [[UInt8]] {
            #expect(Self.code { try domains.add(host, merchant: "one", file: file) } == "domain_file_malformed")
        }
        let largest = [UInt8](repeating: 0x41, count: 64 * 1024)
        #expect(try domains.add(host, merchant: "one", file: largest).file.utf8.count == 64 * 1024)
    }

    @Test(arguments: ["", "{", "[]", "{\"file\":\"x\"}", "{\"file\":\"x\",\"merchants\":[]}"])
    func saysThatAFileIsDamaged(text: String) async throws {
        let folder = try CliFolder()
        let domains = Self.domains(folder)
        let host = try Self.host("shop.example.com")
        try domains.add(host, merchant: "one", file: Array(Self.file.utf8))
        try folder.write("domains/shop.example.com.json", text)
        #expect(Self.code { _ = try domains.entries() } == "file_malformed")
        let answer = await WellKnownService(domains: domains).respond(
            to: WireRequest(method: .get, path: WellKnownService.paths[0], authority: "shop.example.com"))
        #expect(answer.status == .internalServerError)
    }

    // MARK: On the wire

    @Test(arguments: [ApplicationConfiguration.Kind.sandbox, .serve])
    func servesTheFileForItsHostAlone(kind: ApplicationConfiguration.Kind) async throws {
        let folder = try CliFolder()
        var configuration = ApplicationConfiguration(kind: kind, directory: DataDirectory(path: folder.file("data")))
        configuration.listeners = [ApplicationConfiguration.Listener(host: "127.0.0.1", port: 0)]
        configuration.logLevel = .critical
        let application = try await Application.build(configuration)
        try await application.withRunning { addresses in
            let domains = WellKnownDomains(directory: application.directory)
            try domains.add(Self.host("shop.example.com"), merchant: "one", file: Array(Self.file.utf8))
            for path in WellKnownService.paths {
                for host in ["shop.example.com", "Shop.example.com:443"] {
                    let answer = try await Self.get(addresses[0].url + path, host: host)
                    #expect(answer.status == 200 && answer.text == Self.file)
                    #expect(answer.contentType == "text/plain; charset=utf-8")
                }
                for host in [
                    "example.com", "other.shop.example.com", "shop.example.com.evil.example", "..", "127.0.0.1",
                ] {
                    #expect(try await Self.get(addresses[0].url + path, host: host).status == 404)
                }
                let head = try await Self.get(addresses[0].url + path, .HEAD, host: "shop.example.com")
                #expect(head.status == 200 && head.text.isEmpty)
                let post = try await Self.get(addresses[0].url + path, .POST, host: "shop.example.com")
                #expect(post.status == 405)
            }
            let below = try await Self.get(
                addresses[0].url + WellKnownService.paths[0] + "/x", host: "shop.example.com")
            #expect(below.status == 404)
            try domains.remove(Self.host("shop.example.com"), merchant: "one")
            let gone = try await Self.get(addresses[0].url + WellKnownService.paths[0], host: "shop.example.com")
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
        let folder = try CliFolder()
        let service = WellKnownService(domains: Self.domains(folder))
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
