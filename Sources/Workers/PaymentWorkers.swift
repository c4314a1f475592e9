//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) public import Gateway
public import ServiceLifecycle

/// Lets connectors keep connections of their own, until everything that uses them has stopped.
public struct ConnectorWorker: Service {
    let gateway: Gateway

    public init(gateway: Gateway) {
        self.gateway = gateway
    }

    public func run() async throws {
        await cancelWhenGracefulShutdown {
            await self.gateway.runConnectors()
            // Those that keep none have ended at once.
            try? await gracefulShutdown()
        }
    }
}

/// Resolves what nobody knows the end of, again and again, until the process stops. Each payment has a task of its own:
/// one for which the acquirer hangs delays no other.
public struct RecoveryWorker: Service {
    /// How long to wait after a look that found nothing more to do.
    static let pauseMilliseconds: Int64 = 1000
    private static let concurrencyMax = 64

    let gateway: Gateway
    let sleep: @Sendable (_ milliseconds: Int64) async throws -> Void

    public init(gateway: Gateway, sleep: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void) {
        self.gateway = gateway
        self.sleep = sleep
    }

    private enum LoopEvent: Sendable {
        case tried
        case waited
    }

    public func run() async throws {
        await withTaskGroup(of: LoopEvent.self) { group in
            var underWayCount = 0
            var isWaiting = false
            // Whether the last look took as much as it had room for: there is probably more.
            var hasMore = false
            while !Task.isCancelled, !Task.isShuttingDownGracefully {
                let room = Self.concurrencyMax - underWayCount
                if room > 0, hasMore || !isWaiting {
                    let jobs = await self.gateway.leaseRecoveries(limit: room)
                    hasMore = jobs.count == room
                    underWayCount += jobs.count
                    for job in jobs {
                        group.addTask {
                            _ = await self.gateway.recover(job)
                            return .tried
                        }
                    }
                }
                if !isWaiting {
                    isWaiting = true
                    group.addTask {
                        let sleep = self.sleep
                        try? await cancelWhenGracefulShutdown { try await sleep(Self.pauseMilliseconds) }
                        return .waited
                    }
                }
                switch await group.next() {
                case .tried: underWayCount -= 1
                case .waited, nil: isWaiting = false
                }
            }
        }
    }
}

/// Captures what is due, until the process stops.
public struct CaptureWorker: Service {
    private static let batchCount = 64

    let gateway: Gateway
    let sleep: @Sendable (_ milliseconds: Int64) async throws -> Void

    public init(gateway: Gateway, sleep: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void) {
        self.gateway = gateway
        self.sleep = sleep
    }

    public func run() async throws {
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            // A full batch has probably more behind it.
            let captured = await self.gateway.captureDue(limit: Self.batchCount)
            let forgotten = await self.gateway.forgetCardData(limit: Self.batchCount)
            if max(captured, forgotten) >= Self.batchCount { continue }
            let sleep = self.sleep
            try? await cancelWhenGracefulShutdown { try await sleep(RecoveryWorker.pauseMilliseconds) }
        }
    }
}

/// Closes what holds files when everything that uses them has ended.
///
/// A `ServiceGroup` stops its services in reverse order and waits for each: put this one first, and it comes last.
public struct Closer: Service {
    let close: @Sendable () async -> Void

    public init(close: @escaping @Sendable () async -> Void) {
        self.close = close
    }

    public func run() async throws {
        try? await gracefulShutdown()
        await self.close()
    }
}
