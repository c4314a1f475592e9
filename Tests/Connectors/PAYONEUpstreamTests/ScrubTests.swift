//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Payments
import Redaction
import TestUpstream
import Testing

@testable import PAYONEUpstream

/// Keys and tokens end nowhere but in the request, also where somebody sends them back.
@Suite struct ScrubTests {
    private static let secrets = [
        Bench.key, Bench.secondKey, Bench.keyMD5, Bench.keySHA384, Bench.secondKeyMD5, Bench.secondKeySHA384,
        Bench.tokenData, Bench.tokenSignature, Bench.tokenKey, Bench.tokenKeyHash,
    ]
    private static let both = ["key": Bench.key, "key2": Bench.secondKey]

    private static func expectClean(_ values: [Any], sourceLocation: SourceLocation = #_sourceLocation) {
        for value in values {
            var text = "\(value) \(String(reflecting: value))"
            dump(value, to: &text)
            for secret in self.secrets { #expect(!text.contains(secret), sourceLocation: sourceLocation) }
        }
    }

    /// Every place of an answer, with a secret in it.
    private static func echoes(_ secret: String) -> [StubAnswer] {
        var answers: [StubAnswer] = []
        for status in [200, 302, 400, 401, 404, 429, 500, 503] {
            answers.append(
                StubAnswer(status: status, body: secret, headers: [("X-Echo", secret), ("Location", secret)]))
        }
        for body in [
            "status=\(secret)\n", "status=APPROVED\ntxid=\(secret)\n", "status=PENDING\ntxid=\(secret)\n",
            "status=ERROR\nerrorcode=\(secret)\n", Bench.error("5", secret), Bench.error("1016", secret),
            Bench.error("903", secret), Bench.approved + "userid=\(secret)\n", Bench.approved + "\(secret)=1\n",
            Bench.approved + "settleaccount=\(secret)\n",
        ] { answers.append(Bench.answer(body)) }
        return answers
    }

    @Test(arguments: secrets) func outcomesShowNothing(_ secret: String) async throws {
        let answers = Self.echoes(secret)
        let amount = try Bench.money(1000)
        let script: StubUpstream.Script = { _, number in answers[(number - 1) % answers.count] }
        for (_, request) in Bench.operations(amount) {
            try await Bench.with(secrets: Self.both, script: script) {
                acquirer, _ in
                for _ in answers { Self.expectClean([await acquirer.perform(request)]) }
            }
        }
    }

    @Test func requestsAndAccountsShowNothing() throws {
        let account = Bench.account(secrets: Self.both)
        let read = try PAYONEAccount(account)
        let amount = try Bench.money(1000)
        let fields = try ChargeFields(Bench.charge(), amount, reference: Bench.authorizationID.shortName, read)
        let request = try read.keys.entries[0].client.charge(fields)
        let body = String(decoding: request.body.reveal(), as: UTF8.self)
        #expect(body.contains(Bench.keySHA384))
        #expect(!request.path.contains(Bench.keySHA384))
        Self.expectClean([account, read, read.keys, read.keys.entries, request, Bench.authorize(amount)])
        let acquirer = try PAYONEConnector(client: Bench.client()).open(account)
        Self.expectClean([acquirer])
    }

    @Test func chargesShowNothing() throws {
        let read = try PAYONEAccount(Bench.account())
        let fields = try ChargeFields(Bench.charge(), Bench.money(1000), reference: "r", read)
        Self.expectClean([fields])
    }

    @Test func noticesShowNothing() {
        for secret in Self.secrets {
            for body in [
                "key=\(secret)", "key=\(Bench.keyMD5)&mode=\(secret)",
                "key=\(Bench.keyMD5)&mode=test&portalid=\(secret)",
                "key=\(Bench.keyMD5)&mode=test&portalid=\(Bench.portalID)&reference=\(secret)",
                "key=\(Bench.keyMD5)&mode=test&portalid=\(Bench.portalID)&reference=\(Bench.authorizationID.shortName)"
                    + "&txid=\(Bench.txid)&sequencenumber=0&txaction=failed&reasoncode=\(secret)",
            ] {
                let reading = PAYONEConnector(client: Bench.client()).read(
                    NoticeCall(headers: [:], body: Array(body.utf8)), for: Bench.account(secrets: Self.both))
                Self.expectClean([reading as Any])
            }
        }
    }

    @Test func findingsShowNothing() async throws {
        for secret in Self.secrets {
            for answer in Self.echoes(secret) {
                let stub = try await StubUpstream { _, _ in answer }
                let client = Bench.client()
                Self.expectClean(
                    await PAYONEConnector(client: client).check(
                        Bench.account(host: "http://127.0.0.1:\(stub.port)", secrets: Self.both)))
                await client.shutdown()
                await stub.close()
            }
        }
    }
}
