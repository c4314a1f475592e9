//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The log of what operators have done.
let auditTables = """
    CREATE TABLE audit_entries (
        number bigint NOT NULL PRIMARY KEY CHECK (number >= 1),
        at bigint NOT NULL,
        actor text NOT NULL,
        act text NOT NULL,
        subject text NOT NULL,
        details text NOT NULL,
        previous_digest bytea NOT NULL,
        digest bytea NOT NULL
    );
    \(appendOnly("audit_entries"))
    """
