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
    /// The store that the directory's gateway used last: commands find it without an option.
    func storeLocation() throws(CommandFailure) -> StoreLocation {
        guard FileSystem.exists(self.storeLocationPath) else { return .sqlite(path: self.storePath) }
        let text = try FileSystem.readPrivateText(self.storeLocationPath).filter { $0 != "\n" }
        return try StoreLocation(text: text)
    }

    /// In a file that its owner alone may read: the URL may hold a password.
    func remember(_ location: StoreLocation) throws(CommandFailure) {
        guard try self.storeLocation() != location else { return }
        guard location != .sqlite(path: self.storePath) else { return try FileSystem.remove(self.storeLocationPath) }
        try FileSystem.writePrivate(location.text.reveal() + "\n", to: self.storeLocationPath)
    }
}
