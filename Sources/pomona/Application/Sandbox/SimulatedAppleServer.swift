//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AppleSessions
import Logging
import Server
import ServiceLifecycle
import Storefront
import SwiftASN1
import Synchronization
import Time
import WalletSimulator
import X509

/// The simulated Apple's listener: TLS with a certificate by the sandbox's authority, for clients that must show one by
/// the test authority, as Apple's servers do it with theirs.
final class SimulatedAppleServer: Service {
    private let server: HTTPServer
    /// Who the server's certificate is by, PEM.
    private let authoritiesPEM: String
    private let bound = Mutex<ListenerAddress?>(nil)

    /// - Parameters:
    ///   - listener: where the sandbox listens; Apple's port is another.
    ///   - directory: holds the server's key and certificate, which are made by now.
    init(
        _ apple: SimulatedApple, listener: ApplicationConfiguration.Listener, directory: DataDirectory,
        registry: PrometheusRegistry, surroundings: Surroundings, logger: Logger
    ) throws {
        self.authoritiesPEM = try FileSystem.readText(directory.caCertificatePath)
        let clientAuthorities = [apple.authority.merchantIntermediateCertificate, apple.authority.rootCertificate]
        let identity = try ServerIdentity(
            certificatePEM: try FileSystem.readText(directory.serverCertificatePath),
            privateKeyPEM: try FileSystem.readPrivateText(directory.serverKeyPath),
            clientAuthoritiesPEM: try clientAuthorities.map { try $0.serializeAsPEM().pemString }
                .joined(separator: "\n"),
            requiresClientCertificate: true)
        // Apple has names; an address of version 6 would need brackets in the validation URL.
        let host = listener.host.contains(":") ? "127.0.0.1" : listener.host
        self.server = HTTPServer(
            listeners: [ListenerConfiguration(host: host, port: listener.port, tls: identity)], services: [apple],
            readiness: Readiness(sleep: surroundings.sleep), registry: registry, random: surroundings.random,
            startTimeSeconds: surroundings.clock().seconds, logger: logger)
    }

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.server.run() }
            group.addTask {
                // Ends with the server, if that ends first; then the server says why.
                _ = try? await self.address()
            }
            try await group.waitForAll()
        }
    }

    /// Waits until it listens.
    ///
    /// - Throws: what ``run()`` throws, when that ends first.
    @discardableResult
    func address() async throws -> ListenerAddress? {
        let address = try await self.server.addresses().first
        self.bound.withLock { $0 = address }
        return address
    }

    /// "https://127.0.0.1:35571"; `nil` until it listens.
    var url: String? { self.bound.withLock { $0 }?.url }

    /// What merchant sessions are asked of; `nil` until it listens.
    var endpoint: AppleSessionEndpoint? {
        guard let address = self.bound.withLock({ $0 }) else { return nil }
        return AppleSessionEndpoint(
            host: address.host == "0.0.0.0" ? "127.0.0.1" : address.host, port: address.port,
            authoritiesPEM: self.authoritiesPEM)
    }
}
