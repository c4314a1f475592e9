//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef CSQLITEWAL_H
#define CSQLITEWAL_H

/// Sets up SQLite for the files that this process opens: frames of the write-ahead log go out in one write each. Doing it
/// again does nothing. That SQLite counts its memory no longer, and looks through its page cache no more at each commit, is
/// set up when the program is loaded.
///
/// - Returns: SQLITE_OK, or why files are opened as SQLite does it by itself (sqlite.org/rescode.html).
int pomona_sqlite_set_up(void);

/// How often page caches were asked to forget what is behind a file's end, and how often they had to be looked through.
typedef struct {
    unsigned long asked;
    unsigned long passed_on;
} pomona_sqlite_truncations;

/// Of all files, since the process began.
pomona_sqlite_truncations pomona_sqlite_truncations_count(void);

#endif
