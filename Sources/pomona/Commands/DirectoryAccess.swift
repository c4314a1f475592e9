//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ApplePayToken
import Foundation
import Gateway
import Logging
import Payments

/// How commands open the store of a data directory.
enum DirectoryAccess {
    /// For reading, also beside a running server.
    static func readOnly(_ directory: DataDirectory) async throws -> any ClosableStore {
        try directory.checkPermissions()
        try directory.requireStore()
        try self.noteDifference(of: directory)
        return try await directory.storeLocation().openReadOnly()
    }

    /// Runs an operator's acts on the store, also beside a running server; no server, no workers, no acquirer.
    ///
    /// A server that runs on the directory sees what has changed within seconds, and a new processing key with the
    /// first token for it: so certificates are renewed without a stop.
    ///
    /// - Parameter makesStore: whether a directory without a store gets one, and a master key.
    static func withAdministration<Value>(
        _ directory: DataDirectory, makesStore: Bool = false, _ body: (Administration) async throws -> Value
    ) async throws -> Value {
        try await self.withOpenGateway(directory, makesStore: makesStore) { try await body($0.administration) }
    }

    /// Runs what only reads, also beside a running server.
    ///
    /// - Parameters:
    ///   - connectors: those of a command that talks to acquirers; else such as only look at accounts.
    ///   - settings: of the gateway that is looked at.
    static func withReadingAdministration<Value>(
        _ directory: DataDirectory, connectors: [any Connector]? = nil, settings: GatewaySettings = GatewaySettings(),
        _ body: (Administration) async throws -> Value
    ) async throws -> Value {
        try await self.withOpenGateway(directory, isReadOnly: true, connectors: connectors, settings: settings) {
            try await body($0.administration)
        }
    }

    /// A gateway and how it was opened.
    struct OpenGateway {
        let administration: Administration
        /// Whether no server runs on the store, nor can be started while this is open.
        let isAlone: Bool
        let masterKey: MasterKeyChoice
    }

    /// - Parameters:
    ///   - connectors: those of a command that talks to acquirers; else such as only look at accounts.
    ///   - settings: name who has the identity with which merchants are registered at Apple.
    ///   - onCloseFailure: takes what kept the store from being closed after the body. What the body has committed is durable
    ///     by then, and its value may be there this once.
    static func withOpenGateway<Value>(
        _ directory: DataDirectory, isReadOnly: Bool = false, makesStore: Bool = false,
        connectors: [any Connector]? = nil, settings: GatewaySettings = GatewaySettings(),
        onCloseFailure: (any Error) -> Void = DirectoryAccess.noteCloseFailure,
        _ body: (OpenGateway) async throws -> Value
    ) async throws -> Value {
        if makesStore { try directory.create() }
        try directory.checkPermissions()
        if makesStore { try await self.makeMasterKey(of: directory) } else { try directory.requireStore() }
        let lock = isReadOnly ? nil : try Self.lockIfFree(directory)
        defer { withExtendedLifetime(lock) {} }
        try self.noteDifference(of: directory)
        let location = try directory.storeLocation()
        let isAlone = lock != nil && !location.isShared
        // Beside others the tables stay as they are, but for a database that nobody has begun on.
        let makesTables =
            if isAlone { true } else if makesStore, location.isShared { try await !location.isBegun() } else { false }
        let store: any ClosableStore =
            if isReadOnly { try await location.openReadOnly() } else if makesTables { try await location.open() } else {
                try await location.openBeside()
            }
        let value: Value
        do {
            let masterKey = try self.masterKey(of: directory)
            let administration = try await self.administration(
                on: store, masterKey, certificateIssuers: try directory.certificateIssuers(),
                connectors: connectors, settings: settings)
            // Not before: a store of somebody else's opens, and its secrets do not.
            if makesStore { try await directory.rememberFirst(location) }
            value = try await body(
                OpenGateway(administration: administration, isAlone: isAlone, masterKey: masterKey))
        } catch let error as VaultError where error.code == .masterKeyWrong {
            try? await store.close()
            throw CommandFailure(
                of: error.code.rawValue, stage: .store,
                "\(error) (\(try self.masterKey(of: directory).summary)). \(MasterKeyChoice.places)")
        } catch {
            try? await store.close()
            throw error
        }
        do {
            try await store.close()
        } catch {
            onCloseFailure(error)
        }
        return value
    }

    /// The log is emptied into the file by the next process that closes it.
    static func noteCloseFailure(_ error: any Error) {
        let text = "note: All was done, but the store could not be closed: \(CommandFailure(error).message)"
        for line in Text.wrapped(text, width: 100) { Console.standard.errorLine(line) }
    }

    /// On standard error: what a command answers stays what it is.
    private static func noteDifference(of directory: DataDirectory) throws(CommandFailure) {
        guard let notice = try directory.differenceNotice() else { return }
        for line in Text.wrapped(notice, width: 100) { Console.standard.errorLine(line) }
    }

    /// What a new directory's store is sealed with, unless it comes from elsewhere.
    private static func makeMasterKey(of directory: DataDirectory) async throws {
        let choice = try self.masterKey(of: directory)
        guard choice == .file(path: directory.masterKeyPath) else { return }
        let location = try directory.storeLocation()
        // A database that has been begun has a key. A second one would open nothing, and be taken for it later.
        if location.isShared, !FileSystem.exists(directory.masterKeyPath), try await location.isBegun() {
            _ = try await choice.read()
        }
        _ = try directory.loadOrCreateMasterKey(random: Surroundings.system.random)
    }

    /// A gateway that serves nobody, for an operator's acts.
    static func administration(
        on store: any PaymentStore, _ masterKey: MasterKeyChoice, certificateIssuers: [MerchantCertificateIssuer] = [],
        connectors: [any Connector]? = nil, settings: GatewaySettings = GatewaySettings()
    ) async throws -> Administration {
        let surroundings = Surroundings.system
        var settings = settings
        settings.ownsStore = false
        var parts = GatewayParts(
            store: store, connectors: try connectors ?? Connectors.forCommands(), masterKeys: masterKey.source,
            settings: settings,
            clock: surroundings.clock, random: surroundings.random, sleep: surroundings.sleep,
            logger: surroundings.logger("pomona", level: .critical))
        parts.actor = surroundings.operatorName
        parts.sandboxCertificateIssuers = certificateIssuers
        return try await Gateway.start(parts).administration
    }

    /// The master key of the directory's gateway: by the same variables of the environment as the gateway's own, else by its
    /// configuration, where the command was given it, else from the directory.
    static func masterKey(of directory: DataDirectory) throws(CommandFailure) -> MasterKeyChoice {
        if let values = try directory.configuration() {
            return try MasterKeyChoice(
                directory, filePath: try values.text(.masterKeyFile).map(FileSystem.absolutePath),
                command: try values.text(.masterKeyCommand), variable: MasterKeyVariable.taken)
        }
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
            guard error.isA(.directoryInUse) else { throw error }
            return nil
        }
    }
}

extension People {
    /// As commands know them: by the machine's clock.
    init(_ administration: Administration, settings: PeopleSettings = PeopleSettings()) {
        self.init(administration, settings: settings, steadyNanoseconds: Surroundings.system.steadyNanoseconds)
    }
}
