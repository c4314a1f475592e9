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
import Time

/// Payments, their operations and their journal, as rows.
@Suite struct PaymentRowTests {
    let payment: Payment
    let journal: [JournalEntry]

    /// A sale that is authorized and captured.
    init() throws {
        let amount = Money(minorUnits: 1000, currency: try #require(Currency.alphabetic("CAD")))
        let instrument = InstrumentSummary(
            maskedPAN: MaskedPAN(prefix: "411111", suffix: "1111", length: 16), network: .visa, expiryYearMonth: "2912",
            eci: "07", displayName: "Visa 1111", proof: Self.proof)
        let opened = try Payment.opening(
            id: Sample.id(1), merchantID: Sample.id(2), mode: .sandbox, dialect: Sample.dialect,
            acquirer: AcquirerName("simulator"), accountID: Sample.id(6), orderID: Sample.id(3), amount: amount,
            instrument: instrument, authorizationID: Sample.id(4), saleCaptureID: Sample.id(5), at: Sample.time(1))
        let answer = AcquirerAnswer(
            reference: "1", authorizationCode: "2", responseCode: "3", stan: "4", networkReference: "5",
            addressCheck: "6", securityCodeCheck: "7", fundingPANSuffix: "8", fundingExpiryYearMonth: "9",
            paymentAccountReference: "10", merchantAdviceCode: "11", eci: "12", reconciliationID: "13",
            acquirerReferenceNumber: "16", processor: "17", authorizationExpiresAt: Sample.time(4), vendorCode: "14",
            vendorText: "15")
        let change = try opened.transition(
            on: .resolve(opened.operations[0].id, .succeeded(approved: amount, answer)), at: Sample.time(2))
        (self.payment, self.journal) = (change.payment, change.journal)
    }

    private func row() throws -> PaymentRow {
        var row = TestRow(Payment.table.names, self.payment.columnValues)
        let payment = try PaymentRow(&row)
        #expect(row.isReadWhole)
        return payment
    }

    private static let proof = TokenProof(
        version: "EC_v1", checks: 3, verifiedAt: Sample.time(1), signedAt: Sample.time(2), anchor: "a1",
        publicKeyHash: "b2", leafDigest: "c3", intermediateDigest: "d4", transactionIdentifier: "e5")

    private static let operationNames = PaymentOperation.table.names

    /// A payment and an operation with something of its own in every column.
    @Test func noColumnIsTakenForAnother() throws {
        expectEachColumnIsItself(
            Payment.table,
            Payment(
                id: Sample.id(1), merchantID: Sample.id(2), mode: .live, dialect: Sample.dialect,
                acquirer: AcquirerName("acquirer"), accountID: Sample.id(3), orderID: Sample.id(4),
                amount: self.payment.amount,
                instrument: InstrumentSummary(
                    maskedPAN: MaskedPAN(prefix: "411111", suffix: "1112", length: 16), network: .visa,
                    expiryYearMonth: "expiry_year_month", eci: "eci", displayName: "display_name",
                    proof: Self.proof),
                createdAt: Sample.time(1), version: 9, operations: []
            ).columnValues)
        let operation = PaymentOperation(
            id: Sample.id(2), kind: .authorization, amount: self.payment.amount, saleCaptureID: Sample.id(3),
            isFinalCapture: true, target: Sample.id(4), acceptsPartialApproval: false,
            labels: OperationLabels(
                reference: "merchant_reference", memo: "memo", notifyURL: "notify_url", fields: ["fields": "fields"]),
            begunAt: Sample.time(1), begunInVersion: 1, state: .failed(.declined(.insufficientFunds)),
            approvedAmount: Money(minorUnits: 999, currency: self.payment.amount.currency),
            answer: AcquirerAnswer(
                reference: "acquirer_reference", authorizationCode: "authorization_code",
                responseCode: "response_code", stan: "stan", networkReference: "network_reference",
                addressCheck: "address_check", securityCodeCheck: "security_code_check",
                fundingPANSuffix: "funding_pan_suffix", fundingExpiryYearMonth: "funding_expiry_year_month",
                paymentAccountReference: "payment_account_reference", merchantAdviceCode: "merchant_advice_code",
                eci: "eci", reconciliationID: "reconciliation_id",
                acquirerReferenceNumber: "acquirer_reference_number", processor: "processor",
                authorizationExpiresAt: Sample.time(4),
                vendorCode: "vendor_code", vendorText: "vendor_text"),
            resolvedAt: Sample.time(2), resolvedInVersion: 2, unknownReason: .timedOut,
            inquiries: Inquiries(count: 3, latestAt: Sample.time(3)))
        let values = try operation.columnValues(of: Sample.id(1), ordinal: 0)
        expectEachColumnIsItself(PaymentOperation.table, values)
        var row = TestRow(Self.operationNames, values)
        #expect(try row.id() == self.payment.id)
        var reader = OperationReader(payment: try self.row())
        #expect(try reader.read(&row) == operation)
        #expect(row.isReadWhole)
    }

    @Test func paymentsAreReadBack() throws {
        let payment = try self.row()
        var reader = OperationReader(payment: payment)
        var operations: [PaymentOperation] = []
        for (ordinal, operation) in self.payment.operations.enumerated() {
            var row = TestRow(
                Self.operationNames, try operation.columnValues(of: self.payment.id, ordinal: ordinal))
            #expect(try row.id() == self.payment.id)
            operations.append(try reader.read(&row))
            #expect(row.isReadWhole)
        }
        #expect(operations.count == 2)
        #expect(try payment.payment(with: operations) == self.payment)
        #expect(throws: StoreError.corrupt("payments.state")) { try payment.payment(with: []) }
    }

    @Test func tokenProofThatIsNoneIsCorrupt() throws {
        let column = try #require(Payment.table.columns.firstIndex(of: .tokenProof))
        for text in ["", "EC_v1", "EC_v1 3 1 2 a1 b2 c3 d4", Self.proof.text + " ", "EC_v1 x 1 2 a1 b2 c3 d4 e5"] {
            var values = Array(self.payment.columnValues)
            values[column] = .text(text)
            var row = TestRow(Payment.table.names, RowArguments(values: values))
            #expect(throws: StoreError.corrupt("things.token_proof")) { try PaymentRow(&row) }
        }
    }

    @Test func everyStateIsReadBack() throws {
        let states: [PaymentOperation.State] =
            [.pending, .unknown, .succeeded, .failed(.reversed)] + DeclineReason.allCases.map { .failed(.declined($0)) }
        let reasons = [nil] + UnknownReason.allCases
        let first = self.payment.operations[0]
        for (state, reason) in states.map({ ($0, nil) }) + reasons.map({ (.unknown, $0) }) {
            let operation = PaymentOperation(
                id: first.id, kind: .authorization, amount: first.amount, labels: OperationLabels(fields: ["a": "b"]),
                begunAt: first.begunAt, begunInVersion: 1, state: state, unknownReason: reason)
            var row = TestRow(Self.operationNames, try operation.columnValues(of: self.payment.id, ordinal: 0))
            _ = try row.text()
            var reader = OperationReader(payment: try self.row())
            #expect(try reader.read(&row) == operation)
        }
    }

    @Test func anOutcomeIsTheLastOfAnOperationsColumns() throws {
        let operation = self.payment.operations[0]
        let outcome = try operation.outcomeValues(of: self.payment.id, ordinal: 0)
        let whole = try operation.columnValues(of: self.payment.id, ordinal: 0)
        let columns = PaymentOperation.table.columns
        #expect(columns.suffix(outcome.count - 3).first == .state)
        #expect(Array(outcome.dropLast(3)) == Array(whole.suffix(outcome.count - 3)))
        #expect(Array(outcome.suffix(3)) == [.text(self.payment.id.text), .integer(0), .text(operation.id.text)])
    }

    /// The sale's authorization and its capture, once.
    @Test func whatWasResolvedSinceAVersionIsAMovement() throws {
        let operations = self.payment.operations
        let rows = MovementEntry.rows(of: self.payment, since: 1)
        #expect(rows.count == 2)
        #expect(MovementEntry.rows(of: self.payment, since: 0).count == 2)
        #expect(MovementEntry.rows(of: self.payment, since: 2).count == 0)
        let values = operations.flatMap { operation in
            MovementEntry(of: self.payment, operation)?.columnValues.values ?? []
        }
        #expect(rows.values.values == values)
        let row = RowArguments(values: Array(values.prefix(MovementEntry.table.columns.count)))
        expectEachColumnIsItself(MovementEntry.table, row)
        let insert = MovementEntry.inserts(Parameters("$")) { $0 }
        #expect(insert.statement(count: 2).hasSuffix("$16)") && insert.statement(count: 3).hasSuffix("$24)"))
        let id = self.payment.id.text
        var place = TestRow(
            MovementEntry.table.list(MovementPlace.columns), [id, operations[1].id.text, Sample.time(2).milliseconds])
        let found = try MovementPlace(&place)
        #expect(try found.movement(of: self.payment) == Movement(of: self.payment, operation: operations[1].id))
        #expect(throws: StoreError.corrupt("movements.operation_id")) { try found.movement(of: nil) }
        var other = TestRow(
            MovementEntry.table.list(MovementPlace.columns), [id, operations[1].id.text, Sample.time(3).milliseconds])
        let moved = try MovementPlace(&other)
        #expect(throws: StoreError.corrupt("movements.operation_id")) { try moved.movement(of: self.payment) }
    }

    @Test func anApprovalInAnotherCurrencyIsNotWritten() throws {
        let first = self.payment.operations[0]
        let operation = PaymentOperation(
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
                JournalEntry.table.names, try entry.columnValues(of: self.payment.id, version: 2, ordinal: ordinal))
            _ = try row.text()
            entries.append(try EntryRow(&row))
            #expect(row.isReadWhole)
            let values = entry.postingValues(of: self.payment.id, version: 2, ordinal: ordinal)
            let columns = Posting.table.columns
            #expect(values.count == columns.count * entry.postings.count)
            for start in stride(from: 0, to: values.count, by: columns.count) {
                let read = zip(columns, values[start...]).filter { PostingRow.columns.contains($0.0) }
                var row = TestRow(Posting.table.list(PostingRow.columns), RowArguments(values: read.map(\.1)))
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
        let parameters = Parameters("$")
        let rows = (0..<count).map { "(\(parameters.list(9, from: 1 + 9 * $0)))" }.joined(separator: ", ")
        #expect(Posting.inserts(parameters) { $0 }.statement(count: count).hasSuffix("VALUES " + rows))
    }

    private static func sumRow(_ side: String, _ sum: Int64) throws -> LedgerSumRow {
        var row = TestRow("account, layer, currency, side, sum", ["a", "posted", "CAD", side, sum])
        return try LedgerSumRow(&row)
    }

    @Test func sumsHaveBothSides() throws {
        var sums: [LedgerBalances.Key: LedgerBalances.Sums] = [:]
        for (side, sum) in [("debit", Int64(5)), ("credit", 7), ("debit", 6)] {
            try Self.sumRow(side, sum).add(to: &sums)
        }
        #expect(sums.count == 1)
        #expect(sums.first?.value.debits == 11)
        #expect(sums.first?.value.credits == 7)
    }

    @Test(arguments: ["debit", "credit"]) func aSumThatIsNoNumberIsFound(_ side: String) throws {
        var sums: [LedgerBalances.Key: LedgerBalances.Sums] = [:]
        try Self.sumRow(side, .max).add(to: &sums)
        #expect(throws: LedgerError.sumTooLarge(account: "a")) { try Self.sumRow(side, 1).add(to: &sums) }
        // As a server says it that has added by itself.
        sums = [:]
        #expect(throws: LedgerError.sumTooLarge(account: "a")) { try Self.sumRow(side, .min).add(to: &sums) }
    }
}
