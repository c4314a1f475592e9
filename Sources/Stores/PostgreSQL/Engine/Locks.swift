//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

/// What a transaction has locked, so that it asks for nothing twice; and the rules by which transactions of any number
/// of nodes keep out of each other's way.
///
/// Transactions that write run READ COMMITTED: every statement sees what was committed before it. A body reads, decides
/// and writes, and what it has read must still be so when it commits. That is kept by locks that are held until the
/// transaction ends; in each case the lock's statement comes before the query, so that the query sees what the lock's
/// last holder has committed:
///
/// - **A payment and all that hangs on it** (operations, events, jobs, the journal): whoever reads any of it in a write
///   transaction, or writes any of it, first locks the payment's row (FOR NO KEY UPDATE, which foreign keys' checks may
///   pass). This closes captures and refunds beyond what is left, two outcomes of one operation, an event that is added
///   while the delivery of the last one takes the job away, a plan that is withdrawn while it is carried out, and gives
///   events and journal entries their order. The version in the UPDATE's condition closes changes that were made
///   from a state read elsewhere.
/// - **An order** is locked by its row in the same way: two payments of one order, a payment and the order's end.
/// - **An idempotency claim** is locked by its name (`pg_advisory_xact_lock`), be it there or not: a repeated call waits
///   for the first one's commit and finds the claim, before it finds the token used, the item gone or the order paid.
/// - **A kept item** is locked by its name and its row: a prime is used once, a new item is made once, and no version
///   of a session is lost.
/// - **What is unique** (names, ids, references, order references, claims, tokens) is kept unique by constraints. A body
///   that has read that a thing is not there, and loses the race to make it, fails at the constraint, is run again
///   (``Transaction/Mode/exactly``), and finds the thing.
/// - **Tokens** are remembered with INSERT … ON CONFLICT, which waits for another transaction that has the same one. Of
///   those that several bodies come with, the ones that nobody has used are written as rows that must be new.
/// - **Leases** take jobs and their payments FOR NO KEY UPDATE SKIP LOCKED: what another node leases, or is working on,
///   is passed over, and the condition is looked at again in the row's newest version.
/// - **Data keys** are read, in a write transaction, under a lock of the whole table, so that two nodes on a new store
///   make one key. Whoever writes what is sealed under one locks its row (FOR KEY SHARE), and whoever deletes one first
///   locks it for that, so that nothing is ever sealed under a key that is gone.
/// - **The audit log** is locked by its name before its last entry is read to append the next: numbers have no gaps, and
///   the chain no fork. It is the last lock that a transaction asks for.
/// - **Merchants and their accounts**, in dialects and with acquirers, are locked by their rows (FOR NO KEY UPDATE, which
///   the foreign keys' checks of payments pass) by whoever reads one in a write transaction, for he may write it whole. A
///   merchant's row stands for his routes too. Keys and aliases share a table, whose primary key keeps them apart.
/// - **People** are locked by their rows, which stand for their second factors too; all of them, in the order of their
///   ids, by whoever lists them in a write transaction to see whether an owner is left. A session that is looked for by
///   its secret is locked (FOR UPDATE), so that of two who would put another in its place the second finds it gone.
///
/// Locks are waited for in one order: claim, kept item, order, payment, acquirer account. An order that is wanted when a
/// payment is locked already is not waited for: if it is taken, the transaction gives its locks back and runs again, with
/// that order locked before anything else. What deadlocks remain (a body that locks several payments) the server finds
/// (40P01), and the body is run again. Lists (``StoreReader/payments(_:)``, jobs, merchants, sums) lock nothing; each is
/// of one moment.
struct Locks {
    var payments: Set<PaymentID> = []
    /// Payments that the transaction has not made itself, and that another may wait for.
    var holdsPayments = false
    /// By their bytes: the server hashes those.
    var names: Set<[UInt8]> = []
    /// Orders that an earlier run could not lock in time: this one has locked them before anything else.
    var orders: Set<OrderLock> = []
}

/// What locks an order's row. Two are distinguished by the bytes of what they say, as the server does: names that Unicode takes
/// for the same are two orders.
struct OrderLock: Hashable {
    let condition: String
    let arguments: [String]

    static func == (one: OrderLock, other: OrderLock) -> Bool { one.bytes == other.bytes }

    func hash(into hasher: inout Hasher) { hasher.combine(self.bytes) }

    private var bytes: [[UInt8]] { [Array(self.condition.utf8)] + self.arguments.map { Array($0.utf8) } }
}

extension Transaction {
    /// Locks a payment's row for what hangs on it.
    func lock(_ id: PaymentID) throws {
        guard self.isWriting, self.locks.payments.insert(id).inserted else { return }
        self.locks.holdsPayments = true
        try self.sendLock("SELECT FROM payments WHERE id = $1 FOR NO KEY UPDATE", [id.text])
    }

    /// Locks the row of the payment that an event is about. Which one that is never changes.
    func lockPayment(ofEvent id: EventID) throws {
        guard self.isWriting else { return }
        self.locks.holdsPayments = true
        try self.sendLock(
            """
            SELECT FROM payments WHERE id = (SELECT payment_id FROM outbox_events WHERE id = $1) FOR NO KEY UPDATE
            """, [id.text])
    }

    /// Locks the row of an order, if there is one.
    func lockOrder(_ condition: String, _ arguments: String...) throws {
        let lock = OrderLock(condition: condition, arguments: arguments)
        guard self.isWriting, self.locks.orders.insert(lock).inserted else { return }
        let statement = "SELECT FROM orders WHERE \(condition) FOR NO KEY UPDATE"
        guard self.locks.holdsPayments else { return try self.sendLock(statement, RowArguments(arguments)) }
        self.attemptedLock = lock
        try self.sendLock(statement + " NOWAIT", RowArguments(arguments), waits: false)
    }

    /// Locks orders at the very beginning.
    func lockFirst(_ orders: Set<OrderLock>) throws {
        for order in orders {
            self.locks.orders.insert(order)
            try self.sendLock(
                "SELECT FROM orders WHERE \(order.condition) FOR NO KEY UPDATE", RowArguments(order.arguments))
        }
    }

    /// Locks a name, be there a row of that name or not.
    ///
    /// Names with the same hash share a lock, and wait for each other in vain.
    func lockName(_ kind: String, _ parts: [String]) throws { try self.lockNames(kind, [parts]) }

    /// Locks several names, one after the other.
    func lockNames(_ kind: String, _ names: [[String]]) throws {
        guard self.isWriting else { return }
        let names = names.map { ([kind] + $0).joined(separator: "\u{1F}") }
        let new = names.filter { self.locks.names.insert(Array($0.utf8)).inserted }
        for names in StatementSizes.parts(of: new) {
            try self.sendLock(
                nameLock.statement(count: names.count), RowArguments(values: names.map { .text($0) }))
        }
    }
}

private let nameLock = RowsStatement(usually: StatementSizes.all) { count in
    let names = (1...count).map { "(\(parameters($0)))" }.joined(separator: ", ")
    return "SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM (VALUES \(names)) AS names (name)"
}
