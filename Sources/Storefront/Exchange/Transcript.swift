//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import DialectKit
import Foundation
import HTTPTypes
import Redaction
import StrictJSON

/// Writes requests and answers for people: members and lines under each other, secrets taken out.
struct Transcript: Sendable {
    let scrubber: Scrubber
    /// What stands in the place of a secret of that name.
    var placeholder: @Sendable (_ name: String) -> String = { _ in Scrubber.mark }

    /// Headers that say something; the others are left out.
    private static let shownHeaders: Set = [
        "authorization", "apikey", "content-type", "merchant-code", "nonce", "request-time", "response-time",
        "signature",
        "x-api-key", "x-notification-attempt", "x-notification-id", "x-notification-secret", "x-pomona-signature",
    ]

    func text(_ request: ClientRequest) -> String {
        self.text(headers: request.headers.map { ($0.name, $0.value.reveal()) }, body: request.body.reveal())
    }

    func text(_ reply: ClientReply) -> String {
        self.text(headers: reply.headers.map { ($0.name.rawName, $0.value) }, body: reply.body)
    }

    /// The headers that say something, an empty line, and the body.
    func text(headers: [(String, String)], body: [UInt8]) -> String {
        var lines: [String] = []
        var contentType = ""
        for (name, value) in headers {
            let lower = name.lowercased()
            if lower == "content-type" { contentType = value.lowercased() }
            guard Self.shownHeaders.contains(lower) else { continue }
            lines.append("\(name): \(self.header(lower, value))")
        }
        let text = self.body(body, contentType: contentType)
        if !text.isEmpty { lines += [""] + [text] }
        return self.scrubber.scrub(lines.joined(separator: "\n"))
    }

    private func header(_ name: String, _ value: String) -> String {
        switch name {
        // The scheme is no secret, and neither is how the signature was made.
        case "authorization": value.prefix { $0 != " " } + " " + Scrubber.mark
        case "signature", "x-pomona-signature":
            if let range = value.range(of: "signature=") {
                value[..<range.upperBound] + value[range.upperBound...].prefix(6) + Scrubber.mark
            } else {
                value.prefix(10) + Scrubber.mark
            }
        case "nonce": value
        default: BodyText.isSecret(name) ? Scrubber.mark : value
        }
    }

    /// How a body is written.
    static func format(of body: [UInt8]) -> ExchangeEntry.Format {
        if body.isEmpty { return .plain }
        if (try? JSON.parse(body)) != nil { return .json }
        return body.first == UInt8(ascii: "<") ? .xml : .fields
    }

    func body(_ body: [UInt8], contentType: String) -> String {
        BodyText(placeholder: self.placeholder).text(body, contentType: contentType)
    }
}
