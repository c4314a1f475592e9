//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import HTTPTypes
import Money
import Payments
import SimulatorAcquirer
import StrictJSON
import TestGateway
import Testing
import Time

@testable import AdminAPI

/// What a support clerk and an accountant do.
@Suite struct PaymentTests {
    @Test func paymentIsFoundCapturedAndRefunded() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        let payment = try await till.pay(10_00, "p")
        let path = "/payments/\(payment.id)"
        let read = try await desk.expect(200, .get, path)
        #expect(read.json["possible"]?["capture"]?["upTo"] == "10.00")
        let captured = try await desk.expect(
            200, .post, "\(path)/capture", ["amount": "6.00", "reason": "sent a part"], key: "c")
        #expect(captured.json["operation"]?["state"] == "succeeded")
        #expect(captured.json["payment"]?["captured"] == "6.00")
        let refunded = try await desk.expect(200, .post, "\(path)/refund", ["amount": "2.50"], key: "r")
        #expect(refunded.json["payment"]?["refunded"] == "2.50")
        // Again is not twice.
        let again = try await desk.expect(200, .post, "\(path)/refund", ["amount": "2.50"], key: "r")
        #expect(again.json["repeated"] == true)
        #expect(again.json["operation"]?["id"] == refunded.json["operation"]?["id"])
        #expect(again.json["payment"]?["refunded"] == "2.50")
        // Too much says how much is possible.
        let much = try await desk.expect(409, .post, "\(path)/refund", ["amount": "4.00"], key: "much")
        #expect(much.code == "act_not_possible")
        #expect(much.json["possible"]?["refund"]?["upTo"] == "3.50")
        #expect(try await desk.test.bookProblems() == [])
        let audit = try await desk.expect(200, .get, "/audit", query: "order=oldest")
        let acts = audit.json["data"]?.array?.compactMap { $0["act"]?.string }
        #expect(acts?.filter { $0.hasPrefix("payment.") } == ["payment.capture", "payment.refund"])
    }

    /// For ever is longer than a day. A key is the caller's own, and of the described length.
    @Test func keyOfAnActIsTheCallersOwnForEver() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        let path = "/payments/\(try await till.pay(10_00, "p").id)"
        try await desk.expect(200, .post, "\(path)/capture", [:], key: "c")
        let key = String(repeating: "k", count: 220)
        let long = try await desk.expect(400, .post, "\(path)/refund", ["amount": "1.00"], key: key + "k")
        #expect(long.code == "idempotency_key_malformed")
        let first = try await desk.expect(200, .post, "\(path)/refund", ["amount": "1.00"], key: key)
        desk.test.clock.advance(seconds: 30 * 86_400)
        let again = try await desk.expect(200, .post, "\(path)/refund", ["amount": "1.00"], key: key)
        #expect(again.json["repeated"] == true && again.json["operation"]?["id"] == first.json["operation"]?["id"])
        let used = try await desk.expect(409, .post, "\(path)/refund", ["amount": "2.00"], key: key)
        #expect(used.code == "key_used")
        let other = try await desk.token(Access(.owner))
        let second = try await desk.expect(200, .post, "\(path)/refund", ["amount": "1.00"], token: other, key: key)
        #expect(second.json["repeated"] == false && second.json["payment"]?["refunded"] == "2.00")
    }

    /// What the cardholder's bank has taken back stands wherever the payment is shown, and in the last column of its row.
    @Test func whatWasChargedBackIsShown() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        let sale = try await till.pay(50_00, "s", purpose: .sale)
        let path = "/payments/\(sale.id)"
        #expect(try await desk.expect(200, .get, path).json["chargedBack"] == "0.00")
        let amount = Money(minorUnits: 4_00, currency: sale.amount.currency)
        let receipt = try await desk.test.report(
            .chargedBack(amount, fee: nil), of: sale.operations[0].id, reference: "cb-1")
        #expect(receipt == .booked)
        let read = try await desk.expect(200, .get, path).json
        #expect(read["captured"] == "50.00" && read["refunded"] == "0.00" && read["chargedBack"] == "4.00")
        let listed = try await desk.expect(200, .get, "/payments").json["data"]?.array
        #expect(listed?.map { $0["chargedBack"] } == ["4.00"])
        let export = try await desk.file("/exports/payments")
        #expect(export.lines.first?.hasSuffix(",responseCode,chargedBack") == true)
        #expect(export.lines.last?.hasSuffix(",4.00") == true)
        let refused = try await desk.expect(409, .post, "\(path)/void", [:], key: "v")
        #expect(refused.json["refusal"] == "alreadyRefunded")
        #expect(refused.json["detail"]?.string?.contains("refunded or charged back") == true)
    }

    /// Nobody but a person can end what was under way there.
    @Test func paymentOfAnAccountThatDoesNotOpenIsShownAndDecided() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        desk.test.script.append(.init(.query, fault: .garbage))
        desk.test.script.append(.init(.reverse, fault: .dropBeforeBooking))
        let payment = try await till.pay(63_63, "p")
        try await desk.test.store.write { transaction in
            var account = try #require(try transaction.acquirerAccount(payment.accountID))
            account.settings["host"] = "changed.example"
            try transaction.update(account)
        }
        desk.test.clock.advance(seconds: 900)
        let path = "/payments/\(payment.id)"
        let operation = try #require(payment.opening?.id)
        #expect(try await desk.expect(200, .get, path).json["possible"] != nil)
        let decided = try await desk.expect(
            200, .post, "\(path)/operations/\(operation)/resolve", ["outcome": "failed", "reason": "the bank says so"],
            key: "d")
        #expect(decided.json["state"] == "notProcessed")
    }

    /// The acquirer cannot be reached: the reversal is seen beside what it takes back, until it is acknowledged.
    @Test func operationIsShownAsBeingReversed() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        desk.test.script.append(.init(.query, fault: .garbage))
        desk.test.script.append(.init(.reverse, fault: .dropBeforeBooking))
        let payment = try await till.pay(63_63, "p")
        let path = "/payments/\(payment.id)"
        #expect(try await desk.expect(200, .get, path).json["beingReversed"] == false)
        var shown = JSON.null
        for _ in 0..<24 {
            desk.test.clock.advance(seconds: 900)
            _ = await desk.test.gateway.recover()
            shown = try await desk.expect(200, .get, path).json
        }
        let operations = try #require(shown["operations"]?.array)
        #expect(operations.map { $0["kind"]?.string } == ["authorization", "reversal"])
        #expect(shown["state"] == "authorizationUnknown" && shown["beingReversed"] == true)
        #expect(operations.first?["beingReversedBy"] == operations.last?["id"])
        #expect(operations.last?["target"] == operations.first?["id"])
        let list = try await desk.expect(200, .get, "/payments")
        #expect(list.json["data"]?.array?.first?["beingReversed"] == true)
        desk.test.script.clear()
        await desk.test.recover()
        let ended = try await desk.expect(200, .get, path).json
        #expect(ended["state"] == "reversed" && ended["beingReversed"] == false)
        #expect(ended["operations"]?.array?.first?["beingReversedBy"] == nil)
    }

    /// The answer is lost, and so are the first two answers to questions. How often was asked stays when the job has ended.
    @Test func questionsStayInThePaymentsTimeline() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        desk.test.script.append(.init(.authorize, fault: .garbage))
        desk.test.script.append(.init(.query, .first(2), fault: .garbage))
        let payment = try await till.pay(10_00, "p")
        let path = "/payments/\(payment.id)"
        let asked = try await desk.expect(200, .get, path).json
        #expect(asked["state"] == "authorizationUnknown" && asked["operations"]?.array?.first?["queries"] == nil)
        #expect(Self.queries(in: asked).isEmpty)
        for count in 1...3 {
            desk.test.clock.advance(seconds: 10)
            let askedAt = desk.test.clock.now
            _ = await desk.test.gateway.recover()
            desk.test.clock.advance(seconds: 1)
            let shown = try await desk.expect(200, .get, path).json
            #expect(shown["state"] == (count == 3 ? "authorized" : "authorizationUnknown"))
            let operation = try #require(shown["operations"]?.array?.first)
            #expect(operation["queries"] == JSON(count))
            let queries = Self.queries(in: shown)
            #expect(queries.count == 1 && queries.first?["id"] == operation["id"])
            #expect(queries.first?["facts"]?["attempts"] == .string("\(count)"))
            #expect(queries.first?["at"] == .string(askedAt.description))
            #expect(queries.first?["state"] == (count == 3 ? "answered" : "waiting"))
        }
        #expect(try await desk.test.store.read { try $0.job(.recover, of: payment.id) } == nil)
        desk.test.script.clear()
        // Nobody had to ask about the next.
        try await desk.expect(200, .post, "\(path)/capture", [:], key: "c")
        let captured = try await desk.expect(200, .get, path).json
        #expect(captured["operations"]?.array?.map { $0["queries"] } == [3, nil])
        #expect(Self.queries(in: captured).count == 1)
    }

    private static func queries(in payment: JSON) -> [JSON] {
        payment["timeline"]?.array?.filter { $0["type"] == "query" } ?? []
    }

    @Test func authorizationIsVoided() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        let payment = try await till.pay(10_00, "p")
        let voided = try await desk.call(.post, "/payments/\(payment.id)/void", [:], key: "v")
        #expect(voided.status == 200 || voided.code == "act_not_offered", "\(voided.json.text())")
    }

    @Test(arguments: ["1.234", "0", "-1.00", "1,00", "99999999999999999"])
    func refusesAmountsThatAreNone(_ amount: String) async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        let payment = try await till.pay(10_00, "p")
        let reply = try await desk.call(
            .post, "/payments/\(payment.id)/capture", ["amount": .string(amount)], key: "c")
        #expect([422, 409].contains(reply.status), "\(reply.json.text())")
        #expect(try await desk.test.store.read { try $0.payment(payment.id) } == payment)
    }

    @Test func pagesNeitherSkipNorRepeat() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        var made: [String] = []
        for index in 0..<7 {
            desk.test.clock.advance(seconds: 1)
            made.append(try await till.pay(10_00 + Int64(index), "p\(index)").id.text)
        }
        var found: [String] = []
        var query = "limit=3"
        while true {
            let page = try await desk.expect(200, .get, "/payments", query: query)
            found += page.json["data"]?.array?.compactMap { $0["id"]?.string } ?? []
            guard let next = page.json["next"]?.string else { break }
            query = "limit=3&after=\(next)"
        }
        #expect(found == made.reversed())
        let one = try await desk.expect(200, .get, "/payments", query: "state=authorized&limit=1&merchant=till")
        #expect(one.json["data"]?.array?.count == 1)
        #expect(try await desk.expect(200, .get, "/payments", query: "state=captured").json["data"] == [])
    }

    @Test(arguments: [
        "state=open", "limit=0", "limit=201", "limit=x", "after=1", "from=yesterday", "currency=XXX",
        "merchant=a&merchant=b",
        "colour=green", "order=%ff",
    ]) func refusesWrongParameters(_ query: String) async throws {
        let desk = try await Desk.open()
        _ = try await Till.open(desk, "a")
        try await desk.expect(400, .get, "/payments", query: query)
    }

    /// Nothing of a card but what may be shown, in any answer.
    @Test func noAnswerShowsACardNumber() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        let payment = try await till.pay(10_00, "p")
        for path in ["/payments", "/payments/\(payment.id)", "/events", "/audit", "/findings"] {
            let text = try await desk.expect(200, .get, path).json.text()
            #expect(Self.leaks(desk, in: text) == [], "\(path)")
        }
        #expect(Self.leaks(desk, in: desk.test.log.text) == [])
    }

    private static func leaks(_ desk: Desk, in text: String) -> [String] {
        (desk.test.jar.secrets + [Secret("token", desk.owner)]).filter { secret in
            text.contains(String(decoding: secret.bytes, as: UTF8.self))
        }.map(\.name)
    }

    @Test func webhooksAreListedAndSentAgain() async throws {
        let desk = try await Desk.open()
        try await desk.expect(200, .get, "/events")
        try await desk.expect(404, .get, "/events/evt_00000000000000000000000000")
        try await desk.expect(404, .post, "/events/evt_1/resend", key: "r")
    }

    /// Its dialect has no message for it: to say that it is sent again would be wrong.
    @Test func webhookWithoutAMessageIsNotSentAgain() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk, "own", "1")
        let payment = try await till.pay(10_00, "a")
        let event = OutboxEvent(
            id: EventID(at: desk.test.clock.now, random: [1]), merchantID: payment.merchantID,
            dialect: payment.dialect, kind: .chargeback, paymentID: payment.id,
            operationID: payment.operations[0].id, paymentVersion: payment.version,
            target: "https://shop.example/events", createdAt: desk.test.clock.now, state: .delivered,
            lastResult: "not_told")
        try await desk.test.store.write { try $0.insert(event) }
        let reply = try await desk.expect(409, .post, "/events/\(event.id.text)/resend", key: "r")
        #expect(reply.code == "message_not_sent")
        #expect(try await desk.administration.read { try $0.event(event.id) } == event)
    }

    /// Of one payment the older goes first.
    @Test func pendingWebhooksSayWhatTheyWaitFor() async throws {
        let desk = try await Desk.open()
        let payment = try await Till.open(desk, "own", "1").pay(10_00, "a")
        let now = desk.test.clock.now
        let events = (0..<3).map { index in
            OutboxEvent(
                id: EventID(at: now.adding(milliseconds: Int64(index)), random: [1]), merchantID: payment.merchantID,
                dialect: payment.dialect, kind: .authorizationSucceeded, paymentID: payment.id,
                operationID: payment.operations[0].id, paymentVersion: payment.version,
                target: "https://shop.example/events", createdAt: now, state: index == 0 ? .delivered : .pending)
        }
        let due = now.adding(seconds: 600)
        try await desk.test.store.write { transaction in
            for event in events { try transaction.insert(event) }
            try transaction.schedule(Job(kind: .deliver, paymentID: payment.id, dueAt: due))
        }
        let listed = try await desk.expect(200, .get, "/events", query: "payment=\(payment.id.text)").json["data"]?
            .array
        let shown = try await desk.expect(200, .get, "/payments/\(payment.id.text)").json["notifications"]?.array
        for found in [listed ?? [], shown ?? []] {
            let byID = Dictionary(uniqueKeysWithValues: found.map { ($0["id"]?.string ?? "", $0) })
            let (past, first, second) = (byID[events[0].id.text], byID[events[1].id.text], byID[events[2].id.text])
            #expect(past?["nextAttemptAt"] == .null && past?["waitsFor"] == .null)
            #expect(first?["nextAttemptAt"]?.string == due.description && first?["waitsFor"] == .null)
            #expect(second?["nextAttemptAt"] == .null && second?["waitsFor"]?.string == events[1].id.text)
        }
        let one = try await desk.expect(200, .get, "/events/\(events[2].id.text)").json
        #expect(one["waitsFor"]?.string == events[1].id.text)
    }

    /// Those of the merchant that were given up, once a key, and nobody else's.
    @Test func deadWebhooksAreSentAgainAtOnce() async throws {
        let desk = try await Desk.open()
        let (own, other) = (try await Till.open(desk, "own", "1"), try await Till.open(desk, "other", "2"))
        var dead: [EventID] = []
        for (till, key) in [(own, "a"), (own, "b"), (other, "c"), (own, "d")] {
            let payment = try await till.pay(10_00, key)
            let event = OutboxEvent(
                id: EventID(at: desk.test.clock.now, random: [UInt8(dead.count)]), merchantID: payment.merchantID,
                dialect: payment.dialect, kind: .authorizationSucceeded, paymentID: payment.id,
                operationID: payment.operations[0].id, paymentVersion: payment.version,
                target: "https://shop.example/events", createdAt: desk.test.clock.now,
                state: key == "d" ? .delivered : .dead)
            dead.append(event.id)
            try await desk.test.store.write { try $0.insert(event) }
        }
        let path = "/merchants/own/events/resend"
        for _ in 0..<2 {
            let answer = try await desk.expect(200, .post, path, key: "all").json
            #expect(answer["resent"] == 2 && answer["leavesSome"] == false)
        }
        let ids = dead
        let states = try await desk.administration.read { reader in try ids.map { try reader.event($0)?.state } }
        #expect(states == [.pending, .pending, .dead, .delivered])
        #expect(try await desk.expect(200, .post, path, key: "again").json["resent"] == 0)
        let acts = try await desk.expect(200, .get, "/audit", query: "act=webhook.resend").json["data"]?.array ?? []
        #expect(acts.compactMap { $0["details"]?["events"]?.string } == ["0", "2"], "\(acts)")
        let viewer = try await desk.token(Access(.viewer))
        try await desk.expect(403, .post, path, token: viewer, key: "v")
        try await desk.expect(404, .post, "/merchants/nobody/events/resend", key: "n")
    }
}
