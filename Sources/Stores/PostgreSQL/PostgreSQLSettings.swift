//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch
import Foundation

/// How a ``PostgreSQLStore`` uses its server.
public struct PostgreSQLSettings: Sendable {
    /// How many connections a store has, each with a thread of its own. All stores of all nodes together must stay below
    /// the server's max_connections.
    public var connectionsCount = 8
    /// How many calls that write may share a transaction, when all connections are busy and they wait.
    public var gatheredMax = 64
    /// From how many on they do. With one, each writes as it would together with others, which is for tests.
    public var gatheredMin = 2
    /// How many connections write before calls that write wait for one of them, to share its next transaction, although
    /// other connections are free.
    public var writersMin = 2
    /// How long calls wait so at the most: those that write may themselves wait for a lock, or for a server that hangs.
    /// More than ``gatheredMax`` do not wait either.
    public var gatheringMilliseconds: UInt64 = 5
    /// How many calls may wait for a connection. More than that means that the server cannot keep up, and waiting longer
    /// would not help.
    public var waitingMax = 16_384
    /// How long a call may take until its transaction is begun for the last time: waiting for a connection, for the
    /// server to come back, and for others who are in the way.
    public var callTimeoutMilliseconds = 15_000
    /// How long the making of a connection may take; libpq's connect_timeout, two seconds at least.
    public var connectTimeoutSeconds = 5
    /// How long one statement may take; the server's statement_timeout.
    public var statementTimeoutMilliseconds = 10_000
    /// How long a statement may wait for a lock; the server's lock_timeout.
    public var lockTimeoutMilliseconds = 5_000
    /// How long one of a transaction that several calls share may, before they go on each in one of its own.
    public var gatheredLockTimeoutMilliseconds = 50
    /// How long the server waits for the next statement of a transaction before it ends it.
    public var idleInTransactionTimeoutMilliseconds = 10_000
    /// How often one transaction is run at the most: a deadlock, a serialization failure or a lost connection makes it
    /// run again.
    public var runsMax = 50

    /// A clock that only goes forward, in milliseconds.
    public var uptimeMilliseconds: @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds / 1_000_000 }
    /// Random bits, to spread repetitions.
    public var random: @Sendable () -> UInt64 = { .random(in: .min ... .max) }
    /// Does something after a time in milliseconds, on another thread.
    public var after: @Sendable (UInt64, @escaping @Sendable () -> Void) -> Void = { milliseconds, work in
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(milliseconds)), execute: work)
    }
    /// Blocks the calling thread, one of the store's own, for a time in milliseconds.
    public var pause: @Sendable (UInt64) -> Void = { Thread.sleep(forTimeInterval: TimeInterval($0) / 1000) }

    public init() {}
}
