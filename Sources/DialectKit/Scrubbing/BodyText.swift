//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import StrictJSON

/// Writes the bodies of requests and answers for people: members and lines under each other, and without the value of
/// whatever is known to hold a secret. What a ``Scrubber`` knows by its value is still in it.
public struct BodyText: Sendable {
    /// Further names whose value nobody may see here, in lower case, wherever they stand in a name of several parts.
    private let hiddenNames: Set<String>
    /// What stands in the place of a secret of that name.
    private let placeholder: @Sendable (_ name: String) -> String

    public init(
        hiding hiddenNames: Set<String> = [], placeholder: @escaping @Sendable (_ name: String) -> String
    ) {
        self.hiddenNames = hiddenNames
        self.placeholder = placeholder
    }

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

    public static func isSecret(_ name: String) -> Bool {
        let lower = name.lowercased()
        if self.secretNames.contains(lower) { return true }
        return self.secretNames.contains(self.parts(of: lower).last ?? lower)
    }

    /// Of "sourceOfFunds.provided.card.number", "add_paydata[paymentdata_token_data]".
    private static func parts(of name: String) -> [String] {
        name.split(whereSeparator: { ".[]".contains($0) }).map(String.init)
    }

    private func hides(_ name: String) -> Bool {
        Self.isSecret(name) || !self.hiddenNames.isDisjoint(with: Self.parts(of: name.lowercased()))
    }

    public func text(_ body: [UInt8], contentType: String) -> String {
        if body.isEmpty { return "" }
        if let json = try? JSON.parse(body) { return self.scrubbed(json).text(pretty: true) }
        let text = String(decoding: body, as: UTF8.self)
        if text.hasPrefix("<") {
            return XMLText.indented(text) { self.hides($0) ? self.placeholder($0) : nil }
        }
        if MediaType.isForm(contentType) {
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
            return "\(name)=\(value.isEmpty || !self.hides(name) ? value : self.placeholder(name))"
        }.joined(separator: "\n")
    }

    /// The value with the secrets of its members taken out. A text that is itself JSON is read as such.
    private func scrubbed(_ json: JSON) -> JSON {
        switch json {
        case .object(let object):
            var output = JSONObject()
            for (name, value) in object.members {
                output[name] = self.hides(name) ? self.hidden(name, value) : self.scrubbed(value)
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
