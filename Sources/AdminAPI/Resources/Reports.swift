//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import HTTPTypes
import Payments
import StrictJSON
import Time

extension AdminEndpoints {
    private static let day = Schema.text(
        Schema.Text(
            charactersMin: 10, charactersMax: 10, pattern: "^2[0-9]{3}-[0-9]{2}-[0-9]{2}$",
            meaning: "A day of the merchant's time zone: 2026-11-22.", isValid: { CalendarDay($0) != nil }))

    static let reports: [Endpoint] = [
        Endpoint(
            method: .get, path: "/transactions", name: "listTransactions",
            summary: "Operations whose end is known, in the order in which they ended.", group: "Reports",
            scope: .reportsRead,
            query: [
                .init("merchant", .name(""), "Only this merchant's."),
                .init("from", .moment(), "Ended at or after (RFC 3339)."),
                .init("to", .moment(), "Ended before (RFC 3339)."),
                .init("failed", .choice(["true", "false"]), "Whether those that failed are wanted, too."),
                .init(
                    "after",
                    .text(
                        Schema.Text(
                            charactersMax: 50, pattern: #"^[0-9]{1,15}\.op_[0-7][0-9A-HJKMNP-TV-Z]{25}$"#,
                            isValid: { MovementQuery.Cursor($0) != nil })), "`next` of the page before."),
                .init("limit", .integer(1...200), "How many at most; 50 if left out."),
            ],
            answer: .object(
                .init("data", .list(.anything("A line, by the names of its columns."), max: 200)),
                .init("next", .nullable(AdminSchemas.anyText)))
        ) { call in
            var query = MovementQuery(includesFailed: call.query["failed"] == "true", limit: call.limit + 1)
            query.merchantID = try await call.merchantFilter()
            query.from = try call.moment("from")
            query.to = try call.moment("to")
            query.after = call.query["after"].flatMap { MovementQuery.Cursor($0) }
            var pages = call.administration.transactions(query).makeAsyncIterator()
            let found = try await pages.next() ?? []
            return .page(found, limit: call.limit, view: \.json, cursor: \.movement.cursor.text)
        },
        Endpoint(
            method: .get, path: "/merchants/{merchant}/days/{day}", name: "getDay",
            summary:
                "A day's captures, refunds, chargebacks and fees by account and currency. A closed day never changes.",
            group: "Reports", scope: .reportsRead,
            answer: .object(
                .init("state", .choice(["open", "closed", "differs"])), .init("report", .anything("As it is kept.")))
        ) { call in
            let merchant = try await call.merchant()
            guard let day = CalendarDay(call.path["day"] ?? "") else { throw Problem.notFound("such day") }
            let report = try await call.administration.dayReport(of: merchant.id, on: day)
            let text =
                switch report.state {
                case .open: try report.content()
                case .closed(let closed), .differs(let closed, _, _): closed.report
                }
            return .resource(
                JSONObject([
                    (name: "state", value: .string(report.state.name)), (name: "report", value: try JSON.parse(text)),
                ]))
        },
        Endpoint(
            method: .post, path: "/merchants/{merchant}/closed-days", name: "closeDay",
            summary: "Close the merchant's next day, for ever.", group: "Reports", scope: .reportsWrite,
            body: .object(.optional("day", day)),
            answer: .object(
                .init("day", AdminSchemas.anyText), .init("movements", .integer(0...Int64.max)),
                .init("digest", AdminSchemas.anyText)),
            precondition: .idempotencyKey
        ) { call in
            let merchant = try await call.merchant()
            let closed = try await call.administration.closeDay(
                call.text("day").flatMap(CalendarDay.init), of: merchant.id)
            return Answer([
                "day": .string(closed.day), "movements": JSON(closed.movementsCount),
                "digest": .string(closed.digestText),
            ])
        },
        Endpoint(
            method: .get, path: "/balances", name: "listBalances", summary: "What the ledger's accounts hold.",
            group: "Reports", scope: .reportsRead, query: [.init("merchant", .name(""), "Only this merchant's.")],
            answer: .object(.init("data", .list(.anything("A row, by the names of its columns."), max: 100_000)))
        ) { call in
            let rows = try await call.administration.balances(of: try await call.merchantFilter())
            return Answer(["data": .array(rows.map(\.json))])
        },
    ]
}

extension MovementQuery.Cursor {
    /// As pages name it.
    fileprivate var text: String { "\(self.resolvedAt.milliseconds).\(self.operationID)" }

    fileprivate init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let milliseconds = Int64(parts[0]), let id = OperationID(String(parts[1])) else {
            return nil
        }
        self.init(resolvedAt: Timestamp(milliseconds: milliseconds), operationID: id)
    }
}
