//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import Testing
import WebFiles

@testable import AdminAPI

/// The portal's files.
@Suite struct PortalServiceTests {
    private static let files = WebFiles(files: [
        "portal/index.html": Array("<!doctype html>".utf8), "portal/core/app.js": Array("run()".utf8),
        "portal/css/portal.css": Array("a{}".utf8), "shop/index.html": Array("shop".utf8),
    ])

    private func get(
        _ path: String, _ method: HTTPRequest.Method = .get, _ headers: HTTPFields = [:]
    ) async throws -> WireResponse {
        try await PortalService(files: Self.files).respond(
            to: WireRequest(method: method, path: path, headers: headers))
    }

    @Test(arguments: [
        ("/portal/", "text/html; charset=utf-8"), ("/portal/index.html", "text/html; charset=utf-8"),
        ("/portal/payments", "text/html; charset=utf-8"),
        ("/portal/payments/pay_01/refund", "text/html; charset=utf-8"),
        ("/portal/core/app.js", "text/javascript; charset=utf-8"),
        ("/portal/css/portal.css", "text/css; charset=utf-8"),
    ])
    func filesAreServedAndPagesAreTheOneFile(_ path: String, _ type: String) async throws {
        let response = try await self.get(path)
        #expect(response.status == .ok)
        #expect(response.headers[.contentType] == type)
        let tag = try #require(response.headers[.eTag])
        #expect(response.headers[.cacheControl] == "no-cache")
        let again = try await self.get(path, .get, [.ifNoneMatch: tag])
        #expect(again.status == .notModified && again.body.isEmpty)
        #expect(try await self.get(path, .head).status == .ok)
    }

    @Test(arguments: ["/", "/portal"]) func rootLeadsToThePortal(_ path: String) async throws {
        let response = try await self.get(path)
        #expect(response.status == .found && response.headers[.location] == "/portal/")
    }

    @Test(arguments: [
        "/portal/none.js", "/portal/../shop/index.html", "/portal/%2e%2e/shop/index.html", "/shop/index.html",
        "/nothing",
        "/portal/a/b/c/d/e/f/g/h/i", "/portal/core/.hidden", "/portal/index.html/",
    ])
    func nothingElseIsServed(_ path: String) async throws {
        let response = try await self.get(path)
        #expect(response.body != Array("shop".utf8))
        let isPage = response.body == Array("<!doctype html>".utf8)
        #expect(response.status == .notFound || isPage, "\(path)")
    }

    /// A strict policy with every answer, refusals included: nothing that stands in a page runs, and nobody frames one.
    @Test(arguments: ["/", "/portal/", "/portal/core/app.js", "/portal/none.js", "/nothing"])
    func everyAnswerHasThePolicy(_ path: String) async throws {
        for method in [HTTPRequest.Method.get, .head, .post, .options] {
            let headers = try await self.get(path, method).headers
            #expect(
                headers[.contentSecurityPolicy]
                    == "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
                    + "font-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
            #expect(headers[.xContentTypeOptions] == "nosniff")
            #expect(headers[.known("Referrer-Policy")] == "no-referrer")
            #expect(headers[.known("Cross-Origin-Opener-Policy")] == "same-origin")
            #expect(headers[.known("Cross-Origin-Resource-Policy")] == "same-origin")
            #expect(headers[.known("Permissions-Policy")]?.contains("payment=()") == true)
            #expect(!headers.contains { $0.name.canonicalName.hasPrefix("access-control") })
        }
    }

    @Test(
        arguments: [
            (WireFailure.pathUnknown, 404), (.methodNotAllowed(allowed: [.get]), 405),
            (.bodyTooLarge(bytesMax: 0), 413),
            (.bodyIncomplete, 400), (.timedOut, 504), (.overloaded, 503),
        ] as [(WireFailure, Int)])
    func failuresHaveTheirStatus(_ failure: WireFailure, _ status: Int) async throws {
        let service = try PortalService(files: Self.files)
        let response = await service.answer(to: failure, request: WireRequest(method: .get, path: "/portal/"))
        #expect(response.status.code == status)
    }

    @Test func missingPortalIsSaid() {
        let error = #expect(throws: WebFilesError.self) { try PortalService(files: WebFiles(files: [:])) }
        #expect(error?.code == "file_missing")
        #expect(error?.message.contains("portal/index.html") == true)
    }

    /// What the program serves.
    @Test func ownFilesAreThere() throws {
        let files = try WebFiles.beside()
        #expect(throws: Never.self) { try PortalService(files: files) }
    }
}
