//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The name of a wire language: "alphapay". Lower-case letters and digits, as it stands in commands, rows and metrics.
public struct DialectName: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    public init(_ text: String) {
        self.text = text
    }

    public var description: String { self.text }
}

/// The name of a kind of acquirer, which is that of its connector: "simulator", "mpgs".
public struct AcquirerName: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    public init(_ text: String) {
        self.text = text
    }

    public var description: String { self.text }
}

/// Whether money is real. A property of the merchant, of its keys and of every token; crossing it is refused.
public enum Mode: String, Hashable, Sendable, CaseIterable {
    case sandbox
    case live
}
