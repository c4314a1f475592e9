//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef CSQLITEWAL_H
#define CSQLITEWAL_H

/// Sets up SQLite for this process, before it is used first: without statistics of its memory, and with frames of the
/// write-ahead log that go out in one write each. Doing it again does nothing.
///
/// - Returns: SQLITE_OK, or why files are opened as SQLite does it by itself (sqlite.org/rescode.html).
int pomona_sqlite_set_up(void);

#endif
