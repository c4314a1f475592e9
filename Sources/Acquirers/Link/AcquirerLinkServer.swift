//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Deadlines
public import Logging
public import NIOCore
public import NIOPosix
public import Payments
import Synchronization

/// Serves an acquirer to gateways in other processes, over TCP.
///
/// A connection that has not shown the secret gets nothing but the acquirer's name and abilities, and is closed when
/// it takes too long. Requests of one connection are passed on as they come, and each is answered when its outcome is
/// known, in whatever order. A request that arrives twice is passed on twice: it is the acquirer that knows an
/// operation's id. What is said otherwise than in the link's language ends the connection; calls that it has begun are carried on.
///
/// It is meant for the loopback address or a private network: the requests hold card numbers and cryptograms. Use
/// ``AcquirerLinkTLS`` wherever others may listen.
public final class AcquirerLinkServer: Sendable {
    private struct State {
        var listener: (any Channel)?
        var connections: [ObjectIdentifier: any Channel] = [:]
        /// Those whose clients have proven themselves.
        var clients: [ObjectIdentifier: any Channel] = [:]
        /// Notices whose receipts are awaited, by number.
        var notices: [UInt64: PendingNotice] = [:]
        var nextNotice: UInt64 = 1
        var isStopped = false
    }

    private struct PendingNotice {
        let client: ObjectIdentifier
        let continuation: CheckedContinuation<AcquirerReports.Receipt?, Never>
        var deadline: Deadlines.Entry?
    }

    private let connector: any Connector
    /// As it is without an account; `nil` where there is none such.
    let acquirer: (any Acquirer)?
    let offer: LinkHandshake.Offer
    let secret: AcquirerLinkSecret
    /// Whether an operator has it take no operations.
    let signOn: LinkSignOnState
    let settings: AcquirerLinkSettings
    let random: @Sendable (Int) -> [UInt8]
    let now: @Sendable () -> ContinuousClock.Instant
    let handshakeDeadlines: Deadlines
    private let noticeDeadlines: Deadlines
    private let sleep: @Sendable (_ milliseconds: Int64) async throws -> Void
    let logger: Logger
    private let tls: AcquirerLinkTLS?
    private let group: any EventLoopGroup
    private let state = Mutex(State())

    /// Serves an acquirer that is the same for all accounts.
    public convenience init(
        _ acquirer: any Acquirer, secret: AcquirerLinkSecret, tls: AcquirerLinkTLS? = nil,
        settings: AcquirerLinkSettings = AcquirerLinkSettings(), surroundings: AcquirerLinkSurroundings,
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton, logger: Logger
    ) {
        self.init(
            SharedAcquirerConnector(acquirer), secret: secret, tls: tls, settings: settings,
            surroundings: surroundings, group: group, logger: logger)
    }

    /// - Parameter signOff: where it is kept that an operator has signed it off.
    public init(
        _ connector: any Connector, secret: AcquirerLinkSecret, tls: AcquirerLinkTLS? = nil,
        signOff: AcquirerLinkSignOffRecord = .none,
        settings: AcquirerLinkSettings = AcquirerLinkSettings(), surroundings: AcquirerLinkSurroundings,
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton, logger: Logger
    ) {
        self.connector = connector
        self.acquirer = try? connector.open(.withoutSettings)
        self.offer = LinkHandshake.Offer(acquirer: AcquirerLinkDescription(connector), book: connector.bookID)
        self.secret = secret
        self.tls = tls
        self.signOn = LinkSignOnState(signOff)
        self.settings = settings
        self.random = surroundings.random
        self.now = surroundings.now
        self.handshakeDeadlines = Deadlines(
            milliseconds: settings.handshakeMilliseconds, sleep: surroundings.sleep, now: surroundings.now)
        self.noticeDeadlines = Deadlines(
            milliseconds: settings.noticeMilliseconds, sleep: surroundings.sleep, now: surroundings.now)
        self.sleep = surroundings.sleep
        self.group = group
        self.logger = logger
    }

    /// Begins to take connections.
    /// - Parameter port: 0 for any that is free.
    /// - Returns: the port.
    /// - Throws: ``AcquirerLinkError`` with `cannot_listen`.
    public func listen(host: String, port: Int) async throws(AcquirerLinkError) -> Int {
        let listener: any Channel
        do {
            listener = try await ServerBootstrap(group: self.group)
                .serverChannelOption(.backlog, value: 256)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        if let tls = self.tls { try channel.pipeline.syncOperations.addHandler(tls.serverHandler()) }
                        try channel.pipeline.syncOperations.addHandlers([
                            ByteToMessageHandler(LinkFrameDecoder()), LinkServerHandler(self),
                        ])
                    }
                }
                .bind(host: host, port: port).get()
        } catch {
            throw Self.cannotListen
        }
        let isTaken = self.state.withLock { state in
            guard state.listener == nil, !state.isStopped else { return false }
            state.listener = listener
            return true
        }
        guard isTaken, let bound = listener.localAddress?.port else {
            listener.close(promise: nil)
            throw Self.cannotListen
        }
        self.logger.info("acquirer listens", metadata: ["acquirer": "\(self.offer.acquirer.name)", "port": "\(bound)"])
        return bound
    }

    private static var cannotListen: AcquirerLinkError {
        AcquirerLinkError(
            code: .cannotListen, reason: "the acquirer's address can't be listened on; choose another port or address")
    }

    /// Takes no more connections and ends those that there are. Calls that have been passed to the acquirer are carried
    /// on, but their answers don't arrive.
    public func stop() async {
        let channels = self.state.withLock { state in
            state.isStopped = true
            defer {
                state.listener = nil
                state.connections = [:]
                state.clients = [:]
            }
            return [state.listener].compactMap(\.self) + Array(state.connections.values)
        }
        for channel in channels { try? await channel.close() }
    }

    /// - Returns: whether there is room for it.
    func enter(_ channel: any Channel) -> Bool {
        self.state.withLock { state in
            guard !state.isStopped, state.connections.count < self.settings.connectionsMax else { return false }
            state.connections[ObjectIdentifier(channel)] = channel
            return true
        }
    }

    func leave(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        let waiting = self.state.withLock { state in
            state.connections[id] = nil
            state.clients[id] = nil
            let lost = state.notices.filter { $0.value.client == id }
            for number in lost.keys { state.notices[number] = nil }
            return Array(lost.values)
        }
        for notice in waiting {
            notice.deadline?.leave()
            notice.continuation.resume(returning: nil)
        }
    }

    // MARK: - Accounts

    /// An account that a gateway has sent, as the connector has opened it.
    struct ServedAccount: Sendable {
        let account: OpenedAcquirerAccount
        let acquirer: any Acquirer
    }

    /// - Parameter expected: what the gateway believes that the account can do.
    func open(
        _ account: OpenedAcquirerAccount, expecting expected: AcquirerLinkDescription
    ) -> Result<ServedAccount, LinkAccountRefusal> {
        guard account.mode == .sandbox || self.tls != nil else { return .failure(.notProtected) }
        do throws(ConnectorError) {
            let acquirer = try self.connector.open(account)
            guard AcquirerLinkDescription(name: self.connector.name, capabilities: acquirer.capabilities) == expected
            else {
                return .failure(.differs)
            }
            return .success(ServedAccount(account: account, acquirer: acquirer))
        } catch {
            self.logger.error(
                "account of a gateway cannot be opened", metadata: ["account": "\(account.id)", "reason": "\(error)"])
            return .failure(.refused)
        }
    }

    func check(_ account: OpenedAcquirerAccount) async -> [ConnectorFinding] { await self.connector.check(account) }

    // MARK: - Commands

    /// Does what an operator asks for.
    func perform(_ name: String, for account: OpenedAcquirerAccount) async -> ConnectorFinding {
        guard let own = LinkServerCommand(rawValue: name) else {
            guard let command = self.connector.commands.first(where: { $0.name == name }) else {
                return ConnectorFinding(name, isGood: false, "The acquirer's process knows no such command.")
            }
            return await self.connector.perform(command, for: account)
        }
        let isKept = own == .echo || self.signOn.change(to: own == .signOff)
        let isSignedOff = self.signOn.isSignedOff
        var text = isSignedOff ? "The acquirer's process is signed off." : "The acquirer's process is signed on."
        if own != .echo {
            self.logger.notice("acquirer \(isSignedOff ? "takes no more operations" : "takes operations")")
            self.reportSignOn()
        }
        if !isKept { text += " That could not be kept: see that its data directory can be written to, and ask again." }
        return ConnectorFinding(name, isGood: isKept, text)
    }

    /// Sends every client how it stands. Read where it is sent, so that what is sent last is what holds.
    private func reportSignOn() {
        for channel in self.state.withLock({ Array($0.clients.values) }) {
            channel.eventLoop.execute {
                let signOn = LinkSignOn(isSignedOff: self.signOn.isSignedOff)
                guard let frame = LinkFrame.encode(signOn.json) else { return }
                channel.writeAndFlush(ByteBuffer(bytes: frame), promise: nil)
            }
        }
    }

    // MARK: - Notices

    /// Lets the connector keep its own connections, until the task is cancelled, and passes on to gateways what it reports.
    public func run() async {
        await self.connector.run(AcquirerReports { await self.report($0, of: $1) })
    }

    /// Sends a notice to one of the gateways that are connected, again and again until one of them has booked it or knows
    /// nothing of it. They share their store, so that it does not matter which.
    func report(_ notice: AcquirerNotice, of account: AcquirerAccountID) async -> AcquirerReports.Receipt {
        while !Task.isCancelled {
            switch await self.send(notice, of: account) {
            case .booked: return .booked
            case .notKnown: return .notKnown
            case .later, nil: break
            }
            guard (try? await self.sleep(self.settings.noticePauseMilliseconds)) != nil else { break }
        }
        return .later
    }

    /// - Returns: `nil` when no gateway is there, or none answers.
    private func send(_ notice: AcquirerNotice, of account: AcquirerAccountID) async -> AcquirerReports.Receipt? {
        await withCheckedContinuation { continuation in
            let found = self.state.withLock { state -> (UInt64, any Channel)? in
                guard let (id, channel) = state.clients.randomElement() else { return nil }
                let number = state.nextNotice
                state.nextNotice += 1
                state.notices[number] = PendingNotice(client: id, continuation: continuation)
                return (number, channel)
            }
            guard let (number, channel) = found else { return continuation.resume(returning: nil) }
            let message = LinkNotice(number: number, account: account, notice: notice)
            guard let frame = LinkFrame.encode(message.json) else {
                self.logger.error("notice is larger than a frame and is not sent", metadata: ["account": "\(account)"])
                return self.end(number, .notKnown)
            }
            let deadline = self.noticeDeadlines.enter { self.end(number, nil) }
            let isAwaited = self.state.withLock { state in
                state.notices[number]?.deadline = deadline
                return state.notices[number] != nil
            }
            guard isAwaited else { return deadline.leave() }
            channel.writeAndFlush(ByteBuffer(bytes: frame)).whenFailure { _ in self.end(number, nil) }
        }
    }

    /// Ends a notice that is still awaited: by its receipt, or because none comes.
    func end(_ number: UInt64, _ receipt: AcquirerReports.Receipt?) {
        guard let notice = self.state.withLock({ $0.notices.removeValue(forKey: number) }) else { return }
        notice.deadline?.leave()
        notice.continuation.resume(returning: receipt)
    }

    /// The client of a connection has proven itself.
    /// - Returns: what it is greeted with; of whatever changes after that it is notified.
    func serve(_ channel: any Channel) -> LinkSignOn {
        self.state.withLock { state in
            if state.connections[ObjectIdentifier(channel)] != nil {
                state.clients[ObjectIdentifier(channel)] = channel
            }
        }
        return LinkSignOn(isSignedOff: self.signOn.isSignedOff)
    }
}
