//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import AppleSessions
import DialectKit
import Gateway
import Payments

/// The gateway itself, and the merchants of a sandbox.
struct GatewayCore: Sendable {
    let gateway: Gateway
    let sandbox: SandboxMerchants
    /// The demo merchants of a sandbox, in the order of the dialects.
    let merchants: [MerchantCard]

    init(_ blueprint: Blueprint, _ ground: Groundwork, _ outside: Outside) async throws {
        let configuration = blueprint.configuration
        self.gateway = try await Gateway.start(try await Self.parts(blueprint, ground, outside))
        try await self.gateway.administration.bindAccounts()
        self.sandbox = Self.sandbox(blueprint, self.gateway)
        self.merchants =
            switch configuration.kind {
            case .sandbox: try await self.sandbox.prepare(DialectModule.all)
            case .serve: []
            }
    }

    private static func parts(
        _ blueprint: Blueprint, _ ground: Groundwork, _ outside: Outside
    ) async throws -> GatewayParts {
        let (configuration, surroundings) = (blueprint.configuration, blueprint.surroundings)
        var settings = configuration.settings
        settings.ownsStore = !ground.location.isShared
        if configuration.kind == .sandbox {
            settings.sandboxPageHosts = Set(Application.ownHosts(configuration).map { $0.lowercased() })
        }
        var parts = GatewayParts(
            store: ground.watchedStore,
            connectors: Connectors.all(
                simulator: outside.acquirer.connector, surroundings,
                reach: Connectors.reach(settings)),
            masterKeys: ground.masterKeys,
            sandboxTrustRoots: try await Application.sandboxTrustRoots(
                configuration, ground.store, now: surroundings.clock()),
            liveTrustRoots: surroundings.apple.tokenRoots, settings: settings, clock: surroundings.clock,
            random: surroundings.random, sleep: surroundings.sleep, logger: blueprint.logger)
        parts.findSandboxTrustRoots = { [directory = configuration.directory] in
            Application.lateSandbox(directory) { try $0.simulatorRoots() }
        }
        parts.sandboxCertificateIssuers = try configuration.directory.certificateIssuers()
        parts.findSandboxCertificateIssuers = { [directory = configuration.directory] in
            Application.lateSandbox(directory) { try $0.certificateIssuers() }
        }
        parts.liveCertificateIssuers = surroundings.apple.certificateIssuers
        parts.actor = surroundings.operatorName
        parts.requestMerchantSession = outside.appleSessions.request
        return parts
    }

    private static func sandbox(_ blueprint: Blueprint, _ gateway: Gateway) -> SandboxMerchants {
        let (configuration, directory) = (blueprint.configuration, blueprint.directory)
        let tools = AccountTools(blueprint.surroundings) { [clock = blueprint.surroundings.clock] name in
            try SandboxTLS(directory: directory, host: "localhost", now: clock()).clientIdentity(named: name)
        }
        return SandboxMerchants(
            directory: directory, administration: gateway.administration, tools: tools,
            settings: configuration.demoSettings, chosen: configuration.demoCredentials, chain: configuration.chain)
    }
}
