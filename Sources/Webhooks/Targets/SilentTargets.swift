//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Synchronization

/// The merchants' servers that let attempts run out of time. Each of them has one attempt under way at a time, until it
/// answers again: else a few hundred notifications to one server that hangs would have all places of the worker, ten
/// seconds each, and nobody else would be told.
final class SilentTargets: Sendable {
    /// A server, whatever is asked of it.
    struct Server: Hashable, Sendable {
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

    private let silences = Mutex<[Server: Silence]>([:])

    /// Whether the server may be asked now. What is admitted must end with ``ended(_:hasTimedOut:)``.
    func admits(_ server: Server) -> Bool {
        self.silences.withLock { silences in
            guard var silence = silences[server] else { return true }
            guard !silence.isTried else { return false }
            silence.isTried = true
            silences[server] = silence
            return true
        }
    }

    func ended(_ server: Server, hasTimedOut: Bool) {
        self.silences.withLock { silences in
            guard hasTimedOut else {
                silences[server] = nil
                return
            }
            if silences.count >= Self.max { silences = [:] }
            silences[server, default: Silence()].timeoutsCount += 1
            silences[server]?.isTried = false
        }
    }

    /// How long what was not admitted has to wait: the longer the server is silent, the longer.
    func holdSeconds(_ server: Server, timeoutSeconds: Int64) -> Int64 {
        let count = self.silences.withLock { $0[server]?.timeoutsCount ?? 1 }
        return Swift.min(timeoutSeconds * Swift.min(Swift.max(count, 1), 60), Self.holdSecondsMax)
    }
}
