//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Payments

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Why an exchange has brought no answer, in two words for the log: one for a request that was not written, one for a
/// request that was. Nothing is decided by them; ``SendPermit`` decides. None carries anything of the error's own text.
struct ExchangeFailure: Error, Sendable {
    /// "connection_refused".
    let beforeWriting: String
    let afterWriting: UnknownOutcome

    private init(_ beforeWriting: String, _ afterWriting: UnknownOutcome) {
        self.beforeWriting = beforeWriting
        self.afterWriting = afterWriting
    }

    static let deadlinePassed = ExchangeFailure("no_connection_in_time", .timedOut("no_answer_in_time"))

    static let hostNotFound = ExchangeFailure("host_not_found", .unclear("connection_lost"))
    static let hostNotPublic = ExchangeFailure("host_not_public", .unclear("connection_lost"))

    init(_ error: any Error) {
        switch error {
        case let failure as ExchangeFailure: self = failure
        case is CancellationError: self = .deadlinePassed
        case is NIOTooManyBytesError, is AnswerBytesBound.Exceeded:
            self.init("not_connected", .unclear("answer_too_large"))
        case let error as HTTPClientError: self.init(client: error)
        case is HTTPParserError: self.init("not_connected", .unclear("answer_malformed"))
        case let error as NIOConnectionError: self.init(Self.word(of: error), .unclear("connection_lost"))
        case let error as IOError: self.init(Self.word(errno: error.errnoCode), .unclear("connection_lost"))
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError:
            self.init(Self.word(tls: error), .unclear("tls_connection_lost"))
        default: self.init("not_connected", .unclear("connection_lost"))
        }
    }

    private init(client error: HTTPClientError) {
        switch error {
        case .connectTimeout: self.init("connect_timeout", .timedOut("no_answer_in_time"))
        case .tlsHandshakeTimeout: self.init("tls_timeout", .timedOut("no_answer_in_time"))
        case .getConnectionFromPoolTimeout: self.init("no_free_connection", .timedOut("no_answer_in_time"))
        case .deadlineExceeded, .readTimeout, .writeTimeout, .cancelled: self = .deadlinePassed
        case .alreadyShutdown: self.init("shut_down", .unclear("shut_down"))
        case .remoteConnectionClosed: self.init("connection_closed", .unclear("connection_closed"))
        default: self.init("not_connected", .unclear("connection_lost"))
        }
    }

    /// A connection by name, to all of its addresses in turn (RFC 8305).
    private static func word(of error: NIOConnectionError) -> String {
        let codes = error.connectionErrors.compactMap { ($0.error as? IOError)?.errnoCode }
        if let code = codes.first { return self.word(errno: code) }
        return error.connectionErrors.isEmpty ? "host_not_found" : "connect_timeout"
    }

    private static func word(errno code: CInt) -> String {
        switch code {
        case ECONNREFUSED: "connection_refused"
        case EHOSTUNREACH, ENETUNREACH, EADDRNOTAVAIL, EAFNOSUPPORT: "host_unreachable"
        case ETIMEDOUT: "connect_timeout"
        case ECONNRESET, EPIPE: "connection_reset"
        default: "not_connected"
        }
    }

    /// BoringSSL gives its reasons in texts alone.
    private static func word(tls error: any Error) -> String {
        if let error = error as? NIOSSLExtraError, error == .failedToValidateHostname { return "tls_wrong_host" }
        let text = "\(error)"
        if text.contains("CERTIFICATE_VERIFY_FAILED") || text.contains("unableToValidateCertificate") {
            return "tls_not_trusted"
        }
        return text.contains("ALERT") ? "tls_refused" : "tls_failed"
    }
}
