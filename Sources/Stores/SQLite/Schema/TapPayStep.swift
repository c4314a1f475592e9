//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What TapPay needs: accounts found by several names, and captures that are due later. Which kinds of jobs there are is
/// left to the rows' reader from here on.
let tapPayStep = """
    CREATE TABLE account_aliases (
        dialect TEXT NOT NULL,
        alias TEXT NOT NULL,
        merchant_id TEXT NOT NULL,
        PRIMARY KEY (dialect, alias),
        FOREIGN KEY (dialect, merchant_id) REFERENCES accounts (dialect, merchant_id) DEFERRABLE INITIALLY DEFERRED
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX account_aliases_of_merchant ON account_aliases (dialect, merchant_id);

    CREATE TABLE new_jobs (
        kind TEXT NOT NULL,
        payment_id TEXT NOT NULL REFERENCES payments (id) DEFERRABLE INITIALLY DEFERRED,
        due_at INTEGER NOT NULL,
        attempts_count INTEGER NOT NULL CHECK (attempts_count >= 0),
        PRIMARY KEY (kind, payment_id)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO new_jobs SELECT * FROM jobs;
    DROP TABLE jobs;
    ALTER TABLE new_jobs RENAME TO jobs;
    CREATE INDEX jobs_by_due_time ON jobs (kind, due_at);
    """
