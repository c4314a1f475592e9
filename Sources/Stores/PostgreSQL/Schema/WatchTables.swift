//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

/// Refused calls, of which the newest are kept for a while, and alarms.
let watchTables = """
    CREATE TABLE refused_calls (
        id text COLLATE "C" NOT NULL PRIMARY KEY,
        at bigint NOT NULL,
        merchant_id text COLLATE "C",
        dialect text NOT NULL,
        operation text NOT NULL,
        wire_code text NOT NULL,
        stage text NOT NULL,
        code text NOT NULL,
        text text NOT NULL,
        request_id text COLLATE "C" NOT NULL,
        public_key_hash text COLLATE "C",
        merchant_identifier text,
        minor_units bigint CHECK (minor_units >= 0),
        currency text,
        CHECK ((minor_units IS NULL) = (currency IS NULL))
    );
    \(RefusedCall.indexes)

    CREATE TABLE observations (
        kind text COLLATE "C" NOT NULL,
        merchant_id text COLLATE "C" NOT NULL,
        subject text COLLATE "C" NOT NULL,
        number bigint NOT NULL CHECK (number >= 0),
        at bigint NOT NULL,
        facts text NOT NULL,
        PRIMARY KEY (kind, merchant_id, subject, number)
    );

    CREATE TABLE alarms (
        id text COLLATE "C" NOT NULL PRIMARY KEY,
        kind text COLLATE "C" NOT NULL,
        subject text COLLATE "C" NOT NULL,
        merchant text,
        severity text NOT NULL,
        code text NOT NULL,
        step bigint,
        text text NOT NULL,
        advice text NOT NULL,
        begun_at bigint NOT NULL,
        ended_at bigint,
        is_superseded boolean NOT NULL,
        pending_message text,
        due_at bigint,
        attempts_count bigint NOT NULL CHECK (attempts_count >= 0)
    );
    \(Alarm.indexes)
    """
