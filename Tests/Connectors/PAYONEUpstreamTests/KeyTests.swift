//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Payments
import TestUpstream
import Testing

@testable import PAYONEUpstream

/// Two keys, of which PAYONE knows one at a time.
@Suite struct KeyTests {
    private static let both = ["key": Bench.key, "key2": Bench.secondKey]

    private static func key(of request: StubRequest) -> String? {
        request.text.split(separator: "&").first { $0.hasPrefix("key=") }.map { String($0.dropFirst(4)) }
    }

    /// Takes the second key alone.
    private static let changed: StubUpstream.Script = { request, _ in
        Bench.answer(Self.key(of: request) == Bench.secondKeySHA384 ? Bench.approved : Bench.error("2006"))
    }

    @Test func theOtherKeyIsTriedWhereTheFirstIsRefused() async throws {
        let keys = try await Bench.with(secrets: Self.both, script: Self.changed) { acquirer, stub in
            for (name, request) in Bench.operations(try Bench.money(1000)) {
                guard case .approved = await acquirer.perform(request) else {
                    Issue.record("\(name)")
                    continue
                }
            }
            return stub.requests.map(Self.key)
        }
        // What was taken is tried first from then on.
        #expect(keys.first == Bench.keySHA384)
        #expect(try keys.count == Bench.operations(Bench.money(1000)).count + 1)
        #expect(keys.dropFirst().allSatisfy { $0 == Bench.secondKeySHA384 })
    }

    @Test func neitherIsTaken() async throws {
        let (outcome, count) = try await Bench.with(
            secrets: Self.both, answer: Bench.error("2006")
        ) { acquirer, stub in
            (await acquirer.perform(Bench.authorize(try Bench.money(1000))), stub.requests.count)
        }
        #expect(outcome == Bench.notProcessed(.notAuthorized, "error_2006"))
        #expect(count == 2)
    }

    /// Only "Key incorrect" says that nothing was done.
    @Test(arguments: [
        Bench.error("5"), Bench.error("1206"), Bench.error("2005"), Bench.error("903"), "", Bench.approved,
    ])
    func nothingElseIsSentAgain(_ body: String) async throws {
        let count = try await Bench.with(secrets: Self.both, answer: body) { acquirer, stub in
            _ = await acquirer.perform(Bench.authorize(try Bench.money(1000)))
            return stub.requests.count
        }
        #expect(count == 1)
    }

    @Test func whatIsRefusedWithOneKeyHasNoOtherToBeTried() async throws {
        let (outcome, count) = try await Bench.with(answer: Bench.error("2006")) {
            acquirer, stub in
            (await acquirer.perform(Bench.authorize(try Bench.money(1000))), stub.requests.count)
        }
        #expect(outcome == Bench.notProcessed(.notAuthorized, "error_2006"))
        #expect(count == 1)
    }

    // MARK: - The check of an account

    private static func findings(
        secrets: [String: String] = Self.both, _ script: @escaping StubUpstream.Script
    ) async throws -> [ConnectorFinding] {
        let stub = try await StubUpstream(script: script)
        let client = Bench.client()
        let findings = await PAYONEConnector(client: client).check(
            Bench.account(host: "http://127.0.0.1:\(stub.port)", secrets: secrets))
        await client.shutdown()
        await stub.close()
        return findings
    }

    @Test func checksEachKey() async throws {
        let findings = try await Self.findings { request, _ in
            Bench.answer(Bench.error(Self.key(of: request) == Bench.keySHA384 ? "913" : "2006"))
        }
        #expect(findings.map(\.subject) == ["reachable", "key", "key2"])
        #expect(findings.map(\.isGood) == [true, true, false])
    }

    @Test(arguments: ["1203", "2003", "2004", "2005", "2006", "924", "925", "2001", "904", "900", "5"])
    func everyOtherErrorIsNoProof(_ code: String) async throws {
        let findings = try await Self.findings(secrets: ["key": Bench.key]) { _, _ in
            Bench.answer(Bench.error(code))
        }
        #expect(findings.map(\.isGood) == [true, false])
        #expect(findings.last?.text.contains("error \(code)") == true)
    }

    /// The parameter's own number comes after the credentials as well.
    @Test func aFaultyTxidIsAProof() async throws {
        let findings = try await Self.findings(secrets: ["key": Bench.key]) { _, _ in
            Bench.answer(Bench.error("1008"))
        }
        #expect(findings.map(\.isGood) == [true, true])
    }

    @Test(arguments: ["", "<html>", Bench.approved, "status=OK\n"])
    func whatIsNotPAYONEIsFoundOut(_ body: String) async throws {
        let findings = try await Self.findings { _, _ in Bench.answer(body) }
        #expect(findings.map(\.isGood).contains(false))
    }

    @Test(arguments: [302, 404, 503]) func otherStatusesAreNotPAYONE(_ status: Int) async throws {
        let findings = try await Self.findings { _, _ in Bench.answer(Bench.error("913"), status: status) }
        #expect(findings.map(\.subject) == ["reachable"] && findings.map(\.isGood) == [false])
    }

    @Test func saysThatNothingListens() async throws {
        let client = Bench.client()
        let findings = await PAYONEConnector(client: client).check(Bench.account(host: StubUpstream.closedURL))
        await client.shutdown()
        #expect(findings.map(\.isGood) == [false])
        #expect(findings.first?.text.contains("connection_refused") == true)
    }

    @Test func anAccountThatCannotBeOpenedIsAFinding() async {
        let client = Bench.client()
        let findings = await PAYONEConnector(client: client).check(Bench.account(settings: ["mid": nil]))
        await client.shutdown()
        #expect(findings.map(\.subject) == ["settings"] && findings.map(\.isGood) == [false])
    }
}
