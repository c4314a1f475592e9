//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import GRDB
import Money
import Payments
import Time

/// The book inside a transaction: rows in, rows out. What is right is for ``BookRules`` to say.
struct BookPages {
    let database: Database

    private static let columns = """
        operation_id, kind, payment_id, merchant_id, target_id, amount, currency, captures, is_final, state, \
        approved_amount, decline_reason, reference, authorization_code, response_code, stan, network_reference, \
        address_check, security_code_check, funding_pan_suffix, funding_expiry_year_month, \
        payment_account_reference, merchant_advice_code, eci, reconciliation_id, vendor_code, vendor_text, \
        arrivals_count, booked_at
        """

    // MARK: - Reading

    func entry(_ id: OperationID) throws -> SimulatorEntry? {
        let statement = try self.database.cachedStatement(
            sql: "SELECT \(Self.columns) FROM operations WHERE operation_id = ?")
        return try Row.fetchOne(statement, arguments: [id.text]).map(SimulatorEntry.init(row:))
    }

    func entries(of paymentID: PaymentID) throws -> [SimulatorEntry] {
        let statement = try self.database.cachedStatement(
            sql: "SELECT \(Self.columns) FROM operations WHERE payment_id = ? ORDER BY sequence")
        return try Row.fetchAll(statement, arguments: [paymentID.text]).map(SimulatorEntry.init(row:))
    }

    func forEachEntry(_ body: (SimulatorEntry) throws -> Void) throws {
        let rows = try Row.fetchCursor(self.database, sql: "SELECT \(Self.columns) FROM operations ORDER BY sequence")
        while let row = try rows.next() { try body(SimulatorEntry(row: row)) }
    }

    /// What has been captured and refunded of an authorization, its own capture (a sale) left out.
    struct FollowUpSums {
        var captured: Int64 = 0
        var refunded: Int64 = 0
        var hasFinalCapture = false
    }

    func followUps(of authorizationID: OperationID) throws -> FollowUpSums {
        let statement = try self.database.cachedStatement(
            sql: """
                SELECT kind, SUM(approved_amount), MAX(is_final) FROM operations
                WHERE target_id = ? AND state = 'approved' AND kind IN ('capture', 'refund') GROUP BY kind
                """)
        var sums = FollowUpSums()
        let rows = try Row.fetchCursor(statement, arguments: [authorizationID.text])
        while let row = try rows.next() {
            let kind: String = row[0]
            if kind == SimulatorEntry.Kind.capture.rawValue {
                sums.captured = row[1]
                sums.hasFinalCapture = row[2]
            } else {
                sums.refunded = row[1]
            }
        }
        return sums
    }

    /// The total that the last adjustment but the excepted one made of an authorization; `nil` if there is none.
    func adjustedTotal(of authorizationID: OperationID, except: OperationID? = nil) throws -> Int64? {
        let statement = try self.database.cachedStatement(
            sql: """
                SELECT approved_amount FROM operations
                WHERE target_id = ? AND kind = 'adjustment' AND state = 'approved' AND operation_id <> ?
                ORDER BY sequence DESC LIMIT 1
                """)
        return try Int64.fetchOne(statement, arguments: [authorizationID.text, except?.text ?? ""])
    }

    /// A reference that no row has. Numbers of twelve digits made from unlike ids meet about once in a million
    /// operations.
    func freeReference(for id: OperationID) throws -> String {
        let statement = try self.database.cachedStatement(sql: "SELECT 1 FROM operations WHERE reference = ?")
        var attempt: UInt64 = 0
        while true {
            let reference = SimulatedAnswer.reference(of: id, attempt: attempt)
            if try Row.fetchOne(statement, arguments: [reference]) == nil { return reference }
            attempt += 1
        }
    }

    /// The ends of operations that are due to be reported, the oldest first.
    func reports(dueBy now: Timestamp, limit: Int) throws -> [(SimulatorEntry, AcquirerAccountID)] {
        let due = try Row.fetchAll(
            self.database,
            sql: "SELECT operation_id, account_id FROM reports WHERE due_at <= ? ORDER BY due_at, operation_id LIMIT ?",
            arguments: [now.milliseconds, limit])
        return try due.map { row in
            guard let id = OperationID(row[0] as String), let account = AcquirerAccountID(row[1] as String),
                let entry = try self.entry(id)
            else { throw SimulatorBookError.corrupt }
            return (entry, account)
        }
    }

    // MARK: - Writing

    func insertReport(of id: OperationID, to account: AcquirerAccountID, dueAt: Timestamp) throws {
        try self.database.execute(
            sql: "INSERT INTO reports (operation_id, account_id, due_at) VALUES (?, ?, ?)",
            arguments: [id.text, account.text, dueAt.milliseconds])
    }

    func deleteReport(of id: OperationID) throws {
        try self.database.execute(sql: "DELETE FROM reports WHERE operation_id = ?", arguments: [id.text])
    }

    func insert(_ entry: SimulatorEntry) throws {
        let statement = try self.database.cachedStatement(
            sql: """
                INSERT INTO operations (\(Self.columns))
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        try statement.execute(arguments: [
            entry.operationID.text, entry.kind?.rawValue, entry.paymentID.text, entry.merchantID.text,
            entry.targetID?.text, entry.amount.minorUnits, entry.amount.currency.code, entry.captures, entry.isFinal,
            entry.state.rawValue, entry.approvedAmount?.minorUnits, entry.declineReason?.rawValue,
            entry.answer.reference, entry.answer.authorizationCode, entry.answer.responseCode, entry.answer.stan,
            entry.answer.networkReference, entry.answer.addressCheck, entry.answer.securityCodeCheck,
            entry.answer.fundingPANSuffix, entry.answer.fundingExpiryYearMonth,
            entry.answer.paymentAccountReference, entry.answer.merchantAdviceCode, entry.answer.eci,
            entry.answer.reconciliationID, entry.answer.vendorCode, entry.answer.vendorText, entry.arrivalsCount,
            entry.bookedAt.milliseconds,
        ])
    }

    func countArrival(of id: OperationID) throws {
        let statement = try self.database.cachedStatement(
            sql: "UPDATE operations SET arrivals_count = arrivals_count + 1 WHERE operation_id = ?")
        try statement.execute(arguments: [id.text])
    }

    func set(_ state: SimulatorEntry.State, of id: OperationID) throws {
        let statement = try self.database.cachedStatement(
            sql: "UPDATE operations SET state = ? WHERE operation_id = ?")
        try statement.execute(arguments: [state.rawValue, id.text])
    }
}

extension SimulatorEntry {
    /// A row in the order of `BookPages.columns`.
    ///
    /// - Throws: ``SimulatorBookError/corrupt``.
    fileprivate init(row: Row) throws {
        guard let operationID = OperationID(row[0] as String), let paymentID = PaymentID(row[2] as String),
            let merchantID = MerchantID(row[3] as String), let currency = Currency.alphabetic(row[6]),
            let state = State(rawValue: row[9])
        else { throw SimulatorBookError.corrupt }
        let kindText: String? = row[1]
        let targetText: String? = row[4]
        let approvedMinorUnits: Int64? = row[10]
        let reasonText: String? = row[11]
        let kind = kindText.flatMap(Kind.init(rawValue:))
        let targetID = targetText.flatMap(OperationID.init)
        let reason = reasonText.flatMap(DeclineReason.init(rawValue:))
        guard (kind == nil) == (kindText == nil), (targetID == nil) == (targetText == nil),
            (reason == nil) == (reasonText == nil)
        else { throw SimulatorBookError.corrupt }
        self.init(
            operationID: operationID, kind: kind, paymentID: paymentID, merchantID: merchantID, targetID: targetID,
            amount: Money(minorUnits: row[5], currency: currency), captures: row[7], isFinal: row[8], state: state,
            approvedAmount: approvedMinorUnits.map { Money(minorUnits: $0, currency: currency) },
            declineReason: reason,
            answer: AcquirerAnswer(
                reference: row[12], authorizationCode: row[13], responseCode: row[14], stan: row[15],
                networkReference: row[16], addressCheck: row[17], securityCodeCheck: row[18],
                fundingPANSuffix: row[19], fundingExpiryYearMonth: row[20],
                paymentAccountReference: row[21], merchantAdviceCode: row[22], eci: row[23], reconciliationID: row[24],
                vendorCode: row[25], vendorText: row[26]),
            arrivalsCount: row[27], bookedAt: Timestamp(milliseconds: row[28]))
    }
}
