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
            summary:
                "Access tokens that open something, oldest first; never their secrets. Those for no more than the caller's merchants.",
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
            let token = try await call.namedToken()
            return .resource(try await call.administration.revokeAccessToken(token.id, by: call.caller.access).view)
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
    /// Those that the caller sees and the filters are about, oldest first.
    func filteredTokens() async throws -> [AccessToken] {
        let (now, isAll) = (self.administration.now(), self.query["state"] == "all")
        return try await self.administration.accessTokens().filter { token in
            self.seesThose(for: token.access.merchants) && self.isNamed(token.name)
                && (isAll || token.isValid(at: now))
        }
    }

    /// The token that the path names.
    ///
    /// - Throws: ``Problem`` 404 for one that there is not, and for one that the caller cannot see.
    fileprivate func namedToken() async throws -> AccessToken {
        let id = self.path["token"].flatMap(AccessTokenID.init)
        let found = try await self.administration.read { reader in try id.flatMap { try reader.accessToken($0) } }
        guard let found, self.seesThose(for: found.access.merchants) else { throw Problem.notFound("such token") }
        return found
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
