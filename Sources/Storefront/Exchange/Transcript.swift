//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import Foundation
import HTTPTypes
import Redaction
import StrictJSON

/// Writes requests and answers for people: members and lines under each other, secrets taken out.
struct Transcript: Sendable {
    let scrubber: Scrubber
    /// What stands in the place of a secret of that name.
    var placeholder: @Sendable (_ name: String) -> String = { _ in Scrubber.mark }

    /// Members, fields, parameters and elements whose value nobody may see, in lower case and without what stands
    /// before the last dot or around brackets.
    private static let secretNames: Set = [
        "data", "signature", "ephemeralpublickey", "ephemeral_publickey", "wrappedkey", "publickeyhash",
        "publickey_hash", "paymenttoken", "token", "pay_token_data", "paymentdata", "onlinepaymentcryptogram",
        "emvdata", "encryptedpindata", "cryptogram", "cavvucaf", "key", "password", "apipassword", "apikey", "app_key",
        "appkey", "partner_key", "partnerkey", "x-api-key", "authorization", "prime", "card_secret", "card_key",
        "card_token", "number", "securitycode", "applepay_payment_session", "merchant_session", "nonce", "aes256key",
        "x-notification-secret", "paymentdata_token_data", "paymentdata_token_signature",
        "paymentdata_token_ephemeral_publickey", "paymentdata_token_publickey_hash",
    ]

    /// Headers that say something; the others are left out.
    private static let shownHeaders: Set = [
        "authorization", "apikey", "content-type", "merchant-code", "nonce", "request-time", "response-time",
        "signature",
        "x-api-key", "x-notification-attempt", "x-notification-id", "x-notification-secret", "x-pomona-signature",
    ]

    static func isSecret(_ name: String) -> Bool {
        let lower = name.lowercased()
        if self.secretNames.contains(lower) { return true }
        // "sourceOfFunds.provided.card.number", "add_paydata[paymentdata_token_data]"
        let last = lower.split(whereSeparator: { ".[]".contains($0) }).last.map(String.init) ?? lower
        return self.secretNames.contains(last)
    }

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
        default: Self.isSecret(name) ? Scrubber.mark : value
        }
    }

    /// How a body is written.
    static func format(of body: [UInt8]) -> ExchangeEntry.Format {
        if body.isEmpty { return .plain }
        if (try? JSON.parse(body)) != nil { return .json }
        return body.first == UInt8(ascii: "<") ? .xml : .fields
    }

    func body(_ body: [UInt8], contentType: String) -> String {
        if body.isEmpty { return "" }
        if let json = try? JSON.parse(body) { return self.scrubbed(json).text(pretty: true) }
        let text = String(decoding: body, as: UTF8.self)
        if text.hasPrefix("<") {
            return XMLText.indented(text) { Self.isSecret($0) ? self.placeholder($0) : nil }
        }
        if contentType.hasPrefix("application/x-www-form-urlencoded") {
            return self.fields(text.split(separator: "&"), decodes: true)
        }
        return self.fields(text.split(whereSeparator: \.isNewline), decodes: false)
    }

    /// "name=value" lines; a line without "=" stays as it is.
    private func fields(_ parts: [Substring], decodes: Bool) -> String {
        func decoded(_ text: Substring) -> String {
            guard decodes else { return String(text) }
            return text.replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? Scrubber.mark
        }
        return parts.map { part in
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2 else { return decoded(part) }
            let name = decoded(pair[0])
            let value = decoded(pair[1])
            return "\(name)=\(value.isEmpty || !Self.isSecret(name) ? value : self.placeholder(name))"
        }.joined(separator: "\n")
    }

    /// The value with the secrets of its members taken out. A text that is itself JSON is read as such.
    func scrubbed(_ json: JSON) -> JSON {
        switch json {
        case .object(let object):
            var output = JSONObject()
            for (name, value) in object.members {
                output[name] = Self.isSecret(name) ? self.hidden(name, value) : self.scrubbed(value)
            }
            return .object(output)
        case .array(let elements): return .array(elements.map(self.scrubbed))
        case .string(let text):
            guard text.hasPrefix("{"), let inner = try? JSON.parse(text) else { return json }
            return .string(self.scrubbed(inner).text())
        case .number, .bool, .null: return json
        }
    }

    /// Of a token its structure is shown, also where it is a text that is itself JSON (CommWeb); of anything else
    /// nothing but that it is there.
    private func hidden(_ name: String, _ value: JSON) -> JSON {
        switch value {
        case .null, .bool: return value
        case .string(let text) where text.isEmpty: return value
        // Masked already: the last four digits, or the first six too.
        case .string(let text) where name.lowercased() == "number" && text.utf8.count { $0 < 0x40 } <= 10: return value
        case .string(let text):
            guard text.hasPrefix("{"), let inner = try? JSON.parse(text), inner.object != nil else { break }
            return .string(self.scrubbed(inner).text())
        case .object where Self.structuredNames.contains(name.lowercased()): return self.scrubbed(value)
        case .object, .array, .number: break
        }
        return .string(self.placeholder(name))
    }

    private static let structuredNames: Set = ["token", "paymenttoken", "paymentdata", "pay_token_data"]
}
