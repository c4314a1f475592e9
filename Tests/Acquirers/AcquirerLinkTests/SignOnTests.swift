//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StrictJSON
import Synchronization
import Testing

@testable import AcquirerLink

/// Whether the acquirer's process is signed on: kept over restarts, and known to every gateway, over real sockets.
@Suite struct SignOnTests {
    let bench: Bench

    init() throws { self.bench = try Bench() }

    /// A file that a test can take away.
    private final class Record: Sendable {
        struct Full: Error {}

        let isSignedOff = Mutex(false)
        let isFull = Mutex(false)

        var record: AcquirerLinkSignOffRecord {
            AcquirerLinkSignOffRecord(isSignedOff: self.isSignedOff.withLock { $0 }) { isSignedOff in
                if self.isFull.withLock({ $0 }) { throw Full() }
                self.isSignedOff.withLock { $0 = isSignedOff }
            }
        }
    }

    /// An acquirer's process with that record, and gateways that are connected to it.
    private func withGateways(
        _ record: Record, count: Int = 1,
        _ body: ([(connector: AcquirerLinkConnector, client: AcquirerLinkClient)]) async throws -> Void
    ) async throws {
        let far = try NotingConnector()
        let server = AcquirerLinkServer(
            far, secret: self.bench.secret, signOff: record.record, settings: Bench.settings,
            surroundings: self.bench.surroundings, logger: self.bench.log.logger)
        let port = try await server.listen(host: "127.0.0.1", port: 0)
        var gateways: [(AcquirerLinkConnector, AcquirerLinkClient)] = []
        for _ in 0..<count {
            let client = try self.bench.client(port: port, expecting: AcquirerLinkDescription(far))
            #expect(await client.connect() == nil)
            gateways.append(
                (
                    AcquirerLinkConnector(try NotingConnector(), over: client, surroundings: self.bench.surroundings),
                    client
                ))
        }
        try await body(gateways)
        for (_, client) in gateways { client.close() }
        await server.stop()
    }

    private func perform(_ command: LinkServerCommand, _ connector: AcquirerLinkConnector) async -> ConnectorFinding {
        await connector.perform(command.command, for: AccountTests.account())
    }

    /// An operator says it at one gateway; what the others are answered next comes after they have been notified.
    @Test func everyGatewayIsNotified() async throws {
        try await self.withGateways(Record(), count: 3) { gateways in
            for (command, state) in [(LinkServerCommand.signOff, AcquirerLinkState.signedOff), (.signOn, .connected)] {
                #expect(await self.perform(command, gateways[0].connector).isGood)
                for (connector, client) in gateways {
                    #expect(await self.perform(.echo, connector).isGood)
                    #expect(client.state == state)
                    #expect(client.readiness == (state == .connected ? .ready : .notReady("signed_off")))
                    let acquirer = try connector.open(AccountTests.account())
                    #expect(acquirer.readiness == client.readiness)
                    let findings = await connector.check(AccountTests.account())
                    #expect(
                        findings.contains(LinkFailure.signedOff.finding) == (state == .signedOff), "the doctor sees it")
                }
            }
        }
    }

    @Test func staysSignedOffOverARestart() async throws {
        let record = Record()
        try await self.withGateways(record) { gateways in
            #expect(await self.perform(.signOff, gateways[0].connector).isGood)
        }
        try await self.withGateways(record) { gateways in
            #expect(gateways[0].client.state == .signedOff)
            guard case .perform(let request) = Bench.authorization() else {
                Issue.record("not an operation")
                return
            }
            let acquirer = try gateways[0].connector.open(AccountTests.account())
            #expect(await acquirer.perform(request) == LinkFailure.signedOff.outcome)
            #expect(await self.perform(.signOn, gateways[0].connector).isGood)
        }
        try await self.withGateways(record) { gateways in #expect(gateways[0].client.state == .connected) }
    }

    /// A process that is to take no more operations takes none, also where its disk is full; and whoever asks is warned.
    @Test func whatCannotBeKeptIsReportedAndStaysSignedOff() async throws {
        let record = Record()
        try await self.withGateways(record) { gateways in
            record.isFull.withLock { $0 = true }
            for command in [LinkServerCommand.signOff, .signOn] {
                let finding = await self.perform(command, gateways[0].connector)
                #expect(!finding.isGood && finding.text.contains("is signed off. That could not be kept"))
                #expect(gateways[0].client.state == .signedOff)
            }
            record.isFull.withLock { $0 = false }
            #expect(await self.perform(.signOn, gateways[0].connector).isGood)
            #expect(gateways[0].client.state == .connected && !record.isSignedOff.withLock { $0 })
        }
    }

    @Test func messageIsReadAsItWasWrittenAndNothingElse() async throws {
        for isSignedOff in [true, false] {
            let signOn = LinkSignOn(isSignedOff: isSignedOff)
            var reader = try LinkFrame.decode(signOn.json.serialized())
            try reader.expect("sign-on")
            #expect(try LinkSignOn(after: reader) == signOn)
            #expect(try LinkHandshake.readReady(LinkHandshake.ready(signOn).serialized()) == signOn)
            for wrong in [nil, .null, 1, "true"] as [JSON?] {
                var object = try #require(LinkHandshake.ready(signOn).object)
                object["signedOff"] = wrong
                #expect(throws: LinkViolation.self) { try LinkHandshake.readReady(JSON.object(object).serialized()) }
            }
        }
    }
}
