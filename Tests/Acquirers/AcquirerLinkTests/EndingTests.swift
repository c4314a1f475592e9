//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StrictJSON
import Testing

@testable import AcquirerLink

/// Every way in which a call over a link can end, played by a server that is a bad acquirer: what the caller gets,
/// and that the next call is answered.
@Suite struct EndingTests {
    let bench: Bench

    init() throws {
        self.bench = try Bench()
    }

    /// A server whose first connection goes as the script says once hands are shaken; every other is good.
    private func peer(
        _ script: @escaping @Sendable (inout Wire) async throws -> Void
    ) async throws -> RawPeer {
        let secret = self.bench.secret
        return try await RawPeer { connection, wire in
            try await wire.welcome(secret)
            if connection == 1 { try await script(&wire) } else { try await wire.approveAll() }
        }
    }

    /// Makes a call that ends so, and another that must be answered.
    private func expect(
        _ failure: LinkFailure, _ request: LinkRequest, sourceLocation: SourceLocation = #_sourceLocation,
        _ script: @escaping @Sendable (inout Wire) async throws -> Void
    ) async throws {
        let peer = try await self.peer(script)
        defer { peer.close() }
        let client = try self.bench.client(port: peer.port)
        defer { client.close() }
        #expect(await client.make(request) == request.ended(failure), sourceLocation: sourceLocation)
        #expect(
            await client.make(request) == request.approved(), "the next call is answered",
            sourceLocation: sourceLocation)
        #expect(peer.connectionsCount == 2, sourceLocation: sourceLocation)
    }

    // MARK: - Answers

    @Test func answersOfEveryKindComeThroughForEveryCall() async throws {
        let answer = AcquirerAnswer(
            reference: "000000000001", authorizationCode: "A1B2C3", responseCode: "00", stan: "000042",
            networkReference: "123456789012345", addressCheck: "Y", securityCodeCheck: "M", fundingPANSuffix: "1234",
            fundingExpiryYearMonth: "2901")
        let memo = FullRequests.memo
        let approval = AcquirerApproval(amount: Bench.money(5_00), answer: answer, memo: memo)
        let decline = AcquirerDecline(
            reason: .suspectedFraud, answer: AcquirerAnswer(responseCode: "59"), memo: memo)
        // What a repeat's decline is worth hangs on it (``AcquirerDecline/wasNeverSent``).
        let neverSent = AcquirerDecline(reason: .invalidOperation, answer: AcquirerAnswer(), wasNeverSent: true)
        let acceptance = AcquirerAcceptance(answer, memo: memo)
        var unknown = UnknownOutcome.timedOut()
        unknown.memo = memo
        var outcomes: [AcquirerOutcome] = [
            .approved(approval), .declined(decline), .declined(neverSent), .accepted(acceptance),
            .accepted(AcquirerAcceptance()), .timedOut(), .unknown(unknown),
            .timedOut("gateway_timeout"), .unclear("http_502"),
        ]
        for reason in NotProcessedReason.allCases { outcomes.append(.notProcessed(NotProcessed(reason, "http_401"))) }
        let queries: [AcquirerQueryOutcome] = [
            .approved(approval), .declined(decline), .declined(neverSent), .accepted(acceptance),
            .accepted(AcquirerAcceptance()), .reversed, .notFound, .unknown(unknown), .unknown(.timedOut()),
            .unknown(.unclear("book_unavailable")),
        ]
        var preparations: [AcquirerPreparation] = [.ready(memo), .ready(AcquirerMemo())]
        for reason in NotProcessedReason.allCases {
            preparations.append(.notProcessed(NotProcessed(reason, "http_401")))
        }
        for request in Bench.requests() {
            let all =
                switch request.call {
                case .query: queries.map(LinkOutcome.query)
                case .prepare: preparations.map(LinkOutcome.preparation)
                default: outcomes.map(LinkOutcome.operation)
                }
            let peer = try await self.peer { wire in
                for outcome in all {
                    let (number, request) = try await wire.request()
                    try await wire.answer(number, request, outcome)
                }
                _ = await wire.isEnded()
            }
            let client = try self.bench.client(port: peer.port)
            for outcome in all { #expect(await client.make(request) == outcome) }
            #expect(peer.connectionsCount == 1)
            client.close()
            peer.close()
        }
    }

    @Test(arguments: DeclineReason.allCases) func everyDeclineComesThrough(_ reason: DeclineReason) async throws {
        let outcome = LinkOutcome.operation(.declined(AcquirerDecline(reason: reason, answer: AcquirerAnswer())))
        let peer = try await self.peer { wire in
            let (number, request) = try await wire.request()
            try await wire.answer(number, request, outcome)
            _ = await wire.isEnded()
        }
        let client = try self.bench.client(port: peer.port)
        #expect(await client.make(Bench.authorization()) == outcome)
        client.close()
        peer.close()
    }

    @Test func manyCallsAreUnderWayAndEachGetsItsOwnAnswer() async throws {
        let count = 200
        let peer = try await self.peer { wire in
            var requests: [(number: UInt64, request: LinkRequest)] = []
            for _ in 0..<count { requests.append(try await wire.request()) }
            for (number, request) in requests.reversed() {
                try await wire.answer(number, request, request.approved(request.operationID.text))
            }
            _ = await wire.isEnded()
        }
        let client = try self.bench.client(port: peer.port)
        await withTaskGroup { group in
            for number in 0..<count {
                let request = Bench.authorization(number)
                group.addTask {
                    let expected = request.approved(request.operationID.text)
                    #expect(await client.make(request) == expected)
                }
            }
            await group.waitForAll()
        }
        #expect(peer.connectionsCount == 1)
        client.close()
        peer.close()
    }

    // MARK: - Cuts

    /// A server whose n-th connection is cut after n - 1 steps of something, and then one that is good.
    private func expectEveryCut(
        _ count: Int, _ request: LinkRequest,
        _ script: @escaping @Sendable (_ count: Int, inout Wire) async throws -> Void
    ) async throws {
        let secret = self.bench.secret
        let peer = try await RawPeer { connection, wire in
            try await wire.welcome(secret)
            if connection <= count { try await script(connection - 1, &wire) } else { try await wire.approveAll() }
        }
        let client = try self.bench.client(port: peer.port)
        for cut in 0..<count {
            #expect(await client.make(request) == request.ended(.connectionLost), "after \(cut) bytes")
            #expect(peer.connectionsCount == cut + 1, "every call finds a connection again")
        }
        #expect(await client.make(request) == request.approved())
        client.close()
        peer.close()
    }

    @Test func cutAtAnyByteOfTheRequestIsConnectionLost() async throws {
        let request = Bench.query(1)
        let length = try #require(LinkFrame.encode(request.json(number: 1))).count
        #expect(length > 200)
        try await self.expectEveryCut(length + 1, request) { count, wire in
            _ = try await wire.read(count)
        }
    }

    @Test func cutAtAnyByteOfTheAnswerIsConnectionLostAndTheWholeIsTheAnswer() async throws {
        let request = Bench.authorization()
        let length = try #require(
            LinkFrame.encode(
                LinkAnswer(
                    number: 1, call: .authorize, operationID: request.operationID, outcome: request.approved()
                ).json)
        ).count
        try await self.expectEveryCut(length, request) { count, wire in
            let (number, request) = try await wire.request()
            let answer = LinkAnswer(
                number: number, call: request.call, operationID: request.operationID, outcome: request.approved())
            try await wire.send(Array(Wire.frame(answer.json.serialized()).prefix(count)))
        }
    }

    @Test func everyCallIsCutAlike() async throws {
        for request in Bench.requests() {
            try await self.expect(.connectionLost, request) { wire in _ = try await wire.request() }
        }
    }

    @Test func cutEndsEveryCallThatIsUnderWay() async throws {
        let peer = try await self.peer { wire in
            for _ in 1...20 { _ = try await wire.request() }
        }
        let client = try self.bench.client(port: peer.port)
        let requests = (1...20).map { Bench.authorization($0) }
        await withTaskGroup(of: LinkOutcome.self) { group in
            for request in requests { group.addTask { await client.make(request) } }
            for await outcome in group { #expect(outcome == requests[0].ended(.connectionLost)) }
        }
        client.close()
        peer.close()
    }

    // MARK: - Silence

    @Test func silenceEndsWithTheDeadlineAndTheNextCallTakesAnotherConnection() async throws {
        for request in Bench.requests() {
            let asked = Signal()
            let peer = try await self.peer { wire in
                _ = try await wire.request()
                asked.happen()
                _ = await wire.isEnded()
            }
            let client = try self.bench.client(port: peer.port)
            async let outcome = client.make(request)
            await asked.wait()
            await self.bench.time.pass(30_000)
            #expect(await outcome == request.ended(.deadlinePassed))
            #expect(await client.make(request) == request.approved())
            #expect(peer.connectionsCount == 2, "a connection on which nothing comes is left")
            client.close()
            peer.close()
        }
    }

    @Test(arguments: [1, 3, 4, 5, 100]) func halfAFrameAndThenSilenceEndsWithTheDeadline(_ count: Int) async throws {
        let request = Bench.capture(2, of: 1)
        let answer = LinkAnswer(
            number: 1, call: .capture, operationID: request.operationID, outcome: request.approved())
        let frame = try #require(LinkFrame.encode(answer.json))
        let sent = Signal()
        let peer = try await self.peer { wire in
            _ = try await wire.request()
            try await wire.send(Array(frame.prefix(count)))
            sent.happen()
            _ = await wire.isEnded()
        }
        let client = try self.bench.client(port: peer.port)
        async let outcome = client.make(request)
        await sent.wait()
        await self.bench.time.pass(30_000)
        #expect(await outcome == request.ended(.deadlinePassed))
        #expect(await client.make(request) == request.approved())
        client.close()
        peer.close()
    }

    /// Two calls; one is answered, the other's time passes. Its answer comes when another call is under way.
    @Test func lateAnswerIsDroppedAndNeverTakenForAnother() async throws {
        let asked = Signal()
        let isLate = Signal()
        let peer = try await self.peer { wire in
            let first = try await wire.request()
            let second = try await wire.request()
            let answered = [first, second].first { $0.request.operationID == Bench.id(2) } ?? second
            let late = [first, second].first { $0.request.operationID == Bench.id(1) } ?? first
            try await wire.answer(answered.number, answered.request, answered.request.approved("000000000002"))
            asked.happen()
            await isLate.wait()
            let third = try await wire.request()
            try await wire.answer(late.number, late.request, late.request.approved("000000000001"))
            try await wire.answer(third.number, third.request, third.request.approved("000000000003"))
            _ = await wire.isEnded()
        }
        let client = try self.bench.client(port: peer.port)
        let requests = (1...3).map { Bench.authorization($0) }
        async let late = client.make(requests[0])
        #expect(await client.make(requests[1]) == requests[1].approved("000000000002"))
        await asked.wait()
        await self.bench.time.pass(30_000)
        #expect(await late == requests[0].ended(.deadlinePassed))
        isLate.happen()
        #expect(await client.make(requests[2]) == requests[2].approved("000000000003"))
        #expect(peer.connectionsCount == 1)
        client.close()
        peer.close()
    }

    /// A reversal is sent again under its own id while the first answer is on its way: the numbers keep them apart.
    @Test func lateAnswerIsNotTakenForThatOfTheSameOperationSentAgain() async throws {
        let request = Bench.reversal(5, of: 1)
        let asked = Signal()
        let peer = try await self.peer { wire in
            let first = try await wire.request()
            asked.happen()
            let second = try await wire.request()
            try await wire.answer(first.number, first.request, .operation(.unclear("of_the_first")))
            try await wire.answer(second.number, second.request, second.request.approved("000000000002"))
            _ = await wire.isEnded()
        }
        let client = try self.bench.client(port: peer.port)
        let first = Task { await client.make(request) }
        await asked.wait()
        first.cancel()
        #expect(await first.value == request.ended(.cancelled))
        #expect(await client.make(request) == request.approved("000000000002"))
        client.close()
        peer.close()
    }

    @Test func answerThatComesTwiceCountsOnce() async throws {
        let peer = try await self.peer { wire in
            for number in 1...3 {
                let (id, request) = try await wire.request()
                for _ in 1...3 { try await wire.answer(id, request, request.approved("00000000000\(number)")) }
            }
            _ = await wire.isEnded()
        }
        let client = try self.bench.client(port: peer.port)
        for number in 1...3 {
            let request = Bench.authorization(number)
            #expect(await client.make(request) == request.approved("00000000000\(number)"))
        }
        #expect(peer.connectionsCount == 1)
        client.close()
        peer.close()
    }

    // MARK: - The caller goes

    @Test func cancelledCallEndsAtOnceAndOthersGoOn() async throws {
        let asked = Signal()
        let peer = try await self.peer { wire in
            let first = try await wire.request()
            asked.happen()
            let second = try await wire.request()
            try await wire.answer(first.number, first.request, first.request.approved())
            try await wire.answer(second.number, second.request, second.request.approved("000000000002"))
            _ = await wire.isEnded()
        }
        let client = try self.bench.client(port: peer.port)
        let request = Bench.authorization(1)
        let call = Task { await client.make(request) }
        await asked.wait()
        call.cancel()
        #expect(await call.value == request.ended(.cancelled))
        let second = Bench.authorization(2)
        #expect(await client.make(second) == second.approved("000000000002"))
        client.close()
        peer.close()
    }
}
