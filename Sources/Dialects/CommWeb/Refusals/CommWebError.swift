//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes
import StrictJSON

/// The `error` of an answer. Ends a call.
struct CommWebError: Error, Hashable, Sendable {
    let code: ErrorCode
    let explanation: String
    /// The field that is wrong, as a dotted path: "order.amount".
    let field: String?
    let validation: ValidationType?
    /// When the caller may ask again, where that is known.
    var retryAfterSeconds: Int?

    init(
        _ code: ErrorCode, _ explanation: String? = nil, field: String? = nil, _ validation: ValidationType? = nil
    ) {
        self.code = code
        self.explanation = explanation ?? code.explanation
        self.field = field
        self.validation = field == nil ? nil : validation ?? .invalid
    }

    static func missing(_ field: String) -> CommWebError {
        CommWebError(.fieldMissing, "The field \(field) is required.", field: field, .missing)
    }

    static func invalid(_ field: String, _ problem: String) -> CommWebError {
        CommWebError(.fieldInvalid, "The field \(field) \(problem).", field: field, .invalid)
    }

    static func unsupported(_ field: String, _ problem: String) -> CommWebError {
        CommWebError(.fieldNotSupported, "The field \(field) \(problem).", field: field, .unsupported)
    }

    static func throttled(_ seconds: Int) -> CommWebError {
        var error = CommWebError(.tooManyRequests)
        error.retryAfterSeconds = seconds
        return error
    }

    var status: HTTPResponse.Status { self.code.status }

    /// `error.supportCode` is the vendor's for failures of its own; here every error has one, since `cause` alone
    /// says little to a program.
    var fields: AnswerFields {
        var fields = AnswerFields()
        fields["error.cause"] = .string(self.code.cause.rawValue)
        fields["error.explanation"] = .string(self.explanation)
        fields["error.field"] = self.field.map(JSON.string)
        fields["error.supportCode"] = .string(self.code.rawValue)
        fields["error.validationType"] = self.validation.map { .string($0.rawValue) }
        fields["result"] = .string(TransactionResult.error.rawValue)
        return fields
    }
}
