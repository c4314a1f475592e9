//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// An error as the merchant gets it. As an error it ends a call.
struct PAYONEError: Error, Hashable, Sendable {
    /// "CHAR(1..1024)".
    private static let messageCharactersMax = 1024

    let code: ErrorCode
    let message: String
    /// When the caller may ask again, where that is known.
    var retryAfterSeconds: Int?
    /// The language of the customer whose payment process it is about, where that is known.
    var language: CustomerLanguage?
    /// Whether it says how an operation ended, as a decline does, rather than that the request was refused.
    var isOutcome = false

    /// - Parameter detail: what the vendor's sentence leaves open, as a sentence. It follows that, or takes the place of the
    ///   gateway's own.
    init(_ code: ErrorCode, _ detail: String? = nil) {
        self.code = code
        let message: String
        if let detail, code.isVendors {
            message = (code.message.hasSuffix(".") ? code.message : code.message + ".") + " " + detail
        } else {
            message = detail ?? code.message
        }
        self.message = String(message.prefix(Self.messageCharactersMax))
    }

    static func throttled(_ seconds: Int) -> PAYONEError {
        var error = PAYONEError(.tooManyRequests)
        error.retryAfterSeconds = seconds
        return error
    }

    /// Of a parameter that is missing or does not fit. Says nothing of what was sent.
    ///
    /// - Parameters:
    ///   - problem: "must be …", "is required".
    ///   - code: the parameter's, unless there is a more exact one.
    init(faulty name: String, _ problem: String, _ code: ErrorCode? = nil) {
        let code = code ?? ErrorCode(parameter: name)
        self.init(code, "{\(name)} \(problem).")
    }
}
