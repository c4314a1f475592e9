//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Ledger
import Money
import Payments
import Redaction
import StoreRows
import Testing

/// Payments, their operations and their journal, as rows.
@Suite struct PaymentRowTests {
    let payment: Payment
    let journal: [JournalEntry]

    /// A sale that is authorized and captured.
    init() throws {
        let amount = Money(minorUnits: 1000, currency: try #require(Currency.alphabetic("CAD")))
        let instrument = InstrumentSummary(
            maskedPAN: MaskedPAN(prefix: "411111", suffix: "1111", length: 16), network: .visa, expiryYearMonth: "2912",
            eci: "07", displayName: "Visa 1111")
        let opened = try Payment.opening(
            id: Sample.id(1), merchantID: Sample.id(2), mode: .sandbox, dialect: Sample.dialect,
            acquirer: AcquirerName("simulator"), orderID: Sample.id(3), amount: amount, instrument: instrument,
            authorizationID: Sample.id(4), saleCaptureID: Sample.id(5), at: Sample.time(1))
        let answer = AcquirerAnswer(
            reference: "1", authorizationCode: "2", responseCode: "3", stan: "4", networkReference: "5",
            addressCheck: "6", securityCodeCheck: "7", fundingPANSuffix: "8", fundingExpiryYearMonth: "9")
        let change = try opened.transition(
            on: .resolve(opened.operations[0].id, .succeeded(approved: amount, answer)), at: Sample.time(2))
        (self.payment, self.journal) = (change.payment, change.journal)
    }

    private func row() throws -> PaymentRow {
        var row = TestRow(Payment.columnNames, self.payment.columnValues)
        let payment = try PaymentRow(&row)
        #expect(row.isReadWhole)
        return payment
    }

    private static let operationNames = "payment_id, " + Payments.Operation.columnNames

    @Test func paymentsAreReadBack() throws {
        let payment = try self.row()
        var reader = OperationReader(payment: payment)
        var operations: [Payments.Operation] = []
        for (ordinal, operation) in self.payment.operations.enumerated() {
            var row = TestRow(
                Self.operationNames, try operation.columnValues(of: self.payment.id, ordinal: ordinal))
            #expect(try row.id() == self.payment.id)
            operations.append(try reader.read(&row))
            #expect(row.isReadWhole)
        }
        #expect(operations.count == 2)
        #expect(payment.payment(with: operations) == self.payment)
    }

    @Test func everyStateIsReadBack() throws {
        let states: [Payments.Operation.State] =
            [.pending, .unknown, .succeeded, .failed(.reversed)] + DeclineReason.allCases.map { .failed(.declined($0)) }
        let reasons = [nil] + UnknownReason.allCases
        let first = self.payment.operations[0]
        for (state, reason) in states.map({ ($0, nil) }) + reasons.map({ (.unknown, $0) }) {
            let operation = Payments.Operation(
                id: first.id, kind: .authorization, amount: first.amount, labels: OperationLabels(fields: ["a": "b"]),
                begunAt: first.begunAt, begunInVersion: 1, state: state, unknownReason: reason)
            var row = TestRow(Self.operationNames, try operation.columnValues(of: self.payment.id, ordinal: 0))
            _ = try row.text()
            var reader = OperationReader(payment: try self.row())
            #expect(try reader.read(&row) == operation)
        }
    }

    /// An outcome's values are those of the last columns, by which an update may follow an insert.
    @Test func anOutcomeIsTheLastOfAnOperationsColumns() throws {
        let operation = self.payment.operations[0]
        let outcome = try operation.outcomeValues(of: self.payment.id, ordinal: 0)
        let whole = try operation.columnValues(of: self.payment.id, ordinal: 0)
        let names = Payments.Operation.columnNames.split(separator: ", ")
        #expect(names.suffix(outcome.count - 3).first == "state")
        #expect(Self.texts(outcome.dropLast(3)) == Self.texts(whole.suffix(outcome.count - 3)))
        #expect(Self.texts(outcome.suffix(3)) == Self.texts([self.payment.id.text, 0, operation.id.text]))
    }

    private static func texts(_ values: some Sequence<(any RowArgument)?>) -> [String] {
        values.map { value in value.map { "\($0.rowValue)" } ?? "NULL" }
    }

    @Test func anApprovalInAnotherCurrencyIsNotWritten() throws {
        let first = self.payment.operations[0]
        let operation = Payments.Operation(
            id: first.id, kind: .authorization, amount: first.amount, begunAt: first.begunAt, begunInVersion: 1,
            state: .succeeded,
            approvedAmount: Money(minorUnits: 1, currency: try #require(Currency.alphabetic("USD"))))
        #expect(throws: StoreError.corrupt("operations.approved_minor_units")) {
            try operation.outcomeValues(of: self.payment.id, ordinal: 0)
        }
        #expect(throws: StoreError.corrupt("operations.approved_minor_units")) {
            try operation.columnValues(of: self.payment.id, ordinal: 0)
        }
    }

    @Test func theJournalIsReadBack() throws {
        var entries: [EntryRow] = []
        var postings: [PostingRow] = []
        for (ordinal, entry) in self.journal.enumerated() {
            var row = TestRow(
                "payment_id, " + EntryRow.columnNames,
                try entry.columnValues(of: self.payment.id, version: 2, ordinal: ordinal))
            _ = try row.text()
            entries.append(try EntryRow(&row))
            #expect(row.isReadWhole)
            let values = entry.postingValues(of: self.payment.id, version: 2, ordinal: ordinal)
            #expect(values.count == 9 * entry.postings.count)
            for start in stride(from: 0, to: values.count, by: 9) {
                // A posting is read without the payment's id and its own place.
                var posting = Array(values[start..<start + 9])
                posting.remove(at: 3)
                posting.remove(at: 0)
                var row = TestRow(PostingRow.columnNames, posting)
                postings.append(try PostingRow(&row))
                #expect(row.isReadWhole)
            }
        }
        #expect(try EntryRow.journal(of: self.payment.id, entries, with: postings) == self.journal)
        #expect(throws: StoreError.corrupt("postings.entry_ordinal")) {
            try EntryRow.journal(of: self.payment.id, entries, with: [])
        }
        #expect(throws: StoreError.corrupt("postings.minor_units")) {
            try EntryRow.journal(of: self.payment.id, entries, with: Array(postings.dropLast()))
        }
        #expect(throws: StoreError.corrupt("journal_entries.payment_id")) {
            try self.journal[0].columnValues(of: Sample.id(9), version: 2, ordinal: 0)
        }
    }

    @Test(arguments: [1, 2, 3, 4]) func postingsAreInsertedTogether(_ count: Int) {
        let insert = PostingInsert { "(\($0))" }
        let rows = (0..<count).map { "(\($0))" }.joined(separator: ", ")
        #expect(insert.statement(count: count).hasSuffix("VALUES " + rows))
    }

    @Test func sumsHaveBothSides() throws {
        let rows = try [("debit", 5), ("credit", 7)].map { side, sum in
            var row = TestRow("account, layer, currency, side, sum", ["a", "posted", "CAD", side, sum])
            return try LedgerSumRow(&row)
        }
        let sums = LedgerSumRow.sums(rows)
        #expect(sums.count == 1)
        #expect(sums.first?.value.debits == 5)
        #expect(sums.first?.value.credits == 7)
    }
}
