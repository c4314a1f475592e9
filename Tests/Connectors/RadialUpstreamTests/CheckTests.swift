//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Payments
import TestUpstream
import Testing

@testable import RadialUpstream

/// What the check of an account finds, without moving money.
@Suite struct CheckTests {
    private static let found = StubAnswer(
        status: 200,
        body: "<TenderTypeLookupReply><ResponseCode>NO_TENDER_TYPE_FOUND</ResponseCode></TenderTypeLookupReply>")

    private static func findings(
        secrets: [String: String] = Bench.secrets, settings: [String: String] = [:],
        script: @escaping StubUpstream.Script
    ) async throws -> ([String: Bool], [StubRequest]) {
        let stub = try await StubUpstream(script: script)
        let client = Bench.client()
        let findings = await RadialConnector(client: client).check(
            Bench.account(host: "http://127.0.0.1:\(stub.port)", settings: settings, secrets: secrets))
        await client.shutdown()
        await stub.close()
        return (Dictionary(uniqueKeysWithValues: findings.map { ($0.subject, $0.isGood) }), stub.requests)
    }

    @Test func everythingIsWell() async throws {
        let (findings, requests) = try await Self.findings { _, _ in Self.found }
        #expect(findings == ["reachable": true, "apikey": true, "notices": true])
        #expect(requests.map { $0.path.hasSuffix("/payments/tendertype/lookup.xml") } == [true])
    }

    @Test(arguments: ["NoAuthFoundException", "PanFailsLuhnCheckException", "InvalidRequestException"])
    func faultAboutTheAccountMeansThatTheKeyIsTaken(_ code: String) async throws {
        let (findings, _) = try await Self.findings { _, _ in StubAnswer(status: 400, body: TestReply.fault(code)) }
        #expect(findings == ["reachable": true, "apikey": true, "notices": true])
    }

    @Test(arguments: [401, 403])
    func eachKeyIsCheckedByItself(_ status: Int) async throws {
        let secrets = Bench.secrets.merging(["apikey2": Bench.secondKey]) { $1 }
        let (findings, _) = try await Self.findings(secrets: secrets) { request, _ in
            request.header("apikey") == Bench.secondKey
                ? Self.found : StubAnswer(status: status, body: TestReply.fault("InvalidApiKeyException"))
        }
        #expect(findings == ["reachable": true, "apikey": false, "apikey2": true, "notices": true])
    }

    @Test(arguments: [
        (404, TestReply.fault("UnknownResourceException")), (404, ""), (429, ""), (302, ""), (400, "<html/>"),
    ])
    func whatSaysNothingOfTheKeyIsNotGood(_ status: Int, _ body: String) async throws {
        let (findings, _) = try await Self.findings { _, _ in StubAnswer(status: status, body: body) }
        #expect(findings["reachable"] == true)
        #expect(findings["apikey"] == false)
    }

    @Test(arguments: [(500, ""), (200, "<html/>"), (200, "")])
    func strangersAreNotTheService(_ status: Int, _ body: String) async throws {
        let (findings, _) = try await Self.findings { _, _ in StubAnswer(status: status, body: body) }
        #expect(findings == ["reachable": false, "notices": true])
    }

    @Test func nothingListens() async throws {
        let client = Bench.client()
        let findings = await RadialConnector(client: client).check(Bench.account(host: StubUpstream.closedURL))
        await client.shutdown()
        #expect(findings.first?.subject == "reachable" && findings.first?.isGood == false)
        #expect(findings.first?.text.contains("connection_refused") == true)
    }

    /// Without them nothing but an authorization ever ends.
    @Test func missingNoticesAreFound() async throws {
        let (findings, _) = try await Self.findings(secrets: ["apikey": Bench.apiKey]) { _, _ in Self.found }
        #expect(findings == ["reachable": true, "apikey": true, "notices": false])
    }

    @Test func accountThatMayNotBeUsedIsNotCalled() async throws {
        let (findings, requests) = try await Self.findings(settings: ["version": "x"]) { _, _ in Self.found }
        #expect(findings == ["settings": false])
        #expect(requests.isEmpty)
    }
}
