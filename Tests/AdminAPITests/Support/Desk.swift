//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import CommWeb
import DialectKit
import Gateway
import HTTPTypes
import Money
import PAYONE
import Payments
import Redaction
import StrictJSON
import TestGateway
import Testing
import Time
import WalletSimulator

@testable import AdminAPI

/// The API over a real gateway, and who calls it. Every answer is held against the endpoint's own description.
final class Desk: Sendable {
    let test: TestGateway
    let service: AdminService
    let endpoints: [Endpoint]
    let people: People
    /// Of an owner.
    let owner: String

    private init(test: TestGateway, service: AdminService, endpoints: [Endpoint], people: People, owner: String) {
        self.test = test
        self.service = service
        self.endpoints = endpoints
        self.people = people
        self.owner = owner
    }

    var administration: Administration { self.test.gateway.administration }

    /// What the desk takes for a certificate, and its digest.
    static let certificate = "-----BEGIN CERTIFICATE-----"
    static let certificateDigest = String(repeating: "ab", count: 32)

    static let plans = [CommWeb.accounts, PAYONE.accounts]

    static func open(
        limits: CallerLimits = .none, settings: PeopleSettings = Desk.peopleSettings,
        registrar: (any MerchantRegistrar)? = nil, connector: (any Connector)? = nil,
        store: ((any PaymentStore) -> any PaymentStore)? = nil
    ) async throws -> Desk {
        let test = try await TestGateway.open { parts in
            if let store { parts.store = store(parts.store) }
            parts.settings.platformMerchant = "platform"
            parts.connectors += [connector].compactMap(\.self)
        }
        let tools = AccountTools(
            random: { count in (0..<count).map { _ in UInt8.random(in: 0...255) } },
            keys: AccountKeyTools(
                makeRSAKey: { throw Nothing() }, rsaKey: { _ in nil }, rsaPublicKey: { _ in nil },
                certificateSHA256: { $0 == Desk.certificate ? Desk.certificateDigest : nil }))
        let administration = test.gateway.administration
        let people = People(
            administration, settings: settings,
            steadyNanoseconds: { [clock = test.clock] in clock.steadyNanoseconds })
        let site = AdminSite(mode: .sandbox, version: "1.2.3", hasTLS: true)
        let dialects: [any Dialect] = [
            CommWeb(gateway: test.gateway, limits: .none), PAYONE(gateway: test.gateway, limits: .none),
        ]
        return Desk(
            test: test,
            service: AdminService(
                people, site: site, plans: Self.plans, tools: tools, limits: limits, logger: test.log.logger,
                dialects: dialects, registrar: registrar,
                // Time passes where somebody waits for it.
                sleep: { milliseconds in
                    test.clock.advance(to: test.clock.now.adding(milliseconds: milliseconds))
                    await Task.yield()
                    try Task.checkCancellation()
                }),
            endpoints: AdminEndpoints.all, people: people,
            owner: try await Self.token(Access(.owner), administration))
    }

    private struct Nothing: Error {}

    /// With passwords that take no time.
    static var peopleSettings: PeopleSettings {
        var settings = PeopleSettings()
        if let cost = ScryptCost(logRounds: 4) { settings.passwordCost = cost }
        settings.secondFactorRoles = []
        return settings
    }

    static func token(_ access: Access, _ administration: Administration) async throws -> String {
        try await administration.makeAccessToken(
            AccessTokenDraft(name: "test", access: access), by: Access(.owner), madeBy: "test"
        ).secret.reveal()
    }

    func token(_ access: Access) async throws -> String { try await Self.token(access, self.administration) }

    // MARK: - Calling

    /// What came back.
    struct Reply: Sendable {
        let status: Int
        let json: JSON
        let headers: HTTPFields

        var code: String? { self.json["code"]?.string }
        var tag: String { self.headers[.eTag] ?? "" }
    }

    /// Calls, and holds what comes back against the description.
    func call(
        _ method: HTTPRequest.Method, _ path: String, _ body: JSON? = nil, token: String? = nil, key: String? = nil,
        tag: String? = nil, query: String? = nil, type: String = "application/json",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Reply {
        var headers: HTTPFields = [.authorization: "Bearer \(token ?? self.owner)"]
        if body != nil { headers[.contentType] = type }
        headers[.ifMatch] = tag
        if let key { headers[.idempotencyKey] = key }
        let request = WireRequest(
            method: method, path: AdminService.root + path, query: query, headers: headers,
            body: body?.serialized() ?? [], remoteAddress: "192.0.2.7")
        let response = await self.service.respond(to: request)
        let json = response.body.isEmpty ? JSON.null : try JSON.parse(response.body)
        self.hold(response, json, request, sourceLocation)
        return Reply(status: response.status.code, json: json, headers: response.headers)
    }

    /// Holds an answer against the description of what was asked.
    func hold(
        _ response: WireResponse, _ json: JSON, _ request: WireRequest, _ sourceLocation: SourceLocation
    ) {
        #expect(response.headers[.cacheControl] == "no-store", sourceLocation: sourceLocation)
        #expect(response.headers[.xContentTypeOptions] == "nosniff", sourceLocation: sourceLocation)
        let isProblem = response.status.code >= 400
        // What is made while it is sent has tests of its own.
        guard response.stream == nil else { return }
        #expect(
            response.headers[.contentType] == (isProblem ? "application/problem+json" : "application/json"),
            sourceLocation: sourceLocation)
        let endpoint = self.endpoints.first { endpoint in
            endpoint.method == request.method
                && PathPattern(AdminService.root + endpoint.path).match(request.path) != nil
        }
        let isAsked = response.status == .accepted && endpoint?.approvalKind != nil
        let answer = isAsked ? AdminSchemas.named["AskedApproval"] : endpoint?.answer
        let schema = isProblem ? AdminSchemas.named["Problem"] : answer
        if isProblem {
            // Whatever it is refused as, whoever reads the log and the metrics finds it in the list.
            let code = json["code"]?.string ?? ""
            #expect(ProblemName(rawValue: code) != nil, "\(code) is not listed", sourceLocation: sourceLocation)
            #expect(response.refusal?.code == code, sourceLocation: sourceLocation)
        }
        guard let schema else { return }
        #expect(
            schema.violations(of: json, named: AdminSchemas.named) == [],
            "\(request.method) \(request.path) answered \(json.text())", sourceLocation: sourceLocation)
        if !isProblem, !isAsked {
            #expect(response.status == endpoint?.status, sourceLocation: sourceLocation)
        }
    }

    // MARK: - What there is

    static let merchantBody: JSON = [
        "name": "shop", "displayName": "The shop", "mode": "sandbox", "countryCode": "DE",
    ]

    /// A merchant with an account in PAYONE's dialect, made over the API.
    func makeShop() async throws {
        try await self.expect(201, .post, "/merchants", Self.merchantBody, key: "shop")
        try await self.expect(
            201, .post, "/merchants/shop/acquirers", ["name": "bank", "connector": "simulator"], key: "bank")
        let routes = try await self.call(.get, "/merchants/shop/routes")
        try await self.expect(
            200, .put, "/merchants/shop/routes", ["data": [["number": 1, "acquirer": "bank"]]], tag: routes.tag)
        try await self.expect(201, .post, "/merchants/shop/accounts", ["dialect": "payone"], key: "account")
    }

    @discardableResult
    func expect(
        _ status: Int, _ method: HTTPRequest.Method, _ path: String, _ body: JSON? = nil, token: String? = nil,
        key: String? = nil, tag: String? = nil, query: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Reply {
        let reply = try await self.call(
            method, path, body, token: token, key: key, tag: tag, query: query, sourceLocation: sourceLocation)
        #expect(reply.status == status, "\(reply.json.text())", sourceLocation: sourceLocation)
        return reply
    }
}

/// A merchant who takes payments, and payments of his.
struct Till: Sendable {
    let desk: Desk
    let merchant: TestMerchant
    private let context: MerchantContext

    static func open(
        _ desk: Desk, _ name: String = "till", _ key: String = "1", dialect: DialectName = PAYONE.dialectName
    ) async throws -> Till {
        let merchant = try await desk.test.addMerchant(name, dialect: dialect, key: key)
        let context = try #require(try await desk.test.gateway.account(dialect: dialect, key: key))
        return Till(desk: desk, merchant: merchant, context: context)
    }

    func pay(
        _ minorUnits: Int64, _ key: String, purpose: AuthorizeCommand.Purpose = .authorization,
        references: [ReferenceName] = []
    ) async throws -> Payment {
        let euro = try #require(Currency.alphabetic("EUR"))
        let amount = Money(minorUnits: minorUnits, currency: euro)
        let token = try self.desk.test.mint(amount, for: self.merchant)
        return try await self.desk.test.gateway.authorize(
            AuthorizeCommand(
                context: CallContext(
                    merchant: self.context,
                    idempotency: .init(operation: "authorize", key: key, digest: requestDigest(key.utf8))),
                instrument: .applePay(json: token.paymentToken), amount: amount, purpose: purpose,
                references: references)
        ).payment
    }
}
