//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import StrictJSON

/// The fields of a front end's request, each read with the numbers that it is refused with.
struct FrontEndFields: Sendable {
    private let object: JSONObject

    init(_ object: JSONObject) {
        self.object = object
    }

    /// The first of the names that is there and is not null; the page's own calls spell some of them another way.
    func value(_ names: [String]) -> JSON? {
        for name in names {
            if let value = self.object[name], !value.isNull { return value }
        }
        return nil
    }

    /// A text that must be there.
    ///
    /// - Parameters:
    ///   - max: how many characters it may have (Unicode scalars).
    ///   - missing: for one that is left out, empty or no text.
    ///   - outOfRange: for one that is too long or holds control characters.
    func text(
        _ names: String..., max: Int, missing: TapPayCode, outOfRange: TapPayCode
    ) throws(TapPayFailure) -> String {
        guard let text = try self.optionalText(names, max: max, wrongType: missing, outOfRange: outOfRange) else {
            throw TapPayFailure(missing)
        }
        return text
    }

    func optionalText(
        _ names: String..., max: Int, outOfRange: TapPayCode
    ) throws(TapPayFailure) -> String? {
        try self.optionalText(names, max: max, wrongType: outOfRange, outOfRange: outOfRange)
    }

    private func optionalText(
        _ names: [String], max: Int, wrongType: TapPayCode, outOfRange: TapPayCode
    ) throws(TapPayFailure) -> String? {
        guard let value = self.value(names) else { return nil }
        guard let text = value.string else {
            throw TapPayFailure(wrongType, "\(names.first ?? "") must be a string, and is \(value.kind).")
        }
        if let problem = TextForm.line.problem(of: text, charactersMax: max) {
            throw TapPayFailure(outOfRange, "\(names.first ?? "") \(problem).")
        }
        return text.isEmpty ? nil : text
    }

    /// An object; `nil` where it is left out, or something else.
    func object(_ name: String) -> FrontEndFields? {
        self.value([name])?.object.map(FrontEndFields.init)
    }

    /// false where it is left out.
    func flag(_ name: String) throws(TapPayFailure) -> Bool {
        guard let value = self.value([name]) else { return false }
        guard let flag = WireText.bool(value) else {
            throw TapPayFailure(.wrongJSONFormat, "\(name) must be true or false, and is \(value.kind).")
        }
        return flag
    }
}
