//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
public import Redaction

/// One HTTP request to an acquirer.
public struct UpstreamRequest: Sendable {
    public var method: String
    /// Without a secret, a card number or a token: proxies and servers log URLs.
    public var url: String
    /// Header fields beside those that HTTP itself needs, in order.
    public var headers: [(name: String, value: Redacted<String>)]
    public var body: Redacted<[UInt8]>?
    /// Whom to trust and who is calling; the system's authorities and nobody in particular where it is left out.
    public var tls: UpstreamTLS
    /// Whether the URL may be http. Only for an acquirer that is a program on this machine.
    public var allowsPlainHTTP: Bool
    /// Whose call it is: an account has a part of a host's connections.
    public var account: AcquirerAccountID?
    /// How long it may take from the first look at the name server to the last byte of the answer.
    public var deadlineMilliseconds: Int64

    public init(
        method: String, url: String, headers: [(name: String, value: Redacted<String>)] = [],
        body: Redacted<[UInt8]>? = nil, tls: UpstreamTLS = .system, allowsPlainHTTP: Bool = false,
        account: AcquirerAccountID? = nil, deadlineMilliseconds: Int64
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.tls = tls
        self.allowsPlainHTTP = allowsPlainHTTP
        self.account = account
        self.deadlineMilliseconds = deadlineMilliseconds
    }
}

/// How a request ended. What may be concluded from each ending is the same for every acquirer.
public enum UpstreamEnding: Sendable {
    /// A whole answer has come; only its own words say what it means.
    case answered(UpstreamAnswer)
    /// No byte of the request has left for the acquirer's application, and none will. The word is for a log.
    case notSent(String)
    /// Some of the request may have arrived, and no whole answer has come.
    case unknown(UnknownOutcome)
}

/// A whole answer.
public struct UpstreamAnswer: Sendable {
    public let status: Int
    let headers: [(name: String, value: String)]
    /// Whatever the acquirer echoes stands in it.
    public let body: Redacted<[UInt8]>

    public init(status: Int, headers: [(name: String, value: String)] = [], body: Redacted<[UInt8]>) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first header field of that name (RFC 9110, section 5.1: names have no case).
    public func header(_ name: String) -> String? {
        let name = name.lowercased()
        return self.headers.first { $0.name.lowercased() == name }?.value
    }
}

/// What an exchange may take.
public struct UpstreamLimits: Sendable {
    /// For the name server, TCP and TLS together: a connection that was not made is known to have sent nothing, so this
    /// is much shorter than the deadline of the whole call.
    public var connectMilliseconds: Int64
    public var answerBytesMax: Int
    /// How long a connection waits for its next request. Shorter than proxies keep theirs (a minute is usual): what is
    /// written to a connection that the other end is just closing has an unknown outcome.
    public var idleMilliseconds: Int64
    /// Connections to one host; a request beyond them waits for one.
    public var connectionsPerHostMax: Int
    /// Calls of one account at a time. Many merchants share a host, and the bank of one that answers slowly must not keep
    /// the connections of all.
    public var callsPerAccountMax: Int

    public init(
        connectMilliseconds: Int64 = 3000, answerBytesMax: Int = 1 << 20, idleMilliseconds: Int64 = 10_000,
        connectionsPerHostMax: Int = 1024, callsPerAccountMax: Int = 128
    ) {
        self.connectMilliseconds = connectMilliseconds
        self.answerBytesMax = answerBytesMax
        self.idleMilliseconds = idleMilliseconds
        self.connectionsPerHostMax = connectionsPerHostMax
        self.callsPerAccountMax = callsPerAccountMax
    }
}
