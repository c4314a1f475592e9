//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

/// Refused calls, of which the newest are kept for a while, and alarms.
let watchTables = """
    CREATE TABLE refused_calls (
        id TEXT NOT NULL PRIMARY KEY,
        at INTEGER NOT NULL,
        merchant_id TEXT,
        dialect TEXT NOT NULL,
        operation TEXT NOT NULL,
        wire_code TEXT NOT NULL,
        stage TEXT NOT NULL,
        code TEXT NOT NULL,
        text TEXT NOT NULL,
        request_id TEXT NOT NULL,
        public_key_hash TEXT,
        merchant_identifier TEXT,
        minor_units INTEGER CHECK (minor_units >= 0),
        currency TEXT,
        CHECK ((minor_units IS NULL) = (currency IS NULL))
    ) STRICT, WITHOUT ROWID;
    \(RefusedCall.indexes)

    CREATE TABLE observations (
        kind TEXT NOT NULL,
        merchant_id TEXT NOT NULL,
        subject TEXT NOT NULL,
        number INTEGER NOT NULL CHECK (number >= 0),
        at INTEGER NOT NULL,
        facts TEXT NOT NULL,
        PRIMARY KEY (kind, merchant_id, subject, number)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE alarms (
        id TEXT NOT NULL PRIMARY KEY,
        kind TEXT NOT NULL,
        subject TEXT NOT NULL,
        merchant TEXT,
        severity TEXT NOT NULL,
        code TEXT NOT NULL,
        step INTEGER,
        text TEXT NOT NULL,
        advice TEXT NOT NULL,
        begun_at INTEGER NOT NULL,
        ended_at INTEGER,
        is_superseded INTEGER NOT NULL CHECK (is_superseded IN (0, 1)),
        pending_message TEXT,
        due_at INTEGER,
        attempts_count INTEGER NOT NULL CHECK (attempts_count >= 0)
    ) STRICT, WITHOUT ROWID;
    \(Alarm.indexes)
    """
