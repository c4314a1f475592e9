//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import HTTPTypes
import Payments
import StrictJSON
import Time

extension AdminEndpoints {
    /// By what entries of the audit log are narrowed down.
    static let auditFilters: [Endpoint.Parameter] = [
        .init("actor", .line(255), "Only those by somebody whose name has this in it."),
        .init("act", .line(64), "Only these acts: \"merchant.create\", or \"merchant\" for all of its kind."),
        .init("subject", .line(255), "Only those done to something whose name has this in it."),
        .init("from", .moment(), "At or after (RFC 3339)."), .init("to", .moment(), "Before (RFC 3339)."),
    ]

    static let audit: [Endpoint] = [
        Endpoint(
            method: .get, path: "/audit", name: "listAuditEntries",
            summary: "Who has done what. A page may be short and not be the last: so many entries were looked at.",
            group: "System", scope: .auditRead,
            query: Self.auditFilters + [
                .init("order", .choice(["newest", "oldest"]), "Which come first; the newest if left out."),
                .init("after", .integer(0...Int64.max), "`next` of the page before."),
                .init("limit", .integer(1...1000), "How many at most; 50 if left out."),
            ], answer: AdminSchemas.page(of: "AuditEntry")
        ) { call in
            try call.checkSeesAll()
            var query = try call.auditQuery()
            query.newestFirst = call.query["order"] != "oldest"
            query.after = call.query["after"].flatMap { Int64($0) }
            query.limit = call.limit
            let page = try await call.administration.auditEntries(query)
            return Answer([
                "data": .array(page.entries.map { .object($0.view) }),
                "next": page.next.map { .string("\($0)") } ?? .null,
            ])
        },
        Endpoint(
            method: .get, path: "/audit/check", name: "checkAuditLog", summary: "Prove the audit log from its entries.",
            group: "System", scope: .auditRead,
            answer: .object(
                .init("sound", .flag()), .init("entries", .integer(0...Int64.max)), .init("head", AdminSchemas.anyText),
                .init(
                    "firstBreak",
                    .nullable(
                        .object(.init("number", .integer(1...Int64.max)), .init("reason", AdminSchemas.anyText)))))
        ) { call in
            try call.checkSeesAll()
            return Answer(try await call.administration.checkAuditLog().view)
        },
    ]
}

extension Call {
    func auditQuery() throws(Problem) -> AuditQuery {
        var query = AuditQuery()
        query.actor = self.query["actor"]
        query.act = self.query["act"]
        query.subject = self.query["subject"]
        query.from = try self.moment("from")
        query.to = try self.moment("to")
        return query
    }
}
