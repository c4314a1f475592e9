//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import HTTPTypes
import Payments
import StrictJSON

extension AdminEndpoints {
    private static let root = "/merchants/{merchant}/domains"

    static let domains: [Endpoint] = [
        Endpoint(
            method: .get, path: root, name: "listDomains",
            summary: "The domains on which it shows the Apple Pay button.",
            group: "Apple Pay", scope: .applePayRead,
            query: [.init("after", .line(253), "`next` of the page before."), Self.limit],
            answer: AdminSchemas.page(of: "Domain")
        ) { call in
            let merchant = try await call.merchant()
            let domains = try await call.administration.domains(of: merchant.id)
            return .page(
                call.slice(domains, after: call.query["after"], \.host.name), limit: call.limit,
                view: { .object(call.view(of: $0, merchant)) }, cursor: \.host.name)
        },
        Endpoint(
            method: .post, path: root, name: "addDomain",
            summary: "Register a domain, or put a new file in the place of an earlier one. It is served at once.",
            group: "Apple Pay", scope: .applePayWrite,
            body: .object(
                .init("host", .line(253, "A host name without scheme and port.")),
                .optional(
                    "file",
                    .text(
                        Schema.Text(
                            charactersMin: 1, charactersMax: RegisteredDomain.fileBytesMax,
                            meaning: "What Apple gives for the domain. A sandbox merchant needs none.")))),
            status: .created, answer: .named("Domain"), precondition: .idempotencyKey
        ) { call in
            let merchant = try await call.merchant()
            guard let host = WellKnownHost(call.required("host")) else {
                throw Problem.invalid([
                    .init(pointer: "/host", detail: "must be a host name without scheme, port and path")
                ])
            }
            guard merchant.mode == .sandbox || call.text("file") != nil else {
                throw Problem.invalid([.init(pointer: "/file", detail: "is required of a live merchant")])
            }
            let file = call.text("file").map { Array($0.utf8) } ?? RegisteredDomain.standIn(for: host)
            let domain = try await call.administration.addDomain(host, to: merchant.id, file: file)
            return .resource(
                call.view(of: domain, merchant), location: "/merchants/\(merchant.name)/domains/\(host.name)")
        },
        Endpoint(
            method: .get, path: "\(root)/{domain}", name: "getDomain", summary: "One domain.", group: "Apple Pay",
            scope: .applePayRead, answer: .named("Domain")
        ) { call in
            let (merchant, domain) = try await call.domain()
            return .resource(call.view(of: domain, merchant))
        },
        Endpoint(
            method: .delete, path: "\(root)/{domain}", name: "removeDomain",
            summary: "Take the merchant off a domain. With the last merchant its file is served no more.",
            group: "Apple Pay", scope: .applePayWrite, answer: .named("Domain"), precondition: .ifMatch
        ) { call in
            let (merchant, domain) = try await call.domain()
            let administration = try call.acting(changing: { reader in
                try Administration.domain(domain.host, in: reader).map { call.view(of: $0, merchant) }
            })
            let removed = try await administration.removeDomain(domain.host, of: merchant.id)
            return Answer(call.view(of: removed, merchant))
        },
        Endpoint(
            method: .post, path: "\(root)/{domain}/check", name: "checkDomain",
            summary: "Read the file over https as Apple reads it, and keep what was found.", group: "Apple Pay",
            scope: .applePayWrite, answer: .named("Domain")
        ) { call in
            let (merchant, domain) = try await call.domain()
            let findings = await call.house.examineDomain(domain)
            let checked = try await call.administration.noteCheck(of: domain.host, findings)
            guard let checked else { throw Problem.notFound("such domain any more") }
            return .resource(call.view(of: checked, merchant))
        },
    ]
}

extension AdminSchemas {
    static let domain = Schema.object(
        .init("host", anyText),
        .init("merchants", .list(anyText, max: 10_000, "Who share it, as far as the caller sees them.")),
        .init("bytes", .integer(1...Int64(RegisteredDomain.fileBytesMax), "Of the merchant's own file.")),
        .init("fileSHA256", anyText), .init("registeredAt", .moment()),
        .init(
            "check",
            .nullable(
                .object(
                    .init("at", .moment()), .init("good", .flag()), .init("code", anyText), .init("text", anyText),
                    .init("action", .nullable(anyText))))))
}

extension Call {
    fileprivate func domain() async throws -> (Merchant, RegisteredDomain) {
        let merchant = try await self.merchant()
        guard let host = WellKnownHost(self.path["domain"] ?? ""),
            let domain = try await self.administration.domain(host), domain.merchants.contains(merchant.name)
        else { throw AdministrationError(.domainUnknown, "The merchant has not registered such a domain.") }
        return (merchant, domain)
    }

    /// What the merchant has registered. Of a domain that is shared, whoever sees one merchant alone is shown that one.
    fileprivate func view(of domain: RegisteredDomain, _ merchant: Merchant) -> JSONObject {
        var object = domain.asRegistered(by: merchant.name).view
        if self.caller.access.merchants != nil { object["merchants"] = [.string(merchant.name)] }
        return object
    }
}
