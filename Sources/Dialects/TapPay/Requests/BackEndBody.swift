//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import StrictJSON

/// The body of a back-end request, or an object in it, read field by field; what does not fit is thrown with the number
/// that the caller names. A field that is `null` counts as left out, and fields that nobody asks for are ignored.
struct BackEndBody: Sendable {
    private static let limits = JSONLimits.ofRequest(
        bytesMax: TapPay.backEndBodyBytesMax, depthMax: 16, valuesMax: 2000)

    let object: JSONObject

    init(_ object: JSONObject) {
        self.object = object
    }

    init(parsing bytes: [UInt8]) throws(TapPayFailure) {
        do throws(BodyError) {
            self.object = try JSONObject(body: bytes, limits: Self.limits)
        } catch {
            throw TapPayFailure(.wrongJSONFormat, error.description)
        }
    }

    func value(_ name: String) -> JSON? {
        switch self.object[name] {
        case nil, .null: nil
        case let value: value
        }
    }

    /// A string, or a number's text; `nil` if it is left out.
    func rawText(_ name: String) throws(TapPayFailure) -> String? {
        guard let value = self.value(name) else { return nil }
        guard let text = value.string ?? value.numberText else {
            throw TapPayFailure(.wrongJSONFormat, "\(name) must be a string, and is \(value.kind).")
        }
        return text
    }

    /// A string that must be there; it may be empty only where that is said.
    func text(
        _ name: String, missing: TapPayCode, outOfRange: TapPayCode, charactersMax: Int, mayBeEmpty: Bool = false
    ) throws(TapPayFailure) -> String {
        guard let text = try self.rawText(name), mayBeEmpty || !text.isEmpty else { throw TapPayFailure(missing) }
        try Self.check(text, name, outOfRange, charactersMax)
        return text
    }

    /// A string that may be left out. An empty one counts as left out.
    ///
    /// - Parameter form: what names something has no line breaks and tabs.
    func optionalText(
        _ name: String, outOfRange: TapPayCode, charactersMax: Int, form: TextForm = .text
    ) throws(TapPayFailure) -> String? {
        guard let text = try self.rawText(name), !text.isEmpty else { return nil }
        try Self.check(text, name, outOfRange, charactersMax, form)
        return text
    }

    private static func check(
        _ text: String, _ name: String, _ outOfRange: TapPayCode, _ charactersMax: Int, _ form: TextForm = .text
    ) throws(TapPayFailure) {
        if let problem = form.problem(of: text, charactersMax: charactersMax) {
            throw TapPayFailure(outOfRange, "\(name) \(problem).")
        }
    }

    /// An integer that may be left out, as a number or as digits.
    func optionalInteger(_ name: String, invalid: TapPayCode) throws(TapPayFailure) -> Int64? {
        guard let value = self.value(name), value.string != "" else { return nil }
        guard let integer = WireText.integer(value) else {
            throw TapPayFailure(invalid, "\(name) must be an integer.")
        }
        return integer
    }

    func optionalBool(_ name: String, invalid: TapPayCode) throws(TapPayFailure) -> Bool? {
        guard let value = self.value(name) else { return nil }
        guard let bool = WireText.bool(value) else {
            throw TapPayFailure(invalid, "\(name) must be true or false.")
        }
        return bool
    }

    func optionalObject(_ name: String, invalid: TapPayCode = .wrongJSONFormat) throws(TapPayFailure) -> BackEndBody? {
        guard let value = self.value(name) else { return nil }
        guard let object = value.object else {
            throw TapPayFailure(invalid, "\(name) must be a JSON object, and is \(value.kind).")
        }
        return BackEndBody(object)
    }

    /// Refuses a field that nobody asks for where it says which trades are meant: ignored, it would mean more of them than
    /// the caller wants. What is empty says nothing.
    func refuseOthers(than names: Set<String>, in path: String) throws(TapPayFailure) {
        for (name, value) in self.object.members where !names.contains(name) && !value.isNull && value.string != "" {
            throw TapPayFailure(.wrongJSONFormat, "\(path) > \(name.prefix(64)) is no filter of this gateway.")
        }
    }

    /// Names the fields of 2017 whose present names the body has not: read, they would be as if left out, and a list
    /// would come unfiltered.
    func refuseFormerFields() throws(TapPayFailure) {
        let found = BackEndEndpoint.formerFields.filter { former, present in
            self.value(former) != nil && self.value(present) == nil
        }
        guard !found.isEmpty else { return }
        let names = found.map { "\($0.former) is \($0.present) now" }.joined(separator: ", ")
        throw TapPayFailure(.wrongJSONFormat, "The fields of 2017 are not read any more: \(names).")
    }

    /// The trade that a follow-up is about.
    func recTradeID() throws(TapPayFailure) -> String {
        try self.text("rec_trade_id", missing: .missingRecTradeID, outOfRange: .recTradeIDOutOfRange, charactersMax: 20)
    }

    /// What a repeated request must ask again to be answered again: everything but the credentials, in an order of its
    /// own, and numbers like the strings that may stand for them.
    var digestBytes: [UInt8] {
        var object = self.object
        object["partner_key"] = nil
        return Self.canonical(.object(object)).serialized()
    }

    private static func canonical(_ json: JSON) -> JSON {
        switch json {
        case .object(let object):
            var sorted = JSONObject()
            for name in object.names.sorted() { sorted[name] = object[name].map(self.canonical) }
            return .object(sorted)
        case .array(let elements): return .array(elements.map(self.canonical))
        case .number(let text): return .string(WireText.withoutZeroFraction(text))
        case .string, .bool, .null: return json
        }
    }
}
