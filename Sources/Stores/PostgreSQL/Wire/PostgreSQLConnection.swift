//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CLibPQ
import Payments
import StoreRows

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The connection is gone. Whatever was under way on it was rolled back or is about to be, except for a commit that had
/// been sent.
struct ConnectionLost: Error {}

/// One connection in libpq's pipeline mode: statements gather and go out together; ``roundTrip()`` waits for what has
/// become of them. To be used by one thread at a time, which it blocks.
///
/// Statements are prepared when they are first used, in the same round trip
/// (postgresql.org/docs/15/libpq-pipeline-mode.html).
final class PostgreSQLConnection {
    /// Why a statement is sent, for what its failure means.
    enum Role: Hashable {
        /// Begins, ends, or makes and unmakes savepoints.
        case control
        case commit
        /// Marks the connection's transaction, see ``CommitMark``.
        case mark
        /// Waits for a lock.
        case lock
        /// Asks for a lock without waiting for it.
        case lockAttempt
        /// Its rows are wanted.
        case query
        /// Writes. With an error, that is the one that a division by zero stands for, see ``RequiredChange``.
        case write(StoreError?)
    }

    private enum Awaited {
        case preparation(sql: String)
        case statement(Role)
        case sync
    }

    /// What a batch of statements has come to.
    struct Reply {
        /// The first failure; what was sent after it has not been executed.
        var failure: (error: ServerError, role: Role)?
        /// Of the queries, in their order.
        var rows: [PostgreSQLRows] = []
    }

    private let handle: OpaquePointer
    private let notices: PostgreSQLNotices
    /// How long the server may be silent, in milliseconds, before it is taken for gone.
    private let silenceMax: CInt
    private var names: [String: String] = [:]
    private var namesCount = 0
    private var awaited: [Awaited] = []
    /// Whether statements have been added to a batch that has not ended.
    private(set) var hasOpenBatch = false
    private var arguments = PostgreSQLArgumentBuffer()
    private(set) var isLost = false

    init(taking handle: OpaquePointer, silenceMax: CInt) {
        self.handle = handle
        self.notices = PostgreSQLNotices(on: handle)
        self.silenceMax = silenceMax
    }

    deinit {
        PQfinish(self.handle)
    }

    /// How often the server has warned.
    var warningsCount: Int { self.notices.warningsCount }

    /// Whether the arguments of a statement can be stored at all.
    func isStorable(_ arguments: RowArguments) -> Bool {
        self.arguments.set(arguments)
        return !self.arguments.hasNULText
    }

    /// Adds a statement to the batch.
    func send(_ sql: String, _ arguments: RowArguments = [], as role: Role) throws(ConnectionLost) {
        self.hasOpenBatch = true
        let name = try self.prepared(sql)
        self.arguments.set(arguments)
        let isSent = self.arguments.withParameters { count, values, lengths, formats in
            PQsendQueryPrepared(self.handle, name, count, values, lengths, formats, 1) == 1
        }
        guard isSent else { throw self.lost() }
        self.awaited.append(.statement(role))
    }

    private func prepared(_ sql: String) throws(ConnectionLost) -> String {
        if let name = self.names[sql] { return name }
        self.namesCount += 1
        let name = "s\(self.namesCount)"
        guard PQsendPrepare(self.handle, name, sql, 0, nil) == 1 else { throw self.lost() }
        self.awaited.append(.preparation(sql: sql))
        self.names[sql] = name
        return name
    }

    /// Ends the batch and sends it on its way, without waiting for what becomes of it: for what can't fail unless the
    /// connection does, which the next round trip notices.
    func sendBatch() throws(ConnectionLost) {
        guard PQpipelineSync(self.handle) == 1 else { throw self.lost() }
        self.hasOpenBatch = false
        self.awaited.append(.sync)
        guard PQflush(self.handle) >= 0 else { throw self.lost() }
    }

    /// Ends the batch, sends it, and waits until all of it has been answered.
    func roundTrip() throws(ConnectionLost) -> Reply {
        try self.sendBatch()
        var reply = Reply()
        var position = 0
        while position < self.awaited.count {
            let awaited = self.awaited[position]
            position += 1
            switch awaited {
            case .sync:
                guard let result = try self.nextResult() else { throw self.lost() }
                defer { PQclear(result) }
                guard PQresultStatus(result) == PGRES_PIPELINE_SYNC else { throw self.lost() }
                // An earlier batch, sent without waiting for it.
                if position < self.awaited.count { reply = Reply() }
            case .preparation(let sql):
                if try !self.takeResults(as: .control, into: &reply) { self.names[sql] = nil }
            case .statement(let role): try self.takeResults(as: role, into: &reply)
            }
        }
        self.awaited.removeAll(keepingCapacity: true)
        return reply
    }

    /// - Returns: whether the statement has succeeded.
    @discardableResult
    private func takeResults(as role: Role, into reply: inout Reply) throws(ConnectionLost) -> Bool {
        var hasSucceeded = true
        while let result = try self.nextResult() {
            let rows = PostgreSQLRows(taking: result)
            switch PQresultStatus(result) {
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
                if role == .query { reply.rows.append(rows) }
            case PGRES_FATAL_ERROR:
                hasSucceeded = false
                let error = ServerError(result)
                guard !error.endsConnection else { throw self.lost() }
                if reply.failure == nil { reply.failure = (error, role) }
            // Not executed, because of an earlier failure.
            case PGRES_PIPELINE_ABORTED: hasSucceeded = false
            default: throw self.lost()
            }
        }
        return hasSucceeded
    }

    /// - Returns: `nil` at the end of a statement's results.
    private func nextResult() throws(ConnectionLost) -> OpaquePointer? {
        while PQisBusy(self.handle) == 1 {
            let unsent = PQflush(self.handle)
            guard unsent >= 0 else { throw self.lost() }
            var socket = pollfd(
                fd: PQsocket(self.handle), events: Int16(unsent == 0 ? POLLIN : POLLIN | POLLOUT), revents: 0)
            let readyCount = poll(&socket, 1, self.silenceMax)
            if readyCount < 0, errno == EINTR { continue }
            guard readyCount > 0, PQconsumeInput(self.handle) == 1 else { throw self.lost() }
        }
        return PQgetResult(self.handle)
    }

    private func lost() -> ConnectionLost {
        self.isLost = true
        return ConnectionLost()
    }
}
