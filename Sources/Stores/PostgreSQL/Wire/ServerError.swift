//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CLibPQ
import Payments

/// What the server has refused a statement with. Of its message no more is kept than SQLSTATE and the names in it: the
/// text and the details quote rows.
struct ServerError: Error, Hashable, Sendable {
    /// Five characters (postgresql.org/docs/15/errcodes-appendix.html); empty when libpq itself has given up.
    let sqlState: String
    var constraint = ""
    var table = ""
    var column = ""
    /// Whether the server has ended the connection with it.
    var endsConnection = false

    init(sqlState: String) {
        self.sqlState = sqlState
    }

    /// - Parameter result: a PGresult with the status PGRES_FATAL_ERROR.
    init(_ result: OpaquePointer) {
        // The fields' letters: postgresql.org/docs/15/protocol-error-fields.html.
        let field = { (letter: Unicode.Scalar) in
            PQresultErrorField(result, CInt(letter.value)).map { String(cString: $0) } ?? ""
        }
        self.sqlState = field("C")
        self.constraint = field("n")
        self.table = field("t")
        self.column = field("c")
        let severity = field("V")
        self.endsConnection = self.sqlState.isEmpty || severity == "FATAL" || severity == "PANIC"
    }

    /// What follows from an error.
    enum Meaning: Hashable, Sendable {
        /// Others were in the way: the same transaction may succeed now.
        case runAgain
        /// The statement asked for what may not be: the body gets the error, and may go on.
        case refusal(StoreError)
        /// The server can't now.
        case failure(StoreError)
    }

    var meaning: Meaning {
        switch self.sqlState {
        // Serialization failure, deadlock.
        case "40001", "40P01": return .runAgain
        // A plan made before the schema was changed.
        case "0A000": return .runAgain
        case "23505" where Self.racedConstraints.contains(self.constraint): return .runAgain
        case "23505": return .refusal(.duplicate(Self.uniqueThings[self.constraint] ?? self.table))
        case "23503": return .refusal(.corrupt("a reference to a row that does not exist"))
        case "23502": return .refusal(.corrupt("\(self.table).\(self.column)"))
        case "23514": return .refusal(.corrupt("\(self.table) (\(self.constraint))"))
        // What the triggers of append-only tables raise.
        case "P0001": return .refusal(.corrupt("a table to which rows are only added"))
        case "22003": return .refusal(.corrupt("a number that is too large"))
        case "22021", "22P05": return .refusal(.corrupt("a text with a character that PostgreSQL does not store"))
        case "54000": return .refusal(.corrupt("a value that is too long"))
        default: return .failure(self.failure)
        }
    }

    private var failure: StoreError {
        switch self.sqlState {
        case "55P03": .unavailable("a row was locked by others for too long; try again")
        case "57014": .unavailable("the server has canceled a statement that took too long")
        case "25006": .unavailable("the server takes no writes; it may be a standby")
        case "26000": .unavailable("a prepared statement is gone; a connection pooler must pool by session")
        case "28000", "28P01", "42501": .unavailable("the server refuses the user; check the name, password and rights")
        case "53100": .unavailable("the server's disk is full; free some space, then try again")
        case "53200": .unavailable("the server is out of memory")
        case "53300": .unavailable("the server takes no more connections; raise max_connections or use fewer")
        case "3D000": .unavailable("there is no such database on the server; make it, then try again")
        case "42P01", "42703": .unavailable("the database's tables are not this program's; run pomona store migrate")
        default: .unavailable("PostgreSQL failed with SQLSTATE \(self.sqlState)")
        }
    }

    /// Uniqueness that no caller is to keep, but the transactions among themselves.
    private static let racedConstraints: Set = ["outbox_events_pkey", "jobs_pkey", "operations_pkey"]

    /// What people call the things that are unique, by the constraints of ``Schema``.
    private static let uniqueThings = [
        "merchants_pkey": "merchant id",
        "merchants_name_key": "merchant name",
        "account_names_pkey": "account key",
        "acquirer_accounts_pkey": "acquirer account id",
        "acquirer_accounts_of_merchant_key": "acquirer account id",
        "acquirer_accounts_name_key": "acquirer account name",
        "routes_pkey": "route number",
        "data_keys_pkey": "data key id",
        "store_secrets_pkey": "store secret",
        "admin_claims_pkey": "admin claim",
        "people_pkey": "person id",
        "people_user_name_key": "user name",
        "people_external_identity_key": "external identity",
        "person_sessions_pkey": "session id",
        "person_sessions_digest_key": "session secret",
        "access_tokens_pkey": "access token id",
        "access_tokens_digest_key": "access token secret",
        "approvals_pkey": "approval id",
        "audit_entries_pkey": "audit entry",
        "payments_pkey": "payment id",
        "operations_id_key": "operation id",
        "orders_pkey": "order id",
        "orders_reference_key": "order reference",
        "idempotency_claims_pkey": "idempotency key",
        "operation_references_pkey": "reference",
        "outbox_events_id_key": "event id",
        "refused_calls_pkey": "refused call id",
        "alarms_pkey": "alarm id",
        "alarms_standing": "standing alarm",
        "journal_entries_pkey": "journal entry",
        "journal_entries_id_key": "journal entry id",
        "closed_days_pkey": "closed day",
        "settlement_files_pkey": "settlement file id",
        "settlement_files_digest_key": "settlement file",
        "settlement_items_pkey": "settlement item id",
        "settlement_items_identity_key": "settlement line",
        "settlement_items_operation": "settlement of an operation",
    ]
}
