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

@testable import MPGS

/// Numbers, cryptograms and passwords end nowhere but in the request, also where the gateway sends them back.
@Suite struct ScrubTests {
    private static let number = Bench.numbers[.visa] ?? ""
    private static let secrets = [
        Self.number, Bench.cryptogramText, Bench.password, Bench.secondPassword,
        Base64Text.encode("merchant.\(Bench.merchantID):\(Bench.password)"), "c0de-s3cret", "sealed-token-data",
    ]

    /// Of them what an authorization sends.
    private static let sent = Array(Self.secrets.prefix(5))

    private static func expectClean(_ values: [Any], sourceLocation: SourceLocation = #_sourceLocation) {
        for value in values {
            var text = "\(value) \(String(reflecting: value))"
            dump(value, to: &text)
            for secret in self.secrets {
                #expect(!text.contains(secret), sourceLocation: sourceLocation)
            }
        }
    }

    /// Every place of an answer from which something is kept, or decided, with a secret in it.
    private static func echoes(_ secret: String) -> [StubAnswer] {
        var answers: [StubAnswer] = []
        for status in [200, 201, 302, 400, 401, 403, 404, 409, 422, 429, 500, 503] {
            answers.append(
                StubAnswer(status: status, body: secret, headers: [("X-Echo", secret), ("Location", secret)]))
            answers.append(StubAnswer(status: status, body: TestReply.error(secret, secret, field: secret)))
            answers.append(
                StubAnswer(
                    status: status,
                    body: TestReply.error("INVALID_REQUEST", secret, field: secret, validation: secret)))
        }
        for result in ["SUCCESS", "FAILURE", "PENDING", secret] {
            answers.append(StubAnswer(status: 201, body: TestReply(result: result, code: secret).text))
        }
        for reply in [
            TestReply(order: secret), TestReply(transaction: secret), TestReply(merchant: secret),
            TestReply(type: secret), TestReply(acquirerCode: secret), TestReply(currency: secret),
            TestReply(status: secret), TestReply(result: "FAILURE", code: "DECLINED", acquirerCode: secret),
        ] { answers.append(StubAnswer(status: 201, body: reply.text)) }
        let echo = TestReply().text
        for kept in ["307310046465", "112233", "46465", "447345902", "xxxxxxxxxxxx1234"] {
            answers.append(StubAnswer(status: 201, body: echo.replacing(kept, with: secret)))
        }
        return answers
    }

    @Test(arguments: sent) func outcomesShowNothing(_ secret: String) async throws {
        let amount = try Bench.money(3010)
        let answers = Self.echoes(secret)
        let script: StubUpstream.Script = { _, number in answers[(number - 1) % answers.count] }
        let passwords = ["password": Bench.password, "password2": Bench.secondPassword]
        try await Bench.with(secrets: passwords, script: script) { acquirer, _ in
            for _ in 0..<answers.count {
                let outcome = await acquirer.perform(Bench.request(.authorize(Bench.charge()), amount))
                let found = await acquirer.query(Bench.query(Bench.original(.authorization, amount)))
                Self.expectClean([outcome, found])
            }
        }
    }

    @Test func requestsAndAccountsShowNothing() async throws {
        let amount = try Bench.money(3010)
        let account = Bench.account(
            host: "http://127.0.0.1:1", secrets: ["password": Bench.password, "password2": Bench.secondPassword])
        let read = try MPGSAccount(account)
        let charge = ChargeRequest(
            operation: .authorize, amount: amount, charge: Bench.charge(), acceptor: CardAcceptor(),
            notificationURL: nil, hasAgreements: true)
        let body = try #require(charge.body(withDetails: true))
        #expect(body.reveal().text().contains(Self.number))
        let client = try #require(read.credentials.entries.first).client
        let request = client.put(body.reveal(), order: "pay_1", transaction: "op_1")
        Self.expectClean([account, read, read.credentials, charge, body, client, request])
    }

    @Test func errorsOfAccountsShowNothing() {
        for secrets in [
            ["clientCertificate": "c0de-s3cret", "clientKey": "c0de-s3cret"],
            ["password": "c0de-s3cret", "clientKey": "c0de-s3cret"],
        ] {
            let client = Bench.client()
            do {
                _ = try MPGSConnector(client: client).open(Bench.account(host: "https://localhost", secrets: secrets))
                Issue.record("was opened")
            } catch {
                Self.expectClean([error])
            }
        }
    }

    @Test func findingsShowNothing() async throws {
        for secret in Self.secrets {
            let stub = try await StubUpstream { request, _ in
                request.path.hasSuffix("/information")
                    ? StubAnswer(status: 200, body: #"{"status": "OPERATING", "echo": "\#(secret)"}"#)
                    : StubAnswer(status: 400, body: TestReply.error(secret, secret, field: secret))
            }
            let client = Bench.client()
            Self.expectClean(
                await MPGSConnector(client: client).check(Bench.account(host: "http://127.0.0.1:\(stub.port)")))
            await client.shutdown()
            await stub.close()
        }
    }
}
