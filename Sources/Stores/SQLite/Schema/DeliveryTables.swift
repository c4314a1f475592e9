//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

/// What merchants are to be notified of, and what is to be done later.
let deliveryTables = """
    CREATE TABLE outbox_events (
        payment_id TEXT NOT NULL REFERENCES payments (id) DEFERRABLE INITIALLY DEFERRED,
        ordinal INTEGER NOT NULL CHECK (ordinal >= 0),
        id TEXT NOT NULL UNIQUE,
        merchant_id TEXT NOT NULL,
        dialect TEXT NOT NULL,
        kind TEXT NOT NULL,
        operation_id TEXT NOT NULL,
        payment_version INTEGER NOT NULL CHECK (payment_version >= 1),
        target TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        state TEXT NOT NULL CHECK (state = 'pending' OR state = 'delivered' OR state = 'dead'),
        message_index INTEGER NOT NULL CHECK (message_index >= 0),
        attempts_count INTEGER NOT NULL CHECK (attempts_count >= 0),
        last_result TEXT,
        PRIMARY KEY (payment_id, ordinal)
    ) STRICT, WITHOUT ROWID;
    \(OpenWork.index)

    CREATE TABLE jobs (
        kind TEXT NOT NULL,
        payment_id TEXT NOT NULL REFERENCES payments (id) DEFERRABLE INITIALLY DEFERRED,
        due_at INTEGER NOT NULL,
        attempts_count INTEGER NOT NULL CHECK (attempts_count >= 0),
        taken_at INTEGER,
        PRIMARY KEY (kind, payment_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX jobs_by_due_time ON jobs (kind, due_at);
    """
