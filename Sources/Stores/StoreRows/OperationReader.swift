//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money
public import Payments
public import Time

/// Reads a payment's operations in order, and sees to it that their sums cannot overflow.
public struct OperationReader {
    @usableFromInline let payment: PaymentRow
    @usableFromInline var ordinal = 0
    @usableFromInline var sums: [PaymentOperation.Kind: Int64] = [:]

    public init(payment: PaymentRow) {
        self.payment = payment
    }

    /// The next operation, of the columns `Operation.readColumns`.
    @inlinable public mutating func read(_ columns: inout some RowColumns) throws -> PaymentOperation {
        guard try columns.count() == self.ordinal else { throw columns.corrupt }
        self.ordinal += 1
        let id: OperationID = try columns.id()
        let kind: PaymentOperation.Kind = try columns.choice()
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
            notifyURL: try columns.optionalText(), fields: try columns.optionalFields())
        let begunAt = try columns.timestamp()
        let begunInVersion = try columns.count()
        guard (1...self.payment.version).contains(begunInVersion) else { throw columns.corrupt }
        let (state, lateFailureReason) = try self.state(&columns, of: kind)
        let approvedAmount = try self.approvedAmount(&columns, of: amount)
        // An adjustment's amount is the new total, of which the last one counts: they are added nowhere.
        if state.mayHaveMovedMoney, kind != .adjustment { try self.add(approvedAmount ?? amount, to: kind, columns) }
        let answer = AcquirerAnswer(
            reference: try columns.optionalText(), authorizationCode: try columns.optionalText(),
            responseCode: try columns.optionalText(), stan: try columns.optionalText(),
            networkReference: try columns.optionalText(), addressCheck: try columns.optionalText(),
            securityCodeCheck: try columns.optionalText(), fundingPANSuffix: try columns.optionalText(),
            fundingExpiryYearMonth: try columns.optionalText(), paymentAccountReference: try columns.optionalText(),
            merchantAdviceCode: try columns.optionalText(), eci: try columns.optionalText(),
            reconciliationID: try columns.optionalText(), acquirerReferenceNumber: try columns.optionalText(),
            processor: try columns.optionalText(), authorizationExpiresAt: try columns.optionalTimestamp(),
            vendorCode: try columns.optionalText(), vendorText: try columns.optionalText())
        return PaymentOperation(
            id: id, kind: kind, amount: amount, saleCaptureID: saleCaptureID, isFinalCapture: isFinalCapture,
            target: target, acceptsPartialApproval: acceptsPartialApproval, labels: labels, begunAt: begunAt,
            begunInVersion: begunInVersion, state: state, approvedAmount: approvedAmount, answer: answer,
            resolvedAt: try columns.optionalTimestamp(),
            resolvedInVersion: try self.resolvedInVersion(&columns), unknownReason: try columns.optionalChoice(),
            leftOpenInVersion: try self.leftOpenInVersion(&columns, since: begunInVersion),
            lateFailureReason: lateFailureReason, inquiries: try self.inquiries(&columns))
    }

    /// Only a verification, and what takes one back, is of no amount.
    @inlinable func checkMovesMoney(
        _ kind: PaymentOperation.Kind, _ amount: Money, _ columns: some RowColumns
    ) throws {
        let isFirst = self.ordinal == 1
        if isFirst, kind != .verification, self.payment.amount.isZero {
            throw StoreError.corrupt("payments.minor_units")
        }
        let mayBeZero = kind == .verification || kind == .reversal && self.payment.amount.isZero
        guard amount.isPositive || mayBeZero else { throw columns.corrupt("minor_units") }
    }

    /// The state, and for a late failure the reason that stands beside it.
    @inlinable func state(
        _ columns: inout some RowColumns, of kind: PaymentOperation.Kind
    ) throws -> (PaymentOperation.State, DeclineReason?) {
        let state = try columns.text()
        let unknownState = columns.corrupt
        let failure = try columns.optionalText()
        let reason: DeclineReason? = try columns.optionalChoice()
        switch (state, failure, reason) {
        case ("succeeded", nil, let reason?) where kind == .lateFailure: return (.succeeded, reason)
        case _ where kind == .lateFailure: throw unknownState
        case ("pending", nil, nil): return (.pending, nil)
        case ("unknown", nil, nil): return (.unknown, nil)
        case ("accepted", nil, nil): return (.accepted, nil)
        case ("succeeded", nil, nil): return (.succeeded, nil)
        case ("failed", "reversed", nil): return (.failed(.reversed), nil)
        case ("failed", "declined", let reason?): return (.failed(.declined(reason)), nil)
        case ("failed", let failure?, nil):
            guard let reason = NotProcessedReason(rawValue: failure) else { throw unknownState }
            return (.failed(.notProcessed(reason)), nil)
        default: throw unknownState
        }
    }

    @inlinable func approvedAmount(_ columns: inout some RowColumns, of asked: Money) throws -> Money? {
        guard let approved = try columns.optionalInteger() else { return nil }
        guard approved > 0 || asked.isZero, (0...asked.minorUnits).contains(approved) else { throw columns.corrupt }
        return Money(minorUnits: approved, currency: asked.currency)
    }

    @inlinable func resolvedInVersion(_ columns: inout some RowColumns) throws -> Int? {
        guard let version = try columns.optionalInteger() else { return nil }
        guard version >= 1, version <= self.payment.version else { throw columns.corrupt }
        return Int(version)
    }

    @inlinable func leftOpenInVersion(_ columns: inout some RowColumns, since begunInVersion: Int) throws -> Int? {
        guard let version = try columns.optionalInteger() else { return nil }
        guard version >= begunInVersion, version <= self.payment.version else { throw columns.corrupt }
        return Int(version)
    }

    @inlinable func inquiries(_ columns: inout some RowColumns) throws -> Inquiries? {
        let count = try columns.optionalInteger()
        let unknownCount = columns.corrupt
        let latestAt = try columns.optionalTimestamp()
        guard let count, let latestAt else {
            guard count == nil, latestAt == nil else { throw unknownCount }
            return nil
        }
        guard count >= 1, let count = Int(exactly: count) else { throw unknownCount }
        return Inquiries(count: count, latestAt: latestAt)
    }

    @inlinable mutating func add(
        _ amount: Money, to kind: PaymentOperation.Kind, _ columns: some RowColumns
    ) throws {
        let (sum, overflow) = (self.sums[kind] ?? 0).addingReportingOverflow(amount.minorUnits)
        guard !overflow else { throw columns.corrupt("minor_units") }
        self.sums[kind] = sum
    }
}

extension PaymentOperation.State {
    @usableFromInline var mayHaveMovedMoney: Bool {
        switch self {
        case .pending, .unknown, .accepted, .succeeded: true
        case .failed: false
        }
    }
}
