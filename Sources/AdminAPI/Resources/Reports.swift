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
    static let day = Schema.text(
        Schema.Text(
            charactersMin: 10, charactersMax: 10, pattern: "^2[0-9]{3}-[0-9]{2}-[0-9]{2}$",
            meaning: "A day of the merchant's time zone: 2026-11-22.", isValid: { CalendarDay($0) != nil }))

    /// A place among days: it need not be one.
    private static let dayCursor = Schema.text(
        Schema.Text(
            charactersMin: 10, charactersMax: 10, pattern: "^2[0-9]{3}-[0-9]{2}-[0-9]{2}$",
            meaning: "Written as a day: 2026-11-22.",
            isValid: { $0.wholeMatch(of: /2[0-9]{3}-[0-9]{2}-[0-9]{2}/) != nil }))

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
            method: .get, path: "/merchants/{merchant}/days", name: "listDays",
            summary: "The merchant's closed days by their dates, and which is next.", group: "Reports",
            scope: .reportsRead,
            query: [
                .init("after", dayCursor, "Only days after this one: `next` of the page before."),
                .init("limit", .integer(1...200), "How many at most; 50 if left out."),
            ],
            answer: .object(
                .init(
                    "data",
                    .list(
                        .object(
                            .init("day", day), .init("state", .choice(["closed"])),
                            .init("movements", .integer(0...Int64.max)), .init("digest", AdminSchemas.anyText),
                            .init("closedAt", .moment()), .init("closedBy", AdminSchemas.anyText),
                            .init("timeZone", AdminSchemas.anyText), .init("from", .moment()), .init("to", .moment())),
                        max: 200)),
                .init("next", .nullable(AdminSchemas.anyText)),
                .init(
                    "nextDay", .nullable(.anything("The day that is closed next; `over` says whether it can be now."))))
        ) { call in
            let merchant = try await call.merchant()
            let (after, limit) = (call.query["after"] ?? "", call.limit)
            let administration = call.administration
            let days = try await administration.read {
                try $0.closedDays(of: merchant.id, after: after, limit: limit + 1)
            }
            let page = days.prefix(limit)
            let next = try await administration.nextDayToClose(of: merchant.id)
            return Answer([
                "data": .array(page.map(\.view)),
                "next": days.count > page.count ? page.last.map { .string($0.day) } ?? .null : .null,
                "nextDay": next.map { day in
                    let end = merchant.reportZone.start(of: day.next)
                        .adding(seconds: Administration.closingDelaySeconds)
                    return ["day": .string(day.description), "over": .bool(administration.now() >= end)]
                } ?? .null,
            ])
        },
        Endpoint(
            method: .get, path: "/merchants/{merchant}/fees", name: "listFees",
            summary: "What acquirers have kept, the first thousand of the window; all of it is in the export.",
            group: "Reports", scope: .reportsRead,
            query: [
                .init("from", .moment(), "Booked at or after (RFC 3339)."),
                .init("to", .moment(), "Booked before (RFC 3339)."),
            ],
            answer: .object(
                .init("data", .list(.anything("A row, by the names of its columns."), max: 2000)),
                .init("cut", .flag("Whether there are more.")))
        ) { call in
            let merchant = try await call.merchant()
            let (from, to) = (try call.moment("from"), try call.moment("to"))
            var (rows, place): ([FeeRow], FeePlace?) = ([], .first)
            // So many pages, since most movements have no fee of their own.
            for _ in 0..<20 {
                guard let present = place, rows.count < 1000 else { break }
                let page = try await call.administration.feePage(of: merchant.id, from: from, to: to, present)
                rows += page.rows
                place = page.next
            }
            return Answer([
                "data": .array(rows.prefix(1000).map(\.json)), "cut": .bool(place != nil || rows.count > 1000),
            ])
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

extension ClosedDay {
    fileprivate var view: JSON {
        [
            "day": .string(self.day), "state": "closed", "movements": JSON(self.movementsCount),
            "digest": .string(self.digestText), "closedAt": .string(self.closedAt.description),
            "closedBy": .string(self.closedBy), "timeZone": .string(self.timeZone),
            "from": .string(self.from.description), "to": .string(self.to.description),
        ]
    }
}
