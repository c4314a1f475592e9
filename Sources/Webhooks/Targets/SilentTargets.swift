//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Synchronization

/// The merchants' servers that let attempts run out of time. Each of them has one attempt under way at a time, until it
/// answers again: else a few hundred notifications to one server that hangs would have all places of the worker, ten
/// seconds each, and nobody else would be notified.
final class SilentTargets: Sendable {
    /// A server, whatever is asked of it.
    private struct Server: Hashable {
        let host: String
        let port: Int

        /// - Returns: `nil` for what is no address, which fails by itself.
        init?(_ text: String) {
            guard let target = NotificationTarget(text) else { return nil }
            (self.host, self.port) = (target.host, target.port)
        }
    }

    private struct Silence {
        var timeoutsCount: Int64 = 0
        var isTried = false
    }

    /// More are forgotten all at once, and found again by the next attempts.
    private static let max = 10_000
    private static let holdSecondsMax: Int64 = 60

    private let timeoutSeconds: Int64
    private let silences = Mutex<[Server: Silence]>([:])

    /// - Parameter timeoutSeconds: how long an attempt may take.
    init(timeoutSeconds: Int64) {
        self.timeoutSeconds = timeoutSeconds
    }

    /// Whether there may be an attempt at a target now. It must end with ``ended(_:hasTimedOut:)``.
    /// - Returns: how long it has to wait instead: the longer its server is silent, the longer; `nil` when it need not.
    func holdSeconds(_ target: String) -> Int64? {
        guard let server = Server(target) else { return nil }
        return self.silences.withLock { silences in
            guard let silence = silences[server] else { return nil }
            guard silence.isTried else {
                silences[server]?.isTried = true
                return nil
            }
            return Swift.min(self.timeoutSeconds * silence.timeoutsCount, Self.holdSecondsMax)
        }
    }

    func ended(_ target: String, hasTimedOut: Bool) {
        guard let server = Server(target) else { return }
        self.silences.withLock { silences in
            guard hasTimedOut else {
                silences[server] = nil
                return
            }
            if silences.count >= Self.max { silences = [:] }
            let timeoutsCount = silences[server]?.timeoutsCount ?? 0
            silences[server] = Silence(timeoutsCount: timeoutsCount + 1)
        }
    }
}
