//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import GRDB
import GRDBSQLite
import Money
import Payments
import Time

/// A column of the book's operations. The schema, the statements and the reader all follow from these and from
/// ``answers``: a column that is added here is made, written and read.
enum BookColumn: String, CaseIterable {
    case operationID = "operation_id"
    case kind
    case paymentID = "payment_id"
    case merchantID = "merchant_id"
    case targetID = "target_id"
    case amount, currency, captures
    case isFinal = "is_final"
    case state
    case approvedAmount = "approved_amount"
    case declineReason = "decline_reason"
    case arrivalsCount = "arrivals_count"
    case bookedAt = "booked_at"
    case authorizationExpiresAt = "authorization_expires_at"

    /// What the schema says of it. Of kinds and states the reader knows which there are: a list would be checked by way of a
    /// table in memory that SQLite makes and drops for every row written.
    var type: String {
        switch self {
        case .operationID: "TEXT NOT NULL UNIQUE"
        case .paymentID, .merchantID, .currency, .state: "TEXT NOT NULL"
        case .kind, .targetID, .declineReason: "TEXT"
        case .amount, .bookedAt: "INTEGER NOT NULL"
        case .authorizationExpiresAt: "INTEGER"
        case .captures, .isFinal: "INTEGER NOT NULL CHECK (\(self.rawValue) IN (0, 1))"
        case .arrivalsCount: "INTEGER NOT NULL CHECK (\(self.rawValue) >= 0)"
        case .approvedAmount: "INTEGER CHECK (\(self.rawValue) >= 0)"
        }
    }

    func value(of entry: SimulatorEntry) -> DatabaseValue {
        switch self {
        case .operationID: entry.operationID.text.databaseValue
        case .kind: (entry.kind?.rawValue).databaseValue
        case .paymentID: entry.paymentID.text.databaseValue
        case .merchantID: entry.merchantID.text.databaseValue
        case .targetID: (entry.targetID?.text).databaseValue
        case .amount: entry.amount.minorUnits.databaseValue
        case .currency: entry.amount.currency.code.databaseValue
        case .captures: entry.captures.databaseValue
        case .isFinal: entry.isFinal.databaseValue
        case .state: entry.state.rawValue.databaseValue
        case .approvedAmount: (entry.approvedAmount?.minorUnits).databaseValue
        case .declineReason: (entry.declineReason?.rawValue).databaseValue
        case .arrivalsCount: entry.arrivalsCount.databaseValue
        case .bookedAt: entry.bookedAt.milliseconds.databaseValue
        case .authorizationExpiresAt: (entry.answer.authorizationExpiresAt?.milliseconds).databaseValue
        }
    }

    /// A text of an answer, which may be missing. Key paths would say the same, and cost each operation more than its row.
    struct Answer {
        let name: String
        let read: @Sendable (AcquirerAnswer) -> String?
        let write: @Sendable (inout AcquirerAnswer, String?) -> Void

        fileprivate init(
            _ name: String, _ read: @escaping @Sendable (AcquirerAnswer) -> String?,
            _ write: @escaping @Sendable (inout AcquirerAnswer, String?) -> Void
        ) {
            self.name = name
            self.read = read
            self.write = write
        }
    }

    /// What has been answered. They stand after the others.
    static let answers: [Answer] = [
        Answer("reference", { $0.reference }, { $0.reference = $1 }),
        Answer("authorization_code", { $0.authorizationCode }, { $0.authorizationCode = $1 }),
        Answer("response_code", { $0.responseCode }, { $0.responseCode = $1 }),
        Answer("stan", { $0.stan }, { $0.stan = $1 }),
        Answer("network_reference", { $0.networkReference }, { $0.networkReference = $1 }),
        Answer("address_check", { $0.addressCheck }, { $0.addressCheck = $1 }),
        Answer("security_code_check", { $0.securityCodeCheck }, { $0.securityCodeCheck = $1 }),
        Answer("funding_pan_suffix", { $0.fundingPANSuffix }, { $0.fundingPANSuffix = $1 }),
        Answer("funding_expiry_year_month", { $0.fundingExpiryYearMonth }, { $0.fundingExpiryYearMonth = $1 }),
        Answer("payment_account_reference", { $0.paymentAccountReference }, { $0.paymentAccountReference = $1 }),
        Answer("merchant_advice_code", { $0.merchantAdviceCode }, { $0.merchantAdviceCode = $1 }),
        Answer("eci", { $0.eci }, { $0.eci = $1 }),
        Answer("reconciliation_id", { $0.reconciliationID }, { $0.reconciliationID = $1 }),
        Answer("processor", { $0.processor }, { $0.processor = $1 }),
        Answer("acquirer_reference_number", { $0.acquirerReferenceNumber }, { $0.acquirerReferenceNumber = $1 }),
        Answer("vendor_code", { $0.vendorCode }, { $0.vendorCode = $1 }),
        Answer("vendor_text", { $0.vendorText }, { $0.vendorText = $1 }),
    ]

    /// As the table is made of them.
    static let definitions =
        (Self.allCases.map { "\($0.rawValue) \($0.type)" } + Self.answers.map { "\($0.name) TEXT" })
        .joined(separator: ",\n")

    private static let list = (Self.allCases.map(\.rawValue) + Self.answers.map(\.name)).joined(separator: ", ")

    static let select = "SELECT \(Self.list) FROM operations"
    static let selectByID = "\(Self.select) WHERE operation_id = ?"

    static let insert = """
        INSERT INTO operations (\(Self.list))
        VALUES (\(Array(repeating: "?", count: Self.allCases.count + Self.answers.count).joined(separator: ", ")))
        """
}

extension SimulatorEntry {
    /// Binds the values of ``BookColumn/insert``, straight: GRDB's lists of arguments took as long as the row's writing.
    func bind(to statement: OpaquePointer) {
        let answer = self.answer
        var index: CInt = 0
        for column in BookColumn.allCases {
            index += 1
            Self.bind(column.value(of: self), to: statement, at: index)
        }
        for column in BookColumn.answers {
            index += 1
            Self.bind(column.read(answer).databaseValue, to: statement, at: index)
        }
    }

    private static func bind(_ value: DatabaseValue, to statement: OpaquePointer, at index: CInt) {
        switch value.storage {
        case .int64(let number): sqlite3_bind_int64(statement, index, number)
        case .string(let text):
            sqlite3_bind_text(statement, index, text, CInt(text.utf8.count), self.isCopied)
        case .null, .double, .blob: sqlite3_bind_null(statement, index)
        }
    }

    /// `SQLITE_TRANSIENT`, a macro that Swift does not see (sqlite.org/c3ref/c_static.html).
    private static let isCopied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    /// A row of ``BookColumn/select``.
    ///
    /// - Throws: ``SimulatorBookError/corrupt``.
    init(row: Row) throws {
        guard let operationID = OperationID(row.text(.operationID)), let paymentID = PaymentID(row.text(.paymentID)),
            let merchantID = MerchantID(row.text(.merchantID)), let currency = Currency.alphabetic(row.text(.currency)),
            let state = State(rawValue: row.text(.state))
        else { throw SimulatorBookError.corrupt }
        let approvedMinorUnits: Int64? = row[BookColumn.approvedAmount.rawValue]
        let expiresAt: Int64? = row[BookColumn.authorizationExpiresAt.rawValue]
        var answer = AcquirerAnswer(authorizationExpiresAt: expiresAt.map(Timestamp.init(milliseconds:)))
        for (index, column) in BookColumn.answers.enumerated() {
            column.write(&answer, row[BookColumn.allCases.count + index])
        }
        self.init(
            operationID: operationID, kind: try row.optional(.kind, Kind.init(rawValue:)), paymentID: paymentID,
            merchantID: merchantID, targetID: try row.optional(.targetID, OperationID.init),
            amount: Money(minorUnits: row[BookColumn.amount.rawValue], currency: currency),
            captures: row[BookColumn.captures.rawValue], isFinal: row[BookColumn.isFinal.rawValue], state: state,
            approvedAmount: approvedMinorUnits.map { Money(minorUnits: $0, currency: currency) },
            declineReason: try row.optional(.declineReason, DeclineReason.init(rawValue:)), answer: answer,
            arrivalsCount: row[BookColumn.arrivalsCount.rawValue],
            bookedAt: Timestamp(milliseconds: row[BookColumn.bookedAt.rawValue]))
    }
}

extension Row {
    fileprivate func text(_ column: BookColumn) -> String { self[column.rawValue] }

    /// What may be missing, but not be anything else.
    fileprivate func optional<Value>(_ column: BookColumn, _ make: (String) -> Value?) throws -> Value? {
        let text: String? = self[column.rawValue]
        guard let text else { return nil }
        guard let value = make(text) else { throw SimulatorBookError.corrupt }
        return value
    }
}
