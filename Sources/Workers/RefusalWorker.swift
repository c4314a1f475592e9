//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Administration
public import DialectKit
public import Logging
public import Metrics
public import ServiceLifecycle

/// Writes what waits of refused calls, a commit a second at most, until the process stops; and deletes what was kept
/// long enough.
public struct RefusalWorker: Service {
    static let pauseMilliseconds: Int64 = 1000
    /// How many passes there are from one sweep to the next.
    static let passesPerSweep = 60

    let journal: RefusalJournal
    let logger: Logger
    let sleep: @Sendable (_ milliseconds: Int64) async throws -> Void

    public init(
        journal: RefusalJournal, logger: Logger,
        sleep: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void
    ) {
        self.journal = journal
        self.logger = logger
        self.sleep = sleep
    }

    public func run() async throws {
        var passesCount = 0
        await repeatPasses(every: Self.pauseMilliseconds, self.sleep) {
            await self.pass(sweeping: passesCount.isMultiple(of: Self.passesPerSweep))
            passesCount += 1
        }
    }

    /// One pass. What the store does not take now waits for the next.
    func pass(sweeping: Bool) async {
        do {
            try await self.journal.write()
            if sweeping { try await self.journal.sweep() }
        } catch {
            self.logger.warning("refused calls cannot be written", metadata: ["reason": "\(error)"])
        }
    }

    /// Hands refused calls to a journal, and counts those for which it has no room.
    public static func taking(
        _ journal: RefusalJournal, factory: any MetricsFactory
    ) -> @Sendable (RefusedWireCall) -> Void {
        let dropped = Counter(label: "pomona_refusals_dropped", factory: factory)
        return { call in if !journal.take(call) { dropped.increment() } }
    }
}
