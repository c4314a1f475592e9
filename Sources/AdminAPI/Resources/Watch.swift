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
    static let watch: [Endpoint] = [
        Endpoint(
            method: .get, path: "/refusals", name: "listRefusals",
            summary: "Refused calls, newest first: what was wrong with each and what to do.", group: "Refused calls",
            scope: .paymentsRead,
            query: [.init("merchant", .name(""), "Only those that named an account of this merchant's.")]
                + Self.refusalFilters + [
                    .init("from", .moment(), "Refused at or after (RFC 3339)."),
                    .init("to", .moment(), "Refused before (RFC 3339)."),
                    .init("after", .id("rfs_"), "`next` of the page before."),
                    limit,
                ],
            answer: AdminSchemas.page(of: "RefusedCall")
        ) { call in
            var query = try await call.refusalQuery()
            query.before = call.query["after"].flatMap(RefusedCallID.init)
            query.limit = call.limit + 1
            let names = try await call.merchantNames()
            let found = try await call.administration.refusedCalls(query)
            return .page(
                found, limit: call.limit,
                view: { refused in .object(refused.view(merchant: refused.merchantID.map { names[$0] ?? $0.text })) },
                cursor: \.id.text)
        },
        Endpoint(
            method: .get, path: "/refusals/{refusal}", name: "getRefusal",
            summary: "One refused call: what was wrong with it and what to do.", group: "Refused calls",
            scope: .paymentsRead, answer: .named("RefusedCall")
        ) { call in
            var query = RefusedCallQuery(limit: 1)
            query.id = call.path["refusal"].flatMap(RefusedCallID.init)
            let names = try await call.merchantNames()
            guard query.id != nil, let refused = try await call.administration.refusedCalls(query).first,
                refused.merchantID.map(call.sees) ?? (call.caller.access.merchants == nil)
            else { throw Problem.notFound("such refused call") }
            return Answer(refused.view(merchant: refused.merchantID.map { names[$0] ?? $0.text }))
        },
        Endpoint(
            method: .get, path: "/alarms", name: "listAlarms",
            summary: "What is wrong now, and what was: each begins once and ends once.", group: "Alarms",
            scope: .systemRead,
            query: [
                .init("standing", .choice(["true", "false"]), "Whether only those that have not ended are wanted."),
                .init("after", .id("alm_"), "`next` of the page before."),
                limit,
            ],
            answer: .object(
                .init("data", .list(.named("Alarm"), max: 10_000)), .init("next", .nullable(AdminSchemas.anyText)))
        ) { call in
            try call.checkSeesAll()
            if call.query["standing"] == "true" {
                let standing = try await call.administration.read { try $0.standingAlarms() }
                return Answer(["data": .array(standing.map { .object($0.view) }), "next": .null])
            }
            let (after, limit) = (call.query["after"].flatMap(AlarmID.init), call.limit)
            let found = try await call.administration.read { try $0.alarms(before: after, limit: limit + 1) }
            return .page(found, limit: limit, view: { .object($0.view) }, cursor: \.id.text)
        },
        Endpoint(
            method: .post, path: "/alarms/{alarm}/end", name: "endAlarm",
            summary: "End an alarm that nobody looks after any more. One whose cause is still there begins anew.",
            group: "Alarms", scope: .systemWrite, answer: .named("Alarm"),
            precondition: .idempotencyKey
        ) { call in
            try call.checkChangesHouse()
            guard let id = call.path["alarm"].flatMap(AlarmID.init) else {
                throw AdministrationError(.alarmUnknown, "No alarm has such an id.")
            }
            return Answer(try await call.administration.endAlarm(id).view)
        },
    ]
}

extension AdminEndpoints {
    /// By what refused calls are narrowed down.
    static let refusalFilters: [Endpoint.Parameter] = [
        .init("code", .line(64), "The gateway's code or the dialect's."),
        .init("stage", .choice(RefusedCall.Stage.allCases.map(\.rawValue)), "How far the call came."),
        .init("dialect", .line(32), "Only those that came in this dialect."),
        .init("key", .line(64), "SHA-256 of the public key that the token was sealed for, hexadecimal."),
        .init("request", .line(64), "The X-Request-Id of its answer."),
    ]
}

extension Call {
    func refusalQuery() async throws -> RefusedCallQuery {
        RefusedCallQuery(
            merchantID: try await self.merchantFilter(),
            dialect: try self.query["dialect"].map { try self.house.plan($0).dialect }, code: self.query["code"],
            stage: self.query["stage"].flatMap(RefusedCall.Stage.init(rawValue:)), publicKeyHash: self.query["key"],
            requestID: self.query["request"], from: try self.moment("from"), to: try self.moment("to"))
    }
}
