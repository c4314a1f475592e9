//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import ServiceLifecycle

/// Makes the process unready as soon as it is asked to stop, and gives those who watch /readyz time to look elsewhere.
///
/// A `ServiceGroup` stops its services in reverse order and waits for each: put this one last, and it comes first.
public struct DrainNotice: Service {
    private let readiness: Readiness
    private let wait: @Sendable () async -> Void

    /// - Parameter wait: how long the listeners still accept connections after /readyz has begun to say 503.
    public init(readiness: Readiness, wait: @escaping @Sendable () async -> Void = {}) {
        self.readiness = readiness
        self.wait = wait
    }

    public func run() async throws {
        try? await gracefulShutdown()
        self.readiness.startDraining()
        await self.wait()
    }
}
