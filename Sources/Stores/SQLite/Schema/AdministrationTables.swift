//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What was done in the administration under which idempotency key.
let administrationTables = """
    CREATE TABLE admin_claims (
        holder TEXT NOT NULL,
        key TEXT NOT NULL,
        digest BLOB NOT NULL,
        answer BLOB NOT NULL,
        created_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        PRIMARY KEY (holder, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX admin_claims_by_expiry ON admin_claims (expires_at);
    """
