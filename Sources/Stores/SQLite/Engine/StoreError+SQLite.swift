//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import GRDB
import GRDBSQLite
import Payments

extension StoreError {
    /// What an SQLite failure means.
    init(_ error: DatabaseError) {
        self.init(sqliteCode: error.extendedResultCode.rawValue, message: error.message)
    }

    /// What an extended result code of SQLite means (sqlite.org/rescode.html), in words that carry no values: SQLite's
    /// messages name tables and columns, and of them no more than the names is kept.
    init(sqliteCode: CInt, message: String?) {
        switch sqliteCode & 0xFF {
        case SQLITE_CONSTRAINT: self = StoreError.constraint(sqliteCode, message)
        case SQLITE_FULL: self = .unavailable("the disk is full; free some space, then try again")
        case SQLITE_IOERR: self = .unavailable("the database file could not be read or written (an I/O error)")
        case SQLITE_NOMEM: self = .unavailable("there is not enough memory")
        case SQLITE_BUSY, SQLITE_LOCKED: self = .unavailable("another program has locked the database file")
        case SQLITE_READONLY: self = .unavailable("the store is open for reading only")
        case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH:
            self = .unavailable(
                "the database file cannot be opened; check that it exists and who may read and write it")
        case SQLITE_INTERRUPT, SQLITE_ABORT: self = .unavailable("the transaction was interrupted")
        case SQLITE_MISUSE: self = .unavailable("the store is closed")
        case SQLITE_NOTADB: self = .unavailable("the file is no SQLite database")
        case SQLITE_CORRUPT: self = .corrupt("the database file")
        case SQLITE_MISMATCH: self = .corrupt("a column of another type")
        case SQLITE_TOOBIG: self = .corrupt("a value that is too long")
        default: self = .unavailable("SQLite failed with result code \(sqliteCode)")
        }
    }

    private static func constraint(_ code: CInt, _ message: String?) -> StoreError {
        let columns = message?.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? ""
        switch ResultCode(rawValue: code) {
        case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID:
            let table = columns.prefix { $0 != "." }
            return .duplicate(self.uniqueThings[columns] ?? self.uniqueThings[String(table)] ?? columns)
        case .SQLITE_CONSTRAINT_FOREIGNKEY: return .corrupt("a reference to a row that does not exist")
        default: return .corrupt(columns)
        }
    }

    /// What people call the things that are unique, by the columns that SQLite names, or by the table.
    private static let uniqueThings = [
        "merchants.id": "merchant id",
        "merchants.name": "merchant name",
        "accounts.dialect, accounts.key": "account key",
        "acquirer_accounts.merchant_id, acquirer_accounts.name": "acquirer account name",
        "acquirer_accounts": "acquirer account id",
        "routes": "route number",
        "data_keys.id": "data key id",
        "store_secrets.name": "store secret",
        "admin_claims": "admin claim",
        "people.id": "person id",
        "people.user_name": "user name",
        "people.issuer, people.subject": "external identity",
        "person_sessions.id": "session id",
        "person_sessions.digest": "session secret",
        "access_tokens.id": "access token id",
        "access_tokens.digest": "access token secret",
        "approvals.id": "approval id",
        "audit_entries.number": "audit entry",
        "payments.id": "payment id",
        "operations.id": "operation id",
        "orders.id": "order id",
        "orders.merchant_id, orders.dialect, orders.reference": "order reference",
        "idempotency_claims": "idempotency key",
        "operation_references": "reference",
        "outbox_events.id": "event id",
        "refused_calls.id": "refused call id",
        "alarms.id": "alarm id",
        "alarms.kind, alarms.subject": "standing alarm",
        "journal_entries.id": "journal entry id",
        "closed_days": "closed day",
        "settlement_files.id": "settlement file id",
        "settlement_files": "settlement file",
        "settlement_items.file_id, settlement_items.number": "settlement item id",
        "settlement_items.account_id, settlement_items.identity": "settlement line",
        "settlement_items.operation_id": "settlement of an operation",
    ]
}
