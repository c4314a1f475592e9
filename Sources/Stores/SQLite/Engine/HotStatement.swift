//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import GRDB

/// A statement that is in every payment's way. What has been compiled of it is found by this very object: GRDB finds
/// statements by their texts, and to hash and compare those took a twentieth of the writer's time.
final class HotStatement: Sendable {
    let sql: String

    init(_ sql: String) {
        self.sql = sql
    }
}

/// What the writer's connection has compiled of ``HotStatement``s, which GRDB keeps and may give up, and the room for
/// their arguments, which is made once.
final class HotStatements {
    var arguments = SQLiteArgumentBuffer()

    private final class Place {
        weak var statement: Statement?

        init(_ statement: Statement) {
            self.statement = statement
        }
    }

    private var places: [ObjectIdentifier: Place] = [:]

    func statement(_ hot: HotStatement, in database: Database) throws -> Statement {
        if let statement = self.places[ObjectIdentifier(hot)]?.statement { return statement }
        let statement = try database.cachedStatement(sql: hot.sql)
        self.places[ObjectIdentifier(hot)] = Place(statement)
        return statement
    }
}
