//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import Gateway
import Payments
import Probes
import Server
import ServiceLifecycle
import Services
import Storefront
import Time
import WebFiles
import Webhooks
import Workers

/// What a gateway serves: its dialects and pages, the sandbox's shop, and the administration on a server of its own.
struct Served: Sendable {
    let dialects: [any Dialect]
    let readiness: Readiness
    let refusals: RefusalJournal
    let server: HTTPServer?
    let adminServer: HTTPServer?
    /// Of a sandbox that listens.
    let storefront: SandboxStorefront?

    init(
        _ blueprint: Blueprint, _ ground: Groundwork, _ outside: Outside, _ core: GatewayCore,
        _ options: DialectOptions
    ) throws {
        let gateway = core.gateway
        let files = try WebFiles.beside()
        let listeners = try blueprint.configuration.offers.map {
            try Application.listener($0, $1, blueprint.configuration, blueprint.surroundings)
        }
        self.dialects = DialectModule.all.map { $0.make(gateway, options) }
        self.readiness = Readiness(
            checks: [
                Readiness.Check(name: "store") { await ground.isWritable() },
                Readiness.Check(name: "keys") { gateway.opensAllKeys },
            ], sleep: blueprint.surroundings.sleep)
        self.refusals = RefusalJournal(
            gateway, services: Set(self.dialects.map(\.label) + [MerchantSessionService.name]))
        self.storefront = listeners.isEmpty ? nil : try Self.storefront(blueprint, core, outside, files)
        // The shop takes what nobody else does.
        let services =
            self.dialects + (try Self.pages(gateway, files, options.limits)) + (self.storefront?.services ?? [])
        self.server = Self.server(
            blueprint, listeners, services, self.readiness, ground.backlog,
            RefusalWorker.taking(self.refusals, factory: blueprint.registry))
        self.adminServer = try Application.adminServer(
            blueprint, gateway, self.dialects, files, outside.appleSessions, limits: options.limits,
            readiness: self.readiness)
    }

    private static func storefront(
        _ blueprint: Blueprint, _ core: GatewayCore, _ outside: Outside, _ files: WebFiles
    ) throws -> SandboxStorefront? {
        guard blueprint.configuration.kind == .sandbox, blueprint.configuration.hasShop else { return nil }
        return try SandboxStorefront(
            files: files, cards: core.merchants, merchants: core.sandbox, gateway: core.gateway,
            apple: outside.apple, hosts: blueprint.configuration.knownHosts, surroundings: blueprint.surroundings)
    }

    /// What is served beside the dialects.
    private static func pages(
        _ gateway: Gateway, _ files: WebFiles, _ limits: CallerLimits
    ) throws -> [any WireService] {
        [
            AcquirerNoticeService(gateway: gateway), WellKnownService(administration: gateway.administration),
            MerchantSessionService(gateway: gateway, limits: limits),
            try ScriptService(files: files),
        ]
    }

    private static func server(
        _ blueprint: Blueprint, _ listeners: [ListenerConfiguration], _ services: [any WireService],
        _ readiness: Readiness, _ backlog: StoreBacklog, _ onRefusal: @escaping @Sendable (RefusedWireCall) -> Void
    ) -> HTTPServer? {
        guard !listeners.isEmpty else { return nil }
        return HTTPServer(
            listeners: listeners, services: services, readiness: readiness, registry: blueprint.registry,
            limits: blueprint.configuration.limits, random: blueprint.surroundings.random,
            startTimeSeconds: blueprint.surroundings.clock().seconds,
            storeWaitMilliseconds: { backlog.waitMilliseconds }, onRefusal: onRefusal, logger: blueprint.logger)
    }
}

extension Served {
    /// What goes on beside the calls.
    func workers(_ blueprint: Blueprint, _ gateway: Gateway, _ acquirer: ConnectedAcquirer) throws -> [any Service] {
        let (configuration, surroundings, logger) = (blueprint.configuration, blueprint.surroundings, blueprint.logger)
        let sleep = surroundings.sleep
        var link: (@Sendable () -> LinkMeasurement)?
        if let linkState = acquirer.linkState { link = { linkState().measurement } }
        return [
            ConnectorWorker(gateway: gateway), JobLoop.recovery(gateway, sleep: sleep),
            JobLoop.captures(gateway, sleep: sleep), CardDataWorker(gateway: gateway, sleep: sleep),
            KeysWorker(gateway: gateway, sleep: sleep),
            try Self.alarms(blueprint, gateway, acquirer),
            ApprovalWorker(gateway: gateway, plans: DialectModule.all.map(\.plan), logger: logger, sleep: sleep),
            RefusalWorker(journal: self.refusals, logger: logger, sleep: sleep),
            RetentionWorker(gateway: gateway, dialects: self.dialects, sleep: sleep),
            CredentialUseWorker(gateway: gateway, logger: logger, sleep: sleep),
            StateMetrics(
                gateway: gateway, registry: blueprint.registry,
                link: link,
                serverCertificates: try Application.certificateFiles(configuration), known: Self.knownSeries,
                clock: surroundings.clock, sleep: sleep),
            WebhookWorker(
                gateway: gateway, dialects: self.dialects,
                settings: WebhookSettings(
                    timeoutSeconds: configuration.webhookTimeoutSeconds,
                    allowsPrivateTargets: configuration.allowsPrivateWebhookTargets),
                logger: logger, steadyNanoseconds: surroundings.steadyNanoseconds, wait: sleep),
        ]
    }

    /// What alerts ask the growth of.
    private static var knownSeries: [KnownSeries] {
        [
            KnownSeries(
                "pomona_credentials_guessing_total", "dialect", DialectModule.all.map(\.plan.dialect.text)),
            KnownSeries("pomona_alarm_messages_total", "result", ["taken", "failed"]),
            KnownSeries("pomona_sign_ins_total", "result", SignInEvent.allCases.map(\.rawValue)),
        ]
    }

    private static func alarms(
        _ blueprint: Blueprint, _ gateway: Gateway, _ acquirer: ConnectedAcquirer
    ) throws -> AlarmWorker {
        let (configuration, surroundings) = (blueprint.configuration, blueprint.surroundings)
        let directory = DirectoryExamination(directory: configuration.directory, store: configuration.store)
        return AlarmWorker(
            gateway: gateway, registry: blueprint.registry,
            node: "\(Operator.hostNames.first ?? "localhost"):\(configuration.directory.path)",
            target: try configuration.alarms?.target(),
            sights: AlarmSights(
                disk: { directory.room() },
                link: { acquirer.linkState?().findings ?? [] },
                domains: configuration.domainExamination(surroundings).findings,
                serverCertificates: try Application.certificateFiles(configuration)),
            asks: configuration.kind == .serve, steadyNanoseconds: surroundings.steadyNanoseconds,
            logger: blueprint.logger, sleep: surroundings.sleep)
    }
}
