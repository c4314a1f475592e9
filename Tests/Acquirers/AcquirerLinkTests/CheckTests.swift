//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Redaction
import SimulatorAcquirer
import StrictJSON
import Synchronization
import Testing

@testable import AcquirerLink

/// The check of an account is made where its acquirer is reached from: by the connector of the other end.
@Suite struct CheckTests {
    let accounts: AccountTests

    init() throws { self.accounts = try AccountTests() }

    private var bench: Bench { self.accounts.bench }

    @Test func otherEndChecksTheAccountWithItsSecrets() async throws {
        let far = try NotingConnector()
        far.finds { account in
            let isRight = account.secrets["password"]?.reveal() == "correct horse"
            return [
                ConnectorFinding("reachable", isGood: true, "\(account.settings["host"] ?? "?") answers."),
                ConnectorFinding("credentials", isGood: isRight, "They are taken."),
            ]
        }
        try await self.accounts.withLink(far) { connector, _ in
            let findings = await connector.check(AccountTests.account())
            #expect(findings.map(\.subject) == ["link", "reachable", "credentials"])
            #expect(findings.allSatisfy { $0.isGood })
            #expect(findings[1].text == "bank.example answers.")
            // Not what was sent before.
            let changed = await connector.check(AccountTests.account(host: "new.example"))
            #expect(changed[1].text == "new.example answers.")
        }
    }

    @Test func whatTheOtherEndFindsWrongIsReportedAsItIs() async throws {
        let far = try NotingConnector()
        let wrong = ConnectorFinding("credentials", isGood: false, "The bank refuses them: ask it for new ones.")
        far.finds { _ in [wrong] }
        try await self.accounts.withLink(far) { connector, _ in
            let findings = await connector.check(AccountTests.account())
            #expect(findings.last == wrong && findings.first?.isGood == true)
        }
    }

    @Test func accountThatIsNotServedThereIsNotGood() async throws {
        let differing = try NotingConnector(behavior: SimulatorBehavior(recovery: .reversal))
        try await self.accounts.withLink(try NotingConnector(), near: differing) { connector, _ in
            #expect(await connector.check(AccountTests.account()).last == LinkAccountRefusal.differs.finding)
        }
        try await self.accounts.withLink(try NotingConnector(mode: .live)) { connector, client in
            #expect(await connector.check(AccountTests.account()).last == LinkAccountRefusal.refused.finding)
            let live = try await client.check(AccountTests.account(mode: .live), client.capabilities).get()
            #expect(live == [LinkAccountRefusal.notProtected.finding])
        }
        let server = self.bench.server(SimulatorAcquirer(book: try .inMemory()))
        let port = try await server.listen(host: "127.0.0.1", port: 0)
        try await connect(port: port) { wire in
            try await wire.greet(self.bench.secret)
            try await wire.send(LinkCheck(number: 1, account: AccountTests.account().id).json)
            #expect(try Self.findings(try await wire.body()) == [LinkAccountRefusal.unknown.finding])
        }
        await server.stop()
    }

    /// A check that nobody answers is one that has failed, by the word for what became of it.
    @Test func checkWithoutAnAnswerIsNotGood() async throws {
        let secret = self.bench.secret
        let peer = try await RawPeer { _, wire in
            try await wire.welcome(secret)
            _ = try await wire.body()
            let answer = LinkAnswer(
                number: 3, call: .authorize, operationID: Bench.id(1), outcome: .operation(.timedOut()))
            try await wire.send(answer.json)
        }
        let client = try self.bench.client(port: peer.port)
        let connector = AcquirerLinkConnector(
            try NotingConnector(), over: client, surroundings: self.bench.surroundings)
        let findings = await connector.check(AccountTests.account())
        #expect(findings.map(\.isGood) == [false])
        #expect(findings.allSatisfy { $0.text.contains("garbled_answer") }, "\(findings)")
        client.close()
        #expect(await connector.check(AccountTests.account()) == [LinkFailure.closed.finding])
        peer.close()
    }

    /// Also right after a try to connect that has failed, while none is made.
    @Test func checkIsAnsweredHoweverTheLinkStands() async throws {
        let peer = try await RawPeer { _, _ in }
        let client = try self.bench.client(port: peer.port)
        let connector = AcquirerLinkConnector(
            try NotingConnector(), over: client, surroundings: self.bench.surroundings)
        for _ in 0..<3 {
            #expect(await connector.check(AccountTests.account()) == [LinkFailure.unreachable.finding])
        }
        client.close()
        peer.close()
    }

    @Test func tooManyChecksAreRefused() async throws {
        let far = try NotingConnector()
        var settings = Bench.settings
        settings.callsMax = 1
        let server = AcquirerLinkServer(
            far, secret: self.bench.secret, settings: settings, surroundings: self.bench.surroundings,
            logger: self.bench.log.logger)
        let (arrived, goOn) = (Signal(), Signal())
        far.finds { _ in
            arrived.happen()
            await goOn.wait()
            return []
        }
        let port = try await server.listen(host: "127.0.0.1", port: 0)
        try await connect(port: port) { wire in
            try await wire.greet(self.bench.secret)
            try await wire.send(LinkAccount.json(AccountTests.account(), AcquirerLinkDescription(far)))
            let id = AccountTests.account().id
            try await wire.send(LinkCheck(number: 1, account: id).json)
            await arrived.wait()
            try await wire.send(LinkCheck(number: 2, account: id).json)
            #expect(try Self.findings(try await wire.body()) == [LinkFailure.busy.finding])
            goOn.happen()
            #expect(try Self.findings(try await wire.body()).isEmpty)
        }
        await server.stop()
    }

    @Test(arguments: LinkFailure.allCases) func everyFailureIsAFinding(_ failure: LinkFailure) {
        #expect(!failure.finding.isGood && failure.finding.text.hasSuffix("."))
    }

    // MARK: - Messages

    private static func findings(_ body: [UInt8]) throws -> [ConnectorFinding] {
        var reader = try LinkFrame.decode(body)
        try reader.expect("checked")
        return try LinkFindings(after: reader).findings
    }

    /// They are shown on a terminal.
    @Test func findingsAreLines() throws {
        let written = LinkFindings(
            number: 1,
            findings: [
                ConnectorFinding("reachable", isGood: false, "a\u{1B}[2Jb\nc" + String(repeating: "é", count: 2000))
            ])
        let text = try #require(try Self.findings(written.json.serialized()).first).text
        #expect(text.hasPrefix("a [2Jb c") && text.utf8.count <= 2048)
        let many = LinkFindings(
            number: 1, findings: (0..<100).map { ConnectorFinding("s\($0)", isGood: true, "") })
        #expect(try Self.findings(many.json.serialized()).count == 64)
        let raw: JSON = [
            "type": "checked", "number": 1,
            "findings": [["subject": "reachable", "isGood": true, "text": "\u{1B}[2J"]],
        ]
        #expect(throws: LinkViolation("bad_text")) { try Self.findings(raw.serialized()) }
        let tooMany: JSON = [
            "type": "checked", "number": 1,
            "findings": .array((0..<65).map { _ in ["subject": "s", "isGood": true, "text": ""] }),
        ]
        #expect(throws: LinkViolation("too_many_findings")) { try Self.findings(tooMany.serialized()) }
    }

    @Test func messagesAreReadAsTheyWereWrittenAndNothingElse() throws {
        let check = LinkCheck(number: 7, account: AccountTests.account().id)
        let findings = LinkFindings(
            number: 7, findings: [ConnectorFinding("reachable", isGood: false, "Nobody answers.")])
        func readCheck(_ json: JSON) throws -> JSON {
            var reader = try LinkFrame.decode(json.serialized())
            try reader.expect("check")
            return try LinkCheck(after: reader).json
        }
        func readFindings(_ json: JSON) throws -> JSON {
            var reader = try LinkFrame.decode(json.serialized())
            try reader.expect("checked")
            return try LinkFindings(after: reader).json
        }
        let messages: [(JSON, (JSON) throws -> JSON)] = [(check.json, readCheck), (findings.json, readFindings)]
        for (json, read) in messages {
            #expect(try read(json) == json)
            let object = try #require(json.object)
            for name in object.names {
                for value in [nil, .null, -1, "strange", ["strange"], ["unlike": 1]] as [JSON?] {
                    var spoiled = object
                    spoiled[name] = value
                    #expect(throws: LinkViolation.self, "\(name)") { try read(.object(spoiled)) }
                }
            }
            var more = object
            more["strange"] = 1
            #expect(throws: LinkViolation("unknown_member")) { try read(.object(more)) }
        }
    }
}
