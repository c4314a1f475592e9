//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import BaseEncoding
import Crypto
import Foundation
public import Redaction
public import Time

/// Proves of a webhook that it is this gateway's, which event it reports, and when it was sent; beside whatever the
/// dialect has of its own. docs/webhooks.md says how a receiver verifies it.
///
/// The signed text is the seconds, a dot, the message's id, a dot and the body's bytes. It can be read in one way only,
/// because the seconds are digits and an id holds no dot.
public struct WebhookSignature: Hashable, Sendable {
    public static let headerName = "Pomona-Signature"
    /// The message's id: the event's, and from an event's second message on also its number, "evt_…-2".
    public static let idHeaderName = "Pomona-Event-Id"
    /// Which attempt at the message it is, from 1. Not signed: it is for people.
    public static let attemptHeaderName = "Pomona-Attempt"
    /// How far a receiver's clock may be from the time in a signature.
    public static let toleranceSeconds: Int64 = 300

    /// The header's value: `t=<seconds since 1970>,v1=<HMAC-SHA256 in lower-case hexadecimal>`, a `v1` for every secret.
    public let text: String

    /// - Parameter secrets: the keys, as the bytes of their text; the current one first.
    public init(messageID: String, body: [UInt8], secrets: [Redacted<String>], at now: Timestamp) {
        let seconds = String(now.seconds)
        let codes = secrets.map { secret in
            Hex.encode(Self.code(seconds: seconds, messageID: messageID, body: body, secret: secret))
        }
        self.text = (["t=\(seconds)"] + codes.map { "v1=\($0)" }).joined(separator: ",")
    }

    private static func code(
        seconds: String, messageID: String, body: [UInt8], secret: Redacted<String>
    ) -> HMAC<SHA256>.MAC {
        var code = HMAC<SHA256>(key: SymmetricKey(data: Data(secret.reveal().utf8)))
        code.update(data: Data("\(seconds).\(messageID).".utf8))
        code.update(data: Data(body))
        return code.finalize()
    }
}

extension WebhookSignature {
    /// What a receiver finds.
    public enum Verdict: String, Hashable, Sendable, CaseIterable {
        case valid
        /// The header, or the id, is not of the form that is sent.
        case malformed
        /// The time in it is too far from the receiver's.
        case outdated
        /// By none of the secrets, or over something else.
        case forged
    }

    /// - Parameters:
    ///   - header: the value of ``headerName``.
    ///   - messageID: the value of ``idHeaderName``.
    public static func verdict(
        header: String, messageID: String, body: [UInt8], secrets: [Redacted<String>], at now: Timestamp
    ) -> Verdict {
        guard header.utf8.count <= 4096, !messageID.isEmpty, !messageID.contains(".") else { return .malformed }
        let parts = header.split(separator: ",").map { $0.filter { $0 != " " } }
        let times = parts.filter { $0.hasPrefix("t=") }.map { $0.dropFirst(2) }
        let codes = parts.filter { $0.hasPrefix("v1=") }.compactMap { Hex.decode($0.dropFirst(3).lowercased()) }
        guard times.count == 1, let time = times.first, !codes.isEmpty,
            ASCII.isDigits(time, 1...12),
            let seconds = Int64(time)
        else { return .malformed }
        guard abs(now.seconds - seconds) <= Self.toleranceSeconds else { return .outdated }
        for secret in secrets {
            let expected = self.code(seconds: String(time), messageID: messageID, body: body, secret: secret)
            // Compared in constant time by the library.
            if codes.contains(where: { expected == Data($0) }) { return .valid }
        }
        return .forged
    }
}
