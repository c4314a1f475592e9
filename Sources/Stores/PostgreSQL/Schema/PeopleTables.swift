//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The people who administer, what they prove themselves with, where they are signed in, and what lets machines
/// administer. Which roles, scopes and stages there are is left to the rows' reader.
let peopleTables = """
    CREATE TABLE people (
        id text COLLATE "C" NOT NULL PRIMARY KEY,
        user_name text COLLATE "C" NOT NULL UNIQUE,
        display_name text NOT NULL,
        email text,
        role text NOT NULL,
        merchants text,
        refund_limits text,
        state text NOT NULL CHECK (state IN ('active', 'suspended')),
        password_verifier text,
        is_password_initial boolean NOT NULL,
        failures_count bigint NOT NULL CHECK (failures_count >= 0),
        locked_until bigint,
        invitation_digest text COLLATE "C",
        invitation_ends_at bigint,
        issuer text COLLATE "C",
        subject text COLLATE "C",
        created_at bigint NOT NULL,
        last_sign_in_at bigint,
        version bigint NOT NULL CHECK (version >= 1),
        CONSTRAINT people_external_identity_key UNIQUE (issuer, subject),
        CHECK ((invitation_digest IS NULL) = (invitation_ends_at IS NULL)),
        CHECK ((issuer IS NULL) = (subject IS NULL))
    );

    CREATE TABLE second_factors (
        person_id text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES people (id) DEFERRABLE INITIALLY DEFERRED,
        key_id text NOT NULL,
        box bytea NOT NULL,
        confirmed_at bigint,
        last_step bigint NOT NULL,
        recovery_digests bytea NOT NULL,
        created_at bigint NOT NULL
    );

    CREATE TABLE person_sessions (
        id text COLLATE "C" NOT NULL PRIMARY KEY,
        digest bytea NOT NULL UNIQUE,
        person_id text COLLATE "C" NOT NULL REFERENCES people (id) DEFERRABLE INITIALLY DEFERRED,
        stage text NOT NULL,
        created_at bigint NOT NULL,
        last_seen_at bigint NOT NULL,
        ends_at bigint NOT NULL,
        address text,
        user_agent text
    );
    CREATE INDEX person_sessions_of_person ON person_sessions (person_id);

    CREATE TABLE access_tokens (
        id text COLLATE "C" NOT NULL PRIMARY KEY,
        name text NOT NULL,
        digest bytea NOT NULL UNIQUE,
        scopes text NOT NULL,
        merchants text,
        changes_sandbox_only boolean NOT NULL,
        made_by text NOT NULL,
        created_at bigint NOT NULL,
        ends_at bigint NOT NULL,
        revoked_at bigint,
        last_used_at bigint
    );
    """
