//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What a store may refuse or fail with.
public enum StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is unique is taken; the text names the thing ("merchant name"), never its value.
    case duplicate(String)
    /// Somebody else has changed it since it was read.
    case conflict
    /// The data key under which something was sealed has been retired: seal it again under the one that there is now.
    case dataKeyGone
    /// The rows contradict each other or this program; the text names the table and column.
    case corrupt(String)
    /// The store cannot be reached or written to now (disk full, closed, locked).
    case unavailable(String)

    public var description: String {
        switch self {
        case .duplicate(let what): "the store has that \(what) already"
        case .conflict: "the payment has changed since it was read"
        case .dataKeyGone: "the data key has been retired"
        case .corrupt(let what): "the store holds something that cannot be right: \(what)"
        case .unavailable(let what): "the store is not available: \(what)"
        }
    }
}
