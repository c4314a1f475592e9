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

    @Test(arguments: [ApplicationConfiguration.Kind.sandbox, .serve])
    func servesTheFileForItsHostAlone(kind: ApplicationConfiguration.Kind) async throws {
        try await Self.run(kind) { application, url in
            let administration = application.gateway.administration
            let merchant = try await administration.createMerchant(
                name: "one", displayName: "One", mode: .sandbox, countryCode: "CA")
            try await administration.addDomain(
                Self.host("shop.example.com"), to: merchant.id, file: Array(Self.file.utf8))
            for path in [RegisteredDomain.filePath, RegisteredDomain.filePath + ".txt"] {
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
                #expect(head.length == String(Self.file.utf8.count), "as GET has it (RFC 9110, section 9.3.2)")
                let post = try await Self.get(url + path, .POST, host: "shop.example.com")
                #expect(post.status == 405)
            }
            let below = try await Self.get(url + RegisteredDomain.filePath + "/x", host: "shop.example.com")
            #expect(below.status == 404)
            try await administration.removeDomain(Self.host("shop.example.com"), of: merchant.id)
            let gone = try await Self.get(url + RegisteredDomain.filePath, host: "shop.example.com")
            #expect(gone.status == 404)
        }
    }

    private static func get(
        _ url: String, _ method: HTTPMethod = .GET, host: String
    ) async throws -> (status: UInt, text: String, contentType: String?, length: String?) {
        var request = HTTPClientRequest(url: url)
        request.method = method
        request.headers.add(name: "Host", value: host)
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
        let bytes = Array(try await response.body.collect(upTo: 1 << 20).readableBytesView)
        return (
            response.status.code, String(decoding: bytes, as: UTF8.self), response.headers.first(name: "Content-Type"),
            response.headers.first(name: "Content-Length")
        )
    }
}
