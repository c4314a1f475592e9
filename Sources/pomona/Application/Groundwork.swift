//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AppleSessions
import Gateway
import Logging
import Payments
import Server

/// What every part of an application is made with.
struct Blueprint: Sendable {
    let configuration: ApplicationConfiguration
    let surroundings: Surroundings
    let logger: Logger
    let opened: OpenParts
    let registry = Telemetry.registry

    var directory: DataDirectory { self.configuration.directory }

    init(_ configuration: ApplicationConfiguration, _ surroundings: Surroundings) {
        self.configuration = configuration
        self.surroundings = surroundings
        self.logger = surroundings.logger("pomona", level: configuration.logLevel)
        self.opened = OpenParts(logger: self.logger)
    }
}

/// What a gateway stands on: a data directory that nobody else uses, the master key and the store.
struct Groundwork: Sendable {
    let location: StoreLocation
    let store: any ClosableStore
    let backlog = StoreBacklog()
    let masterKeys: MasterKeySource
    private let probe: CommitProbe

    var watchedStore: WatchedStore { WatchedStore(store: self.store, backlog: self.backlog) }

    init(_ blueprint: Blueprint) async throws {
        self.probe = CommitProbe(blueprint.surroundings)
        let (configuration, directory) = (blueprint.configuration, blueprint.directory)
        try directory.create()
        try directory.checkPermissions(store: configuration.store)
        let lock = try directory.lock()
        blueprint.opened.add("directory") { lock.release() }
        let masterKey = try MasterKeyChoice(
            directory, filePath: configuration.masterKeyPath, command: configuration.masterKeyCommand,
            variable: blueprint.surroundings.masterKeyVariable)
        if masterKey == .file(path: directory.masterKeyPath), configuration.masterKeyPath == nil {
            _ = try directory.loadOrCreateMasterKey(
                store: configuration.store, random: blueprint.surroundings.random)
        }
        self.masterKeys = masterKey.source
        self.location = try configuration.store ?? directory.storeLocation()
        let store = try await self.location.open()
        blueprint.opened.add("store") { try await store.close() }
        self.store = store
    }

    /// Has the directory remember its store. A store that cannot be opened, or whose secrets the master key does not open, is
    /// not remembered: it is somebody else's.
    func remember(in directory: DataDirectory) throws { try directory.remember(self.location) }

    func isWritable() async -> Bool { await self.probe.passes(self.store) }
}

/// Whom a gateway asks: Apple, for merchant sessions, and its acquirer.
struct Outside: Sendable {
    /// Of a sandbox that listens.
    let apple: SimulatedAppleServer?
    /// Asks Apple, or the simulated one.
    let appleSessions: AppleSessionClient
    let acquirer: ConnectedAcquirer

    init(_ blueprint: Blueprint, _ ground: Groundwork) throws {
        let apple = try Application.simulatedApple(blueprint, ground.store)
        let appleSessions = Application.appleSessions(
            blueprint.configuration, apple, blueprint.surroundings)
        blueprint.opened.add("apple") { await appleSessions.shutdown() }
        let acquirer = try ConnectedAcquirer(
            blueprint.configuration.acquirer, blueprint.directory, blueprint.surroundings, blueprint.logger)
        blueprint.opened.add("acquirer") { try acquirer.close() }
        self.apple = apple
        self.appleSessions = appleSessions
        self.acquirer = acquirer
    }
}
