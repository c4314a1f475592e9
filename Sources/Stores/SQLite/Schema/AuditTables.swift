//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The log of what operators have done.
let auditTables = """
    CREATE TABLE audit_entries (
        number INTEGER NOT NULL PRIMARY KEY CHECK (number >= 1),
        at INTEGER NOT NULL,
        actor TEXT NOT NULL,
        act TEXT NOT NULL,
        subject TEXT NOT NULL,
        details TEXT NOT NULL,
        previous_digest BLOB NOT NULL,
        digest BLOB NOT NULL
    ) STRICT;
    \(appendOnly("audit_entries"))
    """
