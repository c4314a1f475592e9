//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Deadlines
import NIOCore
import Payments
import Time

// What is under the lock of the client's calls, and the steps that need nothing else.

extension LinkCalls {
    /// What a call is about, and its answer must be.
    enum Subject: Hashable {
        case operation(LinkCall, OperationID)
        case account
    }

    /// What answers a call.
    enum Reply: Sendable {
        case outcome(LinkOutcome)
        case findings([ConnectorFinding])
    }

    struct Call {
        let subject: Subject
        let continuation: CheckedContinuation<Result<Reply, LinkFailure>, Never>
        /// The connection that it was sent over; `nil` while it waits for one.
        var connection: UInt64?
        /// What is to be sent when there is a connection.
        var frame: ByteBuffer?
        /// Under which account; it is sent before, where the connection has not been sent it.
        let account: LinkAccount?
        /// How many answers its connection had brought when it was sent.
        var answersCountBefore = 0
        var deadline: Deadlines.Entry?
        /// Until when it may take, where that is earlier than calls usually end.
        let endsAt: ContinuousClock.Instant?
    }

    struct Connection {
        let channel: any Channel
        /// Who has said to be at the other end.
        let description: AcquirerLinkDescription
        /// What of the link's language both ends know.
        let revision: UInt8
        /// How the other end has last said to stand.
        var signOn: LinkSignOn
        var answersCount = 0
        /// What has been sent over it.
        var accounts: [AcquirerAccountID: LinkAccount] = [:]
        /// No calls are sent over it any more.
        var isRetired = false
    }

    enum Line {
        case none
        /// The number of the attempt, which is that of the connection if it succeeds.
        case opening(UInt64, channel: (any Channel)?, deadline: Deadlines.Entry?)
        case open(UInt64)
    }

    struct State {
        var line = Line.none
        var connections: [UInt64: Connection] = [:]
        var calls: [UInt64: Call] = [:]
        /// Of calls and connections, never used again.
        var nextNumber: UInt64 = 1
        var failedAttemptsCount = 0
        var retryAt: ContinuousClock.Instant?
        /// Which endpoint answered last, or is tried next.
        var endpoint = 0
        /// How the endpoints ended that this attempt has tried.
        var triedEndpoints: [LinkFailure] = []
        var lastFailure = LinkFailure.unreachable
        var isClosed = false
        /// Those who wait for a connection alone.
        var guests: [CheckedContinuation<Result<AcquirerLinkDescription, LinkFailure>, Never>] = []

        var linkState: AcquirerLinkState {
            if case .open(let id) = self.line {
                return self.connections[id]?.signOn.isSignedOff == true ? .signedOff : .connected
            }
            guard self.failedAttemptsCount > 0 else { return .connecting }
            return self.lastFailure == .refused ? .refused : .unreachable
        }

        /// Goes on to the next endpoint.
        /// - Returns: how the attempt has failed, where all have been tried; waiting mends an endpoint that can't be reached,
        ///   and does not mend one that refuses.
        mutating func tried(_ failure: LinkFailure, of endpointsCount: Int) -> LinkFailure? {
            self.triedEndpoints.append(failure)
            self.endpoint = (self.endpoint + 1) % endpointsCount
            guard self.triedEndpoints.count >= endpointsCount else { return nil }
            defer { self.triedEndpoints = [] }
            return self.triedEndpoints.contains(.refused) ? .refused : .unreachable
        }

        mutating func number() -> UInt64 {
            defer { self.nextNumber += 1 }
            return self.nextNumber
        }
    }

    /// What is written to a connection.
    struct Sending {
        let channel: any Channel
        let connection: UInt64
        let frame: ByteBuffer
        /// Of the call, whose number it has.
        let number: UInt64
        let endsAt: ContinuousClock.Instant?

        /// With what is left of the call's time by now.
        func bytes(at now: ContinuousClock.Instant) -> ByteBuffer {
            guard let endsAt = self.endsAt else { return self.frame }
            let time = LinkTime(number: self.number, milliseconds: endsAt.milliseconds(after: now))
            var bytes = ByteBuffer(bytes: LinkFrame.encode(time.json) ?? [])
            bytes.writeImmutableBuffer(self.frame)
            return bytes
        }
    }

    /// What is left to do outside the lock.
    struct Consequences {
        var ended: [(Call, Result<Reply, LinkFailure>)] = []
        var closing: [any Channel] = []
        var sending: [Sending] = []
        var dialing: UInt64?
        var deadlines: [Deadlines.Entry] = []
        var guests: [CheckedContinuation<Result<AcquirerLinkDescription, LinkFailure>, Never>] = []
        var guestResult: Result<AcquirerLinkDescription, LinkFailure> = .failure(.unreachable)
    }

    static func send(
        _ number: UInt64, over id: UInt64, _ state: inout State, _ consequences: inout Consequences
    ) {
        guard let connection = state.connections[id], var frame = state.calls[number]?.frame else { return }
        if let account = state.calls[number]?.account, connection.accounts[account.id] != account {
            state.connections[id]?.accounts[account.id] = account
            var both = ByteBuffer(bytes: account.frame ?? [])
            both.writeBuffer(&frame)
            frame = both
        }
        state.calls[number]?.connection = id
        state.calls[number]?.frame = nil
        state.calls[number]?.answersCountBefore = connection.answersCount
        // An older one would cut us off for what it does not know.
        let endsAt = connection.revision > 0 ? state.calls[number]?.endsAt : nil
        consequences.sending.append(
            Sending(channel: connection.channel, connection: id, frame: frame, number: number, endsAt: endsAt))
    }

    static func end(
        _ number: UInt64, _ result: Result<Reply, LinkFailure>, _ state: inout State,
        _ consequences: inout Consequences
    ) {
        guard let call = state.calls.removeValue(forKey: number) else { return }
        consequences.ended.append((call, result))
        if let deadline = call.deadline { consequences.deadlines.append(deadline) }
    }

    /// Closes a retired connection that nobody waits for any more.
    static func dismiss(_ id: UInt64, _ state: inout State, _ consequences: inout Consequences) {
        guard let connection = state.connections[id], connection.isRetired,
            !state.calls.values.contains(where: { $0.connection == id })
        else { return }
        state.connections[id] = nil
        consequences.closing.append(connection.channel)
    }
}
