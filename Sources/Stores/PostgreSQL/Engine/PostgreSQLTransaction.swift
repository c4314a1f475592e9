//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// What both kinds of body read with; the reads are beside their tables, in `Tables/`.
protocol PostgreSQLReading: StoreReader {
    var transaction: Transaction { get }
}

/// What a body of `write` gets.
struct PostgreSQLTransaction: PostgreSQLReading, StoreTransaction {
    let transaction: Transaction

    init(_ transaction: Transaction) {
        self.transaction = transaction
    }
}
