//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import HTTPTypes
import Payments
import StrictJSON
import TestGateway
import Testing
import Time

@testable import AdminAPI

/// What happens, as it happens.
@Suite struct StreamTests {
    /// The next parts until one has the text.
    private func read(_ stream: WireStream, until text: String, max: Int = 100) async throws -> String {
        for _ in 0..<max {
            guard let part = try await stream.next() else { break }
            let read = String(decoding: part, as: UTF8.self)
            if read.contains(text) { return read }
        }
        Issue.record("no \(text) came")
        return ""
    }

    @Test func beginsWithAHeartbeatAndBeatsEvery15Seconds() async throws {
        let desk = try await Desk.open()
        let (response, stream) = try await desk.stream("/stream")
        #expect(response.headers[.contentType] == "text/event-stream")
        let begun = desk.test.clock.now
        _ = try await self.read(stream, until: "event: heartbeat", max: 1)
        _ = try await self.read(stream, until: "event: heartbeat", max: 1)
        #expect(desk.test.clock.now.milliseconds(since: begun) == 15_000)
    }

    @Test func paymentsRefusalsAndAlarmsAreReported() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        let (_, stream) = try await desk.stream("/stream")
        _ = try await stream.next()
        let payment = try await till.pay(10_00, "a")
        let heard = try await self.read(stream, until: "event: payment")
        #expect(heard.contains(payment.id.text) && heard.contains("\"state\":\"authorized\""))
        try await desk.refuse(1, of: till.merchant.id)
        #expect(try await self.read(stream, until: "event: refusal").contains("key_unknown"))
        let alarm = Alarm(
            id: AlarmID(at: desk.test.clock.now, random: [1]), kind: .disk, subject: "/", merchant: nil,
            severity: .warning, code: "disk_full", text: "", begunAt: desk.test.clock.now)
        try await desk.test.store.write { try $0.insert(alarm) }
        #expect(try await self.read(stream, until: "event: alarm").contains("\"state\":\"begun\""))
        var ended = alarm
        ended.endedAt = desk.test.clock.now
        let end = ended
        try await desk.test.store.write { try $0.update(end) }
        #expect(try await self.read(stream, until: "event: alarm").contains("\"state\":\"ended\""))
    }

    /// A domain may be several merchants': each hears of its alarm, by its own name.
    @Test func alarmOfSeveralMerchantsIsHeardByEach() async throws {
        let desk = try await Desk.open()
        let own = try await Till.open(desk, "own", "1")
        _ = try await Till.open(desk, "other", "2")
        let token = try await desk.token(Access(.owner, merchants: [own.merchant.id]))
        let (_, stream) = try await desk.stream("/stream", token: token)
        _ = try await stream.next()
        let names = ["own", "other"]
        let alarm = Alarm(
            id: AlarmID(at: desk.test.clock.now, random: [1]), kind: .domain, subject: "shop.example",
            merchant: names.joined(separator: ", "), severity: .failure, code: "domain_not_reached", text: "",
            begunAt: desk.test.clock.now)
        #expect(alarm.merchants == names)
        try await desk.test.store.write { try $0.insert(alarm) }
        let heard = try await self.read(stream, until: "event: alarm")
        #expect(heard.contains("\"merchant\":\"own\""))
        #expect(!heard.contains(names.joined(separator: ", ")))
        for name in names {
            let home = try await desk.expect(200, .get, "/home", query: "merchant=\(name)")
            #expect(home.json["alarms"]?.array?.map { $0["id"]?.string } == [alarm.id.text], "\(name)")
        }
    }

    /// What was before is read, not reported; what is reported is reported once.
    @Test func nothingIsReportedTwice() async throws {
        let desk = try await Desk.open()
        let till = try await Till.open(desk)
        let before = try await till.pay(10_00, "before")
        let (_, stream) = try await desk.stream("/stream")
        var text = String(decoding: try await stream.next() ?? [], as: UTF8.self)
        let after = try await till.pay(10_00, "after")
        for _ in 0..<3 { text += String(decoding: try await stream.next() ?? [], as: UTF8.self) }
        #expect(!text.contains(before.id.text))
        #expect(text.ranges(of: after.id.text).count == 1)
    }

    @Test func othersAreNotHeardOf() async throws {
        let desk = try await Desk.open()
        let (own, other) = (try await Till.open(desk, "own", "1"), try await Till.open(desk, "other", "2"))
        let token = try await desk.token(Access(.owner, merchants: [own.merchant.id]))
        let (_, stream) = try await desk.stream("/stream", token: token)
        _ = try await stream.next()
        let foreign = try await other.pay(10_00, "a")
        try await desk.refuse(1, of: nil)
        let mine = try await own.pay(10_00, "b")
        let heard = try await self.read(stream, until: mine.id.text)
        #expect(!heard.contains(foreign.id.text) && !heard.contains("refusal"))
        let request = WireRequest(
            method: .get, path: "/admin/v1/stream", query: "merchant=other",
            headers: [.authorization: "Bearer \(token)"])
        #expect(await desk.service.respond(to: request).status == .notFound)
    }

    @Test func tokenThatIsRevokedEndsItsStream() async throws {
        let desk = try await Desk.open()
        let made = try await desk.expect(201, .post, "/tokens", ["name": "t", "role": "viewer"], key: "t")
        let (_, stream) = try await desk.stream("/stream", token: try #require(made.json["secret"]?.string))
        _ = try await stream.next()
        try await desk.expect(200, .delete, "/tokens/\(made.json["token"]?["id"]?.string ?? "")")
        let begun = desk.test.clock.now
        _ = try await self.read(stream, until: "session_ended")
        #expect(desk.test.clock.now.milliseconds(since: begun) <= 60_000)
        #expect(try await stream.next() == nil)
    }

    @Test func serverThatStopsEndsItsStreams() async throws {
        let desk = try await Desk.open()
        let (_, stream) = try await desk.stream("/stream")
        _ = try await stream.next()
        stream.stop()
        _ = try await self.read(stream, until: "\"reason\":\"drain\"", max: 1)
        #expect(try await stream.next() == nil)
    }

    @Test func callersHaveSoManyAndNoMore() async throws {
        let desk = try await Desk.open()
        var streams: [WireStream] = []
        for _ in 0..<StreamDesk.perCallerMax { streams.append(try await desk.stream("/stream").1) }
        let refused = try await desk.expect(429, .get, "/stream")
        #expect(refused.code == "too_many_streams")
        #expect(refused.headers[.retryAfter] != nil)
        // Another caller is none the worse for it.
        _ = try await desk.stream("/stream", token: try await desk.token(Access(.viewer)))
        streams.removeLast()
        _ = try await desk.stream("/stream")
        #expect(streams.count == StreamDesk.perCallerMax - 1)
    }

    @Test func whoFallsBehindIsNotified() async throws {
        let feed = StreamFeed()
        #expect(feed.events(from: 0)?.events.isEmpty == true)
        #expect(feed.events(from: -1) == nil)
    }

    @Test func textOfAnEventIsOneLine() {
        let event = StreamEvent(
            kind: .refusal, owner: .house,
            data: JSONObject([(name: "code", value: .string("a\n\nevent: payment\ndata: {}"))]))
        #expect(event.text.split(separator: "\n").count == 2)
        #expect(event.text.hasSuffix("\n\n"))
    }
}
