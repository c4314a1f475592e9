//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CLibPQ
import Payments

/// A connection for plain statements and for COPY (postgresql.org/docs/15/libpq-copy.html), each waited for.
final class CopySession {
    private let handle: OpaquePointer

    init(_ address: ServerAddress) throws(StoreError) {
        // One statement copies a table, and the transaction waits while the other store works.
        self.handle = try address.connect(statementTimeoutMilliseconds: 0)
        do {
            _ = try self.rows("SELECT set_config('idle_in_transaction_session_timeout', '0', false)")
        } catch {
            throw .unavailable("the PostgreSQL server refuses the session's settings")
        }
    }

    deinit {
        PQfinish(self.handle)
    }

    var isLost: Bool { PQstatus(self.handle) != CONNECTION_OK }

    func run(_ sql: String) throws {
        _ = try self.rows(sql)
    }

    /// The rows as text.
    /// - Throws: ``StoreError``; ``ServerError`` for a lock that is not to be had.
    func rows(_ sql: String) throws -> [[String]] {
        let result = try self.result(PQexec(self.handle, sql))
        defer { PQclear(result) }
        return (0..<PQntuples(result)).map { row in
            (0..<PQnfields(result)).map { column in
                PQgetvalue(result, row, column).map { String(cString: $0) } ?? ""
            }
        }
    }

    // MARK: - COPY

    /// Hands over what a query gives, a row in binary format at a time.
    func copyOut(_ query: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        PQclear(try self.result(PQexec(self.handle, "COPY (\(query)) TO STDOUT (FORMAT binary)")))
        while true {
            var row: UnsafeMutablePointer<CChar>?
            let count = PQgetCopyData(self.handle, &row, 0)
            guard count >= 0, let row else { break }
            defer { PQfreemem(row) }
            try body(UnsafeRawBufferPointer(start: row, count: Int(count)))
        }
        try self.end()
    }

    /// Copies into a table what the body sends with ``send(_:)``.
    func copyIn(_ target: String, _ body: () throws -> Void) throws {
        PQclear(try self.result(PQexec(self.handle, "COPY \(target) FROM STDIN (FORMAT binary)")))
        try body()
        guard PQputCopyEnd(self.handle, nil) == 1 else { throw self.lost }
        try self.end()
    }

    func send(_ bytes: UnsafeRawBufferPointer) throws {
        let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        guard PQputCopyData(self.handle, start, CInt(bytes.count)) == 1 else { throw self.lost }
    }

    /// Waits for what the server says at the end of a COPY.
    private func end() throws {
        var failure: (any Error)?
        while let result = PQgetResult(self.handle) {
            do {
                PQclear(try self.result(result))
            } catch {
                failure = failure ?? error
                if self.isLost { break }
            }
        }
        if let failure { throw failure }
    }

    private var lost: StoreError { .unavailable("the connection to the PostgreSQL server was lost") }

    /// The result, unless it is a failure.
    private func result(_ result: OpaquePointer?) throws -> OpaquePointer {
        guard let result else { throw self.lost }
        switch PQresultStatus(result) {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_COPY_IN, PGRES_COPY_OUT: return result
        default: break
        }
        defer { PQclear(result) }
        let error = ServerError(result)
        guard !self.isLost, !error.endsConnection else { throw self.lost }
        guard error.sqlState != "55P03" else { throw error }
        switch error.meaning {
        case .failure(let failure): throw failure
        case .refusal(let refusal): throw refusal
        case .runAgain: throw StoreError.unavailable("others were in the way; stop all nodes, then try again")
        }
    }
}
