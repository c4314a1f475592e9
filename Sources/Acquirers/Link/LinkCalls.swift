//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Deadlines
import Logging
import NIOCore
import Payments
import StrictJSON
import Synchronization

/// The calls of a client and the connections that they are made over.
///
/// A call is in ``State/calls`` from its beginning to its end, and whoever takes it out answers it: exactly one of the
/// answer, the end of its connection, its deadline, its caller's cancellation and the end of the client.
final class LinkCalls: Sendable {
    private let dialer: LinkDialer
    private let expected: AcquirerLinkDescription?
    private let settings: AcquirerLinkSettings
    private let now: @Sendable () -> ContinuousClock.Instant
    private let callDeadlines: Deadlines
    private let handshakeDeadlines: Deadlines
    private let logger: Logger
    private let state = Mutex(State())
    private let reports = Mutex<AcquirerReports?>(nil)

    init(
        _ dialer: LinkDialer, _ expected: AcquirerLinkDescription?, _ settings: AcquirerLinkSettings,
        _ surroundings: AcquirerLinkSurroundings, _ logger: Logger
    ) {
        self.dialer = dialer
        self.expected = expected
        self.settings = settings
        self.now = surroundings.now
        self.callDeadlines = Deadlines(
            milliseconds: settings.callMilliseconds, sleep: surroundings.sleep, now: surroundings.now)
        self.handshakeDeadlines = Deadlines(
            milliseconds: settings.handshakeMilliseconds, sleep: surroundings.sleep, now: surroundings.now)
        self.logger = logger
    }

    // MARK: - From the caller

    func make(
        _ request: LinkRequest, _ account: LinkAccount? = nil
    ) async -> Result<LinkOutcome, LinkFailure> {
        let endsAt = AcquirerCallTime.milliseconds.map { self.now() + .milliseconds($0) }
        let reply = await self.send(.operation(request.call, request.operationID), account, endsAt) { number in
            request.json(number: number, account: account?.id)
        }
        return reply.flatMap { reply in
            guard case .outcome(let outcome) = reply else { return .failure(.garbledAnswer) }
            return .success(outcome)
        }
    }

    /// Has the other end check an account.
    func check(_ account: LinkAccount) async -> Result<[ConnectorFinding], LinkFailure> {
        let reply = await self.send(.account, account) { LinkCheck(number: $0, account: account.id).json }
        return reply.flatMap { reply in
            guard case .findings(let findings) = reply else { return .failure(.garbledAnswer) }
            return .success(findings)
        }
    }

    /// Has the other end do what an operator asks for.
    func command(_ name: String, _ account: LinkAccount) async -> Result<ConnectorFinding, LinkFailure> {
        let reply = await self.send(.account, account) { LinkCommand(number: $0, account: account.id, name: name).json }
        return reply.flatMap { reply in
            guard case .findings(let findings) = reply, let finding = findings.first, findings.count == 1 else {
                return .failure(.garbledAnswer)
            }
            return .success(finding)
        }
    }

    private func send(
        _ subject: Subject, _ account: LinkAccount?, _ endsAt: ContinuousClock.Instant? = nil,
        _ json: (_ number: UInt64) -> JSON
    ) async -> Result<Reply, LinkFailure> {
        let number = self.state.withLock { $0.number() }
        guard let frame = LinkFrame.encode(json(number)), account == nil || account?.frame != nil else {
            return .failure(.requestTooLarge)
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                self.begin(
                    number,
                    Call(
                        subject: subject, continuation: continuation, frame: ByteBuffer(bytes: frame), account: account,
                        endsAt: endsAt)
                )
            }
        } onCancel: {
            self.end(number, .cancelled)
        }
    }

    /// Makes a connection if there is none.
    func connect() async -> Result<AcquirerLinkDescription, LinkFailure> {
        await withCheckedContinuation { continuation in
            self.change { state, consequences in
                if case .open(let id) = state.line, let connection = state.connections[id] {
                    consequences.guests.append(continuation)
                    consequences.guestResult = .success(connection.description)
                } else if state.isClosed {
                    consequences.guests.append(continuation)
                    consequences.guestResult = .failure(.closed)
                } else {
                    state.guests.append(continuation)
                    self.open(&state, &consequences)
                }
            }
        }
    }

    /// Begins to make a connection if there is none, and waits for nothing.
    func beginToConnect() {
        self.change { state, consequences in if !state.isClosed { self.open(&state, &consequences) } }
    }

    var linkState: AcquirerLinkState { self.state.withLock { $0.linkState } }

    func close() {
        self.change { state, consequences in
            state.isClosed = true
            for (number, call) in state.calls {
                // What has been sent may have been booked.
                let failure = call.connection == nil ? LinkFailure.closed : .connectionLost
                Self.end(number, .failure(failure), &state, &consequences)
            }
            consequences.closing += state.connections.values.map(\.channel)
            state.connections = [:]
            if case .opening(_, let channel, let deadline) = state.line {
                if let channel { consequences.closing.append(channel) }
                if let deadline { consequences.deadlines.append(deadline) }
            }
            state.line = .none
            consequences.guests += state.guests
            consequences.guestResult = .failure(.closed)
            state.guests = []
        }
    }

    private func begin(_ number: UInt64, _ call: Call) {
        self.change { state, consequences in
            guard !state.isClosed else { return consequences.ended.append((call, .failure(.closed))) }
            guard state.calls.count < self.settings.callsMax else {
                return consequences.ended.append((call, .failure(.busy)))
            }
            state.calls[number] = call
            switch state.line {
            case .open(let id): Self.send(number, over: id, &state, &consequences)
            case .opening: break
            case .none: self.open(&state, &consequences)
            }
        }
        // A call whose time is over or whose caller has gone before this found nothing to end.
        let entry = self.callDeadlines.enter { self.end(number, .deadlinePassed) }
        let isUnderWay = self.state.withLock { state in
            guard state.calls[number] != nil else { return false }
            state.calls[number]?.deadline = entry
            return true
        }
        if !isUnderWay { entry.leave() }
        if Task.isCancelled { self.end(number, .cancelled) }
    }

    /// Ends a call that is still under way. Nothing that its connection brings for it counts from here on.
    private func end(_ number: UInt64, _ failure: LinkFailure) {
        self.change { state, consequences in
            guard let call = state.calls[number] else { return }
            guard let id = call.connection else {
                // It has not been sent: what is known is better than that time is over.
                let known: LinkFailure = failure == .deadlinePassed ? .unreachable : failure
                return Self.end(number, .failure(known), &state, &consequences)
            }
            Self.end(number, .failure(failure), &state, &consequences)
            // Nothing at all has come since it was sent: the other end may be gone without a word. Calls under way may
            // still get their answers, and new ones go another way.
            if failure == .deadlinePassed, state.connections[id]?.answersCount == call.answersCountBefore {
                state.connections[id]?.isRetired = true
                if case .open(id) = state.line { state.line = .none }
            }
            Self.dismiss(id, &state, &consequences)
        }
    }

    // MARK: - From the connection

    private func dial(_ id: UInt64) {
        let deadline = self.handshakeDeadlines.enter { self.lost(id, ChannelError.connectTimeout(.zero)) }
        let listener = LinkDialer.Listener(
            ready: { self.ready(id, $0, $1, $2) }, received: { try self.received(id, $0) }, lost: { self.lost(id, $0) })
        let endpoint = self.state.withLock { state -> AcquirerLinkEndpoint? in
            guard case .opening(id, let channel, _) = state.line else { return nil }
            state.line = .opening(id, channel: channel, deadline: deadline)
            return self.dialer.endpoints[state.endpoint]
        }
        guard let endpoint else { return deadline.leave() }
        self.dialer.dial(endpoint, listener, expecting: self.expected).whenComplete { result in
            switch result {
            case .success(let channel): self.connected(id, channel)
            case .failure(let error): self.lost(id, error)
            }
        }
    }

    private func connected(_ id: UInt64, _ channel: any Channel) {
        self.change { state, consequences in
            if case .opening(id, _, let deadline) = state.line {
                state.line = .opening(id, channel: channel, deadline: deadline)
            } else if state.connections[id] == nil {
                // Too late, or already lost.
                consequences.closing.append(channel)
            }
        }
    }

    private func ready(
        _ id: UInt64, _ channel: any Channel, _ server: LinkDialer.Server, _ signOn: LinkSignOn
    ) {
        self.change { state, consequences in
            guard case .opening(id, _, let deadline) = state.line else {
                return consequences.closing.append(channel)
            }
            if let deadline { consequences.deadlines.append(deadline) }
            state.connections[id] = Connection(
                channel: channel, description: server.description, revision: server.revision, signOn: signOn)
            state.line = .open(id)
            state.failedAttemptsCount = 0
            state.triedEndpoints = []
            state.retryAt = nil
            for number in state.calls.keys.sorted() where state.calls[number]?.connection == nil {
                Self.send(number, over: id, &state, &consequences)
            }
            consequences.guests += state.guests
            consequences.guestResult = .success(server.description)
            state.guests = []
        }
        self.logger.debug("acquirer connected", metadata: ["acquirer": "\(server.description.name)"])
    }

    private func received(_ id: UInt64, _ body: [UInt8]) throws {
        var reader = try LinkFrame.decode(body)
        switch try reader.text("type") {
        case "answer":
            let answer = try LinkAnswer(after: reader)
            let subject = Subject.operation(answer.call, answer.operationID)
            try self.received(id, answer.number, subject, .outcome(answer.outcome))
        case "checked":
            let found = try LinkFindings(after: reader)
            try self.received(id, found.number, .account, .findings(found.findings))
        case "notice": self.received(id, try LinkNotice(after: reader))
        case "sign-on":
            let signOn = try LinkSignOn(after: reader)
            self.state.withLock { $0.connections[id]?.signOn = signOn }
        default: throw LinkViolation("not_an_answer")
        }
    }

    /// Hands a notice over, and sends its receipt. One that nobody takes here is sent again later.
    private func received(_ id: UInt64, _ notice: LinkNotice) {
        let reports = self.reports.withLock { $0 }
        guard let channel = self.state.withLock({ $0.connections[id]?.channel }) else { return }
        Task {
            let receipt = await reports?.report(notice.notice, of: notice.account) ?? .later
            guard let frame = LinkFrame.encode(LinkReceipt(number: notice.number, receipt: receipt).json) else {
                return
            }
            channel.writeAndFlush(ByteBuffer(bytes: frame), promise: nil)
        }
    }

    func take(_ reports: AcquirerReports?) { self.reports.withLock { $0 = reports } }

    private func received(_ id: UInt64, _ number: UInt64, _ subject: Subject, _ reply: Reply) throws {
        let violation = self.changing { state, consequences -> LinkViolation? in
            guard state.connections[id] != nil else { return nil }
            state.connections[id]?.answersCount += 1
            guard number < state.nextNumber else { return LinkViolation("answer_without_request") }
            // Late, or for the second time.
            guard let call = state.calls[number] else { return nil }
            guard call.connection == id else { return LinkViolation("answer_on_another_connection") }
            guard call.subject == subject else { return LinkViolation("answer_of_another_operation") }
            Self.end(number, .success(reply), &state, &consequences)
            Self.dismiss(id, &state, &consequences)
            return nil
        }
        if let violation { throw violation }
    }

    private func lost(_ id: UInt64, _ reason: any Error) {
        var consequences = Consequences()
        let failed = self.state.withLock { state -> AcquirerLinkEndpoint? in
            if let connection = state.connections.removeValue(forKey: id) {
                consequences.closing.append(connection.channel)
                if case .open(id) = state.line { state.line = .none }
                let failure: LinkFailure = reason is LinkViolation ? .garbledAnswer : .connectionLost
                for number in state.calls.keys.sorted() where state.calls[number]?.connection == id {
                    Self.end(number, .failure(failure), &state, &consequences)
                }
                return nil
            }
            guard case .opening(id, let channel, let deadline) = state.line else { return nil }
            if let channel { consequences.closing.append(channel) }
            if let deadline { consequences.deadlines.append(deadline) }
            state.line = .none
            let tried = self.dialer.endpoints[state.endpoint]
            let failure = reason is LinkViolation ? LinkFailure.refused : .unreachable
            guard let failure = state.tried(failure, of: self.dialer.endpoints.count) else {
                self.open(&state, &consequences)
                return tried
            }
            state.lastFailure = failure
            let exponent = min(state.failedAttemptsCount, 16)
            let backoff = min(self.settings.backoffMillisecondsMin << exponent, self.settings.backoffMillisecondsMax)
            state.failedAttemptsCount += 1
            state.retryAt = self.now() + .milliseconds(backoff)
            for number in state.calls.keys.sorted() where state.calls[number]?.connection == nil {
                Self.end(number, .failure(state.lastFailure), &state, &consequences)
            }
            consequences.guests += state.guests
            consequences.guestResult = .failure(state.lastFailure)
            state.guests = []
            return tried
        }
        // A call that fails finds the cause in the log.
        self.logLoss(reason, at: failed)
        self.carryOut(consequences)
    }

    private func logLoss(_ reason: any Error, at failed: AcquirerLinkEndpoint?) {
        // The reason is one of ours or the system's: neither holds what was sent.
        var metadata: Logger.Metadata = ["reason": "\(reason)"]
        if let failed { metadata["address"] = "\(failed.text)" }
        switch (failed, reason as? LinkViolation) {
        case (.some, let violation?): self.logger.warning("\(violation.advice)", metadata: metadata)
        case (.some, nil): self.logger.info("acquirer could not be reached", metadata: metadata)
        case (nil, _): self.logger.info("acquirer connection ended", metadata: metadata)
        }
    }

    // MARK: - Under the lock

    /// Begins an attempt to connect, unless the last one has failed just now.
    private func open(_ state: inout State, _ consequences: inout Consequences) {
        switch state.line {
        case .open, .opening: return
        case .none: break
        }
        if let retryAt = state.retryAt, self.now() < retryAt {
            for number in state.calls.keys.sorted() where state.calls[number]?.connection == nil {
                Self.end(number, .failure(state.lastFailure), &state, &consequences)
            }
            consequences.guests += state.guests
            consequences.guestResult = .failure(state.lastFailure)
            state.guests = []
            return
        }
        let id = state.number()
        state.line = .opening(id, channel: nil, deadline: nil)
        consequences.dialing = id
    }

    private func change(_ body: (inout State, inout Consequences) -> Void) {
        self.changing { state, consequences in body(&state, &consequences) }
    }

    /// Changes the state, and then does what follows from it.
    private func changing<Value: Sendable>(_ body: (inout State, inout Consequences) -> Value) -> Value {
        var consequences = Consequences()
        let value = self.state.withLock { state in body(&state, &consequences) }
        self.carryOut(consequences)
        return value
    }

    /// Outside the lock: nothing that may call back is called under it.
    private func carryOut(_ consequences: Consequences) {
        for deadline in consequences.deadlines { deadline.leave() }
        for (call, result) in consequences.ended { call.continuation.resume(returning: result) }
        for guest in consequences.guests { guest.resume(returning: consequences.guestResult) }
        for sending in consequences.sending {
            sending.channel.writeAndFlush(sending.bytes(at: self.now()))
                .whenFailure { self.lost(sending.connection, $0) }
        }
        for channel in consequences.closing { channel.close(promise: nil) }
        if let id = consequences.dialing { self.dial(id) }
    }
}
