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

    /// Lists and exports of transactions leave failed operations out, which `pomona report transactions` has.
    static let failedMeaning = "Whether operations that failed are wanted, too: false if left out."

    static let reports: [Endpoint] = [
        Endpoint(
            method: .get, path: "/transactions", name: "listTransactions",
            summary: "Operations whose end is known, in the order in which they ended.", group: "Reports",
            scope: .reportsRead,
            query: [
                .init("merchant", .name(""), "Only this merchant's."),
                .init("from", .moment(), "Ended at or after (RFC 3339)."),
                .init("to", .moment(), "Ended before (RFC 3339)."),
                .init("failed", .choice(["true", "false"]), AdminEndpoints.failedMeaning),
                .init(
                    "after",
                    .text(
                        Schema.Text(
                            charactersMax: 50, pattern: #"^[0-9]{1,15}\.op_[0-7][0-9A-HJKMNP-TV-Z]{25}$"#,
                            isValid: { MovementQuery.Cursor($0) != nil })), "`next` of the page before."),
                limit,
            ],
            answer: AdminSchemas.page(of: "Transaction")
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
                limit,
            ],
            answer: .object(
                .init("data", .list(.named("ClosedDay"), max: 200)), .init("next", .nullable(AdminSchemas.anyText)),
                .init(
                    "nextDay",
                    .nullable(
                        .object(.init("day", day), .init("over", .flag("Whether it can be closed now."))))))
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
                "next": days.count > page.count ? .string(orNull: page.last?.day) : .null,
                "nextDay": next.map { day in
                    let end = merchant.reportZone.start(of: day.next)
                        .adding(seconds: Administration.closingDelaySeconds)
                    return ["day": .string(day.description), "over": .bool(administration.now() >= end)]
                } ?? .null,
            ])
        },
        Endpoint(
            method: .get, path: "/merchants/{merchant}/fees", name: "listFees",
            summary: "What acquirers have kept: what was reported first, then what settlement files have.",
            group: "Reports", scope: .reportsRead,
            query: [
                .init("from", .moment(), "Booked at or after (RFC 3339)."),
                .init("to", .moment(), "Booked before (RFC 3339)."),
                .init(
                    "after",
                    .text(
                        Schema.Text(
                            charactersMin: 3, charactersMax: 80, pattern: FeeCursor.pattern,
                            isValid: { FeeCursor($0) != nil })),
                    "`next` of the page before. Where much was looked at for few, there may be a next page and few here."
                ), Self.limit,
            ],
            answer: AdminSchemas.page(of: "Fee")
        ) { call in
            let merchant = try await call.merchant()
            let page = try await call.administration.fees(
                of: merchant.id, from: try call.moment("from"), to: try call.moment("to"),
                after: call.query["after"].flatMap { FeeCursor($0) } ?? .first, limit: call.limit)
            return Answer([
                "data": .array(page.rows.map(\.json)), "next": .string(orNull: page.next?.text),
            ])
        },
        Endpoint(
            method: .get, path: "/merchants/{merchant}/days/{day}", name: "getDay",
            summary:
                "A day's captures, refunds, chargebacks and fees by account and currency. A closed day never changes.",
            group: "Reports", scope: .reportsRead,
            answer: .object(
                .init("state", .choice(["open", "closed", "differs"])), .init("report", .named("DayReport")),
                .init("settled", .list(.named("DaySettled"), max: 10_000, "What the files that cover it say of it.")))
        ) { call in
            let merchant = try await call.merchant()
            guard let day = CalendarDay(call.path["day"] ?? "") else { throw Problem.notFound("such day") }
            let report = try await call.administration.dayReport(of: merchant.id, on: day)
            let text =
                switch report.state {
                case .open: try report.content()
                case .closed(let closed), .differs(let closed, _, _): closed.report
                }
            let settled = try await call.administration.settled(on: report, of: merchant.id)
            return .resource(
                JSONObject([
                    (name: "state", value: .string(report.state.name)), (name: "report", value: try JSON.parse(text)),
                    (name: "settled", value: .array(settled.map { .object($0.view) })),
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
            group: "Reports", scope: .reportsRead,
            query: [
                .init("merchant", .name(""), "Only this merchant's."),
                .init("after", .line(300), "`next` of the page before."), Self.limit,
            ],
            answer: .object(
                .init("data", .list(.named("Balance"), max: 1000)), .init("next", .nullable(AdminSchemas.anyText)),
                .init("asOf", .moment()))
        ) { call in
            let (rows, asOf) = try await call.administration.recentBalances(of: try await call.merchantFilter())
            // An account of the ledger stays once there is one.
            let start = try call.query["after"].map { name throws(Problem) in
                guard let place = rows.firstIndex(where: { $0.name == name }) else {
                    throw Problem.unfit("after is no page's next.")
                }
                return place + 1
            }
            let rest = rows.dropFirst(start ?? 0)
            let page = rest.prefix(call.limit)
            return Answer([
                "data": .array(page.map(\.json)),
                "next": rest.count > page.count ? .string(orNull: page.last?.name) : .null,
                "asOf": .string(asOf.description),
            ])
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

extension SettlementWindow.Cursor {
    /// As pages name it.
    fileprivate var text: String { "\(self.bookedAt.milliseconds).\(self.id)" }

    fileprivate init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let milliseconds = Int64(parts[0]), let id = SettlementItem.ID(String(parts[1])) else {
            return nil
        }
        self.init(bookedAt: Timestamp(milliseconds: milliseconds), id: id)
    }
}

extension FeeCursor {
    /// As pages name it: "r.0" and where the movement before was, "c.0" or "l.0" and where the item before was. ("s.0"
    /// was a place of a version in which all items came together.)
    fileprivate var text: String {
        let (kind, place): (String, String?) =
            switch self.place {
            case .reported(let after): ("r", after?.text)
            case .resolved(let after): ("c", after?.text)
            case .settled(let after): ("l", after?.text)
            }
        return "\(kind).\(self.skip)" + (place.map { ".\($0)" } ?? "")
    }

    fileprivate static let pattern =
        #"^(r\.[0-9]{1,3}(\.[0-9]{1,15}\.op_[0-7][0-9A-HJKMNP-TV-Z]{25})?"#
        + #"|[cl]\.[0-9]{1,3}(\.[0-9]{1,15}\.set_[0-7][0-9A-HJKMNP-TV-Z]{25}/[1-9][0-9]{0,8})?)$"#

    fileprivate init?(_ text: String) {
        guard let parts = text.wholeMatch(of: /([rcl])\.([0-9]{1,3})(?:\.(.+))?/)?.output, let skip = Int(parts.2)
        else {
            return nil
        }
        let after = parts.3.map(String.init)
        let place: FeePlace? =
            switch (parts.1, after) {
            case ("r", nil): .reported(after: nil)
            case ("r", let after?): MovementQuery.Cursor(after).map { .reported(after: $0) }
            case ("c", nil): .resolved(after: nil)
            case ("c", let after?): SettlementWindow.Cursor(after).map { .resolved(after: $0) }
            case (_, nil): .settled(after: nil)
            case (_, let after?): SettlementWindow.Cursor(after).map { .settled(after: $0) }
            }
        guard let place else { return nil }
        self.init(place, skip: skip)
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
