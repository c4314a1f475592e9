//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The people who administer, what they prove themselves with, where they are signed in, and what lets machines
/// administer. Which roles, scopes and stages there are is left to the rows' reader.
let peopleTables = """
    CREATE TABLE people (
        id TEXT NOT NULL PRIMARY KEY,
        user_name TEXT NOT NULL UNIQUE,
        display_name TEXT NOT NULL,
        email TEXT,
        role TEXT NOT NULL,
        merchants TEXT,
        refund_limits TEXT,
        state TEXT NOT NULL CHECK (state IN ('active', 'suspended')),
        password_verifier TEXT,
        is_password_initial INTEGER NOT NULL CHECK (is_password_initial IN (0, 1)),
        failures_count INTEGER NOT NULL CHECK (failures_count >= 0),
        locked_until INTEGER,
        invitation_digest TEXT,
        invitation_ends_at INTEGER,
        issuer TEXT,
        subject TEXT,
        created_at INTEGER NOT NULL,
        last_sign_in_at INTEGER,
        version INTEGER NOT NULL CHECK (version >= 1),
        UNIQUE (issuer, subject),
        CHECK ((invitation_digest IS NULL) = (invitation_ends_at IS NULL)),
        CHECK ((issuer IS NULL) = (subject IS NULL))
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE second_factors (
        person_id TEXT NOT NULL PRIMARY KEY REFERENCES people (id) DEFERRABLE INITIALLY DEFERRED,
        key_id TEXT NOT NULL,
        box BLOB NOT NULL,
        confirmed_at INTEGER,
        last_step INTEGER NOT NULL,
        recovery_digests BLOB NOT NULL,
        created_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE person_sessions (
        id TEXT NOT NULL PRIMARY KEY,
        digest BLOB NOT NULL UNIQUE,
        person_id TEXT NOT NULL REFERENCES people (id) DEFERRABLE INITIALLY DEFERRED,
        stage TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        last_seen_at INTEGER NOT NULL,
        ends_at INTEGER NOT NULL,
        address TEXT,
        user_agent TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX person_sessions_of_person ON person_sessions (person_id);

    CREATE TABLE access_tokens (
        id TEXT NOT NULL PRIMARY KEY,
        name TEXT NOT NULL,
        digest BLOB NOT NULL UNIQUE,
        scopes TEXT NOT NULL,
        merchants TEXT,
        changes_sandbox_only INTEGER NOT NULL CHECK (changes_sandbox_only IN (0, 1)),
        made_by TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        ends_at INTEGER NOT NULL,
        revoked_at INTEGER,
        last_used_at INTEGER
    ) STRICT, WITHOUT ROWID;
    """
