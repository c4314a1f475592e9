//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import HTTPTypes
import Payments
import Settings
import SimulatorAcquirer
import StrictJSON
import Synchronization
import Testing

@testable import AdminAPI

/// What an operator may have a connector do, and who may. What the link does is in its own tests.
@Suite struct ConnectorCommandTests {
    /// It keeps a line for all accounts.
    private final class Line: Connector {
        let name = AcquirerName("line")
        let settings: [SettingDescription] = []
        let secrets: [SecretDescription] = []
        let commands = [
            ConnectorCommand("echo", "Asks whether the line is there."),
            ConnectorCommand("sign-off", "Takes no more operations.", isDangerous: true),
        ]
        private let state = Mutex<[String]>([])

        var performed: [String] { self.state.withLock { $0 } }

        func open(_ account: OpenedAcquirerAccount) throws(ConnectorError) -> any Acquirer {
            do { return SimulatorAcquirer(book: try .inMemory()) } catch { throw .sandboxOnly }
        }

        func check(_ account: OpenedAcquirerAccount) async -> [ConnectorFinding] { [] }

        func perform(_ command: ConnectorCommand, for account: OpenedAcquirerAccount) async -> ConnectorFinding {
            self.state.withLock { $0.append(command.name) }
            return ConnectorFinding(command.name, isGood: true, "Done.")
        }
    }

    private static let path = "/merchants/shop/acquirers/line/commands/"

    private static func open(_ line: Line) async throws -> Desk {
        let desk = try await Desk.open(connector: line)
        try await desk.makeShop()
        try await desk.expect(
            201, .post, "/merchants/shop/acquirers", ["name": "line", "connector": "line"], key: "line")
        return desk
    }

    @Test func isDoneAndInTheAuditLog() async throws {
        let line = Line()
        let desk = try await Self.open(line)
        let answer = try await desk.expect(200, .post, Self.path + "echo", key: "1")
        #expect(answer.json == ["subject": "echo", "good": true, "text": "Done."])
        #expect(line.performed == ["echo"])
        let entries = try await desk.expect(200, .get, "/audit", query: "act=acquirer.command").json["data"]?.array
        #expect(entries?.count == 1)
        #expect(entries?.first?.text().contains("echo") == true)
    }

    @Test func anUnknownOneIsRefused() async throws {
        let line = Line()
        let desk = try await Self.open(line)
        try await desk.expect(404, .post, Self.path + "reboot", key: "1")
        #expect(line.performed.isEmpty)
    }

    /// Every merchant's payments would stop: whoever acts for some merchants may not.
    @Test func aDangerousOneIsForWhoeverHasAllMerchants() async throws {
        let line = Line()
        let desk = try await Self.open(line)
        let shop = try await desk.administration.merchant(named: "shop").id
        let some = try await desk.token(Access(.operator, merchants: [shop]))
        try await desk.expect(403, .post, Self.path + "sign-off", token: some, key: "1")
        #expect(line.performed.isEmpty)
        try await desk.expect(200, .post, Self.path + "echo", token: some, key: "2")
        try await desk.expect(200, .post, Self.path + "sign-off", key: "3")
        #expect(line.performed == ["echo", "sign-off"])
    }
}
