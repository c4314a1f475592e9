//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import Payments
import Redaction
import StrictJSON
import TestGateway
import Testing

@testable import AdminAPI
@testable import Administration

/// No page of anybody else's can have a browser do anything in a person's name.
@Suite struct SignInOriginTests {
    /// What a foreign page can have a browser send, and what no browser sends.
    static let foreign: [(String, HTTPFields, String)] = [
        ("no header of the portal's", [.origin: "https://admin.example"], "portal_header_missing"),
        ("another value", [.pomonaPortal: "yes"], "portal_header_missing"),
        ("a foreign origin", [.pomonaPortal: "1", .origin: "https://evil.example"], "origin_foreign"),
        (
            "the same host at another port", [.pomonaPortal: "1", .origin: "https://admin.example:8443"],
            "origin_foreign"
        ),
        ("the same host without TLS", [.pomonaPortal: "1", .origin: "http://admin.example"], "origin_foreign"),
        ("an opaque origin", [.pomonaPortal: "1", .origin: "null"], "origin_foreign"),
        ("a foreign site", [.pomonaPortal: "1", .secFetchSite: "cross-site"], "origin_foreign"),
        ("a neighbour of the site", [.pomonaPortal: "1", .secFetchSite: "same-site"], "origin_foreign"),
        ("the address bar", [.pomonaPortal: "1", .secFetchSite: "none"], "origin_foreign"),
    ]

    @Test(arguments: foreign.indices) func sessionsCountForThePortalAlone(_ index: Int) async throws {
        let (name, headers, code) = Self.foreign[index]
        let desk = try await Desk.open()
        var browser = try await desk.browser()
        for endpoint in desk.endpoints where endpoint.audience != .anybody {
            var request = browser.request(
                endpoint.method, endpoint.path.replacing("{", with: "").replacing("}", with: ""),
                endpoint.body == nil ? nil : [:], key: "k", tag: "*")
            for field in Browser.portalHeaders where field.name != .userAgent { request.headers[field.name] = nil }
            for field in headers { request.headers[field.name] = field.value }
            let reply = try await browser.send(request)
            #expect(reply.status == 403 && reply.code == code, "\(endpoint.name): \(name)")
            #expect(reply.headers[.accessControlAllowOrigin] == nil)
        }
        try await browser.expect(200, .get, "/session")
    }

    /// A form of any page's can send these without being asked (Fetch, "CORS-safelisted request-header").
    @Test(arguments: ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", nil])
    func formsAreNotTaken(_ type: String?) async throws {
        let desk = try await Desk.open()
        var browser = try await desk.browser()
        for endpoint in desk.endpoints where endpoint.body != nil && endpoint.scope != .paymentsRead {
            guard !endpoint.path.contains("{") else { continue }
            var request = browser.request(endpoint.method, endpoint.path, [:], key: "k", tag: "*")
            request.headers[.contentType] = type
            #expect(try await browser.send(request).status == 415, "\(endpoint.name)")
        }
    }

    /// A browser that asks whether it may is never answered that it may.
    @Test func preflightsAreNotGranted() async throws {
        let desk = try await Desk.open()
        for endpoint in desk.endpoints {
            var request = WireRequest(method: .options, path: AdminService.root + endpoint.path)
            request.headers = [
                .origin: "https://evil.example", .known("Access-Control-Request-Headers"): "pomona-portal",
            ]
            let response = await desk.service.respond(to: request)
            #expect(response.status == .methodNotAllowed)
            #expect(!response.headers.contains { $0.name.canonicalName.hasPrefix("access-control") })
        }
    }

    @Test func tokensAndSessionsAreNotShownTogether() async throws {
        let desk = try await Desk.open()
        var browser = try await desk.browser()
        var request = browser.request(.get, "/merchants")
        request.headers[.authorization] = "Bearer \(desk.owner)"
        #expect(try await browser.send(request).code == "credentials_ambiguous")
        // A token is nobody, and needs no page.
        #expect(try await desk.expect(403, .get, "/me/sessions").code == "person_needed")
        #expect(try await desk.expect(403, .get, "/session").code == "person_needed")
        try await desk.expect(200, .get, "/merchants")
    }

    @Test(arguments: ["; __Host-pomona=other", "; __Host-pomona="])
    func severalCookiesAreNone(_ more: String) async throws {
        let desk = try await Desk.open()
        var browser = try await desk.browser()
        var request = browser.request(.get, "/session")
        request.headers[.cookie] = (request.headers[.cookie] ?? "") + more
        #expect(try await browser.send(request).code == "session_ended")
        try await browser.expect(200, .get, "/session")
    }

    /// Another's name that resolves to this machine is not the portal's (DNS rebinding).
    @Test(
        arguments: [
            ("localhost:9443", "http://localhost:9443"), ("127.0.0.1:9443", "http://127.0.0.1:9443"),
            ("[::1]:9443", "http://[::1]:9443"), ("LOCALHOST", "http://localhost"), ("evil.example:9443", nil),
            ("localhost.evil.example", nil), ("localhost:9443@evil.example", nil), ("127.0.0.1.evil.example", nil),
            ("", nil), (nil, nil),
        ] as [(String?, String?)])
    func withoutTLSOnlyThisMachinesNamesCount(_ authority: String?, _ origin: String?) {
        let site = AdminSite(mode: .sandbox, version: "1", hasTLS: false)
        #expect(site.origin(of: WireRequest(method: .get, path: "/", authority: authority)) == origin)
        #expect(site.cookie.name == "pomona_session")
        #expect(!site.cookie.header(.set(Redacted("s"))).contains("Secure"))
    }

    @Test(
        arguments: [
            ("Admin.example:9443", "https://admin.example:9443"), ("dev_box", "https://dev_box"),
            ("[::1]", "https://[::1]"), ("admin.example:", nil), ("admin.example:65536", nil), ("::1", nil),
            ("admin.example:9443@evil.example", nil), ("", nil), (nil, nil),
        ] as [(String?, String?)])
    func withTLSAnyHostCountsThatIsOne(_ authority: String?, _ origin: String?) {
        let site = AdminSite(mode: .sandbox, version: "1", hasTLS: true)
        #expect(site.origin(of: WireRequest(method: .get, path: "/", authority: authority)) == origin)
    }

    @Test func unknownHostIsRefusedBeforeAnythingElse() async throws {
        let request = WireRequest(
            method: .post, path: "/admin/v1/session", headers: Browser.portalHeaders, authority: "evil.example")
        let problem = #expect(throws: Problem.self) {
            try PortalRule.check(request, AdminSite(mode: .sandbox, version: "1", hasTLS: false))
        }
        #expect(problem?.code == "host_unknown" && problem?.status == .misdirectedRequest)
    }

    @Test func behindAProxyItsNameCounts() {
        let site = AdminSite(mode: .live, version: "1", hasTLS: false, url: "https://Admin.example/")
        #expect(
            site.origin(of: WireRequest(method: .get, path: "/", authority: "127.0.0.1:9443"))
                == "https://admin.example")
        #expect(site.isSecure && site.cookie.name == "__Host-pomona")
    }

    /// Nobody frames, sniffs, keeps or embeds what is answered, refusals included; Desk holds every answer of every test
    /// against the rest.
    @Test func everyAnswerHasWhatBrowsersActOn() async throws {
        let desk = try await Desk.open()
        for endpoint in desk.endpoints {
            for headers in [HTTPFields(), [.authorization: "Bearer \(desk.owner)"]] {
                let response = await desk.service.respond(
                    to: WireRequest(
                        method: endpoint.method, path: AdminService.root + endpoint.path, headers: headers))
                #expect(
                    response.headers[.contentSecurityPolicy] == "default-src 'none'; frame-ancestors 'none'",
                    "\(endpoint.name)")
                #expect(response.headers[.known("Referrer-Policy")] == "no-referrer")
                #expect(response.headers[.known("Cross-Origin-Resource-Policy")] == "same-origin")
            }
        }
    }
}
