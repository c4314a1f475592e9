//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

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

    private let checks: [Check]
    private let draining = Atomic<Bool>(false)

    public init(checks: [Check] = []) {
        self.checks = checks
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
        for check in self.checks where await !check.isPassing() {
            failures.append(check.name)
        }
        return failures
    }
}
