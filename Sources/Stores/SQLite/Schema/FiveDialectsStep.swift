//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What the dialects beside AlphaPay need: fields of their own on an operation, more of the acquirer's answer,
/// verifications (of no amount), orders found by their reference, events of several messages, and items that are kept
/// sealed for a while.
///
/// A CHECK can only be changed by making the table anew (sqlite.org/lang_altertable.html, section 7). Which kinds there
/// are is left to the rows' reader from here on.
let fiveDialectsStep = """
    CREATE TABLE new_orders (
        id TEXT NOT NULL PRIMARY KEY,
        merchant_id TEXT NOT NULL REFERENCES merchants (id) DEFERRABLE INITIALLY DEFERRED,
        dialect TEXT NOT NULL,
        reference TEXT NOT NULL,
        minor_units INTEGER NOT NULL CHECK (minor_units >= 0),
        currency TEXT NOT NULL,
        summary TEXT NOT NULL,
        notify_url TEXT,
        merchant_identifier TEXT,
        created_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        canceled_at INTEGER,
        payment_id TEXT REFERENCES payments (id) DEFERRABLE INITIALLY DEFERRED
    ) STRICT, WITHOUT ROWID;
    INSERT INTO new_orders SELECT * FROM orders;
    DROP TABLE orders;
    ALTER TABLE new_orders RENAME TO orders;
    CREATE UNIQUE INDEX orders_by_reference ON orders (merchant_id, dialect, reference);

    CREATE TABLE new_payments (
        id TEXT NOT NULL PRIMARY KEY,
        merchant_id TEXT NOT NULL REFERENCES merchants (id) DEFERRABLE INITIALLY DEFERRED,
        mode TEXT NOT NULL CHECK (mode IN ('sandbox', 'live')),
        dialect TEXT NOT NULL,
        acquirer TEXT NOT NULL,
        order_id TEXT REFERENCES orders (id) DEFERRABLE INITIALLY DEFERRED,
        minor_units INTEGER NOT NULL CHECK (minor_units >= 0),
        currency TEXT NOT NULL,
        pan_prefix TEXT NOT NULL CHECK (length(pan_prefix) <= 6),
        pan_suffix TEXT NOT NULL CHECK (length(pan_suffix) <= 4),
        pan_length INTEGER NOT NULL,
        network TEXT NOT NULL,
        expiry_year_month TEXT NOT NULL,
        eci TEXT,
        display_name TEXT,
        created_at INTEGER NOT NULL,
        version INTEGER NOT NULL CHECK (version >= 1)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO new_payments SELECT * FROM payments;
    DROP TABLE payments;
    ALTER TABLE new_payments RENAME TO payments;
    CREATE INDEX payments_of_merchant ON payments (merchant_id, created_at);
    CREATE INDEX payments_of_order ON payments (order_id) WHERE order_id IS NOT NULL;

    CREATE TABLE new_operations (
        payment_id TEXT NOT NULL REFERENCES payments (id) DEFERRABLE INITIALLY DEFERRED,
        ordinal INTEGER NOT NULL CHECK (ordinal >= 0),
        id TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        minor_units INTEGER NOT NULL CHECK (minor_units >= 0),
        currency TEXT NOT NULL,
        sale_capture_id TEXT,
        is_final_capture INTEGER NOT NULL CHECK (is_final_capture IN (0, 1)),
        target TEXT,
        accepts_partial_approval INTEGER NOT NULL CHECK (accepts_partial_approval IN (0, 1)),
        merchant_reference TEXT,
        memo TEXT,
        notify_url TEXT,
        fields TEXT,
        begun_at INTEGER NOT NULL,
        begun_in_version INTEGER NOT NULL CHECK (begun_in_version >= 1),
        state TEXT NOT NULL CHECK (state IN ('pending', 'unknown', 'succeeded', 'failed')),
        failure TEXT CHECK (failure IN ('declined', 'reversed')),
        decline_reason TEXT,
        approved_minor_units INTEGER CHECK (approved_minor_units BETWEEN 0 AND minor_units),
        acquirer_reference TEXT,
        authorization_code TEXT,
        response_code TEXT,
        stan TEXT,
        network_reference TEXT,
        address_check TEXT,
        security_code_check TEXT,
        funding_pan_suffix TEXT,
        funding_expiry_year_month TEXT,
        resolved_at INTEGER,
        resolved_in_version INTEGER CHECK (resolved_in_version >= begun_in_version),
        PRIMARY KEY (payment_id, ordinal),
        CHECK (minor_units > 0 OR kind IN ('verification', 'reversal')),
        CHECK (approved_minor_units > 0 OR minor_units = 0),
        CHECK ((state = 'failed') = (failure IS NOT NULL)),
        CHECK ((failure IS 'declined') = (decline_reason IS NOT NULL))
    ) STRICT, WITHOUT ROWID;
    INSERT INTO new_operations (
            payment_id, ordinal, id, kind, minor_units, currency, sale_capture_id, is_final_capture, target,
            accepts_partial_approval, merchant_reference, memo, notify_url, begun_at, begun_in_version, state, failure,
            decline_reason, approved_minor_units, acquirer_reference, authorization_code, response_code, resolved_at,
            resolved_in_version)
        SELECT
            payment_id, ordinal, id, kind, minor_units, currency, sale_capture_id, is_final_capture, target,
            accepts_partial_approval, merchant_reference, memo, notify_url, begun_at, begun_in_version, state, failure,
            decline_reason, approved_minor_units, acquirer_reference, authorization_code, response_code, resolved_at,
            resolved_in_version
        FROM operations;
    DROP TABLE operations;
    ALTER TABLE new_operations RENAME TO operations;

    CREATE TABLE new_journal_entries (
        payment_id TEXT NOT NULL REFERENCES payments (id) DEFERRABLE INITIALLY DEFERRED,
        version INTEGER NOT NULL CHECK (version >= 1),
        ordinal INTEGER NOT NULL CHECK (ordinal >= 0),
        id TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        booked_at INTEGER NOT NULL,
        PRIMARY KEY (payment_id, version, ordinal)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO new_journal_entries SELECT * FROM journal_entries;
    DROP TABLE journal_entries;
    ALTER TABLE new_journal_entries RENAME TO journal_entries;
    \(appendOnly("journal_entries"))

    ALTER TABLE outbox_events ADD COLUMN message_index INTEGER NOT NULL DEFAULT 0 CHECK (message_index >= 0);

    CREATE TABLE kept_items (
        merchant_id TEXT NOT NULL REFERENCES merchants (id) DEFERRABLE INITIALLY DEFERRED,
        dialect TEXT NOT NULL,
        kind TEXT NOT NULL,
        id TEXT NOT NULL,
        key_id TEXT NOT NULL,
        box BLOB NOT NULL,
        version INTEGER NOT NULL CHECK (version >= 1),
        created_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        PRIMARY KEY (merchant_id, dialect, kind, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX kept_items_by_expiry ON kept_items (expires_at);
    """
