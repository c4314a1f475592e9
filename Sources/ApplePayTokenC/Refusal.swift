//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import StrictJSON

/// Why a call was refused, as its answer says it: `{"code", "stage", "message"}`.
struct Refusal: Error {
    let code: String
    let stage: String
    let message: String

    private init(code: String, stage: String, message: String) {
        self.code = code
        self.stage = stage
        self.message = message
    }

    /// - Parameter path: The member of the options that it is about.
    init(_ error: TokenError, at path: String? = nil) {
        self.init(
            code: error.code.rawValue, stage: error.stage.rawValue,
            message: (path.map { "\($0): " } ?? "") + error.message)
    }

    static func options(_ message: String) -> Self {
        Self(code: "options_malformed", stage: "options", message: message)
    }

    /// NULL where something is needed.
    static func argumentMissing(_ name: String) -> Self {
        Self(code: "argument_missing", stage: "arguments", message: "\(name) is NULL.")
    }

    static func lengthTooLarge(_ name: String) -> Self {
        Self(
            code: "length_too_large", stage: "arguments",
            message: "\(name)_length is more than memory holds: is it a negative number?")
    }

    var json: JSON {
        ["code": .string(self.code), "stage": .string(self.stage), "message": .string(self.message)]
    }
}
