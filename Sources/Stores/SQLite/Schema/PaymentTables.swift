//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

/// Payments and what they were asked by. A payment's operations lie beside each other in the order begun, so that
/// reading a payment is one descent and a scan however many there are.
let paymentTables = """
    CREATE TABLE orders (
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
        payment_id TEXT REFERENCES payments (id) DEFERRABLE INITIALLY DEFERRED,
        UNIQUE (merchant_id, dialect, reference)
    ) STRICT, WITHOUT ROWID;

    -- That the merchant is there follows from his account.
    CREATE TABLE payments (
        id TEXT NOT NULL PRIMARY KEY,
        merchant_id TEXT NOT NULL,
        mode TEXT NOT NULL CHECK (mode IN ('sandbox', 'live')),
        dialect TEXT NOT NULL,
        acquirer TEXT NOT NULL,
        account_id TEXT NOT NULL,
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
        token_proof TEXT,
        created_at INTEGER NOT NULL,
        version INTEGER NOT NULL CHECK (version >= 1),
        state TEXT NOT NULL,
        FOREIGN KEY (merchant_id, account_id) REFERENCES acquirer_accounts (merchant_id, id)
            DEFERRABLE INITIALLY DEFERRED
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX payments_of_merchant ON payments (merchant_id, created_at, id);
    CREATE INDEX payments_by_time ON payments (created_at, id);
    \(Payment.stateIndex)
    \(Payment.searchIndexes)
    CREATE INDEX payments_of_order ON payments (order_id) WHERE order_id IS NOT NULL;

    CREATE TABLE operations (
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
        state TEXT NOT NULL
            CHECK (
                state = 'pending' OR state = 'unknown' OR state = 'accepted' OR state = 'succeeded'
                OR state = 'failed'),
        failure TEXT,
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
        payment_account_reference TEXT,
        merchant_advice_code TEXT,
        eci TEXT,
        reconciliation_id TEXT,
        acquirer_reference_number TEXT,
        processor TEXT,
        authorization_expires_at INTEGER,
        vendor_code TEXT,
        vendor_text TEXT,
        resolved_at INTEGER,
        resolved_in_version INTEGER CHECK (resolved_in_version >= begun_in_version),
        unknown_reason TEXT,
        queries_count INTEGER CHECK (queries_count >= 1),
        last_queried_at INTEGER,
        PRIMARY KEY (payment_id, ordinal),
        \(PaymentOperation.rules)
    ) STRICT, WITHOUT ROWID;
    \(Payment.operationSearchIndexes)

    -- What was resolved, by its time. That the payment and the operation are there follows from how it is written.
    CREATE TABLE movements (
        merchant_id TEXT NOT NULL,
        resolved_at INTEGER NOT NULL,
        operation_id TEXT NOT NULL,
        payment_id TEXT NOT NULL,
        dialect TEXT NOT NULL,
        account_id TEXT NOT NULL,
        kind TEXT NOT NULL,
        has_succeeded INTEGER NOT NULL CHECK (has_succeeded IN (0, 1)),
        PRIMARY KEY (merchant_id, resolved_at, operation_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX movements_of_all ON movements (resolved_at, operation_id);
    \(appendOnly("movements"))

    CREATE TABLE idempotency_claims (
        merchant_id TEXT NOT NULL,
        dialect TEXT NOT NULL,
        operation TEXT NOT NULL,
        key TEXT NOT NULL,
        digest BLOB NOT NULL,
        order_id TEXT REFERENCES orders (id) DEFERRABLE INITIALLY DEFERRED,
        payment_id TEXT,
        operation_id TEXT REFERENCES operations (id) DEFERRABLE INITIALLY DEFERRED,
        created_at INTEGER NOT NULL,
        PRIMARY KEY (merchant_id, dialect, operation, key),
        CHECK ((order_id IS NULL) <> (operation_id IS NULL) AND (payment_id IS NULL) = (operation_id IS NULL))
    ) STRICT, WITHOUT ROWID;
    \(never("UPDATE", "idempotency_claims"))
    CREATE TRIGGER idempotency_claims_kept BEFORE DELETE ON idempotency_claims
    WHEN OLD.created_at > (unixepoch() - \(IdempotencyClaim.secondsKeptMin)) * 1000
    BEGIN SELECT RAISE(ABORT, 'a claim this young is kept'); END;

    CREATE TABLE operation_references (
        merchant_id TEXT NOT NULL,
        dialect TEXT NOT NULL,
        kind TEXT NOT NULL,
        value TEXT NOT NULL,
        operation_id TEXT NOT NULL REFERENCES operations (id) DEFERRABLE INITIALLY DEFERRED,
        PRIMARY KEY (merchant_id, dialect, kind, value)
    ) STRICT, WITHOUT ROWID;
    \(appendOnly("operation_references"))

    CREATE TABLE seen_tokens (
        mode TEXT NOT NULL CHECK (mode IN ('sandbox', 'live')),
        transaction_identifier BLOB NOT NULL,
        payment_id TEXT NOT NULL,
        seen_at INTEGER NOT NULL,
        PRIMARY KEY (mode, transaction_identifier)
    ) STRICT, WITHOUT ROWID;
    \(never("DELETE", "seen_tokens"))
    CREATE TRIGGER seen_tokens_taken_over BEFORE UPDATE ON seen_tokens
    WHEN NOT \(SeenTokenRow.isNotProcessed("OLD.payment_id"))
    BEGIN SELECT RAISE(ABORT, 'a token that was paid with stays used'); END;
    """
