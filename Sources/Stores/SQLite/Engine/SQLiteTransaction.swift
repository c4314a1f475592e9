//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// What reads and writes share: a connection. The methods are in Tables/, one file a subject.
protocol SQLiteReading: StoreReader {
    var connection: SQLiteConnection { get }
}

/// What a body of `read` is handed.
struct SQLiteReader: SQLiteReading {
    let connection: SQLiteConnection
}

/// What a body of `write` is handed.
struct SQLiteTransaction: SQLiteReading, StoreTransaction {
    let connection: SQLiteConnection
}
