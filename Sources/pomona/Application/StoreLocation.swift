//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Payments
import PostgreSQLStore
import Redaction
import SQLiteStore

/// Where a gateway keeps its payments.
enum StoreLocation: Hashable, Sendable {
    /// A file of this machine, for one process.
    case sqlite(path: String)
    /// A database for any number of nodes. The URL may hold a password.
    case postgreSQL(Redacted<String>)

    /// - Parameter text: "sqlite:PATH", or a URL of PostgreSQL: "postgresql://user@host:5432/database".
    /// - Throws: ``CommandFailure`` `store_malformed`, which does not repeat the text.
    init(text: String) throws(CommandFailure) {
        if text.hasPrefix("sqlite:"), text.utf8.count > 7 {
            self = .sqlite(path: FileSystem.absolutePath(String(text.dropFirst(7))))
        } else if text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") {
            self = .postgreSQL(Redacted(text))
        } else {
            throw CommandFailure(
                .storeMalformed, stage: .store,
                "A store is named by sqlite:PATH or postgresql://user@host:port/database.")
        }
    }

    var text: Redacted<String> {
        switch self {
        case .sqlite(let path): Redacted("sqlite:" + path)
        case .postgreSQL(let url): url
        }
    }

    /// For people: never a password.
    var summary: String {
        switch self {
        case .sqlite(let path): path
        case .postgreSQL: "PostgreSQL"
        }
    }

    /// The file of a store that does not lie in a data directory, behind whatever links; `nil` for one that does, and for a
    /// database.
    func file(outside directory: DataDirectory) -> String? {
        guard case .sqlite(let path) = self else { return nil }
        let file = Self.resolved(path)
        return Self.directory(of: file) == Self.resolved(directory.path) ? nil : file
    }

    /// The directory that a file lies in.
    static func directory(of path: String) -> String {
        FileSystem.absolutePath(URL(fileURLWithPath: path).deletingLastPathComponent().path(percentEncoded: false))
    }

    private static func resolved(_ path: String) -> String {
        FileSystem.absolutePath(URL(fileURLWithPath: path).resolvingSymlinksInPath().path(percentEncoded: false))
    }

    /// Whether other processes may write too, so that what is pending at the start may be theirs.
    var isShared: Bool {
        switch self {
        case .sqlite: false
        case .postgreSQL: true
        }
    }
}

// MARK: - Opening

/// A store that a program opens and closes.
protocol ClosableStore: PaymentStore {
    /// Lets what is under way end. Closing again does nothing.
    func close() async throws
}

extension SQLiteStore: ClosableStore {}
extension PostgreSQLStore: ClosableStore {}

extension StoreLocation {
    /// For a gateway: makes the tables when there are none, and brings older ones up to date.
    func open() async throws -> any ClosableStore {
        switch self {
        case .sqlite(let path): try SQLiteStore.open(path: path)
        case .postgreSQL(let url): try await PostgreSQLStore.open(url: url)
        }
    }

    /// For a command that writes beside a gateway: takes the tables as they are.
    func openBeside() async throws -> any ClosableStore {
        switch self {
        case .sqlite(let path): try SQLiteStore.openBeside(path: path)
        case .postgreSQL(let url): try await PostgreSQLStore.openBeside(url: url)
        }
    }

    /// Whether a gateway has begun on it: a store that is not there, is empty, or was left in the middle of its making has
    /// nothing in it.
    /// - Throws: `StoreError` for what cannot be reached, and for another program's.
    func isBegun() async throws -> Bool {
        switch self {
        case .sqlite(let path): try SQLiteStore.isBegun(path: path)
        case .postgreSQL(let url): try await PostgreSQLStore.isBegun(url: url)
        }
    }

    /// The same, where what cannot be looked at counts: nothing is put in its place.
    func mayBeBegun() async -> Bool { (try? await self.isBegun()) ?? true }

    /// The steps that this version would take to bring the tables up to date, in order; none for what is this version's.
    func missingSteps() async throws -> [String] {
        switch self {
        case .sqlite(let path): try SQLiteStore.missingSteps(path: path)
        case .postgreSQL(let url): try await PostgreSQLStore.missingSteps(url: url)
        }
    }

    func openReadOnly() async throws -> any ClosableStore {
        switch self {
        case .sqlite(let path): try SQLiteStore.openReadOnly(path: path)
        case .postgreSQL(let url): try await PostgreSQLStore.openReadOnly(url: url)
        }
    }
}

// MARK: - Remembering

extension DataDirectory {
    /// Where commands find the store: the one that they name, else where `pomona serve` of the same configuration and
    /// environment has it, which need not have been started yet, else where the directory's gateway used it last.
    func storeLocation() throws(CommandFailure) -> StoreLocation {
        if let namedStore { return namedStore }
        if let configured = try self.configuredStore() { return configured }
        return try self.rememberedStore()
    }

    /// What the configuration names, or the environment of a command that was given none.
    func configuredStore() throws(CommandFailure) -> StoreLocation? {
        if let values = try self.configuration() {
            guard let text = try values.text(.storeURL) else { return nil }
            return try StoreLocation(text: text)
        }
        guard let environmentStore else { return nil }
        return try StoreLocation(text: environmentStore.reveal())
    }

    /// What names the configured store, for people.
    var storeKey: String {
        self.configurationPath == nil
            ? ConfigurationKey.storeURL.environmentName
            : "\(ConfigurationKey.storeURL.name) (or \(ConfigurationKey.storeURL.environmentName))"
    }

    /// What is to be said where the configured store is not the one that the directory has: commands without the
    /// configuration, and a gateway, would look at different books. A command looks where the gateway would.
    func differenceNotice() throws(CommandFailure) -> String? {
        guard self.namedStore == nil, let configured = try self.configuredStore() else { return nil }
        let known = try self.rememberedStore()
        guard known != configured else { return nil }
        // A directory that no gateway has begun on has no other.
        if case .sqlite(let path) = known, !FileSystem.exists(path) { return nil }
        return "note: \(self.storeKey) names another store, \(configured.summary), than \(self.path) has, "
            + "\(known.summary). This command goes to the one of \(self.storeKey), as pomona serve would."
    }

    /// The store that the directory's gateway used last: commands find it without an option.
    func rememberedStore() throws(CommandFailure) -> StoreLocation {
        guard FileSystem.exists(self.storeLocationPath) else { return .sqlite(path: self.storePath) }
        let text = try FileSystem.readPrivateText(self.storeLocationPath).filter { !$0.isNewline }
        return try StoreLocation(text: text)
    }

    /// In a file that its owner alone may read: the URL may hold a password.
    func remember(_ location: StoreLocation) throws(CommandFailure) {
        guard try self.rememberedStore() != location else { return }
        guard location != .sqlite(path: self.storePath) else { return try FileSystem.remove(self.storeLocationPath) }
        try FileSystem.writePrivate(location.text.reveal() + "\n", to: self.storeLocationPath)
    }

    /// The same, but never in the place of a store that a gateway has begun on: for commands.
    func rememberFirst(_ location: StoreLocation) async throws {
        let known = try self.rememberedStore()
        if known == location { return }
        guard await !known.mayBeBegun() else { return }
        try self.remember(location)
    }

    /// The directory with a store that is named for it as for a new one.
    ///
    /// - Throws: ``CommandFailure`` `setup_differs` where it has another store.
    func beginning(_ location: StoreLocation) async throws -> DataDirectory {
        try self.checkPermissions()
        if let configured = try self.configuredStore(), configured != location {
            throw CommandFailure(
                .setupDiffers, stage: .store,
                "\(self.storeKey) names another store, \(configured.summary), which pomona serve would use. Leave --store out, "
                    + "or change the configuration.")
        }
        let known = try self.rememberedStore()
        if known != location, await known.mayBeBegun() {
            throw CommandFailure(
                .setupDiffers, stage: .store,
                "\(self.path) has a store already, \(known.summary), and --store names one for a new directory. Leave "
                    + "--store out, or move what is there: pomona store copy --to STORE --switch.")
        }
        var directory = self
        directory.namedStore = location
        return directory
    }
}
