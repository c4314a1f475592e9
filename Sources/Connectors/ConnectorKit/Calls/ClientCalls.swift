//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Clients
import HTTPTypes
public import Payments
import Redaction

/// The calls of one account whose requests a wire client makes (`Clients`).
public struct ClientCalls: Sendable {
    private let client: UpstreamClient
    private let account: AcquirerAccountID?
    private let address: UpstreamAddress
    private let tls: UpstreamTLS
    private let deadlines: UpstreamDeadlines
    private let now: @Sendable () -> ContinuousClock.Instant

    public init(
        client: UpstreamClient, account: AcquirerAccountID? = nil, address: UpstreamAddress, tls: UpstreamTLS,
        deadlines: UpstreamDeadlines, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.client = client
        self.account = account
        self.address = address
        self.tls = tls
        self.deadlines = deadlines
        self.now = now
    }

    /// What ``AcquirerCapabilities/deadlines`` says of the account.
    public var limits: AcquirerCapabilities.Deadlines {
        AcquirerCapabilities.Deadlines(
            chargeMilliseconds: self.deadlines.chargeMilliseconds, otherMilliseconds: self.deadlines.otherMilliseconds,
            connectMilliseconds: self.client.connectMilliseconds)
    }

    /// Of an operation for which an issuer is asked.
    public var chargeBudget: UpstreamBudget { self.budget(of: self.deadlines.chargeMilliseconds) }

    public var budget: UpstreamBudget { self.budget(of: self.deadlines.otherMilliseconds) }

    /// No more than is left of the gateway's own time: its ending does not say whether anything was sent.
    private func budget(of milliseconds: Int64) -> UpstreamBudget {
        UpstreamBudget(milliseconds: min(milliseconds, AcquirerCallTime.milliseconds ?? milliseconds), now: self.now)
    }

    /// After how long nothing that was sent can reach the service any more. We give up writing when the longest of the
    /// account's calls ends, and a proxy in between, which may still hold the request, gives up after sixty seconds by
    /// the usual default.
    public var quietSeconds: Int64 { self.longestSeconds + 60 }

    /// What the longest of the account's calls may take.
    public var longestSeconds: Int64 { self.deadlines.longestSeconds }

    /// Sends a request, for connectors that read every HTTP status themselves.
    public func exchange(_ request: ClientRequest, within budget: UpstreamBudget) async -> UpstreamEnding {
        let milliseconds = budget.remainingMilliseconds
        guard milliseconds > 0 else { return .notSent("no_time_left") }
        return await self.client.exchange(
            UpstreamRequest(
                method: request.method.rawValue, url: self.address.origin + request.path, headers: request.headers,
                body: request.body.reveal().isEmpty ? nil : request.body, tls: self.tls,
                allowsPlainHTTP: self.address.isPlain, account: self.account, deadlineMilliseconds: milliseconds))
    }

    /// Has a client make a request, sends it, and has the client read the answer. What it cannot make is not sent.
    ///
    /// - Parameters:
    ///   - client: speaks with one of the account's credentials.
    ///   - statuses: which HTTP statuses the service gives to answers of its own. Any other is somebody else's, and means
    ///     what it means for every acquirer (``UpstreamReply/init(status:)``).
    public func send<Client: WireClient>(
        as client: Client, within budget: UpstreamBudget, statuses: ClosedRange<Int> = 200...200,
        _ make: (Client) throws(ClientError) -> ClientRequest
    ) async -> UpstreamReply {
        let request: ClientRequest
        do throws(ClientError) {
            request = try make(client)
        } catch {
            return .notProcessed(NotProcessed(.requestRefused, "request_not_made"))
        }
        switch await self.exchange(request, within: budget) {
        case .notSent(let word): return .notProcessed(NotProcessed(.notSent, word))
        case .unknown(let unknown): return .unknown(unknown)
        case .answered(let answer):
            guard statuses.contains(answer.status) else { return UpstreamReply(status: answer.status) }
            let reply = answer.asReply
            return .answered(client.read(reply, to: request), reply)
        }
    }
}

/// How a call ended.
public enum UpstreamReply: Sendable {
    /// The service's own answer: as its client reads it, and as it came.
    case answered(Reading, ClientReply)
    /// Nothing was done, and nothing will be.
    case notProcessed(NotProcessed)
    case unknown(UnknownOutcome)

    /// What an HTTP status says that the service does not give to its own answers: the same for every acquirer.
    ///
    /// A status that somebody in between may send too (500 and up, 408, 409, 425) leaves everything open, whatever the
    /// body says (docs/connectors/mpgs.md, "How outcomes are read").
    public init(status: Int) {
        let word = "http_\(status)"
        switch status {
        case 300...399: self = .notProcessed(NotProcessed(.requestRefused, "http_redirect"))
        case 401, 403, 407: self = .notProcessed(NotProcessed(.notAuthorized, word))
        case 429: self = .notProcessed(NotProcessed(.busy, word))
        case 400, 404, 405, 406, 410, 411, 413, 414, 415, 421, 422, 426, 431:
            self = .notProcessed(NotProcessed(.requestRefused, word))
        case 408, 504: self = .unknown(.timedOut(word))
        default: self = .unknown(.unclear(word))
        }
    }
}

extension UpstreamAnswer {
    var asReply: ClientReply {
        var fields = HTTPFields()
        for header in self.headers {
            guard let name = HTTPField.Name(header.name) else { continue }
            fields.append(HTTPField(name: name, value: header.value))
        }
        return ClientReply(status: self.status, headers: fields, body: self.body.reveal())
    }
}
