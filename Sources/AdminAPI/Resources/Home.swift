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
    static let home: [Endpoint] = [
        Endpoint(
            method: .get, path: "/home", name: "getHome",
            summary: "What happened in a window, by bucket, and what is so now. It says where it is not all of it.",
            group: "Home", scope: .paymentsRead,
            query: [
                .init("merchant", .name(""), "Only this merchant's; in the buckets of his zone."),
                .init("from", .moment(), "At or after (RFC 3339); a day before the end if left out."),
                .init("to", .moment(), "Before (RFC 3339); now if left out."),
                .init(
                    "bucket", .choice(HomeWindow.Bucket.allCases.map(\.rawValue)),
                    "Hours up to three days, days up to \(HomeWindow.daysMax); by the length if left out."),
            ], answer: AdminSchemas.home
        ) { call in
            var merchant: Merchant?
            if let id = try await call.merchantFilter() {
                merchant = try await call.administration.read { try $0.merchant(id) }
            }
            let window = HomeWindow(
                from: try call.moment("from"), to: try call.moment("to"),
                bucket: call.query["bucket"].flatMap(HomeWindow.Bucket.init(rawValue:)),
                zone: merchant?.reportZone ?? .utc, now: call.administration.now())
            guard let window else {
                throw Problem.unfit(
                    "from and to must be a window of at most \(HomeWindow.daysMax) days, or of three by the hour.")
            }
            let access = call.caller.access
            let home = try await call.administration.home(
                HomeQuery(
                    window: window, merchant: merchant, hasCertificates: access.allows(.applePayRead),
                    hasAlarms: access.allows(.systemRead)))
            let waiting = try await call.administration.waitingApprovalsCount(
                of: merchant.map { [$0.id] } ?? access.merchants)
            return Answer(home.view(ofOne: merchant != nil, waitingApprovalsCount: waiting))
        },
        Endpoint(
            method: .get, path: "/search", name: "search",
            summary: "Whatever a text names: payments, refused calls, webhooks, merchants and others.", group: "Home",
            scope: .merchantsRead,
            query: [
                .init(
                    "q", .line(255, "", min: 0),
                    "The whole of an id or a reference, of a dialect's too, or four digits of a card."),
                .init("limit", .integer(1...100), "How many at most; 20 if left out."),
            ],
            answer: .object(.init("data", .list(.named("SearchHit"), max: 100)), .init("cut", .flag()))
        ) { call in
            let search = Search(
                (call.query["q"] ?? "").trimmed, merchants: call.caller.access.merchants,
                scopes: call.caller.access.scopes, plans: call.house.plans,
                limit: call.query["limit"].flatMap { Int($0) } ?? 20)
            let (hits, isCut) = try await call.administration.search(search)
            return Answer(["data": .array(hits.map { .object($0.view) }), "cut": .bool(isCut)])
        },
    ]
}

extension String {
    /// Without blanks around it, as what is pasted may have them.
    fileprivate var trimmed: String {
        String(self.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
