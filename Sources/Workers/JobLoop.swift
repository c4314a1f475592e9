//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Gateway
import Payments
public import ServiceLifecycle

/// Takes jobs that are due and works at them until the process stops. Each has a task of its own: one for which the
/// acquirer hangs delays no other.
public struct JobLoop: Service {
    private let concurrencyMax = 64
    /// How long to wait after a look that found nothing more to do.
    private let pauseMilliseconds: Int64 = 1000

    let sleep: @Sendable (_ milliseconds: Int64) async throws -> Void
    /// Takes no more than so many.
    let take: @Sendable (_ limit: Int) async -> [Job]
    let work: @Sendable (Job) async -> Void

    private enum LoopEvent: Sendable {
        case worked
        case waited
    }

    /// Resolves what nobody knows the end of, again and again.
    public static func recovery(
        _ gateway: Gateway, sleep: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void
    ) -> JobLoop {
        JobLoop(
            sleep: sleep, take: { await gateway.leaseRecoveries(limit: $0) },
            work: { _ = await gateway.recover($0) })
    }

    /// Captures what is due.
    public static func captures(
        _ gateway: Gateway, sleep: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void
    ) -> JobLoop {
        JobLoop(
            sleep: sleep, take: { await gateway.leaseCaptures(limit: $0) },
            work: { _ = await gateway.capture($0) })
    }

    public func run() async {
        await withTaskGroup(of: LoopEvent.self) { group in
            var underWayCount = 0
            var isWaiting = false
            // Whether the last look took as much as it had room for: there is probably more.
            var hasMore = false
            while !Task.isCancelled, !Task.isShuttingDownGracefully {
                let room = self.concurrencyMax - underWayCount
                if room > 0, hasMore || !isWaiting {
                    let jobs = await self.take(room)
                    hasMore = jobs.count == room
                    underWayCount += jobs.count
                    for job in jobs {
                        group.addTask {
                            await self.work(job)
                            return .worked
                        }
                    }
                }
                if !isWaiting {
                    isWaiting = true
                    group.addTask {
                        let sleep = self.sleep
                        try? await cancelWhenGracefulShutdown { try await sleep(self.pauseMilliseconds) }
                        return .waited
                    }
                }
                switch await group.next() {
                case .worked: underWayCount -= 1
                case .waited, nil: isWaiting = false
                }
            }
        }
    }
}
