//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The journal. An entry is keyed by the payment, the version of the payment that booked it, and its place in that
/// booking, which is also the order in which entries are read; its id, derived from the operation, makes sure that
/// nothing is booked twice.
let ledgerTables = """
    CREATE TABLE journal_entries (
        payment_id TEXT NOT NULL REFERENCES payments (id) DEFERRABLE INITIALLY DEFERRED,
        version INTEGER NOT NULL CHECK (version >= 1),
        ordinal INTEGER NOT NULL CHECK (ordinal >= 0),
        id TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        booked_at INTEGER NOT NULL,
        PRIMARY KEY (payment_id, version, ordinal)
    ) STRICT, WITHOUT ROWID;
    \(appendOnly("journal_entries"))

    CREATE TABLE postings (
        payment_id TEXT NOT NULL,
        version INTEGER NOT NULL,
        entry_ordinal INTEGER NOT NULL,
        ordinal INTEGER NOT NULL CHECK (ordinal >= 0),
        account TEXT NOT NULL,
        layer TEXT NOT NULL CHECK (layer IN ('pending', 'posted')),
        side TEXT NOT NULL CHECK (side IN ('debit', 'credit')),
        minor_units INTEGER NOT NULL CHECK (minor_units > 0),
        currency TEXT NOT NULL,
        PRIMARY KEY (payment_id, version, entry_ordinal, ordinal),
        FOREIGN KEY (payment_id, version, entry_ordinal) REFERENCES journal_entries (payment_id, version, ordinal)
            DEFERRABLE INITIALLY DEFERRED
    ) STRICT, WITHOUT ROWID;
    \(appendOnly("postings"))
    """
