//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Tenants and their keys. Ids are ours, sort by time, and are compared byte by byte (COLLATE "C"), as everything is
/// that is looked up. Money is minor units and a currency code, a time is milliseconds since 1970.
///
/// References are checked when the transaction commits, so that a body may write in any order.
let merchantTables = """
    CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
    END
    $$;

    CREATE TABLE commit_marks (
        connection_id text COLLATE "C" NOT NULL PRIMARY KEY,
        sequence bigint NOT NULL DEFAULT 0,
        written_at timestamptz NOT NULL DEFAULT now()
    ) WITH (fillfactor = 50);

    CREATE TABLE merchants (
        id text COLLATE "C" NOT NULL PRIMARY KEY,
        name text COLLATE "C" NOT NULL UNIQUE,
        display_name text NOT NULL,
        mode text NOT NULL CHECK (mode IN ('sandbox', 'live')),
        acquirer text NOT NULL,
        country_code text NOT NULL,
        created_at bigint NOT NULL
    );

    CREATE TABLE accounts (
        dialect text COLLATE "C" NOT NULL,
        merchant_id text COLLATE "C" NOT NULL REFERENCES merchants (id) DEFERRABLE INITIALLY DEFERRED,
        key text COLLATE "C" NOT NULL,
        PRIMARY KEY (dialect, merchant_id)
    );

    -- Keys and aliases: whatever the wire calls an account names one.
    CREATE TABLE account_names (
        dialect text COLLATE "C" NOT NULL,
        name text COLLATE "C" NOT NULL,
        merchant_id text COLLATE "C" NOT NULL,
        PRIMARY KEY (dialect, name),
        FOREIGN KEY (dialect, merchant_id) REFERENCES accounts (dialect, merchant_id) DEFERRABLE INITIALLY DEFERRED
    );
    CREATE INDEX account_names_of_merchant ON account_names (dialect, merchant_id);

    CREATE TABLE account_settings (
        dialect text COLLATE "C" NOT NULL,
        merchant_id text COLLATE "C" NOT NULL,
        name text COLLATE "C" NOT NULL,
        value text NOT NULL,
        PRIMARY KEY (dialect, merchant_id, name),
        FOREIGN KEY (dialect, merchant_id) REFERENCES accounts (dialect, merchant_id) DEFERRABLE INITIALLY DEFERRED
    );

    CREATE TABLE account_secrets (
        dialect text COLLATE "C" NOT NULL,
        merchant_id text COLLATE "C" NOT NULL,
        name text COLLATE "C" NOT NULL,
        key_id text NOT NULL,
        box bytea NOT NULL,
        PRIMARY KEY (dialect, merchant_id, name),
        FOREIGN KEY (dialect, merchant_id) REFERENCES accounts (dialect, merchant_id) DEFERRABLE INITIALLY DEFERRED
    );

    CREATE TABLE apple_credentials (
        merchant_id text COLLATE "C" NOT NULL REFERENCES merchants (id) DEFERRABLE INITIALLY DEFERRED,
        id text COLLATE "C" NOT NULL,
        purpose text NOT NULL CHECK (purpose IN ('paymentProcessing', 'merchantIdentity')),
        merchant_identifier text NOT NULL,
        certificate_pem text,
        not_after bigint,
        key_id text NOT NULL,
        box bytea NOT NULL,
        created_at bigint NOT NULL,
        PRIMARY KEY (merchant_id, id)
    );

    CREATE TABLE data_keys (
        id text COLLATE "C" NOT NULL PRIMARY KEY,
        box bytea NOT NULL,
        created_at bigint NOT NULL
    );

    CREATE TABLE kept_items (
        merchant_id text COLLATE "C" NOT NULL REFERENCES merchants (id) DEFERRABLE INITIALLY DEFERRED,
        dialect text COLLATE "C" NOT NULL,
        kind text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        key_id text NOT NULL,
        box bytea NOT NULL,
        version bigint NOT NULL CHECK (version >= 1),
        created_at bigint NOT NULL,
        expires_at bigint NOT NULL,
        PRIMARY KEY (merchant_id, dialect, kind, id)
    );
    CREATE INDEX kept_items_by_expiry ON kept_items (expires_at);
    """
