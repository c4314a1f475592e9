//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// How much is open in a store: what an operator watches.
public struct OpenWork: Hashable, Sendable {
    /// Events that merchants have not taken yet and that are tried again.
    public var pendingEventsCount: Int
    /// Events that nobody sends any more unless a person asks for it.
    public var deadEventsCount: Int
    /// Operations of which nobody knows yet how they ended.
    public var unknownOperationsCount: Int

    public init(pendingEventsCount: Int = 0, deadEventsCount: Int = 0, unknownOperationsCount: Int = 0) {
        self.pendingEventsCount = pendingEventsCount
        self.deadEventsCount = deadEventsCount
        self.unknownOperationsCount = unknownOperationsCount
    }
}
