//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Money
import Payments
import TestUpstream
import Testing

@testable import MPGS

/// How every call ends that brings no answer of the gateway's, for every operation.
@Suite struct EndingTests {
    enum Asked: String, CaseIterable, Sendable {
        case authorize, sale, saleOfTwoCalls, verify, capture, finalCapture, refund, refundOfASale, adjust
        case voidAuthorization, voidSale, voidCapture, voidRefund, reverse, reverseSaleOfTwoCalls, reverseAdjustment

        func request(_ amount: Money) throws -> AcquirerRequest {
            let original = Bench.original(.authorization, amount)
            let sale = Bench.original(.authorization, amount, isSale: true, captured: amount)
            let action: AcquirerRequest.Action =
                switch self {
                case .authorize: .authorize(Bench.charge())
                case .sale, .saleOfTwoCalls: .authorize(Bench.charge(captures: true))
                case .verify: .verify(Bench.charge())
                case .capture: .capture(of: original, isFinal: false)
                case .finalCapture:
                    .capture(of: Bench.original(.authorization, try Bench.money(9000)), isFinal: true)
                case .refund: .refund(of: original, capture: nil)
                case .refundOfASale: .refund(of: sale, capture: nil)
                case .adjust: .adjust(original)
                case .voidAuthorization: .void(original)
                case .voidSale: .void(sale)
                case .voidCapture: .void(Bench.original(.capture, amount, captured: amount))
                case .voidRefund: .void(Bench.original(.refund, amount, captured: amount))
                case .reverse: .reverse(original)
                case .reverseSaleOfTwoCalls: .reverse(sale)
                case .reverseAdjustment: .reverse(Bench.original(.adjustment, amount))
                }
            return Bench.request(action, amount)
        }

        var settings: [String: String] {
            self == .saleOfTwoCalls || self == .reverseSaleOfTwoCalls ? ["pay": "false"] : [:]
        }

        /// Whether its target is looked up before anything is sent that takes it back.
        var asksFirst: Bool { self == .reverseAdjustment }
    }

    /// Also where the body says that it is done: under these statuses it is somebody else's.
    @Test(arguments: Asked.allCases) func statusesMeanWhatTheyMeanForEveryAcquirer(_ asked: Asked) async throws {
        let request = try asked.request(try Bench.money(3010))
        for (status, expected) in HTTPEnding.all {
            let (outcome, methods) = try await Bench.with(
                settings: asked.settings,
                script: { _, _ in StubAnswer(status: status, body: "<html>no</html>") },
                { acquirer, stub in (await acquirer.perform(request), stub.requests.map(\.method)) })
            if asked.asksFirst {
                // What can't be looked up is not taken back, and not given up.
                guard case .unknown(let unknown) = outcome else {
                    Issue.record("\(asked.rawValue) \(status): \(outcome)")
                    continue
                }
                #expect(unknown.word == "http_\(status)", "\(asked.rawValue) \(status)")
                #expect(methods == ["GET"], "\(asked.rawValue) \(status)")
            } else {
                #expect(outcome == expected, "\(asked.rawValue) \(status)")
                #expect(methods == ["PUT"], "\(asked.rawValue) \(status)")
            }
        }
    }

    /// The total that was before is set only once the adjustment has been found.
    @Test func anAdjustmentThatIsFoundIsTakenBackByACallThatEndsLikeTheOthers() async throws {
        let amount = try Bench.money(3010)
        let request = try Asked.reverseAdjustment.request(amount)
        var found = TestReply()
        found.type = "AUTHORIZATION_UPDATE"
        found.transaction = Bench.authorizationID.text
        let text = found.text
        for (status, expected) in HTTPEnding.all {
            let (outcome, methods) = try await Bench.with(
                script: { request, _ in
                    request.method == "GET"
                        ? StubAnswer(status: 200, body: text) : StubAnswer(status: status, body: "<html>no</html>")
                },
                { acquirer, stub in (await acquirer.perform(request), stub.requests.map(\.method)) })
            #expect(outcome == expected, "\(status)")
            #expect(methods == ["GET", "PUT"], "\(status)")
        }
    }

    /// What it leaves on the card is no part of the capture: the call that gives it back may end in any way.
    @Test func aFinalCaptureStandsHoweverItsSecondCallEnds() async throws {
        let amount = try Bench.money(3010)
        let request = try Asked.finalCapture.request(amount)
        var captured = TestReply()
        captured.type = "CAPTURE"
        let text = captured.text
        for (status, _) in HTTPEnding.all {
            let (outcome, count) = try await Bench.with(
                script: { _, number in
                    number == 1 ? StubAnswer(status: 201, body: text) : StubAnswer(status: status, body: "")
                },
                { acquirer, stub in (await acquirer.perform(request), stub.requests.count) })
            guard case .approved(let approval) = outcome else {
                Issue.record("\(status): \(outcome)")
                continue
            }
            #expect(approval.amount == amount && count == 2)
        }
    }

    @Test(arguments: [
        PaymentOperation.Kind.authorization, .verification, .capture, .refund, .adjustment, .void, .reversal,
    ])
    func questionsWithoutAnAnswerSayNothing(_ kind: PaymentOperation.Kind) async throws {
        let query = Bench.query(Bench.original(kind, try Bench.money(3010)))
        for (status, _) in HTTPEnding.all {
            let script: StubUpstream.Script = { _, _ in StubAnswer(status: status, body: "") }
            let found = try await Bench.with(script: script) { acquirer, _ in await acquirer.query(query) }
            guard case .unknown(let unknown) = found else {
                Issue.record("\(status): \(found)")
                continue
            }
            #expect(unknown.word == "http_\(status)")
        }
    }

    @Test func nothingIsSentWhereNothingListens() async throws {
        let amount = try Bench.money(3010)
        let host = StubUpstream.closedURL
        let client = Bench.client()
        for asked in Asked.allCases {
            let acquirer = try MPGSConnector(client: client).open(Bench.account(host: host, settings: asked.settings))
            let outcome = await acquirer.perform(try asked.request(amount))
            // What could not be looked up has not been ended.
            let expected: AcquirerOutcome =
                asked.asksFirst
                ? .unclear("connection_refused") : .notProcessed(NotProcessed(.notSent, "connection_refused"))
            #expect(outcome == expected, "\(asked.rawValue)")
        }
        let acquirer = try MPGSConnector(client: client).open(Bench.account(host: host))
        #expect(
            await acquirer.query(Bench.query(Bench.original(.authorization, amount)))
                == .unknown(.unclear("connection_refused")))
        await client.shutdown()
    }
}
