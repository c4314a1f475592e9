//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import HTTPTypes
import Hummingbird

/// Why a request is refused for its head alone, whoever would answer it: two programs could read it in two ways.
enum RequestFraming: Hashable {
    /// None, several, or one that names no host (RFC 9112, section 3.2: the answer must be 400).
    case hostWrong
    /// A transfer coding that the server does not know (RFC 9112, section 6.1: the answer should be 501).
    case codingUnknown
    /// Chunked more than once (RFC 9112, section 6.1).
    case codingRepeated
    /// A transfer coding in another version than HTTP/1.1, whose other readers go by the length (RFC 9112, section 6.1: the
    /// framing is faulty, and the connection is to be closed).
    case codingInOtherVersion

    /// What stands in the place of such a coding behind the codec, which hands on no version.
    static let codingOfOtherVersions = "of-another-version"

    init?(_ request: Request) {
        // The codec takes the first Host for the authority, and leaves any other among the fields.
        guard let host = request.head.authority, Self.isHost(host),
            !request.headers.contains(where: { $0.name.canonicalName == "host" })
        else {
            self = .hostWrong
            return
        }
        let codings = request.headers[values: .transferEncoding].flatMap { $0.split(separator: ",") }
            .map { $0.lowercased().filter { $0 != " " && $0 != "\t" } }
        guard !codings.contains(Self.codingOfOtherVersions) else {
            self = .codingInOtherVersion
            return
        }
        guard codings.allSatisfy({ $0 == "chunked" }) else {
            self = .codingUnknown
            return
        }
        guard codings.count > 1 else { return nil }
        self = .codingRepeated
    }

    /// RFC 3986, section 3.2.2, with a port; empty where the client knows none (RFC 9112, section 3.2).
    static func isHost(_ text: String) -> Bool {
        text.utf8.allSatisfy { ASCII.isAlphanumeric($0) || "-._~%!$&'()*+;=:[]".utf8.contains($0) }
    }

    var response: Response {
        switch self {
        case .hostWrong:
            OperationsPages.failure(
                .badRequest, code: "bad_host", "The request must have exactly one Host field, which names a host.")
        case .codingUnknown:
            OperationsPages.failure(
                .notImplemented, code: "transfer_coding_unknown", "The only transfer coding that is taken is chunked.")
        case .codingRepeated:
            OperationsPages.failure(
                .badRequest, code: "transfer_coding_repeated", "The body is chunked more than once.")
        case .codingInOtherVersion:
            OperationsPages.failure(
                .badRequest, code: "transfer_coding_misplaced",
                "Transfer-Encoding is for HTTP/1.1 alone (RFC 9112, section 6.1). Send a Content-Length.")
        }
    }
}
