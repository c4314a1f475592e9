//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AppleSessions
import Logging
import Payments
import Server
import WalletSimulator

/// Merchant validation: who is asked for sessions.
extension Application {
    /// `nil` unless the configuration is of a sandbox that listens with TLS and wants it.
    static func simulatedApple(
        _ configuration: ApplicationConfiguration, _ store: any PaymentStore, _ registry: PrometheusRegistry,
        _ surroundings: Surroundings, _ logger: Logger
    ) throws -> SimulatedAppleServer? {
        let own = configuration.listeners.first { $0.tls == .sandboxAuthority }
        guard configuration.kind == .sandbox, let port = configuration.applePort, let own else { return nil }
        let directory = configuration.directory
        let hosts = Self.ownHosts(configuration)
        let apple = SimulatedApple(
            authority: try directory.loadOrCreateAuthority(now: surroundings.clock()),
            registrations: {
                try await Self.registrations(in: store, everywhere: hosts)
            }, platforms: try SimulatedAppleBook(path: directory.appleRegistrationsPath), clock: surroundings.clock,
            random: surroundings.random)
        return try SimulatedAppleServer(
            apple, listener: ApplicationConfiguration.Listener(host: own.host, port: port), directory: directory,
            registry: registry, surroundings: surroundings, logger: logger)
    }

    /// The names and addresses of this machine, and those that its certificate was given.
    static func ownHosts(_ configuration: ApplicationConfiguration) -> Set<String> {
        Set(configuration.listeners.map(\.host)).union(["localhost", "127.0.0.1"]).union(configuration.tlsNames)
    }

    /// What the merchants of the store would have registered with Apple: the names of this machine, and the domains that
    /// `pomona domain add` has registered.
    private static func registrations(
        in store: any PaymentStore, everywhere hosts: Set<String>
    ) async throws -> SimulatedMerchantValidation.Registrations {
        let (domains, credentials) = try await store.read { reader in
            (try reader.domains(of: nil), try reader.appleCredentials(of: nil))
        }
        var registrations: SimulatedMerchantValidation.Registrations = [:]
        for credential in credentials where credential.purpose == .merchantIdentity {
            let own = domains.filter { $0.merchantID == credential.merchantID }.map(\.name)
            registrations[credential.merchantIdentifier, default: hosts].formUnion(own)
        }
        return registrations
    }

    static func appleSessions(
        _ configuration: ApplicationConfiguration, _ apple: SimulatedAppleServer?, _ surroundings: Surroundings
    ) -> AppleSessionClient {
        var settings = configuration.appleSessions
        if configuration.kind == .sandbox, settings.simulator == nil { settings.simulator = { apple?.endpoint } }
        return AppleSessionClient(settings: settings, sleep: surroundings.sleep)
    }
}
