//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

/// Merchants' contracts with acquirers, and which of them a payment takes. An account is in its merchant's mode, and a
/// merchant's routes and payments are with his own accounts: both are said by references to two columns.
let acquirerTables = """
    CREATE TABLE acquirer_accounts (
        id TEXT NOT NULL PRIMARY KEY,
        merchant_id TEXT NOT NULL,
        name TEXT NOT NULL,
        connector TEXT NOT NULL,
        mode TEXT NOT NULL CHECK (mode IN ('sandbox', 'live')),
        merchant_number TEXT,
        terminal TEXT,
        category_code TEXT,
        descriptor TEXT,
        institution TEXT,
        forwarder TEXT,
        acceptor_name TEXT,
        street TEXT,
        city TEXT,
        postal_code TEXT,
        region TEXT,
        country TEXT,
        time_zone TEXT,
        state TEXT NOT NULL CHECK (state IN ('active', 'suspended')),
        created_at INTEGER NOT NULL,
        UNIQUE (merchant_id, name),
        UNIQUE (merchant_id, id),
        FOREIGN KEY (merchant_id, mode) REFERENCES merchants (id, mode) DEFERRABLE INITIALLY DEFERRED
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE acquirer_account_settings (
        account_id TEXT NOT NULL REFERENCES acquirer_accounts (id) DEFERRABLE INITIALLY DEFERRED,
        name TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (account_id, name)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE acquirer_account_secrets (
        account_id TEXT NOT NULL REFERENCES acquirer_accounts (id) DEFERRABLE INITIALLY DEFERRED,
        name TEXT NOT NULL,
        key_id TEXT NOT NULL,
        box BLOB NOT NULL,
        PRIMARY KEY (account_id, name)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE routes (
        merchant_id TEXT NOT NULL,
        number INTEGER NOT NULL CHECK (number >= 1),
        account_id TEXT NOT NULL,
        dialect TEXT,
        network TEXT,
        currency TEXT,
        minor_units_min INTEGER,
        minor_units_max INTEGER,
        PRIMARY KEY (merchant_id, number),
        FOREIGN KEY (merchant_id, account_id) REFERENCES acquirer_accounts (merchant_id, id)
            DEFERRABLE INITIALLY DEFERRED,
        \(Route.rules)
    ) STRICT, WITHOUT ROWID;
    """
