//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import DialectKit
import Foundation
import HTTPTypes
import StrictJSON
import Testing
import Time
import WebFiles

@testable import Storefront

struct PagesTests {
    let scripts: ScriptService
    let shop: ShopService

    init() throws {
        self.scripts = try ScriptService(files: ShopFixture.files)
        self.shop = Self.emptyShop
    }

    /// The pages of a shop that nobody pays.
    private static var emptyShop: ShopService {
        let refusal = ShopWireError("There is no payment service.")
        return ShopService(
            files: ShopFixture.files,
            parts: ShopParts(
                accounts: [], wire: ShopWire { _ throws(ShopWireError) in throw refusal },
                view: GatewayView(
                    tokenStages: { _, _ in [] }, payment: { _, _, _ in nil },
                    merchantSession: { _, _, _ throws(ShopWireError) in throw refusal }),
                shopURL: { nil }, clock: { Timestamp(seconds: 0) }, random: { [UInt8](repeating: 0, count: $0) }))
    }

    private func get(
        _ service: any WireService, _ path: String, _ method: HTTPRequest.Method = .get, _ headers: HTTPFields = [:]
    ) async -> WireResponse {
        await service.respond(to: WireRequest(method: method, path: path, headers: headers))
    }

    @Test(arguments: [
        "/sdk/tpdirect/v5.19.2", "/tpdirect/v5.19.2", "/sdk/tpdirect/v0.0.0", "/tpdirect/v10.200.3000",
    ])
    func scriptHasEveryVersion(_ path: String) async {
        for method in [HTTPRequest.Method.get, .head] {
            let response = await self.get(self.scripts, path, method)
            #expect(response.status == .ok)
            #expect(response.body == Array("var TPDirect = {};".utf8))
            #expect(response.headers[.contentType] == "text/javascript; charset=utf-8")
            #expect(response.headers[.accessControlAllowOrigin] == "*")
            #expect(response.headers[.known("X-Content-Type-Options")] == "nosniff")
        }
    }

    @Test(arguments: [
        "/sdk/tpdirect/5.19.2", "/sdk/tpdirect/v5.19", "/sdk/tpdirect/v5.19.2.1", "/tpdirect/v5.x.2", "/tpdirect/v5..2",
        "/tpdirect/v1234567.1.1", "/tpdirect/v٥.1.2", "/sdk/tpdirect", "/sdk/tpdirect/modules/none.js",
        "/sdk/tpdirect/modules/../tpdirect.js", "/tpdirect/tpdirect.d.ts",
    ])
    func anythingElseIsNotFound(_ path: String) async throws {
        let response = await self.get(self.scripts, path)
        #expect(response.status == .notFound)
        #expect(try JSON.parse(response.body).errorCode == "not_found")
    }

    @Test(arguments: [
        ("/sdk/tpdirect/modules/index.js", "text/javascript; charset=utf-8"),
        ("/sdk/tpdirect/tpdirect.d.ts", "text/plain; charset=utf-8"),
    ])
    func modulesAndDeclarationsAreThere(_ path: String, _ type: String) async {
        let response = await self.get(self.scripts, path)
        #expect(response.status == .ok)
        #expect(response.headers[.contentType] == type)
    }

    @Test func sdkMustBeThere() {
        #expect(throws: WebFilesError.self) { try ScriptService(files: WebFiles(files: [:])) }
    }

    @Test func pagesAreHeldByAStrictPolicy() async {
        for path in ["/", "/shop/index.html", "/shop/shop.css"] {
            let response = await self.get(self.shop, path)
            #expect(response.status == .ok)
            let policy = response.headers[.known("Content-Security-Policy")] ?? ""
            #expect(policy.hasPrefix("default-src 'self';"))
            #expect(!policy.contains("unsafe"))
            #expect(policy.contains("frame-ancestors 'none'"))
            #expect(response.headers[.known("Referrer-Policy")] == "no-referrer")
            #expect(response.headers[.known("X-Content-Type-Options")] == "nosniff")
            #expect(response.headers[.accessControlAllowOrigin] == nil)
        }
        #expect(await self.get(self.shop, "/").headers[.contentType] == "text/html; charset=utf-8")
    }

    @Test func unchangedFileIsNotSentAgain() async throws {
        let first = await self.get(self.shop, "/shop/shop.css")
        let tag = try #require(first.headers[.eTag])
        for condition in [tag, "W/\(tag)", "*", "\"other\", \(tag)"] {
            let again = await self.get(self.shop, "/shop/shop.css", .get, [.ifNoneMatch: condition])
            #expect(again.status == .notModified)
            #expect(again.body.isEmpty)
            #expect(again.headers[.eTag] == tag)
        }
        #expect(await self.get(self.shop, "/shop/shop.css", .get, [.ifNoneMatch: "\"other\""]).status == .ok)
        #expect(await self.get(self.shop, "/").headers[.eTag] != tag)
    }

    @Test(arguments: [
        ("a.html", "text/html; charset=utf-8"), ("a.css", "text/css; charset=utf-8"),
        ("a.mjs", "text/javascript; charset=utf-8"), ("a.svg", "image/svg+xml; charset=utf-8"),
        ("a.png", "image/png"), ("a.webp", "image/webp"), ("a.json", "application/json; charset=utf-8"),
        ("a.ico", "image/vnd.microsoft.icon"), ("a.woff2", "font/woff2"), ("a.txt", "text/plain; charset=utf-8"),
        ("a.exe", "application/octet-stream"), ("a", "application/octet-stream"),
    ])
    func typesFollowFromTheEnding(_ name: String, _ type: String) {
        #expect(StaticFile.contentType(of: name) == type)
    }

    @Test func failuresOfTheServerHaveTheSameShape() async throws {
        let failures: [(WireFailure, Int, String)] = [
            (.pathUnknown, 404, "not_found"), (.methodNotAllowed(allowed: [.get, .head]), 405, "method_not_allowed"),
            (.bodyTooLarge(bytesMax: 10), 413, "body_too_large"), (.bodyIncomplete, 408, "body_incomplete"),
            (.timedOut, 504, "timed_out"), (.overloaded, 503, "overloaded"),
        ]
        let wallet = try WalletFixture.open().service
        for service in [self.scripts, self.shop, wallet] as [any WireService] {
            for (failure, status, code) in failures {
                let response = await service.answer(to: failure, request: WireRequest(method: .get, path: "/"))
                #expect(response.status.code == status)
                #expect(try JSON.parse(response.body).errorCode == code)
                if status == 405 { #expect(response.headers[.allow] == "GET, HEAD") }
            }
        }
    }

    @Test func filesAreFoundBesideTheProgram() throws {
        let files = try WebFiles.beside()
        #expect(files.files["sdk/tpdirect.js"]?.isEmpty == false)
        #expect(files.files["wallet/apple-pay-simulator.js"]?.isEmpty == false)
        #expect(files.files["shop/index.html"]?.isEmpty == false)
        #expect(files.files.keys.allSatisfy { !$0.contains("placeholder.txt") })
    }

    @Test func missingDirectoryIsReportedWithItsPlaces() throws {
        let error = #expect(throws: WebFilesError.self) {
            try WebFiles.beside(program: URL(fileURLWithPath: "/nowhere/bin/pomona"))
        }
        #expect(error?.code == "directory_missing")
        #expect(error?.message.contains("/nowhere/bin/pomona_WebFiles.resources") == true)
        #expect(error?.message.contains("/nowhere/share/pomona/pomona_WebFiles.resources") == true)
    }

    @Test func directoryIsReadWithoutHiddenFilesAndLinks() throws {
        let root = URL(fileURLWithPath: NSTemporaryDirectory() + "webfiles-" + UUID().uuidString, isDirectory: true)
        defer { try? FileManager.default.removeItem(at: root) }
        #expect(throws: WebFilesError.self) { try WebFiles(directory: root) }
        for folder in ["sdk/modules", "shop", "wallet", "portal"] {
            try FileManager.default.createDirectory(
                at: root.appendingPathComponent(folder), withIntermediateDirectories: true)
        }
        try Data("a".utf8).write(to: root.appendingPathComponent("sdk/modules/a.js"))
        try Data("b".utf8).write(to: root.appendingPathComponent("shop/.hidden"))
        try Data("c".utf8).write(to: root.appendingPathComponent("secret.txt"))
        try FileManager.default.createSymbolicLink(
            at: root.appendingPathComponent("shop/link.txt"),
            withDestinationURL: root.appendingPathComponent("secret.txt"))
        #expect(try WebFiles(directory: root).files == ["sdk/modules/a.js": [0x61]])
        try Data(count: (4 << 20) + 1).write(to: root.appendingPathComponent("wallet/large.js"))
        let error = #expect(throws: WebFilesError.self) { try WebFiles(directory: root) }
        #expect(error?.code == "file_too_large")
    }
}
