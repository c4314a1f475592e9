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
import Time

@testable import AdminAPI
@testable import Administration

/// A browser at the portal: it keeps the cookie that it is given, and sends what the portal's page sends.
struct Browser: Sendable {
    static let password = "a glass of cold cider"
    static let cookieName = "__Host-pomona"

    let desk: Desk
    var address = "192.0.2.7"
    /// The session's secret.
    private(set) var secret: String?

    init(_ desk: Desk, from address: String = "192.0.2.7", secret: String? = nil) {
        self.desk = desk
        self.address = address
        self.secret = secret
    }

    /// What the portal's page sends with each call.
    static let portalHeaders: HTTPFields = [
        .pomonaPortal: "1", .origin: "https://admin.example", .secFetchSite: "same-origin", .userAgent: "Mozilla/5.0",
    ]

    func request(
        _ method: HTTPRequest.Method, _ path: String, _ body: JSON? = nil, key: String? = nil, tag: String? = nil
    ) -> WireRequest {
        var headers = Self.portalHeaders
        if body != nil { headers[.contentType] = "application/json" }
        headers[.idempotencyKey] = key
        headers[.ifMatch] = tag
        headers[.cookie] = self.secret.map { "theme=dark; \(Self.cookieName)=\($0)" }
        return WireRequest(
            method: method, path: AdminService.root + path, headers: headers, authority: "admin.example",
            body: body?.serialized() ?? [], remoteAddress: self.address)
    }

    mutating func call(
        _ method: HTTPRequest.Method, _ path: String, _ body: JSON? = nil, key: String? = nil, tag: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Desk.Reply {
        try await self.send(
            self.request(method, path, body, key: key, tag: tag), sourceLocation: sourceLocation)
    }

    mutating func send(
        _ request: WireRequest, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Desk.Reply {
        let response = await self.desk.service.respond(to: request)
        let json = response.body.isEmpty ? JSON.null : try JSON.parse(response.body)
        self.desk.hold(response, json, request, sourceLocation)
        if let cookie = response.headers[.setCookie] {
            #expect(cookie.hasPrefix("\(Self.cookieName)="), sourceLocation: sourceLocation)
            for attribute in ["Path=/", "HttpOnly", "SameSite=Strict", "Secure"] {
                #expect(cookie.contains("; \(attribute)"), sourceLocation: sourceLocation)
            }
            let value = String(cookie.dropFirst(Self.cookieName.count + 1).prefix { $0 != ";" })
            self.secret = value.isEmpty ? nil : value
            #expect(value.isEmpty == cookie.contains("Max-Age=0"), sourceLocation: sourceLocation)
        }
        return Desk.Reply(status: response.status.code, json: json, headers: response.headers)
    }

    @discardableResult
    mutating func expect(
        _ status: Int, _ method: HTTPRequest.Method, _ path: String, _ body: JSON? = nil, key: String? = nil,
        tag: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Desk.Reply {
        let reply = try await self.call(method, path, body, key: key, tag: tag, sourceLocation: sourceLocation)
        #expect(reply.status == status, "\(reply.json.text())", sourceLocation: sourceLocation)
        return reply
    }

    @discardableResult
    mutating func signIn(
        _ userName: String = "alice", _ password: String = Browser.password, status: Int = 201,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Desk.Reply {
        try await self.expect(
            status, .post, "/session", ["userName": .string(userName), "password": .string(password)],
            sourceLocation: sourceLocation)
    }

    /// Enrolls an app, and waits until its next code is another one.
    mutating func enroll() async throws -> (app: TOTP, reply: Desk.Reply) {
        let begun = try await self.expect(200, .post, "/session/second-factor")
        let key = try #require(begun.json["key"]?.string.flatMap(Base32.decode))
        let app = TOTP(key: Redacted(key))
        let reply = try await self.expect(
            200, .post, "/session/second-factor/confirm", ["code": .string(self.code(of: app))])
        self.desk.test.clock.advance(seconds: TOTP.stepSeconds)
        return (app, reply)
    }

    func code(of app: TOTP) -> String { app.code(ofStep: TOTP.step(at: self.desk.test.clock.now)) }
}

extension Desk {
    /// Somebody who has chosen ``Browser/password``.
    @discardableResult
    func addPerson(
        _ userName: String = "alice", _ role: Role = .owner, merchants: Set<MerchantID>? = nil
    ) async throws -> Person {
        let made = try await self.people.create(
            PersonDraft(userName: userName, displayName: userName, role: role, merchants: merchants),
            by: Access(.owner))
        let secret = try #require(made.secret)
        return try await self.people.acceptInvitation(secret, password: Redacted(Browser.password))
    }

    /// Signed in wholly.
    func browser(
        of userName: String = "alice", _ role: Role = .owner, merchants: Set<MerchantID>? = nil
    ) async throws -> Browser {
        try await self.addPerson(userName, role, merchants: merchants)
        var browser = Browser(self)
        try await browser.signIn(userName)
        return browser
    }
}
