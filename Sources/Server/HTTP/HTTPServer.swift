//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
import Hummingbird
public import Logging
import Metrics
public import ServiceLifecycle
import Synchronization

/// The dialects and pages, health and metrics, on every listener alike.
///
/// When it is asked to stop, it accepts no more connections, finishes the requests that it has, and ends.
public final class HTTPServer: Service {
    private let listeners: [ListenerConfiguration]
    private let responder: ServerResponder
    private let limits: ServerLimits
    private let logger: Logger
    private let bound: BoundAddresses
    private let connections: Connections

    /// - Parameters:
    ///   - random: That many bytes, for request ids.
    ///   - startTimeSeconds: When the process started, in seconds since the epoch.
    ///   - storeWaitMilliseconds: How long the store would take over a change that came now.
    ///   - onRefusal: Takes each call that a service has refused, once it is answered. It must not wait.
    public init(
        listeners: [ListenerConfiguration], services: [any WireService], readiness: Readiness,
        registry: PrometheusRegistry,
        limits: ServerLimits = ServerLimits(), random: @escaping @Sendable (Int) -> [UInt8], startTimeSeconds: Int64,
        storeWaitMilliseconds: @escaping @Sendable () -> Int64 = { 0 },
        onRefusal: @escaping @Sendable (RefusedWireCall) -> Void = { _ in }, logger: Logger
    ) {
        self.listeners = listeners
        self.limits = limits
        self.logger = logger
        self.bound = BoundAddresses(count: listeners.count)
        self.responder = ServerResponder(
            services: services, limits: limits, storeWaitMilliseconds: storeWaitMilliseconds,
            operations: OperationsPages(
                readiness: readiness, registry: registry, process: ProcessMetrics(startTimeSeconds: startTimeSeconds)),
            telemetry: RequestTelemetry(factory: registry, logger: logger, random: random), onRefusal: onRefusal)
        self.connections = Connections(
            table: ConnectionTable(
                connectionsMax: FileDescriptorLimit.connections(limits.connectionsMax),
                perNetworkMax: limits.connectionsPerAddressMax, exempt: limits.proxyAddresses),
            telemetry: ConnectionTelemetry(factory: registry))
    }

    /// - Throws: ``ListenerError`` when an address cannot be listened on.
    public func run() async throws {
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, configuration) in self.listeners.enumerated() {
                    let listener = HTTPListener(
                        configuration, limits: self.limits, responder: self.responder, connections: self.connections,
                        logger: self.logger,
                        onBound: { [bound] address in bound.set(address, at: index) })
                    group.addTask { try await listener.run() }
                }
                // The first that fails takes the others with it.
                while let () = try await group.next() {}
            }
            self.bound.fail(CancellationError())
        } catch {
            self.bound.fail(error)
            throw error
        }
    }

    /// Where it listens, in the order of the listeners, with the ports that were really taken. Waits until all listen.
    ///
    /// - Throws: what ``run()`` throws, when that ends first.
    public func addresses() async throws -> [ListenerAddress] {
        try await self.bound.all()
    }
}

/// Collects what the listeners report when they have been bound.
private final class BoundAddresses: Sendable {
    private struct State {
        var addresses: [ListenerAddress?]
        var outcome: Result<[ListenerAddress], any Error>?
        var waiters: [CheckedContinuation<[ListenerAddress], any Error>] = []
    }

    private let state: Mutex<State>

    init(count: Int) {
        self.state = Mutex(
            State(addresses: Array(repeating: nil, count: count), outcome: count == 0 ? .success([]) : nil))
    }

    func set(_ address: ListenerAddress, at index: Int) {
        self.change { state in
            state.addresses[index] = address
            let known = state.addresses.compactMap { $0 }
            if known.count == state.addresses.count { state.outcome = state.outcome ?? .success(known) }
        }
    }

    func fail(_ error: any Error) {
        self.change { state in state.outcome = state.outcome ?? .failure(error) }
    }

    private func change(_ body: (inout sending State) -> Void) {
        let (outcome, waiters) = self.state.withLock { state in
            body(&state)
            guard let outcome = state.outcome else {
                return (
                    nil as Result<[ListenerAddress], any Error>?, [CheckedContinuation<[ListenerAddress], any Error>]()
                )
            }
            let waiters = state.waiters
            state.waiters = []
            return (outcome, waiters)
        }
        guard let outcome else { return }
        for waiter in waiters { waiter.resume(with: outcome) }
    }

    func all() async throws -> [ListenerAddress] {
        try await withCheckedThrowingContinuation { continuation in
            let outcome = self.state.withLock { state in
                if state.outcome == nil { state.waiters.append(continuation) }
                return state.outcome
            }
            if let outcome { continuation.resume(with: outcome) }
        }
    }
}
