//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Data keys, and what is sealed under them beside the secrets of accounts and certificates: what dialects keep for a
/// while, and what the gateway keeps for itself.
let secretTables = """
    CREATE TABLE data_keys (
        id TEXT NOT NULL PRIMARY KEY,
        box BLOB NOT NULL,
        created_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

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

    CREATE TABLE acquirer_memos (
        operation_id TEXT NOT NULL REFERENCES operations (id) DEFERRABLE INITIALLY DEFERRED,
        part TEXT NOT NULL CHECK (part = 'entries' OR part = 'cardData'),
        payment_id TEXT NOT NULL REFERENCES payments (id) DEFERRABLE INITIALLY DEFERRED,
        key_id TEXT NOT NULL,
        box BLOB NOT NULL,
        kept_seconds INTEGER CHECK (kept_seconds >= 0),
        PRIMARY KEY (operation_id, part)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX acquirer_memos_of_payment ON acquirer_memos (payment_id);

    CREATE TABLE store_secrets (
        name TEXT NOT NULL PRIMARY KEY,
        key_id TEXT NOT NULL,
        box BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    """
