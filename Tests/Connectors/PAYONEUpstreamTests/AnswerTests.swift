//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Money
import Payments
import TestUpstream
import Testing

@testable import PAYONEUpstream

/// How answers are read: every status, and what is no answer.
@Suite struct AnswerTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let body: String
        /// Of what opens a payment process.
        let charge: AcquirerOutcome
        /// Of what follows, where it is another.
        var followUp: AcquirerOutcome?

        var testDescription: String { self.name }
    }

    private static func approval(_ reference: String, memo: AcquirerMemo = AcquirerMemo()) throws -> AcquirerOutcome {
        .approved(
            AcquirerApproval(
                amount: try Bench.money(1000), answer: AcquirerAnswer(reference: reference), memo: memo))
    }

    private static func unknown(_ word: String, memo: AcquirerMemo) -> AcquirerOutcome {
        var unknown = UnknownOutcome.unclear(word)
        unknown.memo = memo
        return .unknown(unknown)
    }

    private static let memo = PAYONEMemo.memo(txid: Bench.txid)

    @Test func approvals() async throws {
        for body in [
            Bench.approved, Bench.approved.replacing("\n", with: "\r\n"), "txid=\(Bench.txid)\nstatus=APPROVED",
            Bench.approved + "settleaccount=yes\nadd_paydata[x]=a=b\nno pair\n\n",
        ] {
            for (name, request) in Bench.operations(try Bench.money(1000)) {
                let isCharge = name == "authorize" || name == "sale"
                let expected =
                    isCharge
                    ? try Self.approval(Bench.txid, memo: Self.memo) : try Self.approval("\(Bench.txid)/1")
                #expect(try await Bench.outcome(request, body) == expected, "\(name)")
            }
        }
    }

    static let cases: [Case] = [
        Case(name: "nothing", body: "", charge: .unclear("answer_unreadable")),
        Case(name: "a page", body: "<html><p>status=APPROVED</p></html>", charge: .unclear("answer_unreadable")),
        Case(
            name: "no status", body: "txid=123456789\nuserid=1\n", charge: .unclear("answer_unreadable")),
        Case(
            name: "the status twice", body: "status=ERROR\nerrorcode=5\nstatus=APPROVED\ntxid=123456789\n",
            charge: .unclear("answer_unreadable")),
        Case(name: "a txid twice", body: Bench.approved + "txid=123456788\n", charge: .unclear("answer_unreadable")),
        Case(
            name: "another status", body: "status=APPROVEE\ntxid=123456789\n",
            charge: .unclear("status_not_understood")),
        Case(name: "OK", body: "status=OK\ntxid=123456789\n", charge: .unclear("status_not_understood")),
        Case(name: "no txid", body: "status=APPROVED\n", charge: .unclear("txid_missing")),
        Case(name: "no number", body: "status=APPROVED\ntxid=12345678x\n", charge: .unclear("txid_missing")),
        Case(name: "too short", body: "status=APPROVED\ntxid=12345678\n", charge: .unclear("txid_missing")),
        Case(name: "too long", body: "status=APPROVED\ntxid=1234567890123\n", charge: .unclear("txid_missing")),
        Case(
            name: "pending", body: "status=PENDING\ntxid=\(Bench.txid)\nuserid=1\n",
            charge: Self.unknown("pending", memo: Self.memo), followUp: .unclear("pending")),
        Case(name: "pending without a txid", body: "status=PENDING\n", charge: .unclear("pending")),
        Case(
            name: "redirect", body: "status=REDIRECT\ntxid=\(Bench.txid)\nredirecturl=https://x.example/\n",
            charge: Self.unknown("pending", memo: Self.memo), followUp: .unclear("pending")),
        Case(name: "error without a number", body: "status=ERROR\n", charge: .unclear("error_without_code")),
        Case(name: "error with a word", body: Bench.error("five"), charge: .unclear("error_without_code")),
        Case(name: "error with too many digits", body: Bench.error("1234567"), charge: .unclear("error_without_code")),
    ]

    @Test(arguments: cases) func isReadAsItStands(_ one: Case) async throws {
        for (name, request) in Bench.operations(try Bench.money(1000)) {
            let isCharge = name == "authorize" || name == "sale"
            let expected = isCharge ? one.charge : one.followUp ?? one.charge
            #expect(try await Bench.outcome(request, one.body) == expected, "\(name)")
        }
    }

    /// A capture that is answered about another payment process says nothing about this one.
    @Test func anotherTxidLeavesItOpen() async throws {
        for (name, request) in Bench.operations(try Bench.money(1000)).dropFirst(2) {
            let body = Bench.approved.replacing(Bench.txid, with: "123456788")
            #expect(try await Bench.outcome(request, body) == .unclear("txid_of_another"), "\(name)")
        }
    }

    // MARK: - Not PAYONE's

    static let statuses: [(Int, AcquirerOutcome)] = [
        (204, .unclear("http_204")), (301, Bench.notProcessed(.requestRefused, "http_redirect")),
        (302, Bench.notProcessed(.requestRefused, "http_redirect")),
        (307, Bench.notProcessed(.requestRefused, "http_redirect")),
        (400, Bench.notProcessed(.requestRefused, "http_400")), (401, Bench.notProcessed(.notAuthorized, "http_401")),
        (403, Bench.notProcessed(.notAuthorized, "http_403")), (404, Bench.notProcessed(.requestRefused, "http_404")),
        (405, Bench.notProcessed(.requestRefused, "http_405")), (408, .timedOut("http_408")),
        (409, .unclear("http_409")), (415, Bench.notProcessed(.requestRefused, "http_415")),
        (422, Bench.notProcessed(.requestRefused, "http_422")), (425, .unclear("http_425")),
        (429, Bench.notProcessed(.busy, "http_429")), (500, .unclear("http_500")), (502, .unclear("http_502")),
        (503, .unclear("http_503")), (504, .timedOut("http_504")),
    ]

    /// PAYONE answers 200 whatever happened; any other status is somebody else's, and its body is not read.
    @Test(arguments: statuses) func everyOtherStatusIsSomebodyElses(
        _ status: Int, _ expected: AcquirerOutcome
    ) async throws {
        for (name, request) in Bench.operations(try Bench.money(1000)) {
            // An answer without a body is over with its head.
            let body = status == 204 ? "" : Bench.approved
            #expect(try await Bench.outcome(request, body, status: status) == expected, "\(name)")
        }
    }

    @Test func nothingIsSentWithoutAConnection() async throws {
        let client = Bench.client()
        let acquirer = try PAYONEConnector(client: client).open(Bench.account(host: StubUpstream.closedURL))
        for (name, request) in Bench.operations(try Bench.money(1000)) {
            let outcome = await acquirer.perform(request)
            #expect(outcome == Bench.notProcessed(.notSent, "connection_refused"), "\(name)")
        }
        await client.shutdown()
    }

    @Test func nothingIsSentWhenTheTimeIsOver() async throws {
        let stub = try await StubUpstream { _, _ in Bench.answer(Bench.approved) }
        let client = Bench.client()
        let connector = PAYONEConnector(
            client: client, deadlines: .init(chargeMilliseconds: 0, otherMilliseconds: 0))
        let acquirer = try connector.open(Bench.account(host: "http://127.0.0.1:\(stub.port)"))
        for (name, request) in Bench.operations(try Bench.money(1000)) {
            #expect(await acquirer.perform(request) == Bench.notProcessed(.notSent, "no_time_left"), "\(name)")
        }
        #expect(stub.requests.isEmpty)
        await client.shutdown()
        await stub.close()
    }

    @Test func answersNoQueries() async throws {
        let amount = try Bench.money(1000)
        let outcome = try await Bench.with(answer: "") { acquirer, stub in
            let query = AcquirerQuery(
                paymentID: Bench.paymentID, merchantID: Bench.id(8), original: Bench.original(amount), at: Bench.at)
            let outcome = await acquirer.query(query)
            #expect(stub.requests.isEmpty)
            return outcome
        }
        #expect(outcome == .unknown(.unclear("query_not_offered")))
    }
}
