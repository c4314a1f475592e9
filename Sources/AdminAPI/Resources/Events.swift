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
    static let events: [Endpoint] = [
        Endpoint(
            method: .get, path: "/events", name: "listEvents", summary: "Webhooks to merchants, newest first.",
            group: "Webhooks", scope: .webhooksRead,
            query: Self.eventFilters + [.init("after", .id("evt_"), "`next` of the page before."), limit],
            answer: AdminSchemas.page(of: "Event")
        ) { call in
            let after = try call.query["after"].map { text in
                guard let id = EventID(text) else { throw Problem.parameter("after", "is no page's next") }
                return id
            }
            var query = try await call.eventQuery()
            query.after = after
            query.limit = call.limit + 1
            let (asked, names) = (query, try await call.merchantNames())
            let found = try await call.administration.search { try $0.events(asked).withWaits(in: $0) }
            return .page(
                found, limit: call.limit,
                view: { .object($0.view(merchant: names[$0.event.merchantID] ?? $0.event.merchantID.text)) },
                cursor: \.event.id.text)
        },
        Endpoint(
            method: .get, path: "/events/{event}", name: "getEvent", summary: "One webhook.", group: "Webhooks",
            scope: .webhooksRead, answer: .named("Event")
        ) { call in
            let (event, merchant) = try await call.event()
            let (deliveries, wait) = try await call.administration.read {
                (try event.deliveries(in: $0), try event.wait(in: $0))
            }
            var view = WaitingEvent(event, wait: wait).view(merchant: merchant.name)
            view["deliveries"] = .array(deliveries.map { .object($0.view) })
            return .resource(view)
        },
        Endpoint(
            method: .get, path: "/events/{event}/message", name: "getEventMessage",
            summary: "What it says, as it would be sent now, without secrets, signatures and the card holder's data.",
            group: "Webhooks", scope: .webhooksRead,
            query: [
                .init("message", .integer(0...1000), "Which of its messages; the next, or the last, if left out.")
            ], answer: .named("EventMessage")
        ) { call in
            let (event, _) = try await call.event()
            let message = try await call.administration.message(
                call.query["message"].flatMap { Int($0) }, of: event, in: call.house.dialects)
            return Answer(message.view)
        },
        Endpoint(
            method: .post, path: "/events/{event}/resend", name: "resendEvent",
            summary:
                "Send it again, with all tries of its dialect's schedule; a pending one is tried now, and that does not count.",
            group: "Webhooks",
            scope: .webhooksWrite,
            answer: .named("Event"), precondition: .idempotencyKey
        ) { call in
            let (event, merchant) = try await call.event()
            try await call.administration.resend(event.id)
            let now = try await call.administration.read {
                let now = try $0.event(event.id) ?? event
                return WaitingEvent(now, wait: try now.wait(in: $0))
            }
            return .resource(now.view(merchant: merchant.name))
        },
        Endpoint(
            method: .post, path: "/merchants/{merchant}/events/resend", name: "resendDeadEvents",
            summary:
                "Send all of the merchant's dead webhooks again, the oldest first: at most \(Administration.resendsMax) a call.",
            group: "Webhooks", scope: .webhooksWrite,
            answer: .object(
                .init("resent", .integer(0...Int64(Administration.resendsMax))),
                .init("leavesSome", .flag("Whether more are dead: call again, with another key."))),
            precondition: .idempotencyKey
        ) { call in
            let resent = try await call.administration.resendDead(of: try await call.merchant().id)
            return Answer(["resent": JSON(Int64(resent.count)), "leavesSome": .bool(resent.leavesSome)])
        },
    ]
}

extension AdminEndpoints {
    static let eventFilters: [Endpoint.Parameter] = [
        .init("merchant", .name(""), "Only this merchant's."),
        .init("state", .choice(OutboxEvent.State.allCases.map(\.rawValue)), "Only those in this state."),
        .init("payment", .id("pay_"), "Only those of this payment."),
        .init("dialect", .line(32), "Only those in this dialect."),
        .init("kind", .choice(OutboxEvent.Kind.allCases.map(\.rawValue)), "Only those of this kind."),
        .init("from", .moment(), "Made at or after (RFC 3339)."),
        .init("to", .moment(), "Made before (RFC 3339)."),
    ]
}

extension Call {
    /// The webhooks that the call's filters are about.
    func eventQuery() async throws -> OutboxQuery {
        var query = OutboxQuery(merchantID: try await self.merchantFilter())
        query.state = self.query["state"].flatMap(OutboxEvent.State.init(rawValue:))
        query.paymentID = try self.query["payment"].map { text in
            guard let id = PaymentID(text) else { throw Problem.parameter("payment", "is no payment's id") }
            return id
        }
        query.dialect = try self.query["dialect"].map { try self.house.plan($0).dialect }
        query.kind = self.query["kind"].flatMap(OutboxEvent.Kind.init(rawValue:))
        query.from = try self.moment("from")
        query.to = try self.moment("to")
        return query
    }

    fileprivate func event() async throws -> (OutboxEvent, Merchant) {
        let id = self.path["event"].flatMap(EventID.init)
        let found = try await self.administration.read { reader -> (OutboxEvent, Merchant)? in
            guard let event = try id.flatMap({ try reader.event($0) }),
                let merchant = try reader.merchant(event.merchantID)
            else { return nil }
            return (event, merchant)
        }
        guard let (event, merchant) = found, self.sees(merchant) else { throw Problem.notFound("such event") }
        try self.check(self.endpoint.scope, of: merchant)
        return (event, merchant)
    }
}
