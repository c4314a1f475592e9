//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Money
import Payments
import Redaction
import StrictJSON
import TestUpstream
import Testing

@testable import TapPayUpstream

/// Keys, tokens and primes end nowhere but in the request, also where TapPay sends them back.
@Suite struct ScrubTests {
    /// Parts of the token, and what TapPay made of it; the keys. None has more characters than a word that is kept.
    private static let secrets = [
        Bench.appKey, Bench.partnerKey, "ZXBoZW1lcmFsLWtleQ", "c2lnbmF0dXJlLWJ5dGVz", "c2VhbGVkLXRva2VuLWRhdGE",
        Bench.prime,
    ]
    private static let paymentData = Bench.paymentData.replacing("=", with: "")

    private static func expectClean(_ values: [Any], sourceLocation: SourceLocation = #_sourceLocation) {
        for value in values {
            var text = "\(value) \(String(reflecting: value))"
            dump(value, to: &text)
            if let memo = (value as? AcquirerOutcome)?.memo { text += memo.entries.values.map { $0.reveal() }.joined() }
            for secret in self.secrets { #expect(!text.contains(secret), sourceLocation: sourceLocation) }
        }
    }

    /// Every place of an answer from which something is kept, or decided, with a secret in it.
    private static func echoes(_ secret: String) -> [StubAnswer] {
        var answers: [StubAnswer] = []
        for status in [200, 302, 400, 401, 403, 404, 409, 422, 429, 500, 503] {
            answers.append(
                StubAnswer(status: status, body: secret, headers: [("X-Echo", secret), ("Location", secret)]))
            answers.append(StubAnswer(status: status, body: #"{"status":"\#(secret)","msg":"\#(secret)"}"#))
        }
        for body in [
            TestReply.paid(trade: secret), TestReply.paid(name: secret), TestReply.paid(code: secret),
            TestReply.paid(authCode: secret), TestReply.paid(currency: secret), TestReply.paid(10_003, code: secret),
            TestReply.paid(10_003, trade: secret), TestReply.paid(421, trade: secret),
            TestReply.status(4_111_111_111, #""msg":"\#(secret)""#.replacing("msg", with: "detail")),
            TestReply.refunded(refund: secret), TestReply.refunded(code: secret),
            TestReply.list(TestReply.record(trade: secret)), TestReply.list(TestReply.record(name: secret)),
            TestReply.list(TestReply.record(-1, code: secret)), TestReply.list(TestReply.record(authCode: secret)),
            TestReply.history(TestReply.entry(3, name: Bench.operationID.shortName, refund: secret)),
            TestReply.history(TestReply.entry(3, name: Bench.operationID.shortName, success: false, code: secret)),
            TestReply.status(0, #""result":{"success":true,"refund_id":"\#(secret)"}"#),
        ] { answers.append(StubAnswer(status: 200, body: body)) }
        return answers
    }

    @Test(arguments: secrets) func outcomesShowNothing(_ secret: String) async throws {
        let amount = try Bench.money(35_000)
        let original = Bench.original(.authorization, amount)
        let refund = Bench.original(.refund, amount, refund: Bench.refundTrade)
        for echo in Self.echoes(secret) {
            let script: StubUpstream.Script = { request, _ in
                request.path.hasSuffix("getprime") ? StubAnswer(status: 200, body: TestReply.prime) : echo
            }
            try await Bench.with(script: script) { acquirer, _ in
                let actions: [AcquirerRequest.Action] =
                    [
                        .authorize(Bench.charge(paymentData: Self.paymentData)), .capture(of: original, isFinal: true),
                        // Only what pays knows of the token.
                    ]
                    + (Bench.keys.values.contains(secret) ? [.refund(of: original, capture: nil), .void(refund)] : [])
                for action in actions { Self.expectClean([await acquirer.perform(Bench.request(action, amount))]) }
                if Bench.keys.values.contains(secret) {
                    let asked = await Bench.query(.refund, amount, about: original, with: acquirer)
                    Self.expectClean([await acquirer.query(Bench.query(original)), await acquirer.query(asked)])
                }
            }
            // And where the first step sends it back.
            let everywhere: StubUpstream.Script = { _, _ in echo }
            try await Bench.with(script: everywhere) { acquirer, _ in
                let charge = Bench.charge(paymentData: Self.paymentData)
                Self.expectClean([await acquirer.perform(Bench.request(.authorize(charge), amount))])
            }
        }
    }

    @Test func requestsAndAccountsShowNothing() async throws {
        let amount = try Bench.money(35_000)
        let account = Bench.account()
        let opened = try TapPayAccount(account)
        let charge = Bench.charge(paymentData: Self.paymentData)
        let request = Bench.request(.authorize(charge), amount)
        let token = try #require(try? JSON.parse(Self.paymentData))
        let client = try #require(opened.appKeys.entries.first?.client)
        let prime = client.getPrime(.init(paymentData: token))
        #expect(String(decoding: prime.body.reveal(), as: UTF8.self).contains("c2VhbGVkLXRva2VuLWRhdGE"))
        let fields = ChargeRequest.fields(request, charge, .init(paymentData: token), opened)
        Self.expectClean([account, opened, opened.appKeys, opened.partnerKeys, prime, fields, request, charge])
    }

    @Test func errorsAndFindingsShowNothing() async throws {
        for secret in Self.secrets {
            for echo in Self.echoes(secret) {
                let stub = try await StubUpstream { _, _ in echo }
                let client = Bench.client()
                Self.expectClean(
                    await TapPayConnector(client: client).check(Bench.account(host: "http://127.0.0.1:\(stub.port)")))
                await client.shutdown()
                await stub.close()
            }
        }
        do {
            _ = try TapPayConnector(client: Bench.client()).open(Bench.account(secrets: ["appKey": Bench.appKey]))
            Issue.record("was opened")
        } catch { Self.expectClean([error]) }
    }
}
