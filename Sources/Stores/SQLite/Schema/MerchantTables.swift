//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Tenants and how the wire knows them. Tables are keyed by ids of ours, which sort by time, so that new rows go to the
/// end of the tree; WITHOUT ROWID saves the second tree (sqlite.org/withoutrowid.html). Money is minor units and a
/// currency code, a time is milliseconds since 1970.
///
/// References are checked when the transaction commits, so that a body may write in any order.
///
/// A choice of three or more is written with OR: SQLite checks `IN (…)` by way of a table in memory that it makes and
/// drops for every row written, which took a tenth of a payment's time in the store. Which kinds of things there are is
/// left to the rows' reader.
let merchantTables = """
    CREATE TABLE merchants (
        id TEXT NOT NULL PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        display_name TEXT NOT NULL,
        mode TEXT NOT NULL CHECK (mode IN ('sandbox', 'live')),
        country_code TEXT NOT NULL,
        time_zone TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        state TEXT NOT NULL CHECK (state = 'active' OR state = 'suspended' OR state = 'closed'),
        UNIQUE (id, mode)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE accounts (
        dialect TEXT NOT NULL,
        merchant_id TEXT NOT NULL REFERENCES merchants (id) DEFERRABLE INITIALLY DEFERRED,
        key TEXT NOT NULL,
        PRIMARY KEY (dialect, merchant_id),
        UNIQUE (dialect, key)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE account_aliases (
        dialect TEXT NOT NULL,
        alias TEXT NOT NULL,
        merchant_id TEXT NOT NULL,
        PRIMARY KEY (dialect, alias),
        FOREIGN KEY (dialect, merchant_id) REFERENCES accounts (dialect, merchant_id) DEFERRABLE INITIALLY DEFERRED
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX account_aliases_of_merchant ON account_aliases (dialect, merchant_id);

    CREATE TABLE account_settings (
        dialect TEXT NOT NULL,
        merchant_id TEXT NOT NULL,
        name TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (dialect, merchant_id, name),
        FOREIGN KEY (dialect, merchant_id) REFERENCES accounts (dialect, merchant_id) DEFERRABLE INITIALLY DEFERRED
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE account_secrets (
        dialect TEXT NOT NULL,
        merchant_id TEXT NOT NULL,
        name TEXT NOT NULL,
        key_id TEXT NOT NULL,
        box BLOB NOT NULL,
        PRIMARY KEY (dialect, merchant_id, name),
        FOREIGN KEY (dialect, merchant_id) REFERENCES accounts (dialect, merchant_id) DEFERRABLE INITIALLY DEFERRED
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE apple_credentials (
        merchant_id TEXT NOT NULL REFERENCES merchants (id) DEFERRABLE INITIALLY DEFERRED,
        id TEXT NOT NULL,
        purpose TEXT NOT NULL CHECK (purpose IN ('paymentProcessing', 'merchantIdentity')),
        merchant_identifier TEXT NOT NULL,
        certificate_pem TEXT,
        not_after INTEGER,
        key_id TEXT NOT NULL,
        box BLOB NOT NULL,
        created_at INTEGER NOT NULL,
        state TEXT NOT NULL
            CHECK (state = 'requested' OR state = 'imported' OR state = 'active' OR state = 'retired'),
        PRIMARY KEY (merchant_id, id)
    ) STRICT, WITHOUT ROWID;
    """
