//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import Foundation
import Gateway
import Logging
import Payments

/// How commands open the store of a data directory.
enum StoreAccess {
    /// For reading, also beside a running server.
    static func readOnly(_ directory: DataDirectory) async throws -> any ClosableStore {
        try directory.checkPermissions()
        try directory.requireStore()
        return try await directory.storeLocation().openReadOnly()
    }

    /// The merchant of that name.
    ///
    /// - Throws: ``CommandFailure`` `merchant_unknown`, which names those that there are.
    static func merchant(named name: String, in reader: any StoreReader) throws -> Merchant {
        if let merchant = try reader.merchant(named: name) { return merchant }
        let names = try reader.merchants().map(\.name)
        let known = names.isEmpty ? "it has none yet" : "it has " + names.joined(separator: ", ")
        throw CommandFailure(
            "merchant_unknown", stage: "store", "The store has no merchant named \(name); \(known).")
    }

    /// Runs a body with a gateway on the store, also beside a running server; no server, no workers, no acquirer.
    ///
    /// A server that runs on the directory sees what has changed within seconds, and a new processing key with the
    /// first token for it: so certificates are renewed without a stop.
    ///
    /// - Parameter makesStore: whether a directory without a store gets one, and a master key.
    static func withGateway<Value>(
        _ directory: DataDirectory, makesStore: Bool = false, _ body: (Gateway) async throws -> Value
    ) async throws -> Value {
        try await self.withOpenGateway(directory, makesStore: makesStore) { try await body($0.gateway) }
    }

    /// Runs a body with a gateway that writes nothing, also beside a running server.
    static func withReadingGateway<Value>(
        _ directory: DataDirectory, _ body: (Gateway) async throws -> Value
    ) async throws -> Value {
        try await self.withOpenGateway(directory, isReadOnly: true) { try await body($0.gateway) }
    }

    /// A gateway and how it was opened.
    struct OpenGateway {
        let gateway: Gateway
        /// Whether no server runs on the store, nor can be started while this is open.
        let isAlone: Bool
        let masterKey: MasterKeyChoice
    }

    static func withOpenGateway<Value>(
        _ directory: DataDirectory, isReadOnly: Bool = false, makesStore: Bool = false,
        _ body: (OpenGateway) async throws -> Value
    ) async throws -> Value {
        if makesStore { try directory.create() }
        try directory.checkPermissions()
        if makesStore { try self.makeMasterKey(of: directory) } else { try directory.requireStore() }
        let lock = isReadOnly ? nil : try Self.lockIfFree(directory)
        defer { withExtendedLifetime(lock) {} }
        let location = try directory.storeLocation()
        let isAlone = lock != nil && !location.isShared
        let store: any ClosableStore =
            if isReadOnly { try await location.openReadOnly() } else if isAlone { try await location.open() } else {
                try await location.openBeside()
            }
        do {
            if makesStore { try directory.remember(location) }
            let masterKey = try self.masterKey(of: directory)
            let value = try await body(
                OpenGateway(
                    gateway: try await self.gateway(
                        on: store, masterKey, certificateIssuers: try directory.certificateIssuers()), isAlone: isAlone,
                    masterKey: masterKey))
            try await store.close()
            return value
        } catch {
            try? await store.close()
            throw error
        }
    }

    /// What a new directory's store is sealed with, unless it comes from elsewhere.
    private static func makeMasterKey(of directory: DataDirectory) throws(CommandFailure) {
        guard try self.masterKey(of: directory) == .file(path: directory.masterKeyPath) else { return }
        _ = try directory.loadOrCreateMasterKey(random: Surroundings.system.random)
    }

    /// A gateway that serves nobody, for an operator's acts.
    static func gateway(
        on store: any PaymentStore, _ masterKey: MasterKeyChoice, certificateIssuers: [MerchantCertificateIssuer] = []
    ) async throws -> Gateway {
        let surroundings = Surroundings.system
        var parts = GatewayParts(
            store: store, connectors: try Connectors.forCommands(), masterKeys: masterKey.source,
            settings: GatewaySettings(ownsStore: false),
            clock: surroundings.clock, random: surroundings.random, sleep: surroundings.sleep,
            logger: surroundings.logger("pomona", level: .critical))
        parts.actor = surroundings.operatorName
        parts.sandboxCertificateIssuers = certificateIssuers
        return try await Gateway.start(parts)
    }

    /// The master key of the directory's gateway: by the same variables of the environment as the gateway's own, else
    /// from the directory.
    static func masterKey(of directory: DataDirectory) throws(CommandFailure) -> MasterKeyChoice {
        let environment = ProcessInfo.processInfo.environment
        return try MasterKeyChoice(
            directory,
            filePath: environment[ConfigurationKey.masterKeyFile.environmentName].map(FileSystem.absolutePath),
            command: environment[ConfigurationKey.masterKeyCommand.environmentName],
            variable: MasterKeyVariable.taken)
    }

    /// `nil` while another process owns the directory.
    private static func lockIfFree(_ directory: DataDirectory) throws(CommandFailure) -> DirectoryLock? {
        do throws(CommandFailure) {
            return try directory.lock()
        } catch {
            guard error.code == "directory_in_use" else { throw error }
            return nil
        }
    }
}
