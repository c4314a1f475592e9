//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Redaction
import StrictJSON
import Synchronization
import Testing

@testable import AcquirerLink

/// What an acquirer reports by itself comes over the link in the other direction, and is sent until it is acknowledged.
@Suite struct ReportTests {
    let bench: Bench
    let far: NotingConnector

    init() throws {
        self.bench = try Bench()
        self.far = try NotingConnector()
    }

    /// Unlike the times that clients and handshakes take.
    private static let settings: AcquirerLinkSettings = {
        var settings = Bench.settings
        settings.noticeMilliseconds = 4000
        settings.noticePauseMilliseconds = 1500
        return settings
    }()

    private static let account = AccountTests.account().id

    private static func notice(_ number: Int) -> AcquirerNotice {
        AcquirerNotice(.operation(Bench.id(number)), .changed, reference: "notice \(number)")
    }

    /// What a gateway has been handed, and what it answers.
    private final class Desk: Sendable {
        private let taken = Mutex<[AcquirerNotice]>([])
        private let receipt: @Sendable (Int) -> AcquirerReports.Receipt

        /// - Parameter receipt: to the notice that comes as the so-and-so-manieth, from 1.
        init(_ receipt: @escaping @Sendable (Int) -> AcquirerReports.Receipt = { _ in .booked }) {
            self.receipt = receipt
        }

        var notices: [AcquirerNotice] { self.taken.withLock { $0 } }

        var reports: AcquirerReports {
            AcquirerReports { notice, account in
                let count = self.taken.withLock { taken in
                    taken.append(notice)
                    return taken.count
                }
                return account == ReportTests.account ? self.receipt(count) : .notKnown
            }
        }
    }

    private func withServer(_ body: (AcquirerLinkServer, Int) async throws -> Void) async throws {
        let server = AcquirerLinkServer(
            self.far, secret: self.bench.secret, settings: Self.settings, surroundings: self.bench.surroundings,
            logger: self.bench.log.logger)
        try await body(server, try await server.listen(host: "127.0.0.1", port: 0))
        await server.stop()
    }

    /// A gateway that is connected.
    private func client(_ port: Int, _ desk: Desk?) async throws -> AcquirerLinkClient {
        let client = try self.bench.client(port: port, expecting: AcquirerLinkDescription(self.far))
        client.take(desk?.reports)
        #expect(await client.connect() == nil)
        return client
    }

    /// Lets pauses pass until the report has ended.
    private func receipt(of report: Task<AcquirerReports.Receipt, Never>) async -> AcquirerReports.Receipt {
        let hasEnded = Mutex(false)
        async let receipt = {
            defer { hasEnded.withLock { $0 = true } }
            return await report.value
        }()
        while !hasEnded.withLock({ $0 }) {
            self.bench.time.wake(Self.settings.noticePauseMilliseconds)
            await Task.yield()
        }
        return await receipt
    }

    @Test func reportOfTheConnectorArrivesAndIsAcknowledged() async throws {
        let desk = Desk()
        let receipts = Mutex<[AcquirerReports.Receipt]>([])
        self.far.live { reports in
            for number in [3, 1, 2] {
                let receipt = await reports.report(Self.notice(number), of: Self.account)
                receipts.withLock { $0.append(receipt) }
            }
        }
        try await self.withServer { server, port in
            let client = try await self.client(port, desk)
            await server.run()
            client.close()
        }
        #expect(receipts.withLock { $0 } == [.booked, .booked, .booked])
        #expect(desk.notices == [3, 1, 2].map(Self.notice))
    }

    @Test func reportIsRepeatedUntilItIsBooked() async throws {
        let desk = Desk { $0 < 3 ? .later : .booked }
        try await self.withServer { server, port in
            let client = try await self.client(port, desk)
            async let receipt = server.report(Self.notice(1), of: Self.account)
            for _ in 1...2 { await self.bench.time.pass(Self.settings.noticePauseMilliseconds) }
            #expect(await receipt == .booked)
            client.close()
        }
        #expect(desk.notices == [1, 1, 1].map(Self.notice))
    }

    @Test func reportOfWhatNobodyKnowsIsNotRepeated() async throws {
        let desk = Desk()
        try await self.withServer { server, port in
            let client = try await self.client(port, desk)
            let other = AcquirerAccountID(at: Bench.at, random: [9])
            #expect(await server.report(Self.notice(1), of: other) == .notKnown)
            client.close()
        }
        #expect(desk.notices.count == 1)
    }

    /// While no gateway is there, and while none takes reports, they wait.
    @Test func reportWaitsForAGateway() async throws {
        let desk = Desk()
        try await self.withServer { server, port in
            let report = Task { await server.report(Self.notice(1), of: Self.account) }
            await self.bench.time.pass(Self.settings.noticePauseMilliseconds)
            let deaf = try await self.client(port, nil)
            await self.bench.time.pass(Self.settings.noticePauseMilliseconds)
            deaf.take(desk.reports)
            #expect(await self.receipt(of: report) == .booked)
            deaf.close()
        }
        #expect(desk.notices == [Self.notice(1)])
    }

    /// A connection that ends before the receipt comes: the notice goes to whoever connects next, who may have it twice.
    @Test func reportSurvivesTheEndOfItsConnection() async throws {
        let desk = Desk()
        try await self.withServer { server, port in
            let report = Task { await server.report(Self.notice(1), of: Self.account) }
            // It has found nobody there.
            await self.bench.time.waitForSleeper(Self.settings.noticePauseMilliseconds)
            try await connect(port: port) { wire in
                try await wire.greet(self.bench.secret)
                await self.bench.time.pass(Self.settings.noticePauseMilliseconds)
                let notice = try LinkNotice(try await wire.body())
                #expect(notice.notice == Self.notice(1) && notice.account == Self.account)
            }
            let client = try await self.client(port, desk)
            #expect(await self.receipt(of: report) == .booked)
            client.close()
        }
        #expect(desk.notices.allSatisfy { $0 == Self.notice(1) } && !desk.notices.isEmpty)
    }

    /// A gateway that holds its connection and answers nothing is not waited for for ever.
    @Test func reportThatIsNotAcknowledgedIsSentAgain() async throws {
        try await self.withServer { server, port in
            try await connect(port: port) { wire in
                try await wire.greet(self.bench.secret)
                async let receipt = server.report(Self.notice(1), of: Self.account)
                let first = try LinkNotice(try await wire.body())
                await self.bench.time.pass(Self.settings.noticeMilliseconds)
                await self.bench.time.pass(Self.settings.noticePauseMilliseconds)
                let second = try LinkNotice(try await wire.body())
                #expect(first.notice == second.notice && first.number != second.number)
                // A receipt for what nobody waits for any more says nothing.
                try await wire.send(LinkReceipt(number: first.number, receipt: .notKnown).json)
                try await wire.send(LinkReceipt(number: second.number, receipt: .booked).json)
                #expect(await receipt == .booked)
            }
        }
    }

    /// Before it has proven itself, a client is sent nothing but the handshake.
    @Test func strangerIsReportedNothing() async throws {
        try await self.withServer { server, port in
            try await connect(port: port) { wire in
                try await wire.send(LinkHandshake.hello([UInt8](repeating: 9, count: 32)))
                let challenge = try JSON.parse(try await wire.body())
                #expect(challenge["type"] == "challenge")
                let report = Task { await server.report(Self.notice(1), of: Self.account) }
                await self.bench.time.pass(Self.settings.noticePauseMilliseconds)
                report.cancel()
                #expect(await report.value == .later)
                try await wire.send(["type": "proof", "proof": .string(String(repeating: "0", count: 64))])
                #expect(await wire.isEnded())
            }
        }
    }

    // MARK: - On the wire

    private static let answer = FullRequests.authorization.answer

    private static var events: [AcquirerNotice.Event] {
        let decline = AcquirerDecline(reason: .expiredCard, answer: self.answer, memo: FullRequests.memo)
        let approval = AcquirerApproval(amount: Bench.money(5), answer: self.answer, memo: FullRequests.memo)
        let neverSent = AcquirerDecline(reason: .expiredCard, answer: self.answer, wasNeverSent: true)
        return [
            .declinedStillHeld(neverSent), .resolved(.declined(neverSent)),
            .changed, .resolved(.approved(approval)), .resolved(.declined(decline)), .resolved(.reversed),
            .resolved(.notFound), .resolved(.accepted(AcquirerAcceptance(self.answer, memo: FullRequests.memo))),
            .resolved(.unknown(.timedOut())), .approvedAsAsked(self.answer, FullRequests.memo),
            .declinedStillHeld(decline), .failedLate(.systemError, self.answer), .chargedBack(Bench.money(7), fee: nil),
            .chargedBack(Bench.money(7), fee: Bench.money(1)), .chargedBackInAll(Bench.money(9)),
            .chargebackReversed(of: "chargeback 1"),
        ]
    }

    private static var notices: [LinkNotice] {
        let subjects: [AcquirerNotice.Subject] = [
            .operation(Bench.id(1)), .shortName("0123456789ABCDEF"), .handle("h \u{1F34E}"),
            .request(127, of: "0123456789ABCDEF"), .latest([], of: "h"),
            .latest(Set(PaymentOperation.Kind.allCases), of: "h"),
        ]
        let notices =
            subjects.map { AcquirerNotice($0, .changed, reference: "r") }
            + self.events.map { AcquirerNotice(.operation(Bench.id(1)), $0) }
        return notices.enumerated().map { LinkNotice(number: UInt64($0), account: self.account, notice: $1) }
    }

    @Test func everyNoticeArrivesAsItWasSent() throws {
        for notice in Self.notices { #expect(try LinkNotice(notice.json.serialized()) == notice) }
    }

    @Test func noticeWithoutAMemberOrWithAnotherIsNotUnderstood() throws {
        for notice in Self.notices {
            let object = try #require(notice.json.object)
            for name in object.names {
                for value in [nil, .null, ["strange"], ["unlike": 1]] as [JSON?] {
                    // The acquirer may have no name for it.
                    if name == "reference", value == nil { continue }
                    var spoiled = object
                    spoiled[name] = value
                    #expect(throws: LinkViolation.self, "\(name)") {
                        try LinkNotice(JSON.object(spoiled).serialized())
                    }
                }
            }
            for part in ["subject", "event"] {
                var spoiled = object
                var inner = try #require(object[part]?.object)
                inner["strange"] = 1
                spoiled[part] = .object(inner)
                #expect(throws: LinkViolation("unknown_member")) { try LinkNotice(JSON.object(spoiled).serialized()) }
                inner["strange"] = nil
                inner["is"] = "strange"
                spoiled[part] = .object(inner)
                #expect(throws: LinkViolation("bad_is")) { try LinkNotice(JSON.object(spoiled).serialized()) }
            }
        }
    }

    @Test func receiptArrivesAsItWasSent() throws {
        for receipt in AcquirerReports.Receipt.allCases {
            var reader = try LinkFrame.decode(LinkReceipt(number: 7, receipt: receipt).json.serialized())
            try reader.expect("noticed")
            #expect(try LinkReceipt(after: reader) == LinkReceipt(number: 7, receipt: receipt))
        }
    }
}
