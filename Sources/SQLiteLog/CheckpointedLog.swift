//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CSQLiteWAL
public import GRDB
import GRDBSQLite
import Synchronization

/// The write-ahead log of a file that one connection writes, and how it is emptied into the file.
///
/// SQLite does that in the commit that finds the log long (sqlite.org/wal.html, section 3.1), for which everybody waits who
/// has something to commit: ten milliseconds every few hundred payments. Here another connection does most of it, beside
/// the writer; what has been committed meanwhile is left to the writer, which is little, and the log begins anew.
public final class CheckpointedLog: Sendable {
    private enum Phase {
        case idle
        /// The other connection is at it.
        case underWay
        /// The other connection has done its part.
        case nearlyEmpty
        case closed
    }

    private struct State {
        var phase = Phase.idle
        /// How long the log was when it was emptied last, until it begins anew: whoever reads what is in it keeps it from
        /// that, and then it is emptied again when it has grown by as much.
        var emptied = 0

        mutating func isFull(_ count: Int, max: Int) -> Bool {
            if count < self.emptied { self.emptied = 0 }
            return count - self.emptied >= max
        }
    }

    private let connection: DatabaseQueue
    private let framesMax: Int
    private let frames: FramesCount
    private let state = Mutex(State())

    /// Sets up SQLite for this process; whoever opens a file calls it first. Doing it again does nothing.
    public static func setUpSQLite() { _ = pomona_sqlite_set_up() }

    /// - Parameters:
    ///   - path: the file's.
    ///   - framesMax: how many pages the log may have before it is emptied. A page that was changed often is written to the
    ///     file once, so that a longer log means less writing.
    ///   - writer: the connection that commits; its log is no longer emptied by SQLite.
    public init(path: String, framesMax: Int, writer: Database) throws {
        var configuration = Configuration()
        configuration.label = "pomona.checkpoint"
        self.connection = try DatabaseQueue(path: path, configuration: configuration)
        self.framesMax = framesMax
        self.frames = FramesCount()
        // Kept by the connection until `close`.
        _ = sqlite3_wal_hook(
            writer.sqliteConnection,
            { context, _, _, count in
                context.map { Unmanaged<FramesCount>.fromOpaque($0).takeUnretainedValue().set(Int(count)) }
                return SQLITE_OK
            }, Unmanaged.passRetained(self.frames).toOpaque())
    }

    /// Whether ``empty(with:)`` has something to do; asked after each commit.
    public var isDue: Bool {
        self.state.withLock { state in
            switch state.phase {
            case .idle: state.isFull(self.frames.count, max: self.framesMax)
            case .nearlyEmpty: true
            case .underWay, .closed: false
            }
        }
    }

    /// Does what is due: begins with the log, or ends with it. For the writer, once it has answered whose commit it was.
    public func empty(with writer: Database) {
        let (begins, ends) = self.state.withLock { state in
            let isFull = state.isFull(self.frames.count, max: self.framesMax)
            guard state.phase == .idle, isFull else { return (false, state.phase == .nearlyEmpty) }
            state.phase = .underWay
            return (true, false)
        }
        if begins { self.begin() }
        if ends { self.end(writer) }
    }

    /// Whether the other connection is at it.
    var isUnderWay: Bool { self.state.withLock { $0.phase == .underWay } }

    // That a checkpoint fails is no commit's failure: the log grows, and the next one does its work.

    private func begin() {
        self.connection.asyncWriteWithoutTransaction { database in
            _ = try? database.checkpoint(.passive)
            self.state.withLock { if $0.phase == .underWay { $0.phase = .nearlyEmpty } }
        }
    }

    private func end(_ writer: Database) {
        _ = try? writer.checkpoint(.passive)
        self.state.withLock { state in
            guard state.phase == .nearlyEmpty else { return }
            state.phase = .idle
            state.emptied = self.frames.count
        }
    }

    /// Lets go of the file. What is under way ends first.
    public func close(_ writer: Database) throws {
        let wasClosed = self.state.withLock { state in
            defer { state.phase = .closed }
            return state.phase == .closed
        }
        guard !wasClosed else { return }
        if let context = sqlite3_wal_hook(writer.sqliteConnection, nil, nil) {
            Unmanaged<FramesCount>.fromOpaque(context).release()
        }
        try self.connection.close()
    }
}

/// How long the log was at the last commit, in frames.
private final class FramesCount: Sendable {
    private let value = Atomic<Int>(0)

    var count: Int { self.value.load(ordering: .relaxed) }

    func set(_ count: Int) { self.value.store(count, ordering: .relaxed) }
}
