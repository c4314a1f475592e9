//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Deadlines
import Synchronization

/// Whether this process should be sent requests.
public final class Readiness: Sendable {
    /// Something that must work, under the name that /readyz calls it by.
    public struct Check: Sendable {
        public let name: String
        public let isPassing: @Sendable () async -> Bool

        public init(name: String, isPassing: @escaping @Sendable () async -> Bool) {
            self.name = name
            self.isPassing = isPassing
        }
    }

    /// A check that takes longer fails: whoever asks whether to send requests here has a limit of a few seconds of its own, and
    /// a store that can't be reached may take longer to say so.
    public static let timeoutMilliseconds: Int64 = 1_500

    private let checks: [Check]
    private let deadlines: Deadlines
    private let draining = Atomic<Bool>(false)

    /// - Parameter sleep: returns after that time, or throws earlier when its task is cancelled.
    public init(checks: [Check] = [], sleep: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void) {
        self.checks = checks
        self.deadlines = Deadlines(milliseconds: Self.timeoutMilliseconds, sleep: sleep)
    }

    public var isDraining: Bool { self.draining.load(ordering: .acquiring) }

    /// From here on the process says that it is not ready, and finishes what it has accepted.
    public func startDraining() {
        self.draining.store(true, ordering: .releasing)
    }

    /// The names of what is wrong; none when requests are welcome.
    public func failures() async -> [String] {
        if self.isDraining { return ["draining"] }
        var failures: [String] = []
        for check in self.checks where await !self.deadlines.run(false, check.isPassing) {
            failures.append(check.name)
        }
        return failures
    }
}
