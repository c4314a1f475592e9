//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What the gateway seals for itself, and the log of what operators have done.
let auditTables = """
    CREATE TABLE store_secrets (
        name text COLLATE "C" NOT NULL PRIMARY KEY,
        key_id text NOT NULL,
        box bytea NOT NULL
    );

    CREATE TABLE audit_entries (
        number bigint NOT NULL PRIMARY KEY CHECK (number >= 1),
        at bigint NOT NULL,
        actor text NOT NULL,
        act text NOT NULL,
        subject text NOT NULL,
        details text NOT NULL,
        previous_digest bytea NOT NULL,
        digest bytea NOT NULL
    );
    \(appendOnly("audit_entries"))
    """
