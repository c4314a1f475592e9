//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Payments
import TestUpstream
import Testing

@testable import TapPayUpstream

/// The check of an account, which moves nothing.
@Suite struct CheckTests {
    private static func findings(
        query: StubAnswer, prime: StubAnswer, secrets: [String: String] = Bench.keys
    ) async throws -> (findings: [ConnectorFinding], requests: [StubRequest]) {
        let stub = try await StubUpstream { request, _ in request.path.hasSuffix("getprime") ? prime : query }
        let client = Bench.client()
        let findings = await TapPayConnector(client: client).check(
            Bench.account(host: "http://127.0.0.1:\(stub.port)", secrets: secrets))
        let requests = stub.requests
        await client.shutdown()
        await stub.close()
        return (findings, requests)
    }

    private static func answer(_ status: Int64) -> StubAnswer {
        StubAnswer(status: 200, body: TestReply.status(status))
    }

    @Test func provesBothKeysWithoutMoney() async throws {
        let (findings, requests) = try await Self.findings(
            query: StubAnswer(status: 200, body: TestReply.list()), prime: Self.answer(916),
            secrets: Bench.keys.merging(["partnerKey2": "p2", "appKey2": "a2"]) { $1 })
        #expect(findings.map(\.subject) == ["reachable", "partnerKey", "partnerKey2", "appKey", "appKey2"])
        #expect(findings.allSatisfy { $0.isGood })
        #expect(
            requests.map(\.path) == [
                "/tpc/transaction/query", "/tpc/transaction/query", "/tpc/applepay/getprime", "/tpc/applepay/getprime",
            ])
        #expect(requests[0].text.contains(Bench.merchantID))
    }

    @Test(
        arguments: [
            (4, "address"), (61, "merchantId"), (84, "merchantId"), (80, "Portal"), (81, "Portal"), (915, "status_915"),
        ] as [(Int64, String)])
    func saysWhatIsWrongWithThePartner(_ status: Int64, _ word: String) async throws {
        let (findings, _) = try await Self.findings(query: Self.answer(status), prime: Self.answer(916))
        let finding = try #require(findings.first { $0.subject == "partnerKey" })
        #expect(!finding.isGood && finding.text.contains(word), "\(finding)")
    }

    @Test(
        arguments: [
            (11, "appId"), (13, "appId"), (12, "appName"), (16, "Portal"), (13_002, "appleMerchantId"),
            (915, "status_915"), (0, "status_0"),
        ] as [(Int64, String)])
    func saysWhatIsWrongWithTheApp(_ status: Int64, _ word: String) async throws {
        let (findings, _) = try await Self.findings(query: Self.answer(2), prime: Self.answer(status))
        let finding = try #require(findings.first { $0.subject == "appKey" })
        #expect(!finding.isGood && finding.text.contains(word), "\(finding)")
    }

    @Test(arguments: [122, 503, 605, 916, 917] as [Int64])
    func aTokenThatIsRefusedProvesTheKey(_ status: Int64) async throws {
        let (findings, _) = try await Self.findings(query: Self.answer(0), prime: Self.answer(status))
        #expect(findings.last?.isGood == true)
    }

    @Test(arguments: [(404, "{}"), (500, "{}"), (200, "<html>")])
    func anotherServiceIsNotReachable(_ status: Int, _ body: String) async throws {
        let (findings, _) = try await Self.findings(
            query: StubAnswer(status: status, body: body), prime: Self.answer(916))
        #expect(findings.map(\.subject) == ["reachable"])
        #expect(findings.allSatisfy { !$0.isGood && $0.text.contains("host") })
    }

    @Test func whereNothingListensNothingIsReachable() async {
        let client = Bench.client()
        let findings = await TapPayConnector(client: client).check(Bench.account(host: "http://127.0.0.1:1"))
        await client.shutdown()
        #expect(findings.map(\.subject) == ["reachable"])
        #expect(findings.first?.text.contains("connection_refused") == true)
    }

    @Test func anAccountThatCanNotBeOpenedIsAFinding() async {
        let client = Bench.client()
        let findings = await TapPayConnector(client: client).check(Bench.account(secrets: [:]))
        await client.shutdown()
        #expect(findings == [ConnectorFinding("settings", isGood: false, "the secret appKey is missing")])
    }
}
