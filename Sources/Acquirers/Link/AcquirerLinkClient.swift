//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Logging
public import NIOCore
public import NIOPosix
public import Payments

/// How a link to an acquirer stands.
public enum AcquirerLinkState: String, Hashable, Sendable, CaseIterable {
    case connected
    /// Connected, and an operator has the acquirer's process take no operations.
    case signedOff = "signed_off"
    /// Not tried yet, or the connection has ended and the next is being made.
    case connecting
    /// Nobody answers at any of the acquirer's addresses.
    case unreachable
    /// Who answers has another secret or version, or is another acquirer, or keeps another book.
    case refused
}

/// An acquirer in another process, behind an ``AcquirerLinkServer``.
///
/// It connects when it is first called, and keeps one connection with any number of calls under way. Each call has a
/// number that is never used again, and an answer counts only if it comes over the connection that the call went out
/// on, with its number, its kind and its operation. After a connection is lost the next call makes another; while none
/// can be made, calls are answered at once.
///
/// Where there are several endpoints they are tried in turn, beginning with the one that answered last, and only when all have
/// failed is there no connection. It stays with the one that answers.
///
/// It deals with one book (``AcquirerBookID``): the first that it meets, or the one that it is given; whoever keeps another
/// is refused.
///
/// What a call has left of its time, where that is less than usual (`AcquirerCallTime`), goes with it.
///
/// No call is sent twice: what became of one that has no answer is for recovery to ask. However a call ends, it is
/// approved or declined only by the acquirer's own answer to it:
///
/// | how it ends | outcome |
/// |---|---|
/// | the acquirer answers | its answer, also if that is unknown |
/// | no connection can be made | not processed, `acquirer_unreachable`: nothing was sent |
/// | the other end has another secret, version, name, capabilities or book | not processed, `acquirer_refused`: nothing was sent |
/// | too many calls are under way, here or there | not processed, `acquirer_busy`: nothing was passed on |
/// | the request is larger than a frame | not processed, `request_too_large`: nothing was sent |
/// | the client is closed before it is sent | not processed, `link_closed` |
/// | the client is closed after it was sent | unknown, `connection_lost` |
/// | the connection ends, at whatever byte | unknown, `connection_lost` |
/// | no answer within ``AcquirerLinkSettings/callMilliseconds`` | unknown, `deadline_passed` |
/// | an answer that can't be read, that nobody asked for, or of another operation | unknown, `garbled_answer`, see below |
/// | the caller's task is cancelled | unknown, `call_cancelled` |
///
/// Garbage ends the connection, and with it all of its calls. An answer that comes late or twice is dropped. A query that
/// ends without an answer is unknown in each of these cases, by the same word.
public final class AcquirerLinkClient: Acquirer {
    public let name: AcquirerName
    /// What the acquirer is expected to be able to do; one that says otherwise is refused.
    public let capabilities: AcquirerCapabilities
    /// Whether what is sent is protected on its way.
    public let isProtected: Bool
    private let calls: LinkCalls

    /// - Parameters:
    ///   - acquirer: which acquirer must be at the other end, and what it must be able to do. ``describe`` asks it.
    ///   - endpoints: at least one. All must be of one acquirer: of one book.
    ///   - book: where it is kept which that is.
    public init(
        _ acquirer: AcquirerLinkDescription, at endpoints: [AcquirerLinkEndpoint], secret: AcquirerLinkSecret,
        book: AcquirerLinkBookRecord = .none, settings: AcquirerLinkSettings = AcquirerLinkSettings(),
        surroundings: AcquirerLinkSurroundings, group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
        logger: Logger
    ) {
        self.name = acquirer.name
        self.capabilities = acquirer.capabilities
        self.isProtected = endpoints.allSatisfy { $0.tls != nil }
        let dialer = LinkDialer(
            endpoints: endpoints, secret: secret, book: book, random: surroundings.random, group: group)
        self.calls = LinkCalls(dialer, acquirer, settings, surroundings, logger)
    }

    /// Asks who is at the other end, over a connection of its own: for a program that starts.
    /// - Throws: ``AcquirerLinkError`` with `unreachable` or `refused`.
    public static func describe(
        at endpoints: [AcquirerLinkEndpoint], secret: AcquirerLinkSecret,
        settings: AcquirerLinkSettings = AcquirerLinkSettings(), surroundings: AcquirerLinkSurroundings,
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton, logger: Logger
    ) async throws(AcquirerLinkError) -> AcquirerLinkDescription {
        let dialer = LinkDialer(endpoints: endpoints, secret: secret, random: surroundings.random, group: group)
        let calls = LinkCalls(dialer, nil, settings, surroundings, logger)
        defer { calls.close() }
        switch await calls.connect() {
        case .success(let description): return description
        case .failure(.refused):
            throw AcquirerLinkError(
                code: .refused,
                reason: "who answers at the acquirer's address has another secret or version; compare both ends")
        case .failure:
            throw AcquirerLinkError(
                code: .unreachable, reason: "nobody answers at the acquirer's address; start it, or correct the address"
            )
        }
    }

    /// How the link stands.
    public var state: AcquirerLinkState { self.calls.linkState }

    /// Begins to make a connection if there is none, so that the state is known before the first call. Does not wait.
    public func beginToConnect() { self.calls.beginToConnect() }

    /// Ends the connection and every call. Calls that come later are answered at once.
    public func close() { self.calls.close() }

    /// Makes a connection if there is none.
    /// - Returns: why there is none.
    func connect() async -> LinkFailure? {
        switch await self.calls.connect() {
        case .success: nil
        case .failure(let failure): failure
        }
    }

    /// Where what the acquirer reports by itself is handed over; `nil` has it sent again later.
    func take(_ reports: AcquirerReports?) { self.calls.take(reports) }

    /// The acquirer as an account has it.
    ///
    /// - Parameter capabilities: what the account is expected to be able to do; where the other end finds something else,
    ///   its calls are not processed.
    func acquirer(of account: OpenedAcquirerAccount, _ capabilities: AcquirerCapabilities) -> any Acquirer {
        LinkedAcquirer(
            name: self.name, capabilities: capabilities, calls: self.calls,
            account: LinkAccount(account, AcquirerLinkDescription(name: self.name, capabilities: capabilities)))
    }

    /// Has the other end check an account, with the connector by which it reaches the acquirer.
    func check(
        _ account: OpenedAcquirerAccount, _ capabilities: AcquirerCapabilities
    ) async -> Result<[ConnectorFinding], LinkFailure> {
        let description = AcquirerLinkDescription(name: self.name, capabilities: capabilities)
        return await self.calls.check(LinkAccount(account, description))
    }

    /// Has the other end do what an operator asks for.
    func command(
        _ name: String, _ account: OpenedAcquirerAccount, _ capabilities: AcquirerCapabilities
    ) async -> Result<ConnectorFinding, LinkFailure> {
        let description = AcquirerLinkDescription(name: self.name, capabilities: capabilities)
        return await self.calls.command(name, LinkAccount(account, description))
    }

    /// As it is without an account.
    private var acquirer: LinkedAcquirer {
        LinkedAcquirer(name: self.name, capabilities: self.capabilities, calls: self.calls, account: nil)
    }

    public var readiness: AcquirerReadiness { self.acquirer.readiness }

    public func perform(_ request: AcquirerRequest) async -> AcquirerOutcome { await self.acquirer.perform(request) }

    public func prepare(_ request: AcquirerRequest) async -> AcquirerPreparation {
        await self.acquirer.prepare(request)
    }

    public func query(_ query: AcquirerQuery) async -> AcquirerQueryOutcome { await self.acquirer.query(query) }
}

/// What is at the other end, under an account.
private struct LinkedAcquirer: Acquirer {
    let name: AcquirerName
    let capabilities: AcquirerCapabilities
    let calls: LinkCalls
    let account: LinkAccount?

    /// Nobody has been called yet is no reason to believe that nobody is there.
    var readiness: AcquirerReadiness {
        switch self.calls.linkState {
        case .connected, .connecting: return .ready
        case .signedOff: return .notReady(LinkFailure.signedOff.rawValue)
        case .unreachable: return self.tryingAgain(.unreachable)
        case .refused: return self.tryingAgain(.refused)
        }
    }

    private func tryingAgain(_ failure: LinkFailure) -> AcquirerReadiness {
        self.calls.beginToConnect()
        return .notReady(failure.rawValue)
    }

    func perform(_ request: AcquirerRequest) async -> AcquirerOutcome {
        switch await self.calls.make(.perform(request), self.account) {
        case .success(.operation(let outcome)): outcome
        case .success(.query), .success(.preparation): LinkFailure.garbledAnswer.outcome
        case .failure(let failure): failure.outcome
        }
    }

    /// Whatever happens on the way, a preparation moves nothing.
    func prepare(_ request: AcquirerRequest) async -> AcquirerPreparation {
        switch await self.calls.make(.prepare(request), self.account) {
        case .success(.preparation(let preparation)): preparation
        case .success(.query), .success(.operation):
            LinkFailure.garbledAnswer.preparation
        case .failure(let failure): failure.preparation
        }
    }

    func query(_ query: AcquirerQuery) async -> AcquirerQueryOutcome {
        switch await self.calls.make(.query(query), self.account) {
        case .success(.query(let outcome)): outcome
        case .success(.operation), .success(.preparation): LinkFailure.garbledAnswer.queryOutcome
        case .failure(let failure): failure.queryOutcome
        }
    }
}
