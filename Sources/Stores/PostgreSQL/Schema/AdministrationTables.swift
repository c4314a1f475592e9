//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What was done in the administration under which idempotency key.
let administrationTables = """
    CREATE TABLE admin_claims (
        holder text COLLATE "C" NOT NULL,
        key text COLLATE "C" NOT NULL,
        digest bytea NOT NULL,
        answer bytea NOT NULL,
        created_at bigint NOT NULL,
        expires_at bigint NOT NULL,
        PRIMARY KEY (holder, key)
    );
    CREATE INDEX admin_claims_by_expiry ON admin_claims (expires_at);
    """
