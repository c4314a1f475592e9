//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AppleSessions
import Payments
import Server
import Storefront
import StrictJSON
import WalletSimulator

/// Merchant validation: who is asked for sessions.
extension Application {
    /// `nil` unless the configuration is of a sandbox that listens with TLS and wants it.
    static func simulatedApple(
        _ blueprint: Blueprint, _ store: any PaymentStore
    ) throws -> SimulatedAppleServer? {
        let (configuration, surroundings) = (blueprint.configuration, blueprint.surroundings)
        let own = configuration.listeners.first { $0.tls == .sandboxAuthority }
        guard configuration.kind == .sandbox, let port = configuration.applePort, let own else { return nil }
        let directory = configuration.directory
        let hosts = Self.ownHosts(configuration)
        let apple = SimulatedApple(
            authority: try directory.loadOrCreateAuthority(now: surroundings.clock()),
            registrations: {
                try await Self.registrations(in: store, everywhere: hosts)
            }, platforms: try SimulatedAppleBook(in: directory), clock: surroundings.clock,
            random: surroundings.random)
        // It shows the certificate of the sandbox's own listener, which is made where there is none.
        _ = try Self.sandboxTLS(own, configuration, surroundings).identity()
        return try SimulatedAppleServer(
            apple, listener: ApplicationConfiguration.Listener(host: own.host, port: port), directory: directory,
            registry: blueprint.registry, surroundings: surroundings, logger: blueprint.logger)
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

extension SimulatedAppleBook {
    /// The data directory's.
    ///
    /// - Throws: ``CommandFailure`` where its file cannot be read.
    convenience init(in directory: DataDirectory) throws(CommandFailure) {
        let path = directory.appleRegistrationsPath
        let text = FileSystem.exists(path) ? try FileSystem.readText(path) : "{}"
        self.init(kept: (try? JSON.parse(text)) ?? .object(JSONObject())) { json in
            try FileSystem.writePrivate(json.text(pretty: true) + "\n", to: path)
        }
    }
}
