//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StoreRows

/// A row of a connection's own, in which every transaction that writes leaves its number, so that a commit whose answer
/// was lost can be distinguished from one that never was.
///
/// The number goes from n − 1 to n in the transaction that is the connection's nth. When the connection is lost while it
/// commits, another connection takes the row's lock, which waits for the end of the old transaction, and looks:
///
/// - n: it was committed.
/// - n − 1: it was not. The row is deleted in the same transaction, so that if the statements of the old one are still
///   on their way to a server that has been slow, they find no row to count up, and fail.
///
/// An xid (`pg_current_xact_id()`, `pg_xact_status()`) says less: that it was handed out need not have reached the disk,
/// so that after a crash another transaction may have the same one; and it has to be known before the commit is sent,
/// which costs a transaction that only writes another round trip.
struct CommitMark {
    /// Names the row: a UUID that the server has made.
    let connectionID: String
    /// The number of the last transaction that was committed.
    var sequence: Int64 = 0
}

/// What has become of a transaction whose commit was not answered.
enum CommitFate {
    /// And whoever has to have a copy has one.
    case committed
    /// The server has it, and need not have given it to its standby.
    case committedAlone
    case rolledBack
    case unknown
}

extension CommitMark {
    /// Makes the row for a new connection, and does away with those that nobody has used for long.
    static func make(on connection: PostgreSQLConnection) throws(ConnectionLost) -> CommitMark? {
        try connection.send(
            "INSERT INTO commit_marks (connection_id) VALUES (gen_random_uuid()::text) RETURNING connection_id",
            as: .query)
        let reply = try connection.roundTrip()
        guard reply.failure == nil, let rows = reply.rows.first, rows.count == 1 else { return nil }
        var columns = rows.columns(ofRow: 0, table: "commit_marks")
        guard let id = try? columns.text() else { return nil }
        try connection.send(
            "DELETE FROM commit_marks WHERE written_at < now() - interval '30 days'", as: .control)
        try connection.sendBatch()
        return CommitMark(connectionID: id)
    }

    /// Adds the statement that counts the transaction. It fails if the row is gone.
    func count(on connection: PostgreSQLConnection) throws(ConnectionLost) {
        try connection.send(
            """
            WITH marked AS (
                UPDATE commit_marks SET sequence = $2::bigint, written_at = now()
                WHERE connection_id = $1 AND sequence = $2::bigint - 1 RETURNING 1
            )
            SELECT 1 / count(*) FROM marked
            """, [self.connectionID, self.sequence + 1], as: .mark)
    }

    /// Does away with the row, at the end of its connection.
    func remove(on connection: PostgreSQLConnection) throws(ConnectionLost) {
        try connection.send("DELETE FROM commit_marks WHERE connection_id = $1", [self.connectionID], as: .control)
        _ = try connection.roundTrip()
    }

    /// Finds out about the transaction after the last committed one, from another connection.
    ///
    /// That it was committed is no proof that a synchronous standby has it: its wait for that may have been cancelled, with a
    /// warning that nobody has read. The look ends with a commit that writes, and stands behind the old one in the log: where
    /// its own wait has come to its end, the standby has both.
    ///
    /// - Parameter earlier: what an earlier try has seen under the row's lock, if it failed when it committed.
    /// - Returns: `nil` while the old transaction goes on.
    func fate(
        on connection: PostgreSQLConnection, earlier: inout CommitFate?
    ) throws(ConnectionLost) -> CommitFate? {
        try connection.send("BEGIN", as: .control)
        try connection.send(
            "SELECT sequence FROM commit_marks WHERE connection_id = $1 FOR UPDATE", [self.connectionID], as: .query)
        let reply = try connection.roundTrip()
        guard reply.failure == nil, let rows = reply.rows.first else {
            try connection.send("ROLLBACK", as: .control)
            _ = try connection.roundTrip()
            return nil
        }
        var columns = rows.columns(ofRow: 0, table: "commit_marks")
        if rows.count == 1, let sequence = try? columns.integer() {
            earlier = sequence > self.sequence ? .committed : .rolledBack
        }
        // A commit that has written nothing waits for no standby, and an earlier try may have deleted the row.
        try connection.send(
            "INSERT INTO commit_marks (connection_id) VALUES ($1) ON CONFLICT DO NOTHING", [self.connectionID],
            as: .control)
        try connection.send("DELETE FROM commit_marks WHERE connection_id = $1", [self.connectionID], as: .control)
        let warningsCount = connection.warningsCount
        try connection.send("COMMIT", as: .control)
        let end = try connection.roundTrip()
        guard end.failure == nil else { return nil }
        guard let earlier else { return .unknown }
        let hasWaited = connection.warningsCount == warningsCount
        return earlier == .committed && !hasWaited ? .committedAlone : earlier
    }
}
