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
    }

    /// The built `pomona`.
    public var program: URL
    public var seed: UInt64
    public var store: Store
    /// How many gateways serve the store: one or two. SQLite takes one.
    public var nodesCount: Int
    public var roundsCount: Int
    public var shopsCount: Int
    /// How long the load runs undisturbed before a fault, at most.
    public var calmMilliseconds: Int64
    /// After how many rounds everything must have been resolved once, with the load going on; the last always.
    public var roundsPerRecovery: Int
    /// What happens; each round draws one of them.
    public var faults: [ChaosFault]
    /// How long a gateway may be stopped with SIGSTOP, at most. A job's lease is 30 seconds.
    public var freezeMilliseconds: Int64
    /// How long it may take until nothing is open when the faults have ended.
    public var recoveryBoundMilliseconds: Int64
    /// Whether to wait until every webhook is sent. A gateway that is killed while it sends one leaves it leased for half
    /// a minute.
    public var awaitsWebhooks: Bool
    /// What happens, line by line, while it runs.
    public var tell: @Sendable (String) -> Void

    public init(
        program: URL, seed: UInt64, store: Store, nodesCount: Int, roundsCount: Int, shopsCount: Int = 6,
        calmMilliseconds: Int64 = 1500, roundsPerRecovery: Int = 10, faults: [ChaosFault]? = nil,
        freezeMilliseconds: Int64 = 35_000, recoveryBoundMilliseconds: Int64 = 180_000,
        awaitsWebhooks: Bool = true,
        tell: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.program = program
        self.seed = seed
        self.store = store
        self.nodesCount = store == .sqlite ? 1 : max(1, nodesCount)
        self.roundsCount = roundsCount
        self.shopsCount = shopsCount
        self.calmMilliseconds = calmMilliseconds
        self.roundsPerRecovery = max(1, roundsPerRecovery)
        self.faults = (faults ?? ChaosFault.allCases).filter { store == .postgresql || !$0.needsServer }
        self.freezeMilliseconds = freezeMilliseconds
        self.recoveryBoundMilliseconds = recoveryBoundMilliseconds
        self.awaitsWebhooks = awaitsWebhooks
        self.tell = tell
    }
}

/// What is done to the processes and to what connects them.
public enum ChaosFault: String, CaseIterable, Sendable {
    case killGateway = "kill -9 of a gateway"
    case killAcquirer = "kill -9 of the acquirer"
    case killDatabase = "kill -9 of PostgreSQL"
    case freezeGateway = "SIGSTOP of a gateway"
    case acquirerWeather = "cuts, delays, duplicates and garbage towards the acquirer"
    case databaseWeather = "cuts and delays towards PostgreSQL"
    case killAll = "kill -9 of everything at once"

    var needsServer: Bool { self == .killDatabase || self == .databaseWeather }
}

/// Why a run could not be made; not what it found.
public struct ChaosError: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
