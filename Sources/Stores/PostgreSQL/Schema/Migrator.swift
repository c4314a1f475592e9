//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

/// Brings a database's tables up to date.
///
/// `schema_migrations` says which steps a database has taken; a step is written there when all of it is done. A session's
/// advisory lock lets one node at a time look and step, so that any number may start at once.
///
/// **Nodes of the last version go on working while and after a node of this version steps** (a rolling upgrade): a step
/// only adds. It may make tables, indexes, and columns that may be NULL or have a default; it never renames or drops
/// what the last version reads or writes, nor forbids what that writes. What nobody needs any more is dropped a version
/// later. A node that starts on a database with steps that it does not know refuses it: what it would have to obey is
/// more than it knows.
///
/// They go on *without waiting*, too. Whoever waits for a table's lock has everybody queue behind him who comes later
/// (postgresql.org/docs/15/explicit-locking.html), so a step waits briefly, lets the others pass, and tries again. Rows
/// are changed page by page; indexes of full tables are made beside those who write.
struct Migrator {
    /// Names the lock: "POMA" and "schm".
    private static let lockKey: Int64 = 0x504F_4D41_7363_686D
    private static let timeoutMilliseconds = 300_000

    /// How others are waited for, in milliseconds.
    struct Patience: Sendable {
        /// For a lock, before those behind are let pass.
        var lock = 2_000
        /// Until the next try.
        var pause: UInt64 = 3_000
        /// Between two looks whether another node is done.
        var look: UInt64 = 200
        /// In all.
        var most: UInt64 = 300_000
        /// How often what may take long is begun.
        var longTries = 20
    }

    private let address: ServerAddress
    private let settings: PostgreSQLSettings
    private let steps: [SchemaStep]
    private let patience: Patience

    init(
        _ address: ServerAddress, settings: PostgreSQLSettings = PostgreSQLSettings(),
        steps: [SchemaStep] = schemaSteps, patience: Patience = Patience()
    ) {
        self.address = address
        self.settings = settings
        self.steps = steps
        self.patience = patience
    }

    /// - Throws: ``StoreError/unavailable(_:)`` for another program's database or a later version's, or when others stay
    ///   in the way.
    func bringUpToDate() throws(StoreError) {
        let session = try SimpleSession(self.address, timeoutMilliseconds: Self.timeoutMilliseconds)
        try self.lock(session)
        let takenCount = try self.takenCount(session)
        for (index, step) in self.steps.enumerated().dropFirst(takenCount) {
            let taken = "INSERT INTO schema_migrations (number, name) VALUES (\(index + 1), '\(step.name)');"
            switch step.work {
            case .statements(let sql):
                try self.take(sql, taken, step, session)
            case .indexes(let indexes) where takenCount == 0:
                // Nobody is there to be kept out.
                try self.take(indexes.map(\.sql).joined(separator: "\n"), taken, step, session)
            case .pages(let change):
                try self.change(change, step, session)
                try self.take("", taken, step, session)
            case .indexes(let indexes):
                for index in indexes { try self.make(index, step, session) }
                try self.take("", taken, step, session)
            }
        }
        // The lock ends with the session.
    }

    /// Waits for the lock by asking for it again and again. A statement that waited for it would hold a snapshot, and
    /// `CREATE INDEX CONCURRENTLY` of the node that has the lock waits for all snapshots that are older than its own: each
    /// would wait for the other.
    private func lock(_ session: SimpleSession) throws(StoreError) {
        let start = self.settings.uptimeMilliseconds()
        while true {
            let rows = try session.rows("SELECT pg_try_advisory_lock(\(Self.lockKey))")
            if rows == [["t"]] { return }
            guard self.settings.uptimeMilliseconds() - start < self.patience.most else {
                throw .unavailable(
                    "another node is still bringing the database's tables up to date; start again when it has ended")
            }
            self.settings.pause(self.patience.look)
        }
    }

    // MARK: - Taking a step

    /// Takes the whole step, or its end, in one transaction.
    private func take(
        _ sql: String, _ taken: String, _ step: SchemaStep, _ session: SimpleSession
    ) throws(StoreError) {
        try self.insist(step, session) { () throws(ServerError) in
            try session.attempt(
                """
                BEGIN;
                CREATE TABLE IF NOT EXISTS schema_migrations (
                    number bigint PRIMARY KEY,
                    name text NOT NULL,
                    taken_at timestamptz NOT NULL DEFAULT now()
                );
                \(sql)
                \(taken)
                COMMIT;
                """)
        }
    }

    /// What comes to be after the first look is written by those who go on working, and no concern of the step's, as it was
    /// none of one statement's over all rows.
    private func change(
        _ change: PagedChange, _ step: SchemaStep, _ session: SimpleSession
    ) throws(StoreError) {
        let end = try session.rows("SELECT max(\(change.column)) FROM \(change.table)")
        guard let end = end.first?.first, !end.isEmpty else { return }
        var place = ""
        while true {
            let page = try session.rows(
                """
                SELECT max(\(change.column)) FROM (
                    SELECT \(change.column) FROM \(change.table)
                    WHERE \(change.column) > $1 AND \(change.column) <= $2
                    ORDER BY \(change.column) LIMIT \(change.rowsMax)) AS page
                """, [place, end])
            guard let last = page.first?.first, !last.isEmpty else { return }
            try self.insist(step, session) { () throws(ServerError) in
                try session.attempt(change.sql, [place, last])
            }
            place = last
        }
    }

    /// Makes an index beside those who write. That takes as long as it takes, and what was interrupted has left an index
    /// that is written and not read: it is made anew (postgresql.org/docs/15/sql-createindex.html).
    ///
    /// A node of an earlier version that starts now waits for the advisory lock within a statement (``lock(_:)``). The server
    /// ends one of the two: that node, or this statement, which is tried again.
    private func make(
        _ index: TableIndex, _ step: SchemaStep, _ session: SimpleSession
    ) throws(StoreError) {
        try self.insist(step, session, waitsLong: true) { () throws(ServerError) in
            let isValid = try session.attempt(
                """
                SELECT i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
                WHERE c.relname = '\(index.name)' AND c.relnamespace = current_schema()::regnamespace
                """)
            if isValid == [["f"]] { try session.attempt("DROP INDEX CONCURRENTLY IF EXISTS \(index.name)") }
            try session.attempt(index.concurrentSQL)
        }
    }

    /// Does something until others are not in the way any more.
    /// - Parameter waitsLong: whether it may wait for locks, and take, as long as it likes.
    private func insist(
        _ step: SchemaStep, _ session: SimpleSession, waitsLong: Bool = false,
        _ work: () throws(ServerError) -> Void
    ) throws(StoreError) {
        let (lock, statement) = waitsLong ? (0, 0) : (self.patience.lock, Self.timeoutMilliseconds)
        try session.rows(
            "SELECT set_config('lock_timeout', '\(lock)', false), "
                + "set_config('statement_timeout', '\(statement)', false)")
        let start = self.settings.uptimeMilliseconds()
        var triesCount = 0
        while true {
            do {
                triesCount += 1
                return try work()
            } catch {
                guard error.isOthersInTheWay else { throw error.storeError }
                // Ends the transaction that has failed, if there is one.
                try session.rows("ROLLBACK")
                // One try may take longer than all that is waited elsewhere.
                let goesOn =
                    waitsLong
                    ? triesCount < self.patience.longTries
                    : self.settings.uptimeMilliseconds() - start < self.patience.most
                guard goesOn else {
                    throw .unavailable(
                        "the step \"\(step.name)\" of the database's tables waits for what others have locked; end their "
                            + "transactions (pg_stat_activity shows them, backups too), then start again")
                }
                self.settings.pause(self.patience.pause)
            }
        }
    }

    // MARK: - What was taken

    /// The names of the steps that ``bringUpToDate()`` would take.
    /// - Throws: ``StoreError/unavailable(_:)`` for another program's database or a later version's.
    func missingSteps() throws(StoreError) -> [String] {
        let session = try SimpleSession(self.address, timeoutMilliseconds: Self.timeoutMilliseconds)
        let takenCount = try self.takenCount(session)
        return self.steps.enumerated().dropFirst(takenCount).map { "\($0.offset + 1) \($0.element.name)" }
    }

    /// - Throws: ``StoreError/unavailable(_:)`` when it is not exactly this version's.
    func checkIsUpToDate() throws(StoreError) {
        let session = try SimpleSession(self.address, timeoutMilliseconds: Self.timeoutMilliseconds)
        let takenCount = try self.takenCount(session)
        guard takenCount > 0 else { throw .unavailable("the database is no Pomona database; it is empty") }
        guard takenCount == self.steps.count else {
            throw .unavailable(
                "an earlier version of this program has made the database; bring it up to date with pomona store migrate, "
                    + "or by starting the gateway once")
        }
    }

    /// Whether a gateway has begun on the database: only with its first data key can anything be in there that is missed.
    /// - Throws: ``StoreError/unavailable(_:)`` for another program's database or a later version's.
    func isBegun() throws(StoreError) -> Bool {
        let session = try SimpleSession(self.address, timeoutMilliseconds: Self.timeoutMilliseconds)
        // The tables come with the first step.
        guard try self.takenCount(session) > 0 else { return false }
        return try session.rows("SELECT EXISTS (SELECT FROM data_keys)") == [["t"]]
    }

    /// How many of the steps the database has taken.
    private func takenCount(_ session: SimpleSession) throws(StoreError) -> Int {
        let tables = try session.rows(
            """
            SELECT c.relname FROM pg_class c
            WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')
                AND NOT EXISTS (
                    SELECT FROM pg_depend d
                    WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
            """)
        guard tables.contains(["schema_migrations"]) else {
            guard tables.isEmpty else {
                throw .unavailable("the database is another program's; give this one a database of its own")
            }
            return 0
        }
        let columns = try session.rows(
            """
            SELECT attname FROM pg_attribute
            WHERE attrelid = 'schema_migrations'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum
            """)
        guard columns == [["number"], ["name"], ["taken_at"]] else {
            throw .unavailable("the database is another program's; give this one a database of its own")
        }
        let taken = try session.rows("SELECT number, name FROM schema_migrations ORDER BY number")
        let known = self.steps.enumerated().map { ["\($0.offset + 1)", $0.element.name] }
        let common = zip(taken, known).prefix { $0 == $1 }.count
        guard common == min(taken.count, known.count) else {
            throw .unavailable("the database's tables are not this program's; give it a database of its own")
        }
        guard taken.count <= known.count else {
            throw .unavailable("a later version of this program has changed the database; use that version")
        }
        return taken.count
    }
}

extension ServerError {
    /// A lock that was not to be had in time, a deadlock, or a failed serialization.
    fileprivate var isOthersInTheWay: Bool { ["55P03", "40P01", "40001"].contains(self.sqlState) }
}
