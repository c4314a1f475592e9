//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import HTTPTypes
import Payments
import StrictJSON

extension AdminEndpoints {
    static let merchants: [Endpoint] = [
        Endpoint(
            method: .get, path: "/merchants", name: "listMerchants", summary: "All merchants, oldest first.",
            group: "Merchants", scope: .merchantsRead, query: Self.merchantFilters + MadePlace.parameters,
            answer: AdminSchemas.page(of: "Merchant")
        ) { call in
            let place = { (merchant: Merchant) in MadePlace(merchant.createdAt, merchant.id.text) }
            return .page(
                call.slice(try await call.filteredMerchants(), after: call.placeAfter, place), limit: call.limit,
                view: { .object($0.view) }, cursor: { place($0).text })
        },
        Endpoint(
            method: .post, path: "/merchants", name: "createMerchant", summary: "Make a merchant.", group: "Merchants",
            scope: .merchantsWrite,
            body: .object(
                .init("name", .newName("What commands and this API call it, for ever.")),
                .init("displayName", .line(64, "What customers see in the payment sheet.")),
                .init("mode", AdminSchemas.mode),
                .init("countryCode", .country),
                .optional("timeZone", .line(64, "Where its days begin: an IANA name; UTC if left out."))),
            status: .created, answer: .named("Merchant"), precondition: .idempotencyKey
        ) { call in
            let mode: Mode = call.text("mode") == "live" ? .live : .sandbox
            // Whoever sees some merchants alone would not see it.
            guard call.caller.access.merchants == nil, mode == .sandbox || !call.caller.access.changesSandboxOnly else {
                throw Problem.forbidden(.merchantsWrite)
            }
            let merchant = try await call.administration.createMerchant(
                name: call.required("name"), displayName: call.required("displayName"), mode: mode,
                countryCode: call.required("countryCode"),
                timeZone: call.text("timeZone") ?? Merchant.defaultTimeZone)
            return .resource(merchant.view, location: "/merchants/\(merchant.name)")
        },
        Endpoint(
            method: .get, path: "/merchants/{merchant}", name: "getMerchant", summary: "One merchant.",
            group: "Merchants", scope: .merchantsRead, answer: .named("Merchant")
        ) { call in
            .resource(try await call.merchant().view)
        },
        Endpoint(
            method: .patch, path: "/merchants/{merchant}", name: "changeMerchant",
            summary: "Change what customers and Apple are shown of it.", group: "Merchants", scope: .merchantsWrite,
            body: .object(
                .optional("displayName", .line(64)), .optional("countryCode", .country),
                .optional("timeZone", .line(64))),
            answer: .named("Merchant"), precondition: .ifMatch
        ) { call in
            let id = try await call.merchant().id
            let changed = try await call.acting(changing: { try $0.merchant(id)?.view }).changeMerchant(
                id, displayName: call.text("displayName"), countryCode: call.text("countryCode"),
                timeZone: call.text("timeZone"))
            return .resource(changed.view)
        },
        Self.state("suspend", "Take no new payments. What has begun goes on.") { try await $0.suspendMerchant($1) },
        Self.state("resume", "Take payments again.") { try await $0.resumeMerchant($1) },
        Self.state("close", "End it, for ever. What has begun comes to its end.") { try await $0.closeMerchant($1) },
        Endpoint(
            method: .get, path: "/merchants/{merchant}/missing", name: "listMissingParts",
            summary: "What it lacks to take payments, in the order in which it is best provided.", group: "Merchants",
            scope: .merchantsRead, answer: AdminSchemas.list(of: "MissingPart")
        ) { call in
            let missing = try await call.administration.missingParts(of: try await call.merchant())
            return Answer(["data": .array(missing.map { .object($0.view) })])
        },
        Endpoint(
            method: .get, path: "/merchants/{merchant}/setup", name: "getSetup",
            summary: "The way to its first payment: what is done, and what waits for whom.", group: "Merchants",
            scope: .merchantsRead,
            answer: .object(
                .init("merchant", AdminSchemas.anyText), .init("ready", .flag()), .init("readyForWeb", .flag()),
                .init(
                    "steps",
                    .list(
                        .object(
                            .init("step", .choice(SetupStep.Name.allCases.map(\.rawValue))), .init("done", .flag()),
                            .init("forWeb", .flag()),
                            .init("waitsFor", .choice(SetupStep.Waiting.allCases.map(\.rawValue))),
                            .init("text", AdminSchemas.anyText), .init("parts", .list(.named("MissingPart"), max: 50))),
                        max: 20)))
        ) { call in
            let merchant = try await call.merchant()
            return Answer(try await call.administration.setupSteps(of: merchant).view(merchant: merchant.name))
        },
    ]

    private static func state(
        _ verb: String, _ summary: String,
        _ act: @escaping @Sendable (Administration, MerchantID) async throws -> Merchant
    ) -> Endpoint {
        Endpoint(
            method: .post, path: "/merchants/{merchant}/\(verb)", name: "\(verb)Merchant", summary: summary,
            group: "Merchants", scope: .merchantsWrite, answer: .named("Merchant"), precondition: .idempotencyKey
        ) { call in
            let id = try await call.merchant().id
            return .resource(try await act(call.administration, id).view)
        }
    }
}

extension AdminEndpoints {
    static let merchantFilters: [Endpoint.Parameter] = [
        Self.nameFilter,
        .init("mode", AdminSchemas.mode, "Only those whose money is real, or is not."),
        .init("state", .choice(Merchant.State.allCases.map(\.rawValue)), "Only those in this state."),
    ]
}

extension Call {
    /// Those that the caller sees and the filters are about, oldest first.
    func filteredMerchants() async throws -> [Merchant] {
        let merchants = try await self.administration.read { try $0.merchants() }
        let (mode, state) = (self.query["mode"], self.query["state"])
        return merchants.filter { merchant in
            self.sees(merchant) && self.isNamed(merchant.name, merchant.displayName)
                && mode.map { $0 == merchant.mode.rawValue } ?? true
                && state.map { $0 == merchant.state.rawValue } ?? true
        }
    }
}
