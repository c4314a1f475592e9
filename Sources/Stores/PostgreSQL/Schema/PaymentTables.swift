//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

/// Payments and what they were asked by. Room is left on the pages of rows that change (fillfactor), so that a change
/// stays on its page and touches no index (postgresql.org/docs/15/storage-hot.html).
let paymentTables = """
    CREATE TABLE orders (
        id text COLLATE "C" NOT NULL PRIMARY KEY,
        merchant_id text COLLATE "C" NOT NULL REFERENCES merchants (id) DEFERRABLE INITIALLY DEFERRED,
        dialect text COLLATE "C" NOT NULL,
        reference text COLLATE "C" NOT NULL,
        minor_units bigint NOT NULL CHECK (minor_units >= 0),
        currency text NOT NULL,
        summary text NOT NULL,
        notify_url text,
        merchant_identifier text,
        created_at bigint NOT NULL,
        expires_at bigint NOT NULL,
        canceled_at bigint,
        payment_id text COLLATE "C",
        CONSTRAINT orders_reference_key UNIQUE (merchant_id, dialect, reference)
    ) WITH (fillfactor = 85);

    -- That the merchant is there follows from his account.
    CREATE TABLE payments (
        id text COLLATE "C" NOT NULL PRIMARY KEY,
        merchant_id text COLLATE "C" NOT NULL,
        mode text NOT NULL CHECK (mode IN ('sandbox', 'live')),
        dialect text COLLATE "C" NOT NULL,
        acquirer text NOT NULL,
        account_id text COLLATE "C" NOT NULL,
        order_id text COLLATE "C" REFERENCES orders (id) DEFERRABLE INITIALLY DEFERRED,
        minor_units bigint NOT NULL CHECK (minor_units >= 0),
        currency text COLLATE "C" NOT NULL,
        pan_prefix text NOT NULL CHECK (length(pan_prefix) <= 6),
        pan_suffix text NOT NULL CHECK (length(pan_suffix) <= 4),
        pan_length bigint NOT NULL,
        network text NOT NULL,
        expiry_year_month text NOT NULL,
        eci text,
        display_name text,
        token_proof text,
        created_at bigint NOT NULL,
        version bigint NOT NULL CHECK (version >= 1),
        state text COLLATE "C" NOT NULL,
        FOREIGN KEY (merchant_id, account_id) REFERENCES acquirer_accounts (merchant_id, id)
            DEFERRABLE INITIALLY DEFERRED
    ) WITH (fillfactor = 80);
    CREATE INDEX payments_of_merchant ON payments (merchant_id, created_at, id);
    CREATE INDEX payments_by_time ON payments (created_at, id);
    \(Payment.stateIndex)
    \(Payment.searchIndexes)
    CREATE INDEX payments_of_order ON payments (order_id) WHERE order_id IS NOT NULL;
    ALTER TABLE orders ADD CONSTRAINT orders_payment_id_fkey
        FOREIGN KEY (payment_id) REFERENCES payments (id) DEFERRABLE INITIALLY DEFERRED;

    CREATE TABLE operations (
        payment_id text COLLATE "C" NOT NULL REFERENCES payments (id) DEFERRABLE INITIALLY DEFERRED,
        ordinal bigint NOT NULL CHECK (ordinal >= 0),
        id text COLLATE "C" NOT NULL UNIQUE,
        kind text NOT NULL,
        minor_units bigint NOT NULL CHECK (minor_units >= 0),
        currency text NOT NULL,
        sale_capture_id text,
        is_final_capture boolean NOT NULL,
        target text,
        accepts_partial_approval boolean NOT NULL,
        merchant_reference text,
        memo text,
        notify_url text,
        fields text,
        begun_at bigint NOT NULL,
        begun_in_version bigint NOT NULL CHECK (begun_in_version >= 1),
        state text NOT NULL CHECK (state IN ('pending', 'unknown', 'accepted', 'succeeded', 'failed')),
        failure text,
        decline_reason text,
        approved_minor_units bigint CHECK (approved_minor_units BETWEEN 0 AND minor_units),
        acquirer_reference text,
        authorization_code text,
        response_code text,
        stan text,
        network_reference text,
        address_check text,
        security_code_check text,
        funding_pan_suffix text,
        funding_expiry_year_month text,
        payment_account_reference text,
        merchant_advice_code text,
        eci text,
        reconciliation_id text,
        acquirer_reference_number text,
        processor text,
        authorization_expires_at bigint,
        vendor_code text,
        vendor_text text,
        resolved_at bigint,
        resolved_in_version bigint CHECK (resolved_in_version >= begun_in_version),
        unknown_reason text,
        queries_count bigint CHECK (queries_count >= 1),
        last_queried_at bigint,
        PRIMARY KEY (payment_id, ordinal),
        \(PaymentOperation.rules)
    ) WITH (fillfactor = 70);
    \(Payment.operationSearchIndexes)

    -- What was resolved, by its time. That the payment and the operation are there follows from how it is written.
    CREATE TABLE movements (
        merchant_id text COLLATE "C" NOT NULL,
        resolved_at bigint NOT NULL,
        operation_id text COLLATE "C" NOT NULL,
        payment_id text COLLATE "C" NOT NULL,
        dialect text COLLATE "C" NOT NULL,
        account_id text COLLATE "C" NOT NULL,
        kind text NOT NULL,
        has_succeeded boolean NOT NULL,
        PRIMARY KEY (merchant_id, resolved_at, operation_id)
    );
    CREATE INDEX movements_of_all ON movements (resolved_at, operation_id);
    \(appendOnly("movements"))

    CREATE TABLE idempotency_claims (
        merchant_id text COLLATE "C" NOT NULL,
        dialect text COLLATE "C" NOT NULL,
        operation text COLLATE "C" NOT NULL,
        key text COLLATE "C" NOT NULL,
        digest bytea NOT NULL,
        order_id text COLLATE "C" REFERENCES orders (id) DEFERRABLE INITIALLY DEFERRED,
        payment_id text COLLATE "C",
        operation_id text COLLATE "C" REFERENCES operations (id) DEFERRABLE INITIALLY DEFERRED,
        created_at bigint NOT NULL,
        PRIMARY KEY (merchant_id, dialect, operation, key),
        CHECK ((order_id IS NULL) <> (operation_id IS NULL) AND (payment_id IS NULL) = (operation_id IS NULL))
    );
    CREATE TRIGGER idempotency_claims_append_only BEFORE UPDATE OR TRUNCATE ON idempotency_claims
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
    CREATE TRIGGER idempotency_claims_kept BEFORE DELETE ON idempotency_claims
    FOR EACH ROW WHEN (OLD.created_at > (extract(epoch FROM now()) - \(IdempotencyClaim.secondsKeptMin)) * 1000)
    EXECUTE FUNCTION refuse_change();

    CREATE TABLE operation_references (
        merchant_id text COLLATE "C" NOT NULL,
        dialect text COLLATE "C" NOT NULL,
        kind text COLLATE "C" NOT NULL,
        value text COLLATE "C" NOT NULL,
        operation_id text COLLATE "C" NOT NULL REFERENCES operations (id) DEFERRABLE INITIALLY DEFERRED,
        PRIMARY KEY (merchant_id, dialect, kind, value)
    );
    \(appendOnly("operation_references"))

    CREATE TABLE seen_tokens (
        mode text NOT NULL CHECK (mode IN ('sandbox', 'live')),
        transaction_identifier bytea NOT NULL,
        payment_id text COLLATE "C" NOT NULL,
        seen_at bigint NOT NULL,
        PRIMARY KEY (mode, transaction_identifier)
    );
    CREATE TRIGGER seen_tokens_append_only BEFORE DELETE OR TRUNCATE ON seen_tokens
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
    CREATE FUNCTION refuse_reuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF \(SeenTokenRow.isNotProcessed("OLD.payment_id")) THEN RETURN NEW; END IF;
        RAISE EXCEPTION 'a token that was paid with stays used';
    END
    $$;
    CREATE TRIGGER seen_tokens_taken_over BEFORE UPDATE ON seen_tokens
    FOR EACH ROW EXECUTE FUNCTION refuse_reuse();
    """
