//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Foundation

/// What a run is to be.
public struct ChaosSettings: Sendable {
    /// Where the payments are.
    public enum Store: String, CaseIterable, Sendable {
        case sqlite
        case postgresql
        /// PostgreSQL on three machines, one of which takes another's place (docs/operations.md); a balancer before the
        /// gateways.
        case replicated
    }

    /// The built `pomona`.
    public var program: URL
    /// The source of ``FaultShim``; without it there are neither full disks nor clocks that are set.
    public var shimSource: URL?
    /// The repository's ops/failover, for ``Store/replicated``.
    public var failoverSource: URL?
    public var seed: UInt64
    public var store: Store
    /// Through which payment services the merchants are paid: each epoch through the next of them, another Pomona that
    /// speaks its API. None: at the simulated acquirer.
    public var services: [String]
    /// What the simulated acquirer is like: in each epoch like the next of them.
    public var behaviors: [ChaosBehavior]
    /// How many gateways serve the store: one or two. SQLite takes one.
    public var nodesCount: Int
    public var faultsCount: Int
    public var shopsCount: Int
    /// How long the load runs undisturbed before a fault, at most.
    public var calmMilliseconds: Int64
    /// After how many faults whatever is open must come to its end, with the load going on.
    public var faultsPerRecovery: Int
    /// After how many faults everything is brought to its end and checked; what follows begins with an empty store.
    public var faultsPerCheck: Int
    /// What happens, each once before any comes twice.
    public var faults: [ChaosFault]
    /// How long a process may be stopped with SIGSTOP, at most: longer than a lease.
    public var freezeMilliseconds: Int64
    /// How long it may take until nothing is open when the faults have ended.
    public var recoveryBoundMilliseconds: Int64
    /// What happens, line by line, while it runs.
    public var log: @Sendable (String) -> Void

    public init(
        program: URL, shimSource: URL? = nil, failoverSource: URL? = nil, seed: UInt64, store: Store,
        services: [String] = [], behaviors: [ChaosBehavior] = [.remembering], nodesCount: Int, faultsCount: Int,
        shopsCount: Int = 12, calmMilliseconds: Int64 = 400, faultsPerRecovery: Int = 20,
        faultsPerCheck: Int = 200,
        faults: [ChaosFault]? = nil, freezeMilliseconds: Int64 = 4500, recoveryBoundMilliseconds: Int64 = 180_000,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.program = program
        self.shimSource = shimSource
        self.failoverSource = failoverSource
        self.seed = seed
        self.store = store
        self.services = services
        self.behaviors = behaviors
        self.nodesCount = store == .sqlite ? 1 : max(1, nodesCount)
        self.faultsCount = faultsCount
        self.shopsCount = shopsCount
        self.calmMilliseconds = calmMilliseconds
        self.faultsPerRecovery = max(1, faultsPerRecovery)
        self.faultsPerCheck = max(1, faultsPerCheck)
        self.faults = []
        self.freezeMilliseconds = freezeMilliseconds
        self.recoveryBoundMilliseconds = recoveryBoundMilliseconds
        self.log = log
        self.choose(faults ?? ChaosFault.allCases)
    }

    /// Sets ``faults``, but for those that there is nothing for.
    public mutating func choose(_ faults: [ChaosFault]) {
        self.faults = faults.filter { fault in
            fault.isFor(self.store) && (!self.services.isEmpty || !fault.needsService)
        }
    }
}

/// Why a run could not be made; not what it found.
public struct ChaosError: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
