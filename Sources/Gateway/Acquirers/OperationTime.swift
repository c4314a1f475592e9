//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Synchronization
import Time

/// The time that an operation has at its acquirer: its preparation and the operation itself together, because the shop
/// waits for both with one answer. One that is sent at once and has all the usual time needs none.
final class OperationTime: Sendable {
    private enum Stage {
        case preparing
        case sent
        /// The time was over before anything was sent, and nothing is any more.
        case over
    }

    private let milliseconds: Int64
    private let end: ContinuousClock.Instant
    private let now: @Sendable () -> ContinuousClock.Instant
    private let stage: Mutex<Stage>

    /// - Parameter isPrepared: whether it needs no preparation, and is sent at once.
    init(milliseconds: Int64, isPrepared: Bool, now: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.stage = Mutex(isPrepared ? .sent : .preparing)
        self.milliseconds = milliseconds
        self.end = now() + .milliseconds(milliseconds)
        self.now = now
    }

    /// What is left of it for the connector, which should come to its own ending before the gateway does: the share
    /// that 30 seconds are of 32, the standards for a charge and for the gateway.
    var connectorMilliseconds: Int64 { self.end.milliseconds(after: self.now()) / 16 * 15 }

    /// Whether the time was over before anything was sent.
    var isOver: Bool { self.stage.withLock { $0 == .over } }

    /// Whether the operation can be sent after its preparation: not after its end has been said, nor when less than an
    /// eighth of the time is left, which would make unknown outcomes of what an issuer approves in its usual time.
    func mayBeSent() -> Bool {
        guard self.end.milliseconds(after: self.now()) >= self.milliseconds / 8 else { return false }
        return self.stage.withLock { stage in
            guard stage != .over else { return false }
            stage = .sent
            return true
        }
    }

    /// How an operation that was sent stands when the time is over.
    static let passed = AcquirerOutcome.timedOut("deadline_passed")

    /// How the operation stands when the time is over.
    func outcome() -> AcquirerOutcome {
        self.stage.withLock { stage in
            guard stage != .sent else { return Self.passed }
            stage = .over
            return .notProcessed(NotProcessed(.notSent, "preparation_timed_out"))
        }
    }
}
