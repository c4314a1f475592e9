//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Money
import Payments
import TestUpstream
import Testing

@testable import TapPayUpstream

/// How every call ends that brings no answer of TapPay's.
@Suite struct EndingTests {
    enum Asked: String, CaseIterable, Sendable {
        case pay, sale, capture, refund, voidAuthorization, cancelCapture, cancelRefund
        case reverse, reverseCapture, reverseRefund

        func action() throws -> AcquirerRequest.Action {
            let amount = try Bench.money(35_000)
            let original = Bench.original(.authorization, amount)
            return switch self {
            case .pay: .authorize(Bench.charge())
            case .sale: .authorize(Bench.charge(captures: true))
            case .capture: .capture(of: original, isFinal: true)
            case .refund: .refund(of: original, capture: nil)
            case .voidAuthorization: .void(original)
            case .cancelCapture: .void(Bench.original(.capture, amount))
            case .cancelRefund: .void(Bench.original(.refund, amount, refund: Bench.refundTrade))
            case .reverse: .reverse(original)
            case .reverseCapture: .reverse(Bench.original(.capture, amount))
            case .reverseRefund: .reverse(Bench.original(.refund, amount, refund: Bench.refundTrade))
            }
        }

        /// What is answered before the call that moves money: a prime, or that there is what is to be taken back.
        func first(_ path: String) -> String? {
            let name = Bench.authorizationID.shortName
            return switch (path, self) {
            case ("/tpc/applepay/getprime", _): TestReply.prime
            case ("/tpc/transaction/query", .reverse): TestReply.list(TestReply.record(name: name))
            case ("/tpc/transaction/query", .reverseCapture):
                TestReply.list(TestReply.record(name: name, isCaptured: true))
            case ("/tpc/transaction/trade-history", .reverseRefund):
                TestReply.history(TestReply.entry(3, name: name, refund: Bench.refundTrade))
            default: nil
            }
        }
    }

    private static let statuses = HTTPEnding.all + HTTPEnding.unclear([201, 204])

    /// Also where the body says that it is done: under these statuses it is somebody else's.
    @Test(arguments: Asked.allCases) func statusesMeanWhatTheyMeanForEveryAcquirer(_ asked: Asked) async throws {
        let amount = try Bench.money(35_000)
        let action = try asked.action()
        for (status, expected) in Self.statuses {
            let outcome = try await Bench.with(
                script: { request, _ in
                    asked.first(request.path).map { StubAnswer(status: 200, body: $0) }
                        ?? StubAnswer(status: status, body: TestReply.paid())
                },
                { acquirer, _ in await acquirer.perform(Bench.request(action, amount)) })
            #expect(outcome == expected, "\(asked.rawValue) \(status)")
        }
    }

    private static let reversals: [Asked] = [.reverse, .reverseCapture, .reverseRefund]

    /// What can't be looked up is not taken back, and not given up.
    @Test(arguments: reversals)
    func reversalsThatCannotAskStayOpen(_ asked: Asked) async throws {
        let amount = try Bench.money(35_000)
        let action = try asked.action()
        for (status, _) in Self.statuses {
            let (outcome, count) = try await Bench.with(
                script: { _, _ in StubAnswer(status: status, body: TestReply.list()) },
                { acquirer, stub in (await acquirer.perform(Bench.request(action, amount)), stub.requests.count) })
            guard case .unknown(let unknown) = outcome else {
                Issue.record("\(asked.rawValue) \(status): \(outcome)")
                continue
            }
            #expect(unknown.word == HTTPEnding.word(status))
            #expect(count == 1)
        }
    }

    /// The first step moves nothing, so that nothing of it is ever unknown.
    @Test func primesEndWithoutDoubt() async throws {
        let amount = try Bench.money(35_000)
        for (status, expected) in Self.statuses {
            let (outcome, count) = try await Bench.with(
                script: { _, _ in StubAnswer(status: status, body: TestReply.prime) },
                { acquirer, stub in
                    (await acquirer.perform(Bench.request(.authorize(Bench.charge()), amount)), stub.requests.count)
                })
            if case .unknown(let unknown) = expected {
                #expect(outcome == .notProcessed(NotProcessed(.busy, "prime_" + unknown.word)), "\(status)")
            } else {
                #expect(outcome == expected, "\(status)")
            }
            #expect(count == 1)
        }
    }

    @Test(arguments: [PaymentOperation.Kind.authorization, .capture, .refund, .void])
    func questionsWithoutAnAnswerSayNothing(_ kind: PaymentOperation.Kind) async throws {
        let amount = try Bench.money(35_000)
        let original = Bench.original(.authorization, amount)
        for (status, _) in Self.statuses {
            let script: StubUpstream.Script = { _, _ in StubAnswer(status: status, body: TestReply.list()) }
            let found = try await Bench.with(script: script) { acquirer, _ in
                let query =
                    kind == .authorization
                    ? Bench.query(original) : await Bench.query(kind, amount, about: original, with: acquirer)
                return await acquirer.query(query)
            }
            guard case .unknown(let unknown) = found else {
                Issue.record("\(status): \(found)")
                continue
            }
            #expect(unknown.word == HTTPEnding.word(status))
        }
    }

    @Test func nothingIsSentWhereNothingListens() async throws {
        let amount = try Bench.money(35_000)
        let client = Bench.client()
        let host = StubUpstream.closedURL
        let acquirer = try TapPayConnector(client: client).open(Bench.account(host: host))
        for asked in Asked.allCases {
            let outcome = await acquirer.perform(Bench.request(try asked.action(), amount))
            // What could not be looked up has not been ended.
            let expected: AcquirerOutcome =
                Self.reversals.contains(asked)
                ? .unclear("connection_refused") : .notProcessed(NotProcessed(.notSent, "connection_refused"))
            #expect(outcome == expected, "\(asked.rawValue)")
        }
        #expect(
            await acquirer.query(Bench.query(Bench.original(.authorization, amount)))
                == .unknown(.unclear("connection_refused")))
        await client.shutdown()
    }

    /// A prime that was made too late pays nothing: the second step is not begun.
    @Test func bothStepsShareOneDeadline() async throws {
        let amount = try Bench.money(35_000)
        let stub = try await StubUpstream { _, _ in StubAnswer(status: 200, body: TestReply.prime) }
        let client = Bench.client()
        let clock = Ticking()
        let connector = TapPayConnector(client: client, now: { clock.next() })
        let acquirer = try connector.open(Bench.account(host: "http://127.0.0.1:\(stub.port)"))
        let outcome = await acquirer.perform(Bench.request(.authorize(Bench.charge()), amount))
        #expect(outcome == .notProcessed(NotProcessed(.notSent, "no_time_left")))
        #expect(stub.requests.map(\.path) == ["/tpc/applepay/getprime"])
        await client.shutdown()
        await stub.close()
    }

    // MARK: - Keys

    private static let twoKeys = [
        "appKey": Bench.appKey, "appKey2": Bench.secondAppKey, "partnerKey": Bench.partnerKey,
        "partnerKey2": Bench.secondPartnerKey,
    ]

    /// A key that is refused did nothing, so the other one is tried; and from then on first.
    @Test(arguments: [401, 80, 81] as [Int64]) func triesTheOtherKey(_ status: Int64) async throws {
        let amount = try Bench.money(35_000)
        let refused =
            status == 401 ? StubAnswer(status: 401, body: "") : StubAnswer(status: 200, body: TestReply.status(status))
        let appRefused = status == 81 ? StubAnswer(status: 200, body: TestReply.status(16)) : refused
        let keys = try await Bench.with(
            secrets: Self.twoKeys,
            script: { request, _ in
                switch (request.path, request.header("x-api-key")) {
                case ("/tpc/applepay/getprime", Bench.secondAppKey): StubAnswer(status: 200, body: TestReply.prime)
                case ("/tpc/applepay/getprime", _): appRefused
                case (_, Bench.secondPartnerKey): StubAnswer(status: 200, body: TestReply.paid())
                default: refused
                }
            },
            { acquirer, stub in
                for _ in 0..<2 {
                    guard case .approved = await acquirer.perform(Bench.request(.authorize(Bench.charge()), amount))
                    else {
                        Issue.record("not approved")
                        return [""]
                    }
                }
                return stub.requests.map { $0.header("x-api-key") ?? "" }
            })
        #expect(
            keys == [
                Bench.appKey, Bench.secondAppKey, Bench.partnerKey, Bench.secondPartnerKey,
                Bench.secondAppKey, Bench.secondPartnerKey,
            ])
    }

    @Test func keysThatAreAllRefusedAreTheOperatorsBusiness() async throws {
        let amount = try Bench.money(35_000)
        let original = Bench.original(.authorization, amount)
        let outcome = try await Bench.with(
            secrets: Self.twoKeys, script: { _, _ in StubAnswer(status: 200, body: TestReply.status(81)) },
            { acquirer, _ in await acquirer.perform(Bench.request(.refund(of: original, capture: nil), amount)) })
        #expect(outcome == .notProcessed(NotProcessed(.notAuthorized, "status_81")))
    }
}
