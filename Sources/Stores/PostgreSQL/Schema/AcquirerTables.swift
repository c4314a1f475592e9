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
        id text COLLATE "C" NOT NULL PRIMARY KEY,
        merchant_id text COLLATE "C" NOT NULL,
        name text COLLATE "C" NOT NULL,
        connector text NOT NULL,
        mode text COLLATE "C" NOT NULL CHECK (mode IN ('sandbox', 'live')),
        merchant_number text,
        terminal text,
        category_code text,
        descriptor text,
        institution text,
        forwarder text,
        acceptor_name text,
        street text,
        city text,
        postal_code text,
        region text,
        country text,
        time_zone text,
        state text NOT NULL CHECK (state IN ('active', 'suspended')),
        created_at bigint NOT NULL,
        CONSTRAINT acquirer_accounts_name_key UNIQUE (merchant_id, name),
        CONSTRAINT acquirer_accounts_of_merchant_key UNIQUE (merchant_id, id),
        FOREIGN KEY (merchant_id, mode) REFERENCES merchants (id, mode) DEFERRABLE INITIALLY DEFERRED
    );

    CREATE TABLE acquirer_account_settings (
        account_id text COLLATE "C" NOT NULL REFERENCES acquirer_accounts (id) DEFERRABLE INITIALLY DEFERRED,
        name text COLLATE "C" NOT NULL,
        value text NOT NULL,
        PRIMARY KEY (account_id, name)
    );

    CREATE TABLE acquirer_account_secrets (
        account_id text COLLATE "C" NOT NULL REFERENCES acquirer_accounts (id) DEFERRABLE INITIALLY DEFERRED,
        name text COLLATE "C" NOT NULL,
        key_id text NOT NULL,
        box bytea NOT NULL,
        PRIMARY KEY (account_id, name)
    );

    CREATE TABLE routes (
        merchant_id text COLLATE "C" NOT NULL,
        number bigint NOT NULL CHECK (number >= 1),
        account_id text COLLATE "C" NOT NULL,
        dialect text,
        network text,
        currency text,
        minor_units_min bigint,
        minor_units_max bigint,
        PRIMARY KEY (merchant_id, number),
        FOREIGN KEY (merchant_id, account_id) REFERENCES acquirer_accounts (merchant_id, id)
            DEFERRABLE INITIALLY DEFERRED,
        \(Route.rules)
    );
    """
