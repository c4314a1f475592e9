//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AlphaPayUpstream
import ConnectorKit
import CryptoExtras
import Payments
import TestGateway
import TestUpstream
import Testing

/// Two keys, of which one follows the other, and the check of an account.
@Suite struct KeyTests {
    private static var both: [String: String?] {
        get throws { ["privateKey2": try Keys.nextMerchant.pkcs8PEMRepresentation] }
    }

    /// Takes the requests that are signed with a key, and refuses all others under its own signature.
    private static func taking(
        _ key: Keys.Pair?, refusal: String = "INVALID_SIGNATURE", _ answer: String = TestAnswer.pay("SUCCESS")
    ) -> StubUpstream.Script {
        { request, _ in
            let isTaken = key.map { Signed.isMerchants(request, key: $0) } ?? false
            return Signed.answer(isTaken ? answer : TestAnswer.failed(refusal), to: request)
        }
    }

    private static func isApproved(_ outcome: AcquirerOutcome) -> Bool {
        if case .approved = outcome { true } else { false }
    }

    @Test(arguments: ["INVALID_SIGNATURE", "KEY_VERSION_UNKNOWN"])
    func secondIsTriedWhenTheFirstIsNotTaken(_ refusal: String) async throws {
        let amount = try Bench.money(1099)
        let script = Self.taking(try Keys.nextMerchant, refusal: refusal)
        try await Bench.with(settings: ["keyVersion2": "2"], secrets: try Self.both, script: script) { acquirer, stub in
            for _ in 0..<2 { #expect(Self.isApproved(await acquirer.perform(Bench.sale(amount)))) }
            // The one that was taken comes first from then on, under its own version.
            let versions = stub.requests.compactMap { $0.header("Signature")?.split(separator: ", ").dropFirst().first }
            #expect(versions == ["keyVersion=1", "keyVersion=2", "keyVersion=2"])
        }
    }

    @Test func whatNoKeyMayDoIsNotProcessed() async throws {
        let amount = try Bench.money(1099)
        try await Bench.with(secrets: try Self.both, script: Self.taking(nil)) { acquirer, stub in
            #expect(
                await acquirer.perform(Bench.sale(amount))
                    == .notProcessed(NotProcessed(.notAuthorized, "invalid_signature")))
            #expect(stub.requests.count == 2)
        }
    }

    /// Only AlphaPay's own word sends a payment a second time.
    @Test(arguments: ["SIGN_TIMEOUT", "NONCE_REUSED", "DO_NOT_HONOR", "PARAM_ILLEGAL"])
    func nothingElseIsSentAgain(_ code: String) async throws {
        let amount = try Bench.money(1099)
        try await Bench.with(secrets: try Self.both, script: Self.taking(nil, refusal: code)) { acquirer, stub in
            _ = await acquirer.perform(Bench.sale(amount))
            #expect(stub.requests.count == 1)
        }
    }

    @Test func unsignedRefusalOfAKeyIsNotBelieved() async throws {
        let amount = try Bench.money(1099)
        let script: StubUpstream.Script = { _, _ in
            StubAnswer(status: 200, body: TestAnswer.failed("INVALID_SIGNATURE"))
        }
        try await Bench.with(secrets: try Self.both, script: script) { acquirer, stub in
            #expect(await acquirer.perform(Bench.sale(amount)) == .unclear("answer_not_signed_by_alphapay"))
            #expect(stub.requests.count == 1)
        }
    }

    @Test func takesAnswersOfAlphaPaysNextKey() async throws {
        let amount = try Bench.money(1099)
        let next = try Keys.nextGateway
        let script: StubUpstream.Script = { request, _ in
            Signed.answer(TestAnswer.pay("SUCCESS"), to: request, key: next)
        }
        try await Bench.with(
            settings: ["gatewayPublicKey2": next.publicKey.pemRepresentation], script: script
        ) { acquirer, _ in #expect(Self.isApproved(await acquirer.perform(Bench.sale(amount)))) }
        try await Bench.with(script: script) { acquirer, _ in
            #expect(await acquirer.perform(Bench.sale(amount)) == .unclear("answer_not_signed_by_alphapay"))
        }
    }

    // MARK: - The check

    private static func findings(
        settings: [String: String?] = [:], secrets: [String: String?] = [:], script: @escaping StubUpstream.Script
    ) async throws -> ([ConnectorFinding], [StubRequest]) {
        let stub = try await StubUpstream(script: script)
        let client = Bench.client()
        let findings = await Bench.connector(client).check(
            try Bench.account(host: "http://127.0.0.1:\(stub.port)", settings: settings, secrets: secrets))
        let requests = stub.requests
        await client.shutdown()
        await stub.close()
        return (findings, requests)
    }

    private static let list = TestAnswer.failed("SUCCESS", status: "S")

    @Test func checkAsksForAListWithEachKey() async throws {
        let (findings, requests) = try await Self.findings(
            secrets: try Self.both, script: Self.taking(try Keys.merchant, Self.list))
        #expect(findings.map(\.subject) == ["reachable", "privateKey", "privateKey2"])
        #expect(findings.map(\.isGood) == [true, true, false])
        #expect(requests.map(\.path) == Array(repeating: "/api/v2.0/payments/transactions", count: 2))
        #expect(requests.map(\.text) == Array(repeating: #"{"date":"20260615"}"#, count: 2))
    }

    @Test(arguments: [
        ("KEY_VERSION_UNKNOWN", "keyVersion"), ("SIGN_TIMEOUT", "clock"), ("SYSTEM_BUSY", "system_busy"),
        ("SOMETHING", "result_not_listed"),
    ])
    func checkSaysWhatToDo(_ code: String, _ word: String) async throws {
        let (findings, _) = try await Self.findings(script: Self.taking(nil, refusal: code))
        #expect(findings.map(\.isGood) == [true, false])
        #expect(findings.last?.text.contains(word) == true)
    }

    @Test func checkNoticesAnotherKeyOfAlphaPays() async throws {
        let stranger = try Keys.stranger
        let (findings, _) = try await Self.findings { request, _ in
            Signed.answer(Self.list, to: request, key: stranger)
        }
        #expect(findings.map(\.isGood) == [true, false])
        #expect(findings.last?.text.contains("gatewayPublicKey") == true)
    }

    @Test(arguments: [(404, "<html>"), (200, "<html>"), (503, ""), (200, "{}")])
    func checkNoticesThatItIsNotAlphaPay(_ status: Int, _ body: String) async throws {
        let (findings, requests) = try await Self.findings { _, _ in StubAnswer(status: status, body: body) }
        #expect(findings.first?.subject == "reachable")
        #expect(findings.contains { !$0.isGood })
        #expect(requests.count == 1)
    }

    @Test func checkNoticesThatNobodyListens() async throws {
        let client = Bench.client()
        let findings = await Bench.connector(client).check(try Bench.account(host: "http://127.0.0.1:1"))
        await client.shutdown()
        #expect(findings.map(\.isGood) == [false])
        #expect(findings.first?.text.contains("connection_refused") == true)
    }

    @Test func checkReadsTheSettingsFirst() async throws {
        let (findings, requests) = try await Self.findings(
            settings: ["merchantCode": nil], script: Self.taking(nil))
        #expect(findings == [ConnectorFinding("settings", isGood: false, "the setting merchantCode is missing")])
        #expect(requests.isEmpty)
    }

    @Test func checkOfAnotherGatewayIsGood() async throws {
        let vendor = try await Vendor.open()
        let findings = try await vendor.other.serving { port in
            let client = Bench.client()
            let findings = await vendor.connector(client).check(
                try Bench.account(host: "http://127.0.0.1:\(port)", secrets: try Self.both))
            await client.shutdown()
            return findings
        }
        #expect(findings.map(\.isGood) == [true, true, false])
    }
}
