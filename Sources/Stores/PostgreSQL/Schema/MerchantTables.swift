//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Tenants and how the wire knows them. Ids are ours, sort by time, and are compared byte by byte (COLLATE "C"), as
/// everything is that is looked up. Money is minor units and a currency code, a time is milliseconds since 1970.
///
/// References are checked when the transaction commits, so that a body may write in any order.
let merchantTables = """
    CREATE TABLE merchants (
        id text COLLATE "C" NOT NULL PRIMARY KEY,
        name text COLLATE "C" NOT NULL UNIQUE,
        display_name text NOT NULL,
        mode text COLLATE "C" NOT NULL CHECK (mode IN ('sandbox', 'live')),
        country_code text NOT NULL,
        time_zone text NOT NULL,
        created_at bigint NOT NULL,
        state text NOT NULL CHECK (state IN ('active', 'suspended', 'closed')),
        UNIQUE (id, mode)
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
        state text NOT NULL CHECK (state IN ('requested', 'imported', 'active', 'retired')),
        PRIMARY KEY (merchant_id, id)
    );
    """
