//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A statement and the values of its parameters.
public struct RowStatement {
    public let sql: String
    public let arguments: RowArguments

    public init(_ sql: String, _ arguments: RowArguments = []) {
        self.sql = sql
        self.arguments = arguments
    }
}

extension Parameters {
    /// The end of a page's query. PostgreSQL wants to be shown the type of what is counted by.
    func limit(_ number: Int) -> String { " LIMIT CAST(\(self(number)) AS bigint)" }

    func limit(_ number: Int, offset: Int) -> String {
        self.limit(number) + " OFFSET CAST(\(self(offset)) AS bigint)"
    }
}
