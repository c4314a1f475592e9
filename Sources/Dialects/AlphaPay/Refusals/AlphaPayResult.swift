//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON

/// The `result` of an answer: a code of the table and a sentence. As an error it ends a call.
struct AlphaPayResult: Error, Hashable, Sendable {
    let code: ResultCode
    let message: String
    /// What `resultStatus` says; the code's, but for inquiries.
    var status: ResultStatus
    /// When the caller may ask again, where that is known.
    var retryAfterSeconds: Int?
    /// What stands beside `result` when it ends a call: what it is about, where that is known.
    var subject = JSONObject()

    init(_ code: ResultCode, _ message: String? = nil) {
        self.code = code
        self.message = message ?? code.message
        self.status = code.status
    }

    static let success = AlphaPayResult(.success)

    /// Of an inquiry, whose own success is all that `resultStatus` says (AlphaPay, "Order inquiry"): S also while what
    /// was asked about is under way.
    static func inquiry(_ code: ResultCode) -> AlphaPayResult {
        var result = AlphaPayResult(code)
        result.status = .success
        return result
    }

    static func throttled(_ seconds: Int) -> AlphaPayResult {
        var result = AlphaPayResult(.tooManyRequests)
        result.retryAfterSeconds = seconds
        return result
    }

    /// The answer to a call that it ends.
    var refusal: JSON {
        var answer = self.subject
        answer["result"] = self.json
        return .object(answer)
    }

    var json: JSON {
        [
            "resultCode": .string(self.code.rawValue),
            "resultMessage": .string(self.message),
            "resultStatus": .string(self.status.rawValue),
        ]
    }
}
