//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Payments
import TestUpstream
import Testing

@testable import RadialUpstream

/// Every ending of a call by its HTTP status, for every operation.
@Suite struct EndingTests {
    private enum Kind: CaseIterable {
        case authorize
        case capture
        case refund
        case void
        case reverse
    }

    private static func action(_ kind: Kind, _ original: OriginalOperation) -> AcquirerRequest.Action {
        switch kind {
        case .authorize: .authorize(Bench.charge())
        case .capture: .capture(of: original, isFinal: false)
        case .refund: .refund(of: original, capture: nil)
        case .void: .void(original)
        case .reverse: .reverse(original)
        }
    }

    private static let endings: [(Int, AcquirerOutcome)] = [
        (200, .unclear("answer_unreadable")), (204, .unclear("answer_unreadable")),
        (301, .notProcessed(NotProcessed(.requestRefused, "http_redirect"))),
        (400, .notProcessed(NotProcessed(.requestRefused, "http_400"))),
        (401, .notProcessed(NotProcessed(.notAuthorized, "http_401"))),
        (403, .notProcessed(NotProcessed(.notAuthorized, "http_403"))),
        (404, .notProcessed(NotProcessed(.requestRefused, "http_404"))),
        (405, .notProcessed(NotProcessed(.requestRefused, "http_405"))),
        (408, .timedOut("http_408")), (409, .unclear("http_409")),
        (413, .notProcessed(NotProcessed(.requestRefused, "http_413"))),
        (415, .notProcessed(NotProcessed(.requestRefused, "http_415"))),
        (422, .notProcessed(NotProcessed(.requestRefused, "http_422"))), (425, .unclear("http_425")),
        (429, .notProcessed(NotProcessed(.busy, "http_429"))), (500, .unclear("http_500")),
        (502, .unclear("http_502")), (503, .unclear("http_503")), (504, .timedOut("http_504")),
    ]

    @Test(arguments: endings) func isTheSameForEveryOperation(_ status: Int, _ expected: AcquirerOutcome) async throws {
        let amount = try Bench.money(3010)
        let script = TestReply.confirming(StubAnswer(status: status, body: status == 204 ? "" : "<html>no</html>"))
        for kind in Kind.allCases {
            let request = Bench.request(Self.action(kind, Bench.original(.authorization, amount)), amount)
            let outcome = try await Bench.with(script: script) { acquirer, _ in
                await acquirer.perform(preparing: request)
            }
            #expect(outcome == expected, "\(kind)")
        }
    }

    @Test func nothingListensIsNotSent() async throws {
        let amount = try Bench.money(3010)
        // A port that was just closed.
        let stub = try await StubUpstream { _, _ in StubAnswer(status: 500, body: "") }
        await stub.close()
        let client = Bench.client()
        let acquirer = try RadialConnector(client: client).open(Bench.account(host: "http://127.0.0.1:\(stub.port)"))
        for kind in Kind.allCases {
            let outcome = await acquirer.perform(
                preparing: Bench.request(Self.action(kind, Bench.original(.authorization, amount)), amount))
            #expect(outcome == .notProcessed(NotProcessed(.notSent, "connection_refused")), "\(kind)")
        }
        await client.shutdown()
    }

    @Test func queriesAreNotAnswered() async throws {
        let original = Bench.original(.authorization, try Bench.money(3010))
        let script: StubUpstream.Script = { _, _ in StubAnswer(status: 500, body: "") }
        try await Bench.with(script: script) { acquirer, stub in
            let query = AcquirerQuery(
                paymentID: Bench.paymentID, merchantID: Bench.id(8), original: original, at: Bench.at)
            #expect(await acquirer.query(query) == .unknown(.unclear("no_queries")))
            #expect(stub.requests.isEmpty)
            #expect(!acquirer.capabilities.recovery.answersQueries)
        }
    }
}
