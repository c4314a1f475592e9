//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import SimulatorAcquirer
import StrictJSON
import Testing

@testable import AcquirerLink

/// What an operator has the acquirer's process do, over real sockets.
@Suite struct CommandTests {
    let accounts: AccountTests

    init() throws { self.accounts = try AccountTests() }

    private static func perform(
        _ command: LinkServerCommand, _ connector: AcquirerLinkConnector
    ) async -> ConnectorFinding {
        await connector.perform(command.command, for: AccountTests.account())
    }

    private static func authorize(_ number: Int, _ connector: AcquirerLinkConnector) async throws -> AcquirerOutcome {
        guard case .perform(let request) = Bench.authorization(number) else { return .unclear("no_request") }
        return await (try connector.open(AccountTests.account())).perform(request)
    }

    @Test func echoIsTimed() async throws {
        try await self.accounts.withLink(try NotingConnector()) { connector, _ in
            let finding = await Self.perform(.echo, connector)
            #expect(finding.isGood && finding.subject == "echo")
            #expect(finding.text == "The acquirer's process is signed on. Answered in 0 ms.")
        }
    }

    /// Nothing is begun while it is signed off, and the word is one after which a payment takes its next route.
    @Test func nothingIsBegunWhileItIsSignedOff() async throws {
        try await self.accounts.withLink(try NotingConnector()) { connector, _ in
            #expect(await Self.perform(.signOff, connector).isGood)
            #expect(await Self.perform(.echo, connector).text.contains("signed off"))
            let refused = AcquirerOutcome.notProcessed(NotProcessed(.notSent, "signed_off"))
            #expect(try await Self.authorize(1, connector) == refused)
            guard case .query(let query) = Bench.query(1), case .prepare(let request) = Bench.preparation(7) else {
                Issue.record("no query")
                return
            }
            let acquirer = try connector.open(AccountTests.account())
            #expect(await acquirer.query(query) == .unknown(.unclear("signed_off")))
            #expect(await acquirer.prepare(request) == .notProcessed(NotProcessed(.notSent, "signed_off")))
            #expect(await Self.perform(.signOn, connector).text == "The acquirer's process is signed on.")
            guard case .approved = try await Self.authorize(1, connector) else {
                Issue.record("it was not approved")
                return
            }
        }
    }

    @Test func whatTheOtherEndDoesNotKnowIsNotDone() async throws {
        try await self.accounts.withLink(try NotingConnector()) { connector, client in
            #expect(connector.commands.map(\.name) == ["echo", "sign-off", "sign-on"])
            #expect(connector.commands.filter(\.isDangerous).map(\.name) == ["sign-off"])
            let unknown = ConnectorCommand("self-destruct", "Nobody knows.")
            #expect(await connector.perform(unknown, for: AccountTests.account()).isGood == false)
            client.close()
            #expect(await Self.perform(.signOff, connector) == LinkFailure.closed.finding)
        }
    }

    /// One that keeps no connections has nothing that it could be asked to do.
    @Test func othersTakeNoCommands() async throws {
        let connector = try NotingConnector()
        #expect(connector.commands.isEmpty)
        let finding = await connector.perform(LinkServerCommand.echo.command, for: AccountTests.account())
        #expect(!finding.isGood)
    }

    @Test func commandIsReadAsItWasWrittenAndNothingElse() throws {
        func read(_ json: JSON) throws -> JSON {
            var reader = try LinkFrame.decode(json.serialized())
            try reader.expect("command")
            return try LinkCommand(after: reader).json
        }
        let json = LinkCommand(number: 7, account: AccountTests.account().id, name: "echo").json
        #expect(try read(json) == json)
        let object = try #require(json.object)
        for name in object.names {
            for value in [nil, .null, -1, ["strange"]] as [JSON?] {
                var spoiled = object
                spoiled[name] = value
                #expect(throws: LinkViolation.self, "\(name)") { try read(.object(spoiled)) }
            }
        }
    }
}
