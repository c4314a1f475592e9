//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Redaction
import Settings
import SimulatorAcquirer
import StrictJSON
import Synchronization
import Testing

@testable import AcquirerLink

/// A kind of acquirer that notes what it is asked to open, and reports what a test has for it.
final class NotingConnector: Connector {
    let name = AcquirerName("simulator")
    let settings: [SettingDescription]
    let secrets = [SecretDescription("password", "a password")]
    private let simulator: SimulatorAcquirer
    private let mode: Mode
    private let opened = Mutex<[OpenedAcquirerAccount]>([])
    private let checked = Mutex<@Sendable (OpenedAcquirerAccount) async -> [ConnectorFinding]>({ _ in [] })
    private let life = Mutex<(@Sendable (AcquirerReports) async -> Void)?>(nil)

    /// - Parameters:
    ///   - mode: of the accounts that it opens.
    ///   - behavior: what each account can do.
    init(mode: Mode = .sandbox, behavior: SimulatorBehavior = SimulatorBehavior()) throws {
        self.settings = [SettingDescription("host", SettingRules.text(64), "a host")]
        self.simulator = SimulatorAcquirer(book: try .inMemory(), behavior: behavior)
        self.mode = mode
    }

    var openings: [OpenedAcquirerAccount] { self.opened.withLock { $0 } }

    func open(_ account: OpenedAcquirerAccount) throws(ConnectorError) -> any Acquirer {
        guard account.mode == self.mode else { throw .sandboxOnly }
        self.opened.withLock { $0.append(account) }
        return self.simulator
    }

    func check(_ account: OpenedAcquirerAccount) async -> [ConnectorFinding] {
        await self.checked.withLock { $0 }(account)
    }

    /// What it finds of an account.
    func finds(_ findings: @escaping @Sendable (OpenedAcquirerAccount) async -> [ConnectorFinding]) {
        self.checked.withLock { $0 = findings }
    }

    func live(_ life: @escaping @Sendable (AcquirerReports) async -> Void) { self.life.withLock { $0 = life } }

    func run(_ reports: AcquirerReports) async { await self.life.withLock { $0 }?(reports) }
}

/// The account that a call is made under arrives with everything that the far end needs.
@Suite struct AccountTests {
    let bench: Bench

    init() throws { self.bench = try Bench() }

    static let acceptor = CardAcceptor(
        merchantNumber: "000000123456789", terminal: "TERM0001", categoryCode: "5411", descriptor: "APPLES*SHOP",
        institution: "012345", forwarder: "98765", name: "Ä Shop", street: "1 Main Street", city: "Ottawa",
        postalCode: "K1A 0B1", region: "ON", country: "CA", timeZone: "America/Toronto")

    static func account(
        _ number: UInt8 = 1, mode: Mode = .sandbox, host: String = "bank.example"
    ) -> OpenedAcquirerAccount {
        OpenedAcquirerAccount(
            id: AcquirerAccountID(at: Bench.at, random: [number]), mode: mode, acceptor: self.acceptor,
            settings: ["host": host, "keyCustody": "elsewhere"],
            secrets: ["password": Redacted("correct horse"), "other": Redacted("battery staple")])
    }

    /// A gateway's connector and the acquirer's process, each with a connector of its own.
    func withLink(
        _ far: NotingConnector, near: NotingConnector? = nil,
        tls: (client: AcquirerLinkTLS, server: AcquirerLinkTLS)? = nil,
        _ body: (AcquirerLinkConnector, AcquirerLinkClient) async throws -> Void
    ) async throws {
        let server = AcquirerLinkServer(
            far, secret: self.bench.secret, tls: tls?.server, settings: Bench.settings,
            surroundings: self.bench.surroundings, logger: self.bench.log.logger)
        let port = try await server.listen(host: "127.0.0.1", port: 0)
        let near = try near ?? NotingConnector()
        let client = try self.bench.client(port: port, expecting: AcquirerLinkDescription(far), tls: tls?.client)
        try await body(AcquirerLinkConnector(near, over: client, surroundings: self.bench.surroundings), client)
        client.close()
        await server.stop()
    }

    private static func authorize(_ number: Int, with acquirer: any Acquirer) async -> AcquirerOutcome {
        guard case .perform(let request) = Bench.authorization(number) else { return .unclear("no_request") }
        return await acquirer.perform(request)
    }

    private static func isApproved(_ outcome: AcquirerOutcome) -> Bool {
        if case .approved = outcome { true } else { false }
    }

    /// But for what only the gateway makes something of.
    @Test func accountArrivesAsItIs() async throws {
        for (name, member) in Mirror(reflecting: Self.acceptor).children {
            #expect(!Mirror(reflecting: member).children.isEmpty, "\(name ?? "?") is missing")
        }
        let far = try NotingConnector()
        try await self.withLink(far) { connector, _ in
            let acquirer = try connector.open(Self.account())
            #expect(Self.isApproved(await Self.authorize(1, with: acquirer)))
        }
        let arrived = try #require(far.openings.last)
        #expect(arrived.id == Self.account().id && arrived.mode == .sandbox && arrived.acceptor == Self.acceptor)
        #expect(arrived.settings == ["host": "bank.example"])
        #expect(arrived.secrets.mapValues { $0.reveal() } == ["password": "correct horse"])
    }

    @Test func accountIsSentOnceOverAConnectionAndAgainWhenItHasChanged() async throws {
        let far = try NotingConnector()
        try await self.withLink(far) { connector, _ in
            let before = far.openings.count
            for number in 1...3 {
                // The gateway opens an account anew every few seconds.
                let acquirer = try connector.open(Self.account())
                #expect(Self.isApproved(await Self.authorize(number, with: acquirer)))
            }
            #expect(far.openings.count == before + 1)
            let changed = try connector.open(Self.account(host: "new.example"))
            #expect(Self.isApproved(await Self.authorize(4, with: changed)))
            let other = try connector.open(Self.account(2))
            #expect(Self.isApproved(await Self.authorize(5, with: other)))
            #expect(far.openings.suffix(2).map { $0.settings["host"] } == ["new.example", "bank.example"])
            #expect(far.openings.count == before + 3)
        }
    }

    /// What the gateway refuses before it begins anything, it refuses by what it believes of the account.
    @Test func accountThatCanDoSomethingElseThereIsNotServed() async throws {
        let near = try NotingConnector(behavior: SimulatorBehavior(recovery: .reversal))
        try await self.withLink(try NotingConnector(), near: near) { connector, _ in
            let acquirer = try connector.open(Self.account())
            #expect(
                await Self.authorize(1, with: acquirer)
                    == .notProcessed(NotProcessed(.notAuthorized, "account_differs")))
            guard case .query(let query) = Bench.query(1) else {
                Issue.record("not a query")
                return
            }
            #expect(await acquirer.query(query) == .unknown(.unclear("account_differs")))
        }
    }

    @Test func accountThatTheFarEndDoesNotOpenIsNotServed() async throws {
        // One that needs an account for everything has nothing to serve without one either.
        let far = try NotingConnector(mode: .live)
        try await self.withLink(far) { connector, client in
            let acquirer = try connector.open(Self.account())
            #expect(
                await Self.authorize(1, with: acquirer)
                    == .notProcessed(NotProcessed(.notAuthorized, "account_refused")))
            #expect(
                await Self.authorize(2, with: client)
                    == .notProcessed(NotProcessed(.notAuthorized, "account_missing")))
            guard case .prepare(let request) = Bench.preparation(3) else {
                Issue.record("not a preparation")
                return
            }
            #expect(
                await acquirer.prepare(request) == .notProcessed(NotProcessed(.notAuthorized, "account_refused")))
        }
    }

    @Test func accountThatWasNeverSentIsNotServed() async throws {
        let server = self.bench.server(SimulatorAcquirer(book: try .inMemory()))
        let port = try await server.listen(host: "127.0.0.1", port: 0)
        try await connect(port: port) { wire in
            try await wire.greet(self.bench.secret)
            try await wire.send(Bench.authorization().json(number: 1, account: Self.account().id))
            let answer = try LinkAnswer(try await wire.body())
            #expect(
                answer.outcome == .operation(.notProcessed(NotProcessed(.notAuthorized, "account_unknown"))))
        }
        await server.stop()
    }

    // MARK: - Live money

    @Test func liveAccountNeedsAProtectedLink() async throws {
        let near = try NotingConnector(mode: .live)
        try await self.withLink(try NotingConnector(mode: .live), near: near) { connector, _ in
            #expect(throws: ConnectorError.linkNotProtected) { try connector.open(Self.account(mode: .live)) }
            let findings = await connector.check(Self.account(mode: .live))
            #expect(findings.map(\.isGood) == [false])
        }
        #expect("\(ConnectorError.linkNotProtected)".contains("TLS"))
    }

    /// Also where a gateway sends one all the same.
    @Test func serverTakesNoLiveAccountWithoutTLS() async throws {
        let far = try NotingConnector(mode: .live)
        try await self.withLink(far) { _, client in
            let live = client.acquirer(of: Self.account(mode: .live), client.capabilities)
            #expect(
                await Self.authorize(1, with: live)
                    == .notProcessed(NotProcessed(.notAuthorized, "link_not_protected")))
        }
        #expect(far.openings.isEmpty)
    }

    @Test func liveAccountIsServedOverTLS() async throws {
        let authority = try TLSTests.Authority("the link's authority")
        let gateway = try authority.issue("gateway.link.example")
        let acquirer = try authority.issue("acquirer.link.example")
        let tls = (
            client: try AcquirerLinkTLS.client(
                authorityPEM: try authority.pem, certificatesPEM: gateway.certificate, privateKeyPEM: gateway.key,
                serverName: "acquirer.link.example"),
            server: try AcquirerLinkTLS.server(
                authorityPEM: try authority.pem, certificatesPEM: acquirer.certificate, privateKeyPEM: acquirer.key)
        )
        let near = try NotingConnector(mode: .live)
        try await self.withLink(try NotingConnector(mode: .live), near: near, tls: tls) { connector, _ in
            let opened = try connector.open(Self.account(mode: .live))
            #expect(Self.isApproved(await Self.authorize(1, with: opened)))
        }
    }

    // MARK: - Readiness

    @Test func acquirerThatNobodyAnswersForIsNotReady() async throws {
        let far = try NotingConnector()
        try await self.withLink(far) { connector, client in
            let acquirer = try connector.open(Self.account())
            #expect(acquirer.readiness == .ready, "nobody has tried yet")
            #expect(await connector.check(Self.account()).map(\.isGood) == [true])
            #expect(acquirer.readiness == .ready)
            client.close()
        }
        let peer = try await RawPeer { _, _ in }
        let client = try self.bench.client(port: peer.port)
        let connector = AcquirerLinkConnector(
            try NotingConnector(), over: client, surroundings: self.bench.surroundings)
        #expect(await connector.check(Self.account()).map(\.isGood) == [false])
        #expect(try connector.open(Self.account()).readiness == .notReady("acquirer_unreachable"))
        client.close()
        peer.close()
    }

    @Test func acquirerThatRefusesTheSecretIsNotReady() async throws {
        let server = self.bench.server(SimulatorAcquirer(book: try .inMemory()))
        let port = try await server.listen(host: "127.0.0.1", port: 0)
        let other = try AcquirerLinkSecret(Redacted([UInt8](repeating: 1, count: 32)))
        let client = try self.bench.client(port: port, secret: other)
        let connector = AcquirerLinkConnector(
            try NotingConnector(), over: client, surroundings: self.bench.surroundings)
        let findings = await connector.check(Self.account())
        #expect(findings.count == 1 && findings.allSatisfy { !$0.isGood && $0.text.contains("secret") })
        #expect(try connector.open(Self.account()).readiness == .notReady("acquirer_refused"))
        client.close()
        await server.stop()
    }

    // MARK: - Messages

    @Test func accountOnTheWireIsReadAsItWasWrittenAndNothingElse() throws {
        let description = try Bench.description()
        let json = LinkAccount.json(Self.account(), description)
        func read(_ json: JSON) throws -> JSON {
            var reader = try LinkFrame.decode(json.serialized())
            try reader.expect("account")
            let (account, description) = try LinkAccount.read(after: reader)
            return LinkAccount.json(account, description)
        }
        #expect(try read(json) == json)
        let object = try #require(json.object)
        for name in object.names {
            for value in [nil, .null, 17, "strange", ["strange"], ["unlike": 1]] as [JSON?] {
                var spoiled = object
                spoiled[name] = value
                #expect(throws: LinkViolation.self, "\(name)") { try read(.object(spoiled)) }
            }
        }
    }
}
