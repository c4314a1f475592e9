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

/// Forgets card data whose time is over, until the process stops.
public struct CardDataWorker: Service {
    private static let batchCount = 64
    private static let pauseMilliseconds: Int64 = 1000

    let gateway: Gateway
    let sleep: @Sendable (_ milliseconds: Int64) async throws -> Void

    public init(gateway: Gateway, sleep: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void) {
        self.gateway = gateway
        self.sleep = sleep
    }

    public func run() async throws {
        await repeatPasses(every: Self.pauseMilliseconds, self.sleep) {
            // A full batch has probably more behind it.
            while await self.gateway.forgetCardData(limit: Self.batchCount) >= Self.batchCount {
                if Task.isCancelled || Task.isShuttingDownGracefully { return }
            }
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
