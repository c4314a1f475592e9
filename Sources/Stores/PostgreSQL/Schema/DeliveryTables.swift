//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

/// What merchants are to be notified of, and what is to be done later. Jobs come and go: their dead rows are to be
/// swept up sooner than the server does by itself.
let deliveryTables = """
    CREATE TABLE outbox_events (
        payment_id text COLLATE "C" NOT NULL REFERENCES payments (id) DEFERRABLE INITIALLY DEFERRED,
        ordinal bigint NOT NULL CHECK (ordinal >= 0),
        id text COLLATE "C" NOT NULL UNIQUE,
        merchant_id text COLLATE "C" NOT NULL,
        dialect text NOT NULL,
        kind text NOT NULL,
        operation_id text NOT NULL,
        payment_version bigint NOT NULL CHECK (payment_version >= 1),
        target text NOT NULL,
        created_at bigint NOT NULL,
        state text NOT NULL CHECK (state IN ('pending', 'delivered', 'dead')),
        message_index bigint NOT NULL CHECK (message_index >= 0),
        attempts_count bigint NOT NULL CHECK (attempts_count >= 0),
        last_result text,
        PRIMARY KEY (payment_id, ordinal)
    ) WITH (fillfactor = 80);
    \(OpenWork.index)

    CREATE TABLE jobs (
        kind text COLLATE "C" NOT NULL,
        payment_id text COLLATE "C" NOT NULL REFERENCES payments (id) DEFERRABLE INITIALLY DEFERRED,
        due_at bigint NOT NULL,
        attempts_count bigint NOT NULL CHECK (attempts_count >= 0),
        taken_at bigint,
        PRIMARY KEY (kind, payment_id)
    ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
    CREATE INDEX jobs_by_due_time ON jobs (kind, due_at, payment_id);
    """
