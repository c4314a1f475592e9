//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

/// What waits for a second person, what needs one, and merchants' domains.
let approvalTables = """
    CREATE TABLE approvals (
        id TEXT NOT NULL PRIMARY KEY,
        kind TEXT NOT NULL,
        operation TEXT NOT NULL,
        merchant_id TEXT,
        payment_id TEXT,
        minor_units INTEGER CHECK (minor_units >= 0),
        currency TEXT,
        summary TEXT NOT NULL,
        reason TEXT,
        asked_by TEXT NOT NULL,
        asked_identities TEXT NOT NULL,
        ask_key TEXT NOT NULL,
        asked_at INTEGER NOT NULL,
        ends_at INTEGER NOT NULL,
        state TEXT NOT NULL,
        decided_by TEXT,
        decided_identities TEXT,
        decided_at INTEGER,
        decision_reason TEXT,
        outcome TEXT,
        outcome_detail TEXT,
        operation_id TEXT,
        CHECK ((minor_units IS NULL) = (currency IS NULL)),
        CHECK ((decided_by IS NULL) = (decided_identities IS NULL))
    ) STRICT, WITHOUT ROWID;
    \(Approval.indexes)

    CREATE TABLE approval_contents (
        approval_id TEXT NOT NULL REFERENCES approvals (id) DEFERRABLE INITIALLY DEFERRED,
        part TEXT NOT NULL,
        key_id TEXT NOT NULL,
        box BLOB NOT NULL,
        PRIMARY KEY (approval_id, part)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE approval_policies (
        scope TEXT NOT NULL PRIMARY KEY,
        refunds_above TEXT,
        above_own_limit INTEGER NOT NULL CHECK (above_own_limit IN (0, 1)),
        live_credentials INTEGER NOT NULL CHECK (live_credentials IN (0, 1)),
        routes INTEGER NOT NULL CHECK (routes IN (0, 1))
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE domains (
        merchant_id TEXT NOT NULL REFERENCES merchants (id) DEFERRABLE INITIALLY DEFERRED,
        name TEXT NOT NULL,
        file TEXT NOT NULL,
        registered_at INTEGER NOT NULL,
        checked_at INTEGER,
        is_good INTEGER NOT NULL CHECK (is_good IN (0, 1)),
        code TEXT,
        text TEXT,
        advice TEXT,
        PRIMARY KEY (merchant_id, name)
    ) STRICT, WITHOUT ROWID;
    \(MerchantDomain.indexes)
    """
