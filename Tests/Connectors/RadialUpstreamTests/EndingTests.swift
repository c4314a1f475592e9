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
        case sale
        case capture
        case refund
        case void
        case reverse
    }

    private static func action(_ kind: Kind, _ original: OriginalOperation) -> AcquirerRequest.Action {
        switch kind {
        case .authorize: .authorize(Bench.charge())
        case .sale: .authorize(Bench.charge(captures: true))
        case .capture: .capture(of: original, isFinal: false)
        case .refund: .refund(of: original, capture: nil)
        case .void: .void(original)
        case .reverse: .reverse(original)
        }
    }

    private static let endings =
        HTTPEnding.all + [
            (200, .unclear("answer_unreadable")), (413, .notProcessed(NotProcessed(.requestRefused, "http_413"))),
        ]

    @Test(arguments: endings) func isTheSameForEveryOperation(_ status: Int, _ expected: AcquirerOutcome) async throws {
        let amount = try Bench.money(3010)
        let script = TestReply.confirming(StubAnswer(status: status, body: "<html>no</html>"))
        for kind in Kind.allCases {
            let request = Bench.request(Self.action(kind, Bench.original(.authorization, amount)), amount)
            let outcome = try await Bench.with(script: script) { acquirer, _ in
                await acquirer.perform(preparing: request)
            }
            #expect(outcome == expected, "\(kind)")
        }
    }

    /// The calls of a sale that are made when it is asked after: what is answered by somebody else ends none of them. The
    /// next question makes the same call again.
    @Test(arguments: endings.map(\.0)) func endsNoSale(_ status: Int) async throws {
        let amount = try Bench.money(3010)
        let script: StubUpstream.Script = { _, _ in StubAnswer(status: status, body: "<html>no</html>") }
        let standing = [RadialNote.standing: RadialNote.Standing.approved.rawValue]
        let refusal = DeclineReason.doNotHonor
        for (call, notes) in [
            ("funds/confirm", standing),
            ("settlement/create", standing.merging([RadialNote.funds: "Success"]) { $1 }),
            ("auth/cancel", standing.merging([RadialNote.refusal: refusal.rawValue]) { $1 }),
        ] {
            let query = Bench.query(amount, isSale: true, notes)
            let (found, paths) = try await Bench.with(script: script) { acquirer, stub in
                (await acquirer.query(query), stub.requests.map(\.path))
            }
            #expect(!paths.isEmpty && paths.allSatisfy { $0.contains("/\(call)/") }, "\(paths)")
            switch (call, found) {
            case ("auth/cancel", .accepted(let acceptance)):
                #expect(acceptance.memo[RadialNote.refusal] == refusal.rawValue)
            case ("funds/confirm", .unknown), ("settlement/create", .unknown): break
            default: Issue.record("\(call): \(found)")
            }
        }
    }

    @Test func nothingListensIsNotSent() async throws {
        let amount = try Bench.money(3010)
        let client = Bench.client()
        let host = StubUpstream.closedURL
        let acquirer = try RadialConnector(client: client).open(Bench.account(host: host))
        for kind in Kind.allCases {
            let outcome = await acquirer.perform(
                preparing: Bench.request(Self.action(kind, Bench.original(.authorization, amount)), amount))
            #expect(outcome == .notProcessed(NotProcessed(.notSent, "connection_refused")), "\(kind)")
        }
        await client.shutdown()
    }

    /// Nothing at all under a status of success is an acknowledgement to the vendor's own clients, and to nobody who waits
    /// for an authorization.
    @Test func nothingIsAnAcknowledgementAtMost() async throws {
        let amount = try Bench.money(3010)
        let script = TestReply.confirming(StubAnswer(status: 204, body: ""))
        for kind in Kind.allCases {
            let request = Bench.request(Self.action(kind, Bench.original(.authorization, amount)), amount)
            let outcome = try await Bench.with(script: script) { acquirer, _ in
                await acquirer.perform(preparing: request)
            }
            let acknowledged = AcquirerAcceptance(AcquirerAnswer(reference: Bench.orderID))
            #expect(
                outcome
                    == (kind == .authorize || kind == .sale
                        ? .unclear("answer_unreadable") : .accepted(acknowledged)),
                "\(kind)")
        }
    }

    /// Of a settlement there is nothing to ask, nor of an authorization whose account nobody knows, nor of one that a
    /// person has to release.
    @Test func mostQueriesAreNotAnswered() async throws {
        let amount = try Bench.money(3010)
        let script: StubUpstream.Script = { _, _ in StubAnswer(status: 500, body: "") }
        try await Bench.with(script: script) { acquirer, stub in
            for (original, word) in [
                (Bench.original(.capture, amount), "no_queries"), (Bench.original(.refund, amount), "no_queries"),
                (Bench.original(.authorization, amount, memo: AcquirerMemo()), "account_unknown"),
                (Bench.original(.authorization, amount), "waits_for_decision"),
            ] {
                let query = AcquirerQuery(
                    paymentID: Bench.paymentID, merchantID: Bench.id(8), original: original, at: Bench.at)
                #expect(await acquirer.query(query) == .unknown(.unclear(word)))
            }
            #expect(stub.requests.isEmpty)
            #expect(!acquirer.capabilities.recovery.answersQueries)
        }
    }
}
