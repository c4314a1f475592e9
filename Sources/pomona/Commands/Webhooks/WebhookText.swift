//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import DialectKit
import StrictJSON

/// A webhook's headers and body as they are shown: without secrets, without anything that a terminal obeys, and no longer
/// than a person reads.
struct WebhookText: Sendable {
    static let bodyBytesMax = 16 * 1024
    private static let hidden = "[redacted]"

    /// Header by header, in the order in which they came.
    let headers: [(name: String, value: String)]
    let body: String

    init(_ webhook: ReceivedWebhook) {
        self.headers = webhook.headers.map { header in
            let isSecret = Self.secretHeaders.contains(header.name.lowercased())
            return (Self.printable(header.name), isSecret ? Self.hidden : Self.printable(header.value))
        }
        let shown = Self.readable(webhook)
        let bytesLeft = shown.utf8.count - Self.bodyBytesMax
        self.body =
            bytesLeft > 0
            ? String(decoding: shown.utf8.prefix(Self.bodyBytesMax), as: UTF8.self) + "\n… (\(bytesLeft) bytes more)"
            : shown
    }

    /// What whoever reads it could speak for the gateway, or the merchant, with.
    private static let secretHeaders: Set = ["authorization", "cookie", "proxy-authorization", "x-notification-secret"]

    private static func readable(_ webhook: ReceivedWebhook) -> String {
        let text = String(decoding: webhook.body, as: UTF8.self)
        switch webhook.contentType {
        case "application/json":
            guard let json = try? JSON.parse(webhook.body) else { return Self.printable(text) }
            return Self.printable(json.text(pretty: true))
        case "application/x-www-form-urlencoded":
            return text.split(separator: "&").map { field in
                // PAYONE's key is the digest of a secret, and as good as that.
                Self.printable(field.hasPrefix("key=") ? "key=\(Self.hidden)" : Self.decoded(field))
            }.joined(separator: "\n")
        default: return Self.printable(text)
        }
    }

    /// ISO 8859-1 or ASCII, as dialects write forms; other bytes become question marks of some kind, which is enough to
    /// read.
    private static func decoded(_ field: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(field.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap(ASCII.hexValue)
            if byte == 0x25, digits.count == 2 {
                bytes.append(digits[0] << 4 | digits[1])
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == 0x2B ? 0x20 : byte)
            }
        }
        return String(String.UnicodeScalarView(bytes.map { UnicodeScalar($0) }))
    }

    /// What a terminal would obey is written out, but for the ends of lines and tabulators.
    static func printable(_ text: String) -> String {
        var shown = ""
        for scalar in text.unicodeScalars {
            if ForeignText.isObeyed(scalar), scalar != "\n", scalar != "\t" {
                if scalar != "\r" { shown += "\\u{\(String(scalar.value, radix: 16))}" }
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }
}
