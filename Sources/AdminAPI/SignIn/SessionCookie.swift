//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
public import Redaction

/// The cookie that holds a session's secret (RFC 6265bis).
///
/// No script reads it, no request that a page of another site begins carries it, and no longer than the browser runs is
/// it kept; when a session ends, the store says. With TLS its name has the prefix `__Host-`: browsers take such a one from
/// this very host alone, so that no neighbour can plant one.
public struct SessionCookie: Hashable, Sendable {
    /// What becomes of it with an answer.
    public enum Change: Sendable {
        case set(Redacted<String>)
        case clear
    }

    private static let secretBytesMax = 128

    let isSecure: Bool

    public init(isSecure: Bool) {
        self.isSecure = isSecure
    }

    public var name: String { self.isSecure ? "__Host-pomona" : "pomona_session" }

    /// The header Set-Cookie.
    public func header(_ change: Change) -> String {
        let attributes = "Path=/; HttpOnly; SameSite=Strict" + (self.isSecure ? "; Secure" : "")
        return switch change {
        case .set(let secret): "\(self.name)=\(secret.reveal()); \(attributes)"
        case .clear: "\(self.name)=; \(attributes); Max-Age=0"
        }
    }

    /// Whether the request carries it at all.
    func isIn(_ request: WireRequest) -> Bool { !self.values(request).isEmpty }

    /// The secret that a request carries; `nil` where there is none, and where there are several: one of them would not be
    /// of this server's making.
    func secret(in request: WireRequest) -> Redacted<String>? {
        let values = self.values(request)
        guard values.count == 1, let value = values.first, (1...Self.secretBytesMax).contains(value.utf8.count) else {
            return nil
        }
        return Redacted(String(value))
    }

    /// RFC 6265, section 4.2.1.
    private func values(_ request: WireRequest) -> [Substring] {
        request.headers[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { part in
            let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return pair.count == 2 && pair[0] == self.name ? pair[1] : nil
        }
    }
}
