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
import Storefront
import Time
import UnixSignals
import WebFiles
import Webhooks

/// A whole gateway: the only place where concrete stores, acquirers and dialects are named and put together.
///
/// Tests, the demonstration and the servers all build it here and so run the same thing.
struct Application: Sendable {
    let configuration: ApplicationConfiguration
    let gateway: Gateway
    let dialects: [any Dialect]
    /// The demo merchants of a sandbox, in the order of the dialects.
    let merchants: [MerchantCard]
    let readiness: Readiness
    let logger: Logger
    private let server: HTTPServer?
    private let adminServer: HTTPServer?
    /// Of a sandbox that listens.
    let apple: SimulatedAppleServer?
    /// Asks Apple, or the simulated one.
    let appleSessions: AppleSessionClient
    /// Of a sandbox that listens.
    private let storefront: SandboxStorefront?
    private let services: [any Service]
    private let closer: Closer

    var directory: DataDirectory { self.configuration.directory }

    /// Opens everything and starts nothing: ``run(signals:onReady:)`` or ``withRunning(_:)`` does that, else
    /// ``close()`` has to be called.
    ///
    /// - Throws: ``CommandFailure``, `StoreError`, `VaultError`, `ListenerError` and what onboarding throws.
    static func build(
        _ configuration: ApplicationConfiguration, surroundings: Surroundings = .system
    ) async throws -> Application {
        let directory = configuration.directory
        // Before anything is made: a wrong table refuses the start.
        var options = try DialectOptions(configuration)
        let logger = surroundings.logger("pomona", level: configuration.logLevel)
        try directory.create()
        try directory.checkPermissions()
        // Held until the stores are closed.
        let lock = try directory.lock()
        let masterKey = try MasterKeyChoice(
            directory, filePath: configuration.masterKeyPath, command: configuration.masterKeyCommand,
            variable: surroundings.masterKeyVariable)
        if masterKey == .file(path: directory.masterKeyPath), configuration.masterKeyPath == nil {
            _ = try directory.loadOrCreateMasterKey(random: surroundings.random)
        }
        let registry = Telemetry.registry
        options.limits = configuration.callers.limits(
            exempt: configuration.limits.proxyAddresses, now: surroundings.steadyNanoseconds,
            telemetry: CallerTelemetry(factory: registry, logger: logger))
        let location = try configuration.store ?? directory.storeLocation()
        let store = try await location.open()
        let backlog = StoreBacklog()
        do {
            // Before the simulated Apple, which shows the same certificate.
            let listeners = try Self.listeners(configuration, surroundings)
            let apple = try Self.simulatedApple(configuration, store, registry, surroundings, logger)
            let appleSessions = Self.appleSessions(configuration, apple, surroundings)
            let acquirer = try OpenAcquirer(configuration.acquirer, directory, surroundings, logger)
            // Once it has been opened: a store that cannot be is not remembered.
            try directory.remember(location)
            let closer = Closer {
                await appleSessions.shutdown()
                await Self.close(store, acquirer, logger: logger)
                lock.release()
            }
            var parts = try await Self.gatewayParts(
                configuration, WatchedStore(store: store, backlog: backlog), acquirer, masterKey.source, surroundings,
                logger)
            parts.requestMerchantSession = appleSessions.request
            let gateway = try await Gateway.start(parts)
            try await gateway.administration.bindAccounts()
            let modules = DialectModule.all
            let sandbox = Self.sandboxMerchants(configuration, gateway, surroundings)
            let merchants =
                switch configuration.kind {
                case .sandbox: try await sandbox.prepare(modules)
                case .serve: [MerchantCard]()
                }
            let dialects = modules.map { $0.make(gateway, options) }
            let readiness = Readiness(checks: [
                Readiness.Check(name: "store") { await Self.isWritable(store) }
            ])
            let files = try WebFiles.beside()
            let storefront =
                configuration.kind == .sandbox && configuration.hasShop && !listeners.isEmpty
                ? try SandboxStorefront(
                    files: files, cards: merchants, merchants: sandbox, gateway: gateway, apple: apple,
                    hosts: configuration.knownHosts, surroundings: surroundings) : nil
            let refusals = RefusalJournal(gateway, services: Set(dialects.map(\.label) + [MerchantSessionService.name]))
            // The shop takes what nobody else does.
            let server = Self.server(
                configuration, listeners: listeners,
                services: dialects + (try Self.pages(configuration, gateway, files, surroundings))
                    + (storefront?.services ?? []),
                readiness: readiness, registry: registry, backlog: backlog,
                onRefusal: RefusalWorker.taking(refusals, factory: registry), surroundings: surroundings, logger: logger
            )
            let adminServer = try Self.adminServer(
                configuration, gateway, dialects, files, appleSessions, limits: options.limits, readiness: readiness,
                registry: registry, surroundings: surroundings, logger: logger)
            let workers = try Self.workers(
                configuration, gateway, dialects, refusals, acquirer, registry, surroundings, logger)
            let drain = DrainNotice(readiness: readiness) { [delay = configuration.drainDelayMilliseconds] in
                if delay > 0 { try? await surroundings.sleep(delay) }
            }
            let servers = [apple as (any Service)?, server, adminServer].compactMap(\.self)
            return Application(
                configuration: configuration, gateway: gateway, dialects: dialects, merchants: merchants,
                readiness: readiness, logger: logger, server: server, adminServer: adminServer, apple: apple,
                appleSessions: appleSessions, storefront: storefront,
                services: [closer] + workers + servers + [drain], closer: closer)
        } catch {
            try? await store.close()
            throw error
        }
    }

    /// Closes the files of an application that was built and not run.
    func close() async {
        await self.closer.close()
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
    func adminURL() async throws -> String? { try await self.adminServer?.addresses().first?.url }

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
        let addresses = try await self.server?.addresses() ?? []
        _ = try await self.adminServer?.addresses()
        try await self.storefront?.open(at: addresses)
        if let chain = self.configuration.chain, let url = addresses.first(where: { $0.scheme == .http })?.url {
            try await chain.open(at: url, self.gateway.administration, merchants: self.merchants.map(\.name))
        }
        return addresses
    }

    private func prepared(signals: [UnixSignal]) async throws -> ServiceGroup {
        // Whoever keeps the log apart from the store has the head at hand when entries are missing (docs/secrets.md).
        let audit = try await self.gateway.administration.auditHead()
        self.logger.info(
            "audit log", metadata: ["entries": "\(audit.entriesCount)", "head": "\(Hex.encode(audit.digest))"])
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
    /// nothing with them elsewhere. One that is made while `serve` runs has it after a restart.
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
        guard FileSystem.exists(directory.trustRootPath) else { return [] }
        return [try TrustAnchor(certificatePEM: try FileSystem.readText(directory.trustRootPath))]
    }

    private static func gatewayParts(
        _ configuration: ApplicationConfiguration, _ store: WatchedStore, _ acquirer: OpenAcquirer,
        _ masterKeys: MasterKeySource, _ surroundings: Surroundings, _ logger: Logger
    ) async throws -> GatewayParts {
        var settings = configuration.settings
        let location = try configuration.store ?? configuration.directory.storeLocation()
        settings.ownsStore = !location.isShared
        var parts = GatewayParts(
            store: store, connectors: Connectors.all(simulator: acquirer.connector, surroundings),
            masterKeys: masterKeys,
            sandboxTrustRoots: try await Self.sandboxTrustRoots(configuration, store, now: surroundings.clock()),
            liveTrustRoots: surroundings.apple.tokenRoots, settings: settings, clock: surroundings.clock,
            random: surroundings.random, sleep: surroundings.sleep,
            logger: logger)
        parts.sandboxCertificateIssuers = try configuration.directory.certificateIssuers()
        parts.liveCertificateIssuers = surroundings.apple.certificateIssuers
        parts.actor = surroundings.operatorName
        return parts
    }

    /// What is served beside the dialects.
    private static func pages(
        _ configuration: ApplicationConfiguration, _ gateway: Gateway, _ files: WebFiles, _ surroundings: Surroundings
    ) throws -> [any WireService] {
        [
            AcquirerNoticeService(gateway: gateway), WellKnownService(administration: gateway.administration),
            MerchantSessionService(
                gateway: gateway,
                sandboxHosts: configuration.kind == .sandbox ? Self.ownHosts(configuration) : [],
                exempt: configuration.limits.proxyAddresses, now: surroundings.steadyNanoseconds),
            try ScriptService(files: files),
        ]
    }

    /// What goes on beside the calls.
    private static func workers(
        _ configuration: ApplicationConfiguration, _ gateway: Gateway, _ dialects: [any Dialect],
        _ refusals: RefusalJournal, _ acquirer: OpenAcquirer, _ registry: PrometheusRegistry,
        _ surroundings: Surroundings, _ logger: Logger
    ) throws -> [any Service] {
        let serverCertificates = try Self.certificateFiles(configuration)
        return [
            ConnectorWorker(gateway: gateway), RecoveryWorker(gateway: gateway, sleep: surroundings.sleep),
            CaptureWorker(gateway: gateway, sleep: surroundings.sleep),
            KeysWorker(gateway: gateway, sleep: surroundings.sleep),
            AlarmWorker(
                gateway: gateway, registry: registry, directory: configuration.directory,
                node: "\(Operator.hostNames.first ?? "localhost"):\(configuration.directory.path)",
                target: try configuration.alarms?.target(), linkState: acquirer.linkState,
                serverCertificates: serverCertificates, asks: configuration.kind == .serve,
                steadyNanoseconds: surroundings.steadyNanoseconds, logger: logger, sleep: surroundings.sleep),
            ApprovalWorker(
                gateway: gateway, plans: DialectModule.all.map(\.plan), logger: logger, sleep: surroundings.sleep),
            RefusalWorker(journal: refusals, logger: logger, sleep: surroundings.sleep),
            CredentialUseWorker(gateway: gateway, logger: logger, sleep: surroundings.sleep),
            StateMetrics(
                gateway: gateway, registry: registry, linkState: acquirer.linkState,
                serverCertificates: serverCertificates, clock: surroundings.clock,
                sleep: surroundings.sleep),
            WebhookWorker(
                gateway: gateway, dialects: dialects,
                settings: WebhookSettings(
                    timeoutSeconds: configuration.webhookTimeoutSeconds,
                    allowsPrivateTargets: configuration.allowsPrivateWebhookTargets),
                logger: logger, wait: surroundings.sleep),
        ]
    }

    private static func listeners(
        _ configuration: ApplicationConfiguration, _ surroundings: Surroundings
    ) throws -> [ListenerConfiguration] {
        try configuration.offers.map { try self.listener($0, $1, configuration, surroundings) }
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
                    try SandboxTLS(
                        directory: configuration.directory, host: listener.host,
                        otherNames: configuration.tlsNames, now: surroundings.clock()
                    ).identity()
                case .files(let certificatePath, let privateKeyPath, let clientAuthoritiesPath):
                    try ServerIdentity(
                        certificatePEM: try FileSystem.readText(certificatePath),
                        privateKeyPEM: try FileSystem.readPrivateText(privateKeyPath),
                        clientAuthoritiesPEM: try clientAuthoritiesPath.map(FileSystem.readText))
                }
            }, offer: offer,
            strictTransportSeconds: listener.strictTransportSeconds > 0 ? listener.strictTransportSeconds : nil)
    }

    static func certificateFiles(_ configuration: ApplicationConfiguration) throws -> [String] {
        let paths = (configuration.listeners + [configuration.adminListener].compactMap(\.self)).compactMap {
            listener in
            if case .files(let certificatePath, _, _) = listener.tls { certificatePath } else { nil as String? }
        }
        return try Set(paths).sorted().map { try FileSystem.readText($0) }
    }

    private static func server(
        _ configuration: ApplicationConfiguration, listeners: [ListenerConfiguration], services: [any WireService],
        readiness: Readiness, registry: PrometheusRegistry, backlog: StoreBacklog,
        onRefusal: @escaping @Sendable (RefusedWireCall) -> Void, surroundings: Surroundings, logger: Logger
    ) -> HTTPServer? {
        guard !listeners.isEmpty else { return nil }
        return HTTPServer(
            listeners: listeners, services: services, readiness: readiness, registry: registry,
            limits: configuration.limits, random: surroundings.random,
            startTimeSeconds: surroundings.clock().seconds,
            storeWaitMilliseconds: { backlog.waitMilliseconds }, onRefusal: onRefusal, logger: logger)
    }

    private static func sandboxMerchants(
        _ configuration: ApplicationConfiguration, _ gateway: Gateway, _ surroundings: Surroundings
    ) -> SandboxMerchants {
        let directory = configuration.directory
        let tools = AccountTools(surroundings) { name in
            try SandboxTLS(directory: directory, host: "localhost", now: surroundings.clock()).clientIdentity(
                named: name)
        }
        return SandboxMerchants(
            directory: directory, administration: gateway.administration, tools: tools,
            settings: configuration.demoSettings,
            chosen: configuration.demoCredentials, chain: configuration.chain)
    }

    private static func isWritable(_ store: any PaymentStore) async -> Bool {
        do {
            try await store.write { _ in }
            return true
        } catch {
            return false
        }
    }

    private static func close(_ store: any ClosableStore, _ acquirer: OpenAcquirer, logger: Logger) async {
        do {
            try await store.close()
            try acquirer.close()
        } catch {
            logger.error(
                "a store was not closed cleanly; it will be repaired at the next start",
                metadata: ["reason": "\(error)"])
        }
    }
}
