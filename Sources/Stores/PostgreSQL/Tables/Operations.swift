//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import StrictJSON
import Time

extension PostgreSQLReading {
    func paymentID(ofOperation id: OperationID) throws -> PaymentID? {
        try self.transaction.first(
            "SELECT payment_id FROM operations WHERE id = $1", id.text, table: "operations"
        ) { try $0.id() }
    }
}

extension PostgreSQLTransaction {
    func insert(_ operation: Payments.Operation, ordinal: Int, of payment: PaymentID) throws {
        let state = StateColumns(operation.state)
        try operation.checkApproval()
        try self.transaction.execute(
            operationInsert, payment.text, ordinal, operation.id.text, operation.kind.rawValue,
            operation.amount.minorUnits,
            operation.amount.currency.code, operation.saleCaptureID?.text, operation.isFinalCapture,
            operation.target?.text, operation.acceptsPartialApproval, operation.labels.reference, operation.labels.memo,
            operation.labels.notifyURL, FieldsColumn.text(operation.labels.fields), operation.begunAt.milliseconds,
            operation.begunInVersion,
            state.state, state.failure, state.declineReason, operation.approvedAmount?.minorUnits,
            operation.answer.reference, operation.answer.authorizationCode, operation.answer.responseCode,
            operation.answer.stan, operation.answer.networkReference, operation.answer.addressCheck,
            operation.answer.securityCodeCheck, operation.answer.fundingPANSuffix,
            operation.answer.fundingExpiryYearMonth,
            operation.resolvedAt?.milliseconds, operation.resolvedInVersion)
    }

    /// Writes what an outcome changes.
    func update(_ operation: Payments.Operation, ordinal: Int, of payment: PaymentID) throws {
        let state = StateColumns(operation.state)
        try operation.checkApproval()
        try self.transaction.require(
            """
            UPDATE operations SET state = $1, failure = $2, decline_reason = $3, approved_minor_units = $4,
                acquirer_reference = $5, authorization_code = $6, response_code = $7, stan = $8, network_reference = $9,
                address_check = $10, security_code_check = $11, funding_pan_suffix = $12,
                funding_expiry_year_month = $13, resolved_at = $14, resolved_in_version = $15
            WHERE payment_id = $16 AND ordinal = $17 AND id = $18
            """, state.state, state.failure, state.declineReason, operation.approvedAmount?.minorUnits,
            operation.answer.reference, operation.answer.authorizationCode, operation.answer.responseCode,
            operation.answer.stan, operation.answer.networkReference, operation.answer.addressCheck,
            operation.answer.securityCodeCheck, operation.answer.fundingPANSuffix,
            operation.answer.fundingExpiryYearMonth,
            operation.resolvedAt?.milliseconds, operation.resolvedInVersion, payment.text, ordinal, operation.id.text,
            orElse: .corrupt("operations.ordinal"))
    }
}

/// As ``OperationReader`` reads them.
let operationColumns = """
    ordinal, id, kind, minor_units, currency, sale_capture_id, is_final_capture, target, accepts_partial_approval, \
    merchant_reference, memo, notify_url, fields, begun_at, begun_in_version, state, failure, decline_reason, \
    approved_minor_units, acquirer_reference, authorization_code, response_code, stan, network_reference, \
    address_check, security_code_check, funding_pan_suffix, funding_expiry_year_month, resolved_at, \
    resolved_in_version
    """

private let operationInsert =
    "INSERT INTO operations (payment_id, \(operationColumns)) VALUES (\(parameters(31)))"

/// An operation's state as its three columns.
private struct StateColumns {
    let state: String
    var failure: String?
    var declineReason: String?

    init(_ state: Payments.Operation.State) {
        switch state {
        case .pending: self.state = "pending"
        case .unknown: self.state = "unknown"
        case .succeeded: self.state = "succeeded"
        case .failed(.reversed):
            self.state = "failed"
            self.failure = "reversed"
        case .failed(.declined(let reason)):
            self.state = "failed"
            self.failure = "declined"
            self.declineReason = reason.rawValue
        }
    }
}

/// The dialect's fields of an operation as a JSON object of strings, or nothing.
enum FieldsColumn {
    static func text(_ fields: [String: String]) -> String? {
        fields.isEmpty ? nil : self.object(fields)
    }

    static func object(_ fields: [String: String]) -> String {
        var object = JSONObject()
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) { object[name] = .string(value) }
        return JSON.object(object).text()
    }

    static func fields(_ columns: inout PostgreSQLColumns) throws -> [String: String] {
        guard let text = try columns.optionalText() else { return [:] }
        return try self.fields(text, of: columns)
    }

    static func fields(_ text: String, of columns: PostgreSQLColumns) throws -> [String: String] {
        guard let object = (try? JSON.parse(text))?.object else { throw columns.corrupt }
        var fields: [String: String] = [:]
        for (name, value) in object.members {
            guard let value = value.string else { throw columns.corrupt }
            fields[name] = value
        }
        return fields
    }
}

/// Reads a payment's operations in order, and sees to it that their sums cannot overflow.
struct OperationReader {
    let payment: PaymentRow
    var ordinal = 0
    var sums: [Payments.Operation.Kind: Int64] = [:]

    init(payment: PaymentRow) {
        self.payment = payment
    }

    mutating func read(_ columns: inout PostgreSQLColumns) throws -> Payments.Operation {
        guard try columns.count() == self.ordinal else { throw columns.corrupt }
        self.ordinal += 1
        let id: OperationID = try columns.id()
        let kind: Payments.Operation.Kind = try columns.choice()
        guard self.ordinal > 1 || kind == .authorization || kind == .verification else { throw columns.corrupt }
        let amount = try columns.money()
        guard amount.currency == self.payment.amount.currency else { throw columns.corrupt }
        try self.checkMovesMoney(kind, amount, columns)
        let saleCaptureID: OperationID? = try columns.optionalID()
        let isFinalCapture = try columns.flag()
        let target: OperationID? = try columns.optionalID()
        let acceptsPartialApproval = try columns.flag()
        let labels = OperationLabels(
            reference: try columns.optionalText(), memo: try columns.optionalText(),
            notifyURL: try columns.optionalText(), fields: try FieldsColumn.fields(&columns))
        let begunAt = try columns.timestamp()
        let begunInVersion = try columns.count()
        guard (1...self.payment.version).contains(begunInVersion) else { throw columns.corrupt }
        let state = try self.state(&columns)
        let approvedAmount = try self.approvedAmount(&columns, of: amount)
        if state.mayHaveMovedMoney { try self.add(approvedAmount ?? amount, to: kind, columns) }
        let answer = AcquirerAnswer(
            reference: try columns.optionalText(), authorizationCode: try columns.optionalText(),
            responseCode: try columns.optionalText(), stan: try columns.optionalText(),
            networkReference: try columns.optionalText(), addressCheck: try columns.optionalText(),
            securityCodeCheck: try columns.optionalText(), fundingPANSuffix: try columns.optionalText(),
            fundingExpiryYearMonth: try columns.optionalText())
        return Payments.Operation(
            id: id, kind: kind, amount: amount, saleCaptureID: saleCaptureID, isFinalCapture: isFinalCapture,
            target: target, acceptsPartialApproval: acceptsPartialApproval, labels: labels, begunAt: begunAt,
            begunInVersion: begunInVersion, state: state, approvedAmount: approvedAmount, answer: answer,
            resolvedAt: try columns.optionalTimestamp(),
            resolvedInVersion: try self.resolvedInVersion(&columns))
    }

    /// Only a verification, and what takes one back, is of no amount.
    private func checkMovesMoney(_ kind: Payments.Operation.Kind, _ amount: Money, _ columns: PostgreSQLColumns) throws
    {
        let isFirst = self.ordinal == 1
        if isFirst, kind != .verification, self.payment.amount.isZero {
            throw StoreError.corrupt("payments.minor_units")
        }
        let mayBeZero = kind == .verification || kind == .reversal && self.payment.amount.isZero
        guard amount.isPositive || mayBeZero else { throw columns.corrupt("minor_units") }
    }

    private func state(_ columns: inout PostgreSQLColumns) throws -> Payments.Operation.State {
        let state = try columns.text()
        let unknownState = columns.corrupt
        let failure = try columns.optionalText()
        let reason: DeclineReason? = try columns.optionalChoice()
        switch (state, failure, reason) {
        case ("pending", nil, nil): return .pending
        case ("unknown", nil, nil): return .unknown
        case ("succeeded", nil, nil): return .succeeded
        case ("failed", "reversed", nil): return .failed(.reversed)
        case ("failed", "declined", let reason?): return .failed(.declined(reason))
        default: throw unknownState
        }
    }

    private func approvedAmount(_ columns: inout PostgreSQLColumns, of asked: Money) throws -> Money? {
        guard let approved = try columns.optionalInteger() else { return nil }
        guard approved > 0 || asked.isZero, (0...asked.minorUnits).contains(approved) else { throw columns.corrupt }
        return Money(minorUnits: approved, currency: asked.currency)
    }

    private func resolvedInVersion(_ columns: inout PostgreSQLColumns) throws -> Int? {
        guard let version = try columns.optionalInteger() else { return nil }
        guard version >= 1, version <= self.payment.version else { throw columns.corrupt }
        return Int(version)
    }

    private mutating func add(
        _ amount: Money, to kind: Payments.Operation.Kind, _ columns: PostgreSQLColumns
    ) throws {
        let (sum, overflow) = (self.sums[kind] ?? 0).addingReportingOverflow(amount.minorUnits)
        guard !overflow else { throw columns.corrupt("minor_units") }
        self.sums[kind] = sum
    }
}

extension Payments.Operation {
    /// Whether the operation, begun earlier, may be another one now than in that version. That it has become unknown
    /// leaves no version behind; writing it again changes nothing.
    func mayHaveChanged(since version: Int) -> Bool {
        if let resolvedInVersion = self.resolvedInVersion { return resolvedInVersion > version }
        return self.state == .unknown
    }

    /// An approval is stored in the operation's currency.
    fileprivate func checkApproval() throws {
        guard let approvedAmount = self.approvedAmount else { return }
        guard approvedAmount.currency == self.amount.currency else {
            throw StoreError.corrupt("operations.approved_minor_units")
        }
    }
}

extension Payments.Operation.State {
    fileprivate var mayHaveMovedMoney: Bool {
        switch self {
        case .pending, .unknown, .succeeded: true
        case .failed: false
        }
    }
}
