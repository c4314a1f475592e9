//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ApplePayToken
import AppleSessions
import BaseEncoding
import DialectKit
import Gateway
import Logging
import Payments
import Server
import ServiceLifecycle
import Time
import UnixSignals
import Workers

/// A whole gateway: the only place where concrete stores, acquirers and dialects are named and put together.
///
/// Tests, the demonstration and the servers all build it here and so run the same thing.
struct Application: Sendable {
    let configuration: ApplicationConfiguration
    let gateway: Gateway
    /// The demo merchants of a sandbox, in the order of the dialects.
    let merchants: [MerchantCard]
    let logger: Logger
    private let outside: Outside
    let served: Served
    private let services: [any Service]
    private let opened: OpenParts

    var directory: DataDirectory { self.configuration.directory }
    var readiness: Readiness { self.served.readiness }
    /// Of a sandbox that listens.
    var apple: SimulatedAppleServer? { self.outside.apple }
    /// Asks Apple, or the simulated one.
    var appleSessions: AppleSessionClient { self.outside.appleSessions }

    /// Opens everything and starts nothing: ``run(signals:onReady:)`` or ``withRunning(_:)`` does that, else
    /// ``close()`` has to be called. Each part is made of those before it, and what fails closes all of them.
    ///
    /// - Throws: ``CommandFailure``, `StoreError`, `VaultError`, `ListenerError` and what onboarding throws.
    static func build(
        _ configuration: ApplicationConfiguration, surroundings: Surroundings = .system
    ) async throws -> Application {
        // Before anything is made: a wrong table refuses the start.
        var options = try DialectOptions(configuration)
        let blueprint = Blueprint(configuration, surroundings)
        options.limits = configuration.callers.limits(
            exempt: configuration.limits.proxyAddresses, now: surroundings.steadyNanoseconds,
            telemetry: CallerTelemetry(factory: blueprint.registry, logger: blueprint.logger))
        do {
            let ground = try await Groundwork(blueprint)
            // The directory is this process's by now.
            MasterKeyFiles(path: configuration.masterKeyPath ?? configuration.directory.masterKeyPath)
                .removeLeftoversAtStart()
            let outside = try Outside(blueprint, ground)
            let core = try await GatewayCore(blueprint, ground, outside)
            try ground.remember(in: blueprint.directory)
            let served = try Served(blueprint, ground, outside, core, options)
            let workers = try served.workers(blueprint, core.gateway, outside.acquirer)
            return Application(blueprint, outside, core, served, workers: workers)
        } catch {
            await blueprint.opened.close()
            throw error
        }
    }

    private init(
        _ blueprint: Blueprint, _ outside: Outside, _ core: GatewayCore, _ served: Served, workers: [any Service]
    ) {
        self.configuration = blueprint.configuration
        self.gateway = core.gateway
        self.merchants = core.merchants
        self.logger = blueprint.logger
        self.outside = outside
        self.served = served
        self.opened = blueprint.opened
        let (delay, sleep) = (blueprint.configuration.drainDelayMilliseconds, blueprint.surroundings.sleep)
        let drain = DrainNotice(readiness: served.readiness) {
            ServiceManager()?.notify(.stopping)
            if delay > 0 { try? await sleep(delay) }
        }
        let servers = [outside.apple as (any Service)?, served.server, served.adminServer].compactMap(\.self)
        // They are stopped in reverse order.
        self.services = [Closer { [opened = blueprint.opened] in await opened.close() }] + workers + servers + [drain]
    }

    /// Closes the files of an application that was built and not run.
    func close() async {
        await self.opened.close()
    }
}

// MARK: - Running

extension Application {
    /// Serves until one of the signals comes, then finishes what has been accepted and closes.
    ///
    /// - Parameter onReady: called once, when every listener listens.
    func run(signals: [UnixSignal], onReady: @escaping @Sendable ([ListenerAddress]) async throws -> Void) async throws
    {
        let group = try await self.prepared(signals: signals)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            tasks.addTask {
                do {
                    try await onReady(try await self.listening())
                } catch is CancellationError {
                    // Asked to stop before it was ready.
                } catch {
                    // Servers end when they are asked to, not when they are cancelled.
                    await group.triggerGracefulShutdown()
                    throw error
                }
            }
            try await tasks.waitForAll()
        }
    }

    /// Where the administration listens; `nil` where it does not.
    func adminURL() async throws -> String? { try await self.served.adminServer?.addresses().first?.url }

    /// Serves while the body runs.
    func withRunning<Value: Sendable>(
        _ body: @escaping @Sendable ([ListenerAddress]) async throws -> Value
    ) async throws -> Value {
        let group = try await self.prepared(signals: [])
        let running = Task { try await group.run() }
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(try await self.listening()))
        } catch {
            result = .failure(error)
        }
        await group.triggerGracefulShutdown()
        try await running.value
        return try result.get()
    }

    /// Waits until everything listens.
    private func listening() async throws -> [ListenerAddress] {
        try await self.apple?.address()
        let addresses = try await self.served.server?.addresses() ?? []
        _ = try await self.served.adminServer?.addresses()
        try await self.served.storefront?.open(at: addresses)
        if let chain = self.configuration.chain, let url = addresses.first(where: { $0.scheme == .http })?.url {
            try await chain.open(at: url, self.gateway.administration, merchants: self.merchants.map(\.name))
        }
        return addresses
    }

    private func prepared(signals: [UnixSignal]) async throws -> ServiceGroup {
        // Whoever keeps the log apart from the store has the head at hand when entries are missing (docs/secrets.md).
        do {
            let audit = try await self.gateway.administration.auditHead()
            self.logger.info(
                "audit log", metadata: ["entries": "\(audit.entriesCount)", "head": "\(Hex.encode(audit.digest))"])
        } catch StoreError.corrupt {
            // Payments go on; what is wrong the check below says.
        }
        if let found = try await self.gateway.administration.checkAuditLog().firstBreak {
            self.logger.error(
                "the audit log is not as it was written; run pomona audit verify",
                metadata: ["entry": "\(found.number)", "reason": "\(found.reason.rawValue)"])
        }
        // Whatever is pending now was orphaned by the end of an earlier process.
        try await self.gateway.prepareRecovery()
        var logger = self.logger
        logger.logLevel = max(logger.logLevel, .warning)
        var configuration = ServiceGroupConfiguration(
            services: self.services, gracefulShutdownSignals: signals, logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(self.configuration.shutdownTimeoutSeconds)
        return ServiceGroup(configuration: configuration)
    }
}

// MARK: - Parts

extension Application {
    /// The wallet simulator's root, of a sandbox and where a sandbox merchant is: whoever can mint tokens under it can do
    /// nothing with them elsewhere. One that comes while `serve` runs is found by ``lateSandbox(_:_:)``.
    static func sandboxTrustRoots(
        _ configuration: ApplicationConfiguration, _ store: any PaymentStore, now: Timestamp
    ) async throws -> [TrustAnchor] {
        let directory = configuration.directory
        switch configuration.kind {
        case .sandbox:
            if !FileSystem.exists(directory.trustRootPath) { _ = try directory.loadOrCreateAuthority(now: now) }
        case .serve:
            let merchants = try await store.read { try $0.merchants() }
            guard merchants.contains(where: { $0.mode == .sandbox }) else { return [] }
        }
        return try directory.simulatorRoots()
    }

    /// What the simulator's authority vouches for while a gateway runs, for a sandbox merchant whose token was refused for its
    /// root, or whose certificate for its issuer. What is checked at a start is checked here: a root that others may write
    /// would let them pay.
    static func lateSandbox<Found>(
        _ directory: DataDirectory, _ read: (DataDirectory) throws -> [Found]
    ) -> [Found] {
        guard FileSystem.exists(directory.authorityPath) else { return [] }
        do {
            try FilePermissions.checkDirectory(directory.authorityPath)
            return try read(directory)
        } catch {
            return []
        }
    }

    static func listener(
        _ listener: ApplicationConfiguration.Listener, _ offer: ListenerOffer,
        _ configuration: ApplicationConfiguration,
        _ surroundings: Surroundings
    ) throws -> ListenerConfiguration {
        ListenerConfiguration(
            host: listener.host, port: listener.port,
            tls: try listener.tls.map { source in
                switch source {
                case .sandboxAuthority:
                    try self.sandboxTLS(listener, configuration, surroundings).identity()
                case .files(let certificatePath, let privateKeyPath, let clientAuthoritiesPath):
                    try ServerIdentity(
                        certificatePEM: try FileSystem.readText(certificatePath),
                        privateKeyPEM: try FileSystem.readPrivateText(privateKeyPath),
                        clientAuthoritiesPEM: try clientAuthoritiesPath.map(FileSystem.readText))
                }
            }, offer: offer,
            strictTransportSeconds: listener.strictTransportSeconds > 0 ? listener.strictTransportSeconds : nil)
    }

    static func sandboxTLS(
        _ listener: ApplicationConfiguration.Listener, _ configuration: ApplicationConfiguration,
        _ surroundings: Surroundings
    ) -> SandboxTLS {
        SandboxTLS(
            directory: configuration.directory, host: listener.host, otherNames: configuration.tlsNames,
            now: surroundings.clock())
    }

    /// The certificates that the program shows, each file once.
    static func certificateFiles(_ configuration: ApplicationConfiguration) throws -> [ServerCertificate] {
        func path(_ listener: ApplicationConfiguration.Listener?) -> String? {
            if case .files(let certificatePath, _, _) = listener?.tls { certificatePath } else { nil }
        }
        var paths = configuration.listeners.map { (path($0), ConfigurationKey.tlsCertificateFile) }
        paths.append((path(configuration.adminListener), .adminCertificateFile))
        if case .link(let address) = configuration.acquirer {
            paths.append((address.tls?.certificatePath, .acquirerCertificateFile))
        }
        var seen: Set<String> = []
        return try paths.compactMap { path, key in
            guard let path, seen.insert(path).inserted else { return nil }
            return ServerCertificate(pem: try FileSystem.readText(path), setting: key.name)
        }
    }
}
