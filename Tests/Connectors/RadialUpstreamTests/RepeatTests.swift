//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Payments
import Synchronization
import TestUpstream
import Testing

@testable import RadialUpstream

/// What is sent twice: what was refused for its key, with the other key, and what was not answered, as it was.
@Suite struct RepeatTests {
    private static func perform(
        secrets: [String: String] = Bench.secrets, script: @escaping StubUpstream.Script, count: Int = 1
    ) async throws -> ([AcquirerOutcome], [StubRequest]) {
        let amount = try Bench.money(3010)
        return try await Bench.with(secrets: secrets, script: script) { acquirer, stub in
            var outcomes: [AcquirerOutcome] = []
            for _ in 0..<count {
                outcomes.append(await acquirer.perform(Bench.request(.authorize(Bench.charge()), amount)))
            }
            return (outcomes, stub.requests)
        }
    }

    private static func isApproved(_ outcome: AcquirerOutcome) -> Bool {
        if case .approved = outcome { true } else { false }
    }

    // MARK: - After a lost answer

    @Test func unansweredRequestIsRepeatedOnceAsItWas() async throws {
        let (outcomes, requests) = try await Self.perform { _, number in
            number == 1
                ? StubAnswer(status: 502, body: "") : StubAnswer(status: 200, body: TestReply.Authorization().text)
        }
        #expect(outcomes.allSatisfy(Self.isApproved))
        #expect(requests.count == 2)
        #expect(requests[0].body == requests[1].body)
        #expect(requests[0].path == requests[1].path)
    }

    @Test func itIsNotRepeatedTwice() async throws {
        let (outcomes, requests) = try await Self.perform { _, number in StubAnswer(status: 499 + number, body: "") }
        #expect(outcomes == [.unclear("http_500")])
        #expect(requests.count == 2)
    }

    /// The first may have been done all the same.
    @Test(arguments: [
        (400, TestReply.fault("InvalidRequestException")), (409, TestReply.fault("OrderAlreadyAuthorizedException")),
        (400, TestReply.fault("PanDoesNotPassLuhnCheckException")), (403, ""), (429, ""), (404, ""), (200, ""),
    ])
    func refusalOfTheRepeatSaysNothingOfTheFirst(_ status: Int, _ body: String) async throws {
        let (outcomes, requests) = try await Self.perform { _, number in
            number == 1 ? StubAnswer(status: 504, body: "") : StubAnswer(status: status, body: body)
        }
        #expect(outcomes == [.timedOut("http_504")])
        #expect(requests.count == 2)
    }

    @Test func whatIsAnsweredIsNotRepeated() async throws {
        for body in [TestReply.Authorization().text, TestReply.Authorization(code: "TIMEOUT", issuerCode: "TO01").text]
        {
            let (_, requests) = try await Self.perform { _, _ in StubAnswer(status: 200, body: body) }
            #expect(requests.count == 1)
        }
    }

    /// The service's time is over with the call's.
    @Test func nothingIsRepeatedWhenNoTimeIsLeft() async throws {
        let amount = try Bench.money(3010)
        let stub = try await StubUpstream { _, _ in StubAnswer(status: 502, body: "") }
        let client = Bench.client()
        let clock = SteppingClock(milliseconds: 20_000)
        let connector = RadialConnector(client: client) { clock.next() }
        let acquirer = try connector.open(Bench.account(host: "http://127.0.0.1:\(stub.port)"))
        let outcome = await acquirer.perform(Bench.request(.authorize(Bench.charge()), amount))
        #expect(outcome == .unclear("http_502"))
        #expect(stub.requests.count == 1)
        await client.shutdown()
        await stub.close()
    }

    // MARK: - Keys

    private static let both = ["apikey": Bench.apiKey, "apikey2": Bench.secondKey]

    private static func taking(_ key: String, else status: Int = 403) -> StubUpstream.Script {
        { request, _ in
            request.header("apikey") == key
                ? StubAnswer(status: 200, body: TestReply.Authorization().text)
                : StubAnswer(status: status, body: TestReply.fault("InvalidApiKeyException"))
        }
    }

    @Test(arguments: [401, 403])
    func otherKeyIsTriedAndRemembered(_ status: Int) async throws {
        let (outcomes, requests) = try await Self.perform(
            secrets: Self.both, script: Self.taking(Bench.secondKey, else: status), count: 2)
        #expect(outcomes.count == 2 && outcomes.allSatisfy(Self.isApproved))
        #expect(requests.map { $0.header("apikey") } == [Bench.apiKey, Bench.secondKey, Bench.secondKey])
    }

    @Test func firstKeyIsEnough() async throws {
        let (outcomes, requests) = try await Self.perform(secrets: Self.both, script: Self.taking(Bench.apiKey))
        #expect(outcomes.allSatisfy(Self.isApproved))
        #expect(requests.count == 1)
    }

    @Test func noKeyIsTheOperatorsBusiness() async throws {
        let (outcomes, requests) = try await Self.perform(secrets: Self.both, script: Self.taking("another"))
        #expect(outcomes == [.notProcessed(NotProcessed(.notAuthorized, "http_403"))])
        #expect(requests.count == 2)
    }
}

/// A clock that goes on by so much whenever it is looked at.
private final class SteppingClock: Sendable {
    private let moment = Mutex(ContinuousClock.now)
    private let step: Duration

    init(milliseconds: Int) {
        self.step = .milliseconds(milliseconds)
    }

    func next() -> ContinuousClock.Instant {
        self.moment.withLock { moment in
            defer { moment += self.step }
            return moment
        }
    }
}
