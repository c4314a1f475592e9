//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

/// Closed days, and what acquirers have settled. The postings of settlements stand beside those of payments: both are the
/// ledger (``LedgerSumRow``).
let reportTables = """
    CREATE TABLE closed_days (
        merchant_id TEXT NOT NULL REFERENCES merchants (id) DEFERRABLE INITIALLY DEFERRED,
        day TEXT NOT NULL,
        time_zone TEXT NOT NULL,
        from_at INTEGER NOT NULL,
        to_at INTEGER NOT NULL CHECK (to_at >= from_at),
        movements_count INTEGER NOT NULL CHECK (movements_count >= 0),
        digest BLOB NOT NULL,
        report TEXT NOT NULL,
        closed_at INTEGER NOT NULL,
        closed_by TEXT NOT NULL,
        PRIMARY KEY (merchant_id, day)
    ) STRICT, WITHOUT ROWID;
    \(appendOnly("closed_days"))

    CREATE TABLE settlement_files (
        id TEXT NOT NULL PRIMARY KEY,
        merchant_id TEXT NOT NULL,
        account_id TEXT NOT NULL,
        name TEXT NOT NULL,
        mapping TEXT NOT NULL,
        digest BLOB NOT NULL,
        lines_count INTEGER NOT NULL CHECK (lines_count >= 0),
        from_at INTEGER NOT NULL,
        to_at INTEGER NOT NULL,
        imported_at INTEGER NOT NULL,
        imported_by TEXT NOT NULL,
        UNIQUE (account_id, digest),
        FOREIGN KEY (merchant_id, account_id) REFERENCES acquirer_accounts (merchant_id, id)
            DEFERRABLE INITIALLY DEFERRED
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX settlement_files_of_merchant ON settlement_files (merchant_id, id);
    \(appendOnly("settlement_files"))

    CREATE TABLE settlement_items (
        file_id TEXT NOT NULL REFERENCES settlement_files (id) DEFERRABLE INITIALLY DEFERRED,
        number INTEGER NOT NULL CHECK (number >= 1),
        merchant_id TEXT NOT NULL,
        account_id TEXT NOT NULL,
        kind TEXT NOT NULL,
        date TEXT NOT NULL,
        reference TEXT NOT NULL,
        minor_units INTEGER NOT NULL CHECK (minor_units >= 0),
        currency TEXT NOT NULL,
        fee_minor_units INTEGER NOT NULL,
        verdict TEXT NOT NULL,
        operation_id TEXT REFERENCES operations (id) DEFERRABLE INITIALLY DEFERRED,
        payment_id TEXT,
        ledger_minor_units INTEGER,
        is_fee_booked INTEGER NOT NULL CHECK (is_fee_booked IN (0, 1)),
        identity TEXT NOT NULL,
        booked_at INTEGER NOT NULL,
        decision TEXT,
        reason TEXT,
        resolved_at INTEGER,
        resolved_by TEXT,
        PRIMARY KEY (file_id, number),
        UNIQUE (account_id, identity),
        CHECK ((decision IS NULL) = (resolved_at IS NULL) AND (decision IS NULL) = (reason IS NULL)
            AND (decision IS NULL) = (resolved_by IS NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX settlement_items_operation ON settlement_items (operation_id)
        WHERE \(SettlementItem.settles);
    CREATE INDEX settlement_items_booked ON settlement_items (merchant_id, booked_at);
    CREATE INDEX settlement_items_resolved ON settlement_items (merchant_id, resolved_at)
        WHERE resolved_at IS NOT NULL;
    CREATE INDEX settlement_items_open ON settlement_items (merchant_id, file_id, number)
        WHERE \(SettlementItem.isOpenCondition);
    \(never("DELETE", "settlement_items"))
    CREATE TRIGGER settlement_items_resolved_once BEFORE UPDATE ON settlement_items WHEN OLD.decision IS NOT NULL
    BEGIN SELECT RAISE(ABORT, 'a difference is resolved once'); END;

    CREATE TABLE settlement_postings (
        file_id TEXT NOT NULL,
        item_number INTEGER NOT NULL,
        is_resolution INTEGER NOT NULL CHECK (is_resolution IN (0, 1)),
        ordinal INTEGER NOT NULL CHECK (ordinal >= 0),
        account TEXT NOT NULL,
        layer TEXT NOT NULL CHECK (layer IN ('pending', 'posted')),
        side TEXT NOT NULL CHECK (side IN ('debit', 'credit')),
        minor_units INTEGER NOT NULL CHECK (minor_units > 0),
        currency TEXT NOT NULL,
        PRIMARY KEY (file_id, item_number, is_resolution, ordinal),
        FOREIGN KEY (file_id, item_number) REFERENCES settlement_items (file_id, number)
            DEFERRABLE INITIALLY DEFERRED
    ) STRICT, WITHOUT ROWID;
    \(appendOnly("settlement_postings"))
    """
