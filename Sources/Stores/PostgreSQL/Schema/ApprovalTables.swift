//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

/// What waits for a second person, what needs one, and merchants' domains.
let approvalTables = """
    CREATE TABLE approvals (
        id text COLLATE "C" NOT NULL PRIMARY KEY,
        kind text NOT NULL,
        operation text NOT NULL,
        merchant_id text COLLATE "C",
        payment_id text COLLATE "C",
        minor_units bigint CHECK (minor_units >= 0),
        currency text,
        summary text NOT NULL,
        reason text,
        asked_by text NOT NULL,
        asked_identities text NOT NULL,
        ask_key text COLLATE "C" NOT NULL,
        asked_at bigint NOT NULL,
        ends_at bigint NOT NULL,
        state text COLLATE "C" NOT NULL,
        decided_by text,
        decided_identities text,
        decided_at bigint,
        decision_reason text,
        outcome text,
        outcome_detail text,
        operation_id text COLLATE "C",
        CHECK ((minor_units IS NULL) = (currency IS NULL)),
        CHECK ((decided_by IS NULL) = (decided_identities IS NULL))
    );
    \(Approval.indexes)

    CREATE TABLE approval_contents (
        approval_id text COLLATE "C" NOT NULL REFERENCES approvals (id) DEFERRABLE INITIALLY DEFERRED,
        part text COLLATE "C" NOT NULL,
        key_id text NOT NULL,
        box bytea NOT NULL,
        PRIMARY KEY (approval_id, part)
    );

    CREATE TABLE approval_policies (
        scope text COLLATE "C" NOT NULL PRIMARY KEY,
        refunds_above text,
        above_own_limit boolean NOT NULL,
        live_credentials boolean NOT NULL,
        routes boolean NOT NULL
    );

    CREATE TABLE domains (
        merchant_id text COLLATE "C" NOT NULL REFERENCES merchants (id) DEFERRABLE INITIALLY DEFERRED,
        name text COLLATE "C" NOT NULL,
        file text NOT NULL,
        registered_at bigint NOT NULL,
        checked_at bigint,
        is_good boolean NOT NULL,
        code text,
        text text,
        advice text,
        PRIMARY KEY (merchant_id, name)
    );
    \(MerchantDomain.indexes)
    """
