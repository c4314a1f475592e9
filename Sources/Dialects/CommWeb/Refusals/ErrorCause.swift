//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// `error.cause`: what kind of error it is, and so what a client can do about it.
enum ErrorCause: String, CaseIterable, Hashable, Sendable {
    /// The request is wrong; sent again it is wrong again.
    case invalidRequest = "INVALID_REQUEST"
    /// Refused for reasons of security.
    case requestRejected = "REQUEST_REJECTED"
    /// Not now; the identical request may be sent again.
    case serverBusy = "SERVER_BUSY"
    /// The gateway failed; the identical request may be sent again.
    case serverFailed = "SERVER_FAILED"
}

/// `error.validationType`: what is wrong with `error.field`.
enum ValidationType: String, CaseIterable, Hashable, Sendable {
    case invalid = "INVALID"
    case missing = "MISSING"
    case unsupported = "UNSUPPORTED"
}
