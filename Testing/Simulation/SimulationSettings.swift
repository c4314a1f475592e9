//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// How long a history is, and how rough. What is a range is drawn for each history.
public struct SimulationSettings: Sendable {
    public var nodes: ClosedRange<Int>
    public var shops: ClosedRange<Int>
    /// Of each shop.
    public var callsPerShop: ClosedRange<Int>
    /// Whether anything goes wrong at all.
    public var hasFaults: Bool
    /// Something that is wrong with the parts, to see that it is found.
    public var bug: PlantedBug?
    public var stepsMax: Int

    public init(
        nodes: ClosedRange<Int> = 1...3, shops: ClosedRange<Int> = 1...4, callsPerShop: ClosedRange<Int> = 8...18,
        hasFaults: Bool = true, bug: PlantedBug? = nil, stepsMax: Int = 400_000
    ) {
        self.nodes = nodes
        self.shops = shops
        self.callsPerShop = callsPerShop
        self.hasFaults = hasFaults
        self.bug = bug
        self.stepsMax = stepsMax
    }
}
