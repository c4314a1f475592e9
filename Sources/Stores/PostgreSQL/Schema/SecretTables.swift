//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Data keys, and what is sealed under them beside the secrets of accounts and certificates: what dialects keep for a
/// while, and what the gateway keeps for itself.
let secretTables = """
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

    CREATE TABLE acquirer_memos (
        operation_id TEXT NOT NULL REFERENCES operations (id) DEFERRABLE INITIALLY DEFERRED,
        part text COLLATE "C" NOT NULL CHECK (part IN ('entries', 'cardData')),
        payment_id TEXT NOT NULL REFERENCES payments (id) DEFERRABLE INITIALLY DEFERRED,
        key_id TEXT NOT NULL,
        box BYTEA NOT NULL,
        kept_seconds bigint CHECK (kept_seconds >= 0),
        PRIMARY KEY (operation_id, part)
    );
    CREATE INDEX acquirer_memos_of_payment ON acquirer_memos (payment_id);

    CREATE TABLE store_secrets (
        name text COLLATE "C" NOT NULL PRIMARY KEY,
        key_id text NOT NULL,
        box bytea NOT NULL
    );
    """
