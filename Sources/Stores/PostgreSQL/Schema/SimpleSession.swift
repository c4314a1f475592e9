//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CLibPQ
import Payments

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A connection for plain statements, one after the other, each waited for.
final class SimpleSession {
    private let handle: OpaquePointer

    init(_ address: ServerAddress, timeoutMilliseconds: Int) throws(StoreError) {
        self.handle = try address.connect(statementTimeoutMilliseconds: timeoutMilliseconds)
    }

    deinit {
        PQfinish(self.handle)
    }

    /// The rows as text, of one statement if it has arguments, which are texts too.
    @discardableResult
    func rows(_ sql: String, _ arguments: [String] = []) throws(StoreError) -> [[String]] {
        do {
            return try self.attempt(sql, arguments)
        } catch {
            throw error.storeError
        }
    }

    /// The same for who can do something about a refusal.
    @discardableResult
    func attempt(_ sql: String, _ arguments: [String] = []) throws(ServerError) -> [[String]] {
        guard !arguments.isEmpty else { return try self.rows(of: PQexec(self.handle, sql)) }
        let copies = arguments.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        let values = copies.map { UnsafePointer<CChar>($0) }
        return try self.rows(of: PQexecParams(self.handle, sql, CInt(values.count), nil, values, nil, nil, 0))
    }

    private func rows(of result: OpaquePointer?) throws(ServerError) -> [[String]] {
        // libpq gives none where there is no memory (postgresql.org/docs/15/libpq-exec.html).
        guard let result else { throw ServerError(sqlState: "53200") }
        defer { PQclear(result) }
        switch PQresultStatus(result) {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
            return (0..<PQntuples(result)).map { row in
                (0..<PQnfields(result)).map { column in
                    PQgetvalue(result, row, column).map { String(cString: $0) } ?? ""
                }
            }
        default: throw ServerError(result)
        }
    }
}

extension ServerError {
    var storeError: StoreError {
        switch self.meaning {
        case .failure(let failure): failure
        case .refusal(let refusal): refusal
        case .runAgain: .unavailable("others were in the way of the change of the tables; start again")
        }
    }
}
