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

    init(_ code: ErrorCode, _ message: String? = nil) {
        self.code = code
        self.message = String((message ?? code.message).prefix(Self.messageCharactersMax))
    }

    static func throttled(_ seconds: Int) -> PAYONEError {
        var error = PAYONEError(.tooManyRequests)
        error.retryAfterSeconds = seconds
        return error
    }

    /// Of a parameter that is missing or does not fit. Says nothing of what was sent.
    init(faulty name: String, _ problem: String, _ code: ErrorCode = .parameterFaulty) {
        let message =
            code == .tokenParameterMissing
            ? "\(code.message): \(name)" : "Parameter {\(name)} faulty or missing: \(problem)."
        self.init(code, message)
    }
}
