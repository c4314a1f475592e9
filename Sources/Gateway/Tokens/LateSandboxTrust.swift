//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// Looks for what the wallet simulator's authority vouches for after the start: a gateway may serve before its first sandbox
/// merchant is made, and the authority with it, by another process or by whoever copies the directory of another node.
///
/// Its root is looked for when a sandbox merchant's token was refused for its root, who issues its certificates when one of a
/// sandbox merchant was refused for its issuer; each at most once in ``pause``: whoever sends such tokens must not set the
/// disk's pace.
final class LateSandboxTrust<Found: Sendable>: Sendable {
    private struct State {
        var found: Found?
        var nextLookAt: ContinuousClock.Instant?
    }

    static var pause: Duration { .seconds(1) }

    private let now: @Sendable () -> ContinuousClock.Instant
    private let make: @Sendable () -> Found?
    private let state = Mutex(State())

    /// - Parameter make: makes what the authority serves for; `nil` while there is none.
    init(now: @escaping @Sendable () -> ContinuousClock.Instant, make: @escaping @Sendable () -> Found?) {
        self.now = now
        self.make = make
    }

    /// What was found.
    var found: Found? { self.state.withLock { $0.found } }

    /// The same, after a look if it is time for one.
    func look() -> Found? {
        let now = self.now()
        let isDue = self.state.withLock { state in
            guard state.found == nil, state.nextLookAt.map({ now >= $0 }) ?? true else { return false }
            state.nextLookAt = now.advanced(by: Self.pause)
            return true
        }
        guard isDue, let made = self.make() else { return self.found }
        self.state.withLock { $0.found = made }
        return made
    }
}
