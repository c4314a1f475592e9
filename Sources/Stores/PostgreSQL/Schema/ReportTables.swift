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
        merchant_id text COLLATE "C" NOT NULL REFERENCES merchants (id) DEFERRABLE INITIALLY DEFERRED,
        day text COLLATE "C" NOT NULL,
        time_zone text NOT NULL,
        from_at bigint NOT NULL,
        to_at bigint NOT NULL CHECK (to_at >= from_at),
        movements_count bigint NOT NULL CHECK (movements_count >= 0),
        digest bytea NOT NULL,
        report text NOT NULL,
        closed_at bigint NOT NULL,
        closed_by text NOT NULL,
        PRIMARY KEY (merchant_id, day)
    );
    \(appendOnly("closed_days"))

    CREATE TABLE settlement_files (
        id text COLLATE "C" NOT NULL PRIMARY KEY,
        merchant_id text COLLATE "C" NOT NULL,
        account_id text COLLATE "C" NOT NULL,
        name text NOT NULL,
        mapping text NOT NULL,
        digest bytea NOT NULL,
        lines_count bigint NOT NULL CHECK (lines_count >= 0),
        from_at bigint NOT NULL,
        to_at bigint NOT NULL,
        imported_at bigint NOT NULL,
        imported_by text NOT NULL,
        CONSTRAINT settlement_files_digest_key UNIQUE (account_id, digest),
        FOREIGN KEY (merchant_id, account_id) REFERENCES acquirer_accounts (merchant_id, id)
            DEFERRABLE INITIALLY DEFERRED
    );
    CREATE INDEX settlement_files_of_merchant ON settlement_files (merchant_id, id);
    \(appendOnly("settlement_files"))

    CREATE TABLE settlement_items (
        file_id text COLLATE "C" NOT NULL REFERENCES settlement_files (id) DEFERRABLE INITIALLY DEFERRED,
        number bigint NOT NULL CHECK (number >= 1),
        merchant_id text COLLATE "C" NOT NULL,
        account_id text COLLATE "C" NOT NULL,
        kind text COLLATE "C" NOT NULL,
        date text COLLATE "C" NOT NULL,
        reference text COLLATE "C" NOT NULL,
        minor_units bigint NOT NULL CHECK (minor_units >= 0),
        currency text COLLATE "C" NOT NULL,
        fee_minor_units bigint NOT NULL,
        verdict text COLLATE "C" NOT NULL,
        operation_id text COLLATE "C" REFERENCES operations (id) DEFERRABLE INITIALLY DEFERRED,
        payment_id text COLLATE "C",
        ledger_minor_units bigint,
        is_fee_booked boolean NOT NULL,
        identity text COLLATE "C" NOT NULL,
        booked_at bigint NOT NULL,
        decision text COLLATE "C",
        reason text,
        resolved_at bigint,
        resolved_by text,
        PRIMARY KEY (file_id, number),
        CONSTRAINT settlement_items_identity_key UNIQUE (account_id, identity),
        CHECK ((decision IS NULL) = (resolved_at IS NULL) AND (decision IS NULL) = (reason IS NULL)
            AND (decision IS NULL) = (resolved_by IS NULL))
    );
    CREATE UNIQUE INDEX settlement_items_operation ON settlement_items (operation_id)
        WHERE \(SettlementItem.settles);
    CREATE INDEX settlement_items_booked ON settlement_items (merchant_id, booked_at);
    CREATE INDEX settlement_items_resolved ON settlement_items (merchant_id, resolved_at)
        WHERE resolved_at IS NOT NULL;
    CREATE INDEX settlement_items_open ON settlement_items (merchant_id, file_id, number)
        WHERE \(SettlementItem.isOpenCondition);
    CREATE TRIGGER settlement_items_never_deleted BEFORE DELETE OR TRUNCATE ON settlement_items
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
    CREATE TRIGGER settlement_items_resolved_once BEFORE UPDATE ON settlement_items
    FOR EACH ROW WHEN (OLD.decision IS NOT NULL) EXECUTE FUNCTION refuse_change();

    CREATE TABLE settlement_postings (
        file_id text COLLATE "C" NOT NULL,
        item_number bigint NOT NULL,
        is_resolution boolean NOT NULL,
        ordinal bigint NOT NULL CHECK (ordinal >= 0),
        account text COLLATE "C" NOT NULL,
        layer text COLLATE "C" NOT NULL CHECK (layer IN ('pending', 'posted')),
        side text COLLATE "C" NOT NULL CHECK (side IN ('debit', 'credit')),
        minor_units bigint NOT NULL CHECK (minor_units > 0),
        currency text COLLATE "C" NOT NULL,
        PRIMARY KEY (file_id, item_number, is_resolution, ordinal),
        FOREIGN KEY (file_id, item_number) REFERENCES settlement_items (file_id, number)
            DEFERRABLE INITIALLY DEFERRED
    );
    \(appendOnly("settlement_postings"))
    """
