//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// Looks for the wallet simulator's root after the start: a gateway may serve before its first sandbox merchant is made, and
/// the root with it, by another process or by whoever copies the directory of another node.
///
/// It is looked for when a sandbox merchant's token was refused for its root, and at most once in ``pause``: whoever sends
/// such tokens must not set the disk's pace.
final class LateSandboxTrust: Sendable {
    private struct State {
        var opener: TokenOpener?
        var nextLookAt: ContinuousClock.Instant?
    }

    static let pause: Duration = .seconds(1)

    private let now: @Sendable () -> ContinuousClock.Instant
    private let make: @Sendable () -> TokenOpener?
    private let state = Mutex(State())

    /// - Parameter make: opens tokens with the root; `nil` while there is none.
    init(now: @escaping @Sendable () -> ContinuousClock.Instant, make: @escaping @Sendable () -> TokenOpener?) {
        self.now = now
        self.make = make
    }

    /// What opens tokens since the root was found.
    var found: TokenOpener? { self.state.withLock { $0.opener } }

    /// The same, after a look if it is time for one.
    func look() -> TokenOpener? {
        let now = self.now()
        let isDue = self.state.withLock { state in
            guard state.opener == nil, state.nextLookAt.map({ now >= $0 }) ?? true else { return false }
            state.nextLookAt = now.advanced(by: Self.pause)
            return true
        }
        guard isDue, let made = self.make() else { return self.found }
        self.state.withLock { $0.opener = made }
        return made
    }
}
