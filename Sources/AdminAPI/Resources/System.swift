//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import HTTPTypes
import Payments
import StrictJSON

extension AdminEndpoints {
    static let system: [Endpoint] = [
        Endpoint(
            method: .get, path: "/me", name: "getCaller", summary: "What the token may do.", group: "System",
            scope: .merchantsRead,
            answer: .object(
                .init("scopes", .list(AdminSchemas.anyText, max: 50)),
                .init("merchants", .nullable(.list(AdminSchemas.anyText, max: 10_000))), .init("sandboxOnly", .flag()))
        ) { call in
            let names = try await call.merchantNames()
            let access = call.caller.access
            return Answer([
                "scopes": .array(access.scopes.sorted().map { .string($0.rawValue) }),
                "merchants": access.merchants.map { ids in
                    .array(ids.compactMap { names[$0] }.sorted().map { .string($0) })
                } ?? .null,
                "sandboxOnly": .bool(access.changesSandboxOnly),
            ])
        },
        Endpoint(
            method: .get, path: "/ledger/check", name: "checkLedger", summary: "Prove the books from their rows.",
            group: "System", scope: .systemRead,
            answer: .object(
                .init("sound", .flag()), .init("payments", .integer(0...Int64.max)),
                .init("entries", .integer(0...Int64.max)),
                .init("problems", .list(AdminSchemas.anyText, max: 1_000_000)))
        ) { call in
            try call.checkSeesAll()
            let report = try await call.administration.checkLedger()
            return Answer([
                "sound": .bool(report.isSound), "payments": JSON(report.paymentsCount),
                "entries": JSON(report.entriesCount), "problems": .array(report.problems.map { .string($0) }),
            ])
        },
        Endpoint(
            method: .get, path: "/findings", name: "listFindings",
            summary: "What the doctor finds, as the command does: each with why it matters and what to do.",
            group: "System", scope: .systemRead,
            query: [
                .init("merchant", .name(""), "Only of this merchant."),
                .init(
                    "offline", .choice(["true", "false"]),
                    "Whether acquirers, Apple, domains and providers are left alone; true if left out. They are asked once in "
                        + "\(Examinations.secondsBetween) seconds, and in between the last findings are given."),
            ], answer: AdminSchemas.list(of: "Finding")
        ) { call in
            var merchant: Merchant?
            if let id = try await call.merchantFilter() {
                merchant = try await call.administration.read { try $0.merchant(id) }
            }
            let (house, administration, isOffline) = (
                call.house, call.administration, call.query["offline"] != "false"
            )
            let examined = merchant
            let findings =
                isOffline
                ? try await house.examine(administration, merchant, true)
                : try await house.examinations.findings(
                    of: .init(merchant: merchant?.id, seen: call.caller.access.merchants), at: administration.now()
                ) {
                    try await house.examine(administration, examined, false)
                }
            return Answer(["data": .array(findings.map { .object($0.view) })])
        },
    ]
}

extension Call {
    /// For what is of all merchants together.
    ///
    /// - Throws: ``Problem`` 403.
    func checkSeesAll() throws {
        guard self.caller.access.merchants == nil else { throw Problem.forbidden(self.endpoint.scope) }
    }

    /// For what changes something of all merchants together, live ones too.
    ///
    /// - Throws: ``Problem`` 403.
    func checkChangesHouse() throws {
        try self.checkSeesAll()
        guard !self.caller.access.changesSandboxOnly else { throw Problem.forbidden(self.endpoint.scope) }
    }
}
