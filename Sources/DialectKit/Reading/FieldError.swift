//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Why a field of a request is refused: where it stands and what it must be. Carries nothing of what was sent.
public struct FieldError: Error, Hashable, Sendable, CustomStringConvertible {
    /// "order.orderAmount.value"; "" for the body itself.
    public let path: String
    /// "must be a string of digits, for example \"1099\" for 10.99".
    public let problem: String

    public init(path: String, problem: String) {
        self.path = path
        self.problem = problem
    }

    /// "order.orderAmount.value: must be a string of digits".
    public var description: String { self.path.isEmpty ? "the body \(self.problem)" : "\(self.path): \(self.problem)" }
}
