//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AlphaPay
import ConnectorKit
import CryptoExtras
import Money
import Payments
import Redaction
import TestGateway
import TestUpstream
import Testing

@testable import AlphaPayUpstream

/// Parts of tokens and keys end nowhere but in the request, also where AlphaPay sends them back.
@Suite struct ScrubTests {
    /// What is sent with a payment.
    private static let sent = [
        "c2VhbGVkLXRva2VuLWRhdGE=", "c2VhbGVkLXRva2VuLXNpZ25hdHVyZQ==", "c2VhbGVkLXRva2VuLWtleQ==",
        "c2VhbGVkLXRva2VuLWhhc2g=",
    ]

    /// With the lines of the merchant's keys.
    private static var secrets: [String] {
        get throws {
            let keys = [try Keys.merchant, try Keys.nextMerchant].flatMap { key in
                key.pkcs8PEMRepresentation.split(separator: "\n").filter { !$0.hasPrefix("-----") }.map { String($0) }
            }
            return Self.sent + keys
        }
    }

    private static func expectClean(_ values: [Any], sourceLocation: SourceLocation = #_sourceLocation) throws {
        for value in values {
            var text = "\(value) \(String(reflecting: value))"
            dump(value, to: &text)
            for secret in try Self.secrets { #expect(!text.contains(secret), sourceLocation: sourceLocation) }
        }
    }

    /// Every place of an answer from which something is kept, or decided, with a secret in it.
    private static func echoes(_ secret: String) -> [(String, Int)] {
        var answers: [(String, Int)] = [200, 302, 400, 401, 404, 429, 500].map { (secret, $0) }
        for status in ["S", "F", "U", secret] {
            answers.append((TestAnswer.failed(secret, status: status), 200))
            answers.append((TestAnswer.pay("FAILED", status: status, code: secret, transactionID: secret), 200))
            answers.append((TestAnswer.refund(secret, status: status, code: secret), 200))
        }
        for body in [
            TestAnswer.pay("SUCCESS", transactionID: secret), TestAnswer.pay(secret),
            TestAnswer.pay("SUCCESS", paymentID: secret), TestAnswer.order(paymentID: secret),
            TestAnswer.order(requestID: secret), TestAnswer.payment(secret),
            TestAnswer.payment("FAILED", resultCode: secret),
            TestAnswer.payment("SUCCESS", value: secret), TestAnswer.payment("SUCCESS", currency: secret),
            TestAnswer.refund("SUCCESS", requestID: secret), TestAnswer.refund("SUCCESS", refundID: secret),
            TestAnswer.refund(refundID: secret), TestAnswer.refund("FAILED", resultCode: secret),
            TestAnswer.canceled(paymentID: secret),
        ] { answers.append((body, 200)) }
        return answers
    }

    @Test(arguments: sent) func outcomesShowNothing(_ secret: String) async throws {
        let amount = try Bench.money(1099)
        let answers = Self.echoes(secret)
        let script: StubUpstream.Script = { call, number in
            let (body, status) = answers[(number - 1) % answers.count]
            return Signed.answer(body, to: call, status: status) { headers in
                headers.append((name: "X-Echo", value: secret))
            }
        }
        let requests = [
            Bench.sale(amount), Bench.refund(amount), Bench.reversal(amount),
            Bench.reversal(amount, of: Bench.original(.refund, amount)),
        ]
        for request in requests {
            try await Bench.with(script: script) { acquirer, _ in
                for _ in 0..<answers.count {
                    try Self.expectClean([await acquirer.perform(request)])
                }
                guard case .authorize = request.action else { return }
                for _ in 0..<answers.count { try Self.expectClean([await acquirer.prepare(request)]) }
                for kind in [PaymentOperation.Kind.authorization, .refund] {
                    for _ in 0..<answers.count {
                        try Self.expectClean([await acquirer.query(Bench.query(Bench.original(kind, amount)))])
                    }
                }
            }
        }
    }

    /// A short secret that looks like a name is kept out too: it was sent.
    @Test func referenceThatWasSentIsNotKept() async throws {
        let amount = try Bench.money(1099)
        let data =
            #"{"data":"SealedTokenData00","signature":"SealedSignature00","header":{"publicKeyHash":"KeyHash00"}}"#
        let token = PaymentInstrument.sealedApplePayToken(SealedApplePayToken(paymentData: Redacted(Array(data.utf8))))
        for echo in ["SealedTokenData00", "x-SealedSignature00-x", "KeyHash00"] {
            let outcome = try await Bench.outcome(
                of: Bench.sale(amount, instrument: token), TestAnswer.pay("SUCCESS", transactionID: echo))
            guard case .approved(let approval) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
            #expect(approval.answer.reference == nil)
        }
    }

    @Test func accountsAndRequestsShowNothing() async throws {
        let account = try Bench.account(
            host: "http://127.0.0.1:1", secrets: ["privateKey2": try Keys.nextMerchant.pkcs8PEMRepresentation])
        let client = Bench.client()
        let connector = Bench.connector(client)
        let read = try AlphaPayAccount(account, clock: { Bench.at }, random: { Array(repeating: 0, count: $0) })
        let amount = try Bench.money(1099)
        try Self.expectClean([account, read, read.keys.entries, try connector.open(account), Bench.sale(amount)])
        await client.shutdown()
    }

    @Test(arguments: ["privateKey", "privateKey2", "gatewayPublicKey", "trustRoot", "merchantCode"])
    func errorsOfAccountsShowNothing(_ name: String) throws {
        let secret = Self.sent[0]
        do {
            let isSecret = name.hasPrefix("privateKey")
            _ = try Bench.connector(Bench.client()).open(
                try Bench.account(
                    host: "http://127.0.0.1:1", settings: isSecret ? [:] : [name: secret],
                    secrets: isSecret ? [name: secret] : [:]))
            Issue.record("was opened")
        } catch {
            try Self.expectClean([error])
        }
    }

    @Test func findingsShowNothing() async throws {
        let key = try #require(try Self.secrets.last)
        for secret in [Self.sent[0], key] {
            let answers = Self.echoes(secret)
            let stub = try await StubUpstream { call, number in
                let (body, status) = answers[(number - 1) % answers.count]
                return Signed.answer(body, to: call, status: status)
            }
            let client = Bench.client()
            let account = try Bench.account(host: "http://127.0.0.1:\(stub.port)")
            for _ in 0..<answers.count { try Self.expectClean(await Bench.connector(client).check(account)) }
            await client.shutdown()
            await stub.close()
        }
    }

    /// A whole payment through two gateways, one declined and one lost among them, and all that both have logged.
    @Test func logsShowNothing() async throws {
        try await Front.with { front, _ in
            for minorUnits in [5000, 5757, 5858] as [Int64] { _ = try await front.pay(minorUnits) }
            await front.vendor.test.recover()
            await front.test.recover()
            _ = try await front.receiveNotices()
            let secrets = front.vendor.test.jar.secrets + front.test.jar.secrets
            #expect(secrets.count > 10)
            for log in [front.test.log, front.vendor.test.log] {
                let text = "\(log.text)"
                for secret in secrets { #expect(!text.contains(String(decoding: secret.bytes, as: UTF8.self))) }
            }
        }
    }
}
