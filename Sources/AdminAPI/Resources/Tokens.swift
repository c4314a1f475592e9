//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import HTTPTypes
import Payments
import Redaction
import StrictJSON
import Time

extension AdminEndpoints {
    static let tokens: [Endpoint] = [
        Endpoint(
            method: .get, path: "/tokens", name: "listTokens",
            summary: "Access tokens that open something, oldest first; never their secrets.",
            group: "Tokens", scope: .peopleRead, query: Self.tokenFilters + MadePlace.parameters,
            answer: AdminSchemas.page(of: "Token")
        ) { call in
            let place = { (token: AccessToken) in MadePlace(token.createdAt, token.id.text) }
            return .page(
                call.slice(try await call.filteredTokens(), after: call.placeAfter, place), limit: call.limit,
                view: { .object($0.view) }, cursor: { place($0).text })
        },
        Endpoint(
            method: .post, path: "/tokens", name: "createToken",
            summary: "Make an access token with no more than the caller has. Its secret is shown this once.",
            group: "Tokens", scope: .peopleWrite,
            body: .object(
                Schema.Object(
                    [
                        .init("name", .line(64, "What it is for.")),
                        .optional("role", .choice(Role.allCases.map(\.rawValue), "A named set of scopes.")),
                        .optional("scopes", .list(.choice(Scope.allCases.map(\.rawValue)), max: 50)),
                        .optional("merchants", .list(.name("A merchant's name."), max: 1000)),
                        .optional("sandboxOnly", .flag("Whether it changes only what is a sandbox merchant's.")),
                        .optional("days", .integer(1...366, "How long it opens anything; 90 if left out.")),
                    ], oneOf: ["role", "scopes"])),
            status: .created,
            answer: .object(.init("token", .named("Token")), .init("secret", AdminSchemas.anyText)),
            precondition: .idempotencyKey
        ) { call in
            let made = try await call.administration.makeAccessToken(
                AccessTokenDraft(
                    name: call.required("name"), access: try await call.access(),
                    days: Int(call.body["days"]?.wholeNumber ?? 90)),
                by: call.caller.access, madeBy: call.caller.maker)
            return Answer(made.view, location: "/tokens/\(made.token.id)")
        },
        Endpoint(
            method: .delete, path: "/tokens/{token}", name: "revokeToken",
            summary: "End an access token, for ever. Doing it again changes nothing.", group: "Tokens",
            scope: .peopleWrite, answer: .named("Token")
        ) { call in
            try call.checkSeesAll()
            guard let id = call.path["token"].flatMap(AccessTokenID.init) else { throw Problem.notFound("such token") }
            return .resource(try await call.administration.revokeAccessToken(id, by: call.caller.access).view)
        },
    ]
}

extension AdminEndpoints {
    static let tokenFilters: [Endpoint.Parameter] = [
        Self.nameFilter,
        .init(
            "state", .choice(["active", "all"]),
            "`all` for those that are revoked or have ended, too; those that open something if left out."),
    ]
}

extension Call {
    /// Those that the filters are about, oldest first.
    ///
    /// - Throws: ``Problem`` `scope_missing` for a caller who does not see all merchants.
    func filteredTokens() async throws -> [AccessToken] {
        try self.checkSeesAll()
        let (now, isAll) = (self.administration.now(), self.query["state"] == "all")
        return try await self.administration.accessTokens().filter { token in
            self.isNamed(token.name) && (isAll || token.isValid(at: now))
        }
    }

    /// What a new token is to have.
    fileprivate func access() async throws -> Access {
        let scopes = self.body["scopes"]?.array.map { Set($0.compactMap { $0.string.flatMap(Scope.init(rawValue:)) }) }
        let role = self.text("role").flatMap(Role.init(rawValue:))
        var access = role.map { Access($0) } ?? Access(scopes: scopes ?? [])
        access.merchants = try await self.merchants()
        access.changesSandboxOnly = access.changesSandboxOnly || self.flag("sandboxOnly")
        return access
    }

    /// The merchants that the body names; `nil` for all.
    ///
    /// - Throws: ``Problem`` `body_invalid` for one that the caller does not see.
    func merchants() async throws -> Set<MerchantID>? {
        guard let names = self.body["merchants"]?.array else { return nil }
        let known = try await self.administration.read { try $0.merchants() }
        return Set(
            try names.enumerated().map { index, json in
                guard let merchant = known.first(where: { $0.name == json.string }), self.sees(merchant) else {
                    throw Problem.invalid([.init(pointer: "/merchants/\(index)", detail: "is no merchant's name")])
                }
                return merchant.id
            })
    }
}
