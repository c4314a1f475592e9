//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The journal. An entry is keyed by the payment, the version of the payment that booked it, and its place in that
/// booking, which is also the order in which entries are read; its id, derived from the operation, makes sure that
/// nothing is booked twice.
let ledgerTables = """
    CREATE TABLE journal_entries (
        payment_id text COLLATE "C" NOT NULL REFERENCES payments (id) DEFERRABLE INITIALLY DEFERRED,
        version bigint NOT NULL CHECK (version >= 1),
        ordinal bigint NOT NULL CHECK (ordinal >= 0),
        id text COLLATE "C" NOT NULL UNIQUE,
        kind text NOT NULL,
        booked_at bigint NOT NULL,
        PRIMARY KEY (payment_id, version, ordinal)
    );
    \(appendOnly("journal_entries"))

    CREATE TABLE postings (
        payment_id text COLLATE "C" NOT NULL,
        version bigint NOT NULL,
        entry_ordinal bigint NOT NULL,
        ordinal bigint NOT NULL CHECK (ordinal >= 0),
        account text COLLATE "C" NOT NULL,
        layer text COLLATE "C" NOT NULL CHECK (layer IN ('pending', 'posted')),
        side text COLLATE "C" NOT NULL CHECK (side IN ('debit', 'credit')),
        minor_units bigint NOT NULL CHECK (minor_units > 0),
        currency text COLLATE "C" NOT NULL,
        PRIMARY KEY (payment_id, version, entry_ordinal, ordinal),
        FOREIGN KEY (payment_id, version, entry_ordinal) REFERENCES journal_entries (payment_id, version, ordinal)
            DEFERRABLE INITIALLY DEFERRED
    );
    \(appendOnly("postings"))
    """
