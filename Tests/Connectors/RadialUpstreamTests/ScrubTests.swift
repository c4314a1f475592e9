//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Money
import Payments
import Redaction
import TestUpstream
import Testing

@testable import RadialUpstream

/// The parts of tokens, keys and passwords end nowhere but in the request, also where the service sends them back.
@Suite struct ScrubTests {
    private static let parts = Bench.tokenParts
    private static let sent = [
        Self.parts.data, Self.parts.signature, Self.parts.key, Self.parts.hash, Bench.apiKey, Bench.secondKey,
    ]
    private static let secrets = Self.sent + [Bench.noticePassword]
    private static let both = Bench.secrets.merging(["apikey2": Bench.secondKey]) { $1 }

    private static func expectClean(_ values: [Any], sourceLocation: SourceLocation = #_sourceLocation) {
        for value in values {
            var text = "\(value) \(String(reflecting: value))"
            dump(value, to: &text)
            for secret in self.secrets { #expect(!text.contains(secret), sourceLocation: sourceLocation) }
        }
    }

    /// Every place of an answer from which something is kept, or decided, with a secret in it.
    private static func echoes(_ secret: String) -> [StubAnswer] {
        var answers: [StubAnswer] = []
        for status in [200, 201, 302, 400, 401, 403, 404, 409, 422, 429, 500, 503] {
            for body in [secret, TestReply.fault(secret), TestReply.acknowledgement(secret)] {
                answers.append(
                    StubAnswer(status: status, body: body, headers: [("X-Echo", secret), ("Location", secret)]))
            }
        }
        typealias Reply = TestReply.Authorization
        for reply in [
            Reply(order: secret), Reply(account: secret), Reply(code: secret), Reply(issuerCode: secret),
            Reply(bankCode: secret), Reply(amount: secret), Reply(currency: secret), Reply(tender: secret),
            Reply(address: secret), Reply(securityCode: secret), Reply(suffix: secret),
            Reply(account: String(secret.prefix(20))), Reply(code: "DECL", issuerCode: "ND01", bankCode: secret),
            Reply(code: "TIMEOUT", issuerCode: "TO01", bankCode: secret),
        ] { answers.append(StubAnswer(status: 200, body: reply.text)) }
        for body in [
            TestReply.acknowledgement("Fail", order: secret), TestReply.acknowledgement("Fail", request: secret),
            TestReply.funds(secret), TestReply.funds("Fail", reauthorized: secret),
        ] { answers.append(StubAnswer(status: 200, body: body)) }
        return answers
    }

    @Test(arguments: sent) func outcomesShowNothing(_ secret: String) async throws {
        let amount = try Bench.money(3010)
        let answers = Self.echoes(secret)
        let script: StubUpstream.Script = { _, number in answers[(number - 1) % answers.count] }
        try await Bench.with(secrets: Self.both, script: script) { acquirer, _ in
            let original = Bench.original(.authorization, amount)
            for _ in answers.indices {
                for action in [
                    .authorize(Bench.charge()), .capture(of: original, isFinal: false),
                    .refund(of: original, capture: nil), .void(original),
                ] as [AcquirerRequest.Action] {
                    let request = Bench.request(action, amount)
                    let prepared = await acquirer.prepare(request)
                    let outcome = await acquirer.perform(request)
                    Self.expectClean([prepared, outcome])
                    // Sealed in the store, and still no place for a part of the token.
                    for (_, value) in outcome.memo.entries {
                        #expect(!Self.secrets.contains { $0.contains(value.reveal()) && value.reveal().count > 6 })
                    }
                }
            }
        }
    }

    @Test func requestsAndAccountsShowNothing() throws {
        let amount = try Bench.money(3010)
        let account = Bench.account(host: "http://127.0.0.1:1", secrets: Self.both)
        let read = try RadialAccount(account)
        let request = Bench.request(.authorize(Bench.charge()), amount)
        let charge = ChargeRequest(request: request, charge: Bench.charge(), defaults: read.defaults)
        let fields = try charge.fields()
        let sent = try read.keys.entries[0].client.charge(fields)
        #expect(String(decoding: sent.body.reveal(), as: UTF8.self).contains(Self.parts.data))
        Self.expectClean([account, read, read.keys, charge, fields, sent, RadialNotices(account) as Any])
        #expect(!sent.path.contains(Bench.apiKey))
    }

    @Test func errorsOfAccountsShowNothing() {
        do {
            _ = try RadialConnector(client: Bench.client()).open(
                Bench.account(host: "apg.radial.com", secrets: Self.both))
            Issue.record("was opened")
        } catch {
            Self.expectClean([error])
        }
    }

    @Test func findingsShowNothing() async throws {
        for secret in Self.secrets {
            let answers = Self.echoes(secret)
            let stub = try await StubUpstream { _, number in answers[(number - 1) % answers.count] }
            let client = Bench.client()
            let account = Bench.account(host: "http://127.0.0.1:\(stub.port)", secrets: Bench.secrets)
            for _ in answers.indices { Self.expectClean(await RadialConnector(client: client).check(account)) }
            await client.shutdown()
            await stub.close()
        }
    }

    @Test func refusedNoticesShowNothing() {
        for secret in Self.secrets {
            let call = NoticeCall(
                headers: ["authorization": "Basic \(secret)"],
                body: Array("<PaymentSettlementStatus><OrderId>\(secret)</OrderId></PaymentSettlementStatus>".utf8))
            let reading = RadialConnector(client: Bench.client()).read(
                call, for: Bench.account(host: "http://127.0.0.1:1", secrets: Self.both))
            guard case .refused(let answer, let word)? = reading else {
                Issue.record("taken")
                continue
            }
            Self.expectClean([answer, word])
        }
    }
}
