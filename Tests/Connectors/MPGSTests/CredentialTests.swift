//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Payments
import Synchronization
import TestUpstream
import Testing

@testable import MPGS

/// Two passwords, of which one follows the other, and the check of an account.
@Suite struct CredentialTests {
    private static let both = ["password": Bench.password, "password2": Bench.secondPassword]

    private static func basic(_ text: String) -> String {
        "Basic " + Base64Text.encode("merchant.\(Bench.merchantID):\(text)")
    }

    private static func taking(_ password: String) -> StubUpstream.Script {
        { request, _ in
            request.header("Authorization") == Self.basic(password)
                ? StubAnswer(status: 201, body: TestReply().text)
                : StubAnswer(status: 401, body: TestReply.error("INVALID_REQUEST", "Invalid credentials."))
        }
    }

    @Test func isSentAtOnce() async throws {
        let amount = try Bench.money(3010)
        try await Bench.with(script: Self.taking(Bench.password)) { acquirer, stub in
            _ = await acquirer.perform(Bench.request(.authorize(Bench.charge()), amount))
            #expect(stub.requests.map { $0.header("Authorization") } == [Self.basic(Bench.password)])
        }
    }

    @Test func secondIsTriedWhenTheFirstIsNotTaken() async throws {
        let amount = try Bench.money(3010)
        try await Bench.with(secrets: Self.both, script: Self.taking(Bench.secondPassword)) { acquirer, stub in
            for _ in 0..<2 {
                let outcome = await acquirer.perform(Bench.request(.authorize(Bench.charge()), amount))
                #expect(outcome == .approved(AcquirerApproval(amount: amount, answer: TestReply.answer)))
            }
            // The one that was taken comes first from then on.
            #expect(
                stub.requests.map { $0.header("Authorization") } == [
                    Self.basic(Bench.password), Self.basic(Bench.secondPassword), Self.basic(Bench.secondPassword),
                ])
            #expect(Set(stub.requests.map(\.path)).count == 1)
        }
    }

    @Test func whatNoPasswordMayDoIsNotProcessed() async throws {
        let amount = try Bench.money(3010)
        try await Bench.with(secrets: Self.both, script: Self.taking("another")) { acquirer, stub in
            let outcome = await acquirer.perform(Bench.request(.authorize(Bench.charge()), amount))
            #expect(outcome == .notProcessed(NotProcessed(.notAuthorized, "http_401")))
            #expect(stub.requests.count == 2)
        }
    }

    @Test func onlyARefusalTriesTheSecond() async throws {
        let amount = try Bench.money(3010)
        for status in [400, 403, 429, 500] {
            let script: StubUpstream.Script = { _, _ in StubAnswer(status: status, body: "") }
            try await Bench.with(secrets: Self.both, script: script) { acquirer, stub in
                _ = await acquirer.perform(Bench.request(.authorize(Bench.charge()), amount))
                #expect(stub.requests.count == 1)
            }
        }
    }

    /// Both calls have the time of one: what is sent later might arrive after the payment has counted as never sent.
    @Test func secondIsNotTriedWhenTheTimeIsOver() async throws {
        let amount = try Bench.money(3010)
        let start = ContinuousClock.now
        let seconds = Mutex(0)
        let stub = try await StubUpstream { _, _ in
            seconds.withLock { $0 += 30 }
            return StubAnswer(status: 401, body: "")
        }
        let client = Bench.client()
        let connector = MPGSConnector(client: client) { start + .seconds(seconds.withLock { $0 }) }
        let outcome = try await connector.open(
            Bench.account(host: "http://127.0.0.1:\(stub.port)", secrets: Self.both)
        ).perform(Bench.request(.authorize(Bench.charge()), amount))
        #expect(outcome == .notProcessed(NotProcessed(.notAuthorized, "http_401")))
        #expect(stub.requests.count == 1)
        await client.shutdown()
        await stub.close()
    }

    // MARK: - The check

    private static func check(
        secrets: [String: String] = ["password": Bench.password], script: @escaping StubUpstream.Script
    ) async throws -> [ConnectorFinding] {
        let stub = try await StubUpstream(script: script)
        let client = Bench.client()
        let findings = await MPGSConnector(client: client).check(
            Bench.account(host: "http://127.0.0.1:\(stub.port)", secrets: secrets))
        await client.shutdown()
        await stub.close()
        #expect(stub.requests.allSatisfy { $0.method == "GET" })
        return findings
    }

    private static func answering(_ credentials: StubAnswer) -> StubUpstream.Script {
        { request, _ in
            request.path.hasSuffix("/information")
                ? StubAnswer(status: 200, body: #"{"gatewayVersion": "25.1.0", "status": "OPERATING"}"#) : credentials
        }
    }

    @Test func findsThatAllIsWell() async throws {
        let findings = try await Self.check(
            script: Self.answering(StubAnswer(status: 400, body: TestReply.notFound)))
        #expect(findings.map(\.subject) == ["reachable", "password"])
        #expect(findings.allSatisfy { $0.isGood })
    }

    @Test(arguments: [401, 403]) func findsWrongCredentials(_ status: Int) async throws {
        let findings = try await Self.check(
            secrets: Self.both, script: Self.answering(StubAnswer(status: status, body: TestReply.notFound)))
        #expect(findings.map(\.subject) == ["reachable", "password", "password2"])
        #expect(findings.map(\.isGood) == [true, false, false])
    }

    @Test(arguments: [
        StubAnswer(status: 400, body: TestReply.error("INVALID_REQUEST", field: "version")),
        StubAnswer(status: 500, body: ""), StubAnswer(status: 404, body: "<html>"),
    ])
    func findsWhatIsNotClear(_ answer: StubAnswer) async throws {
        let findings = try await Self.check(script: Self.answering(answer))
        #expect(findings.map(\.isGood) == [true, false])
    }

    @Test(arguments: [
        StubAnswer(status: 404, body: "<html>"), StubAnswer(status: 200, body: "{}"),
        StubAnswer(status: 200, body: #"{"status": "SHUTDOWN"}"#),
    ])
    func findsWhatIsNotTheGateway(_ answer: StubAnswer) async throws {
        let findings = try await Self.check { _, _ in answer }
        #expect(findings.map(\.subject) == ["reachable"])
        #expect(findings.allSatisfy { !$0.isGood })
    }

    @Test func findsNobodyThere() async throws {
        let client = Bench.client()
        let findings = await MPGSConnector(client: client).check(Bench.account(host: StubUpstream.closedURL))
        await client.shutdown()
        #expect(findings.map(\.isGood) == [false])
        #expect(findings.first?.text.contains("connection_refused") == true)
    }

    @Test func findsAnAccountThatMayNotBe() async {
        let client = Bench.client()
        let findings = await MPGSConnector(client: client).check(
            Bench.account(host: "http://gateway.bank.example", mode: .live))
        await client.shutdown()
        #expect(findings.map(\.subject) == ["settings"])
        #expect(findings.allSatisfy { !$0.isGood })
    }
}
