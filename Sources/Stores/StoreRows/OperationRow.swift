//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
public import Payments
import Time

extension PaymentOperation {
    public enum Column: String, ColumnName {
        case paymentID = "payment_id"
        case ordinal, id, kind
        case minorUnits = "minor_units"
        case currency
        case saleCaptureID = "sale_capture_id"
        case isFinalCapture = "is_final_capture"
        case target
        case acceptsPartialApproval = "accepts_partial_approval"
        case merchantReference = "merchant_reference"
        case memo
        case notifyURL = "notify_url"
        case fields
        case begunAt = "begun_at"
        case begunInVersion = "begun_in_version"
        case state, failure
        case declineReason = "decline_reason"
        case approvedMinorUnits = "approved_minor_units"
        case acquirerReference = "acquirer_reference"
        case authorizationCode = "authorization_code"
        case responseCode = "response_code"
        case stan
        case networkReference = "network_reference"
        case addressCheck = "address_check"
        case securityCodeCheck = "security_code_check"
        case fundingPANSuffix = "funding_pan_suffix"
        case fundingExpiryYearMonth = "funding_expiry_year_month"
        case paymentAccountReference = "payment_account_reference"
        case merchantAdviceCode = "merchant_advice_code"
        case eci
        case reconciliationID = "reconciliation_id"
        case acquirerReferenceNumber = "acquirer_reference_number"
        case processor
        case authorizationExpiresAt = "authorization_expires_at"
        case vendorCode = "vendor_code"
        case vendorText = "vendor_text"
        case resolvedAt = "resolved_at"
        case resolvedInVersion = "resolved_in_version"
        case unknownReason = "unknown_reason"
        case leftOpenInVersion = "left_open_in_version"
        case queriesCount = "queries_count"
        case lastQueriedAt = "last_queried_at"
    }

    public static let table = RecordTable<Column>("operations", key: .paymentID, .ordinal)

    /// As ``OperationReader`` reads them, who knows the payment.
    public static let readColumns = Self.table.columns(without: .paymentID)

    /// What an outcome changes: the state and all columns after it.
    public static let outcome = Self.table.change(
        of: Self.table.columns(from: .state), by: [.paymentID, .ordinal, .id])

    /// What must be so of every row, in SQL that both engines take: part of a step of their schemas, and like it never
    /// changed once released.
    public static let rules = """
        CHECK (minor_units > 0 OR kind IN ('verification', 'reversal')),
        CHECK (approved_minor_units > 0 OR minor_units = 0),
        CHECK ((state = 'failed') = (failure IS NOT NULL)),
        CHECK ((queries_count IS NULL) = (last_queried_at IS NULL)),
        CHECK ((kind = 'lateFailure' OR failure IS NOT NULL AND failure = 'declined') = (decline_reason IS NOT NULL))
        """

    /// For rows that were written before ``Column/leftOpenInVersion`` was, SQL that both engines take. Part of a step of their
    /// schemas.
    public static let leftOpenBefore = """
        UPDATE operations AS o SET left_open_in_version = o.begun_in_version
        WHERE \(Self.wasLeftOpen);
        """

    /// The same for the payments after one and up to another. What it has done once it does not do again.
    /// - Parameters:
    ///   - first: how SQL names the id of the one before.
    ///   - last: how it names the id of the last one.
    public static func leftOpenBefore(after first: String, through last: String) -> String {
        """
        UPDATE operations AS o SET left_open_in_version = o.begun_in_version
        WHERE o.payment_id > \(first) AND o.payment_id <= \(last) AND o.left_open_in_version IS NULL
            AND (\(Self.wasLeftOpen))
        """
    }

    /// An outcome stayed open where the payment has versions between the operation's beginning and its end in which nothing
    /// else began or ended. Most ended in the next version, and need no look at their payment.
    private static let wasLeftOpen = """
        o.state = 'unknown' OR o.state = 'accepted'
            OR o.resolved_in_version > o.begun_in_version + 1 AND o.resolved_in_version > o.begun_in_version + 1 + (
                SELECT COUNT(*) FROM (
                    SELECT p.begun_in_version AS version FROM operations p WHERE p.payment_id = o.payment_id
                    UNION SELECT p.resolved_in_version FROM operations p WHERE p.payment_id = o.payment_id
                ) AS others
                WHERE others.version > o.begun_in_version AND others.version < o.resolved_in_version)
        """

    /// The values of all columns.
    /// - Parameter ordinal: its place among the payment's operations.
    /// - Throws: ``StoreError/corrupt(_:)`` for an approval in another currency than the operation's.
    public func columnValues(of payment: PaymentID, ordinal: Int) throws -> RowArguments {
        try self.values(of: Self.table.columns, payment, ordinal)
    }

    /// The values of the columns of ``outcome``.
    /// - Throws: ``StoreError/corrupt(_:)`` for an approval in another currency than the operation's.
    public func outcomeValues(of payment: PaymentID, ordinal: Int) throws -> RowArguments {
        try self.values(of: Self.outcome.columns, payment, ordinal)
    }

    private func values(of columns: [Column], _ payment: PaymentID, _ ordinal: Int) throws -> RowArguments {
        try self.checkApproval()
        // Each column that reads it by itself would copy the whole answer.
        let answer = self.answer
        return RowArguments(values: columns.map { self.value(of: $0, payment, ordinal, answer) })
    }

    @RowValueBuilder private func value(
        of column: Column, _ payment: PaymentID, _ ordinal: Int, _ answer: AcquirerAnswer
    ) -> RowValue {
        switch column {
        case .paymentID: payment.text
        case .ordinal: ordinal
        case .id: self.id.text
        case .kind: self.kind.rawValue
        case .minorUnits: self.amount.minorUnits
        case .currency: self.amount.currency.code
        case .saleCaptureID: self.saleCaptureID?.text
        case .isFinalCapture: self.isFinalCapture
        case .target: self.target?.text
        case .acceptsPartialApproval: self.acceptsPartialApproval
        // Of what the acquirer reports by itself: its name for the report.
        case .merchantReference: self.labels.reference
        case .memo: self.labels.memo
        case .notifyURL: self.labels.notifyURL
        case .fields: FieldsColumn.text(self.labels.fields)
        case .begunAt: self.begunAt.milliseconds
        case .begunInVersion: self.begunInVersion
        case .state: self.state.name
        case .failure: self.state.failureName
        case .declineReason: self.state.declineReason ?? self.lateFailureReason?.rawValue
        case .approvedMinorUnits: self.approvedAmount?.minorUnits
        case .acquirerReference: answer.reference
        case .authorizationCode: answer.authorizationCode
        case .responseCode: answer.responseCode
        case .stan: answer.stan
        case .networkReference: answer.networkReference
        case .addressCheck: answer.addressCheck
        case .securityCodeCheck: answer.securityCodeCheck
        case .fundingPANSuffix: answer.fundingPANSuffix
        case .fundingExpiryYearMonth: answer.fundingExpiryYearMonth
        case .paymentAccountReference: answer.paymentAccountReference
        case .merchantAdviceCode: answer.merchantAdviceCode
        case .eci: answer.eci
        case .reconciliationID: answer.reconciliationID
        case .acquirerReferenceNumber: answer.acquirerReferenceNumber
        case .processor: answer.processor
        case .authorizationExpiresAt: answer.authorizationExpiresAt?.milliseconds
        case .vendorCode: answer.vendorCode
        case .vendorText: answer.vendorText
        case .resolvedAt: self.resolvedAt?.milliseconds
        case .resolvedInVersion: self.resolvedInVersion
        case .unknownReason: self.unknownReason?.rawValue
        case .leftOpenInVersion: self.leftOpenInVersion
        case .queriesCount: self.inquiries?.count
        case .lastQueriedAt: self.inquiries?.latestAt.milliseconds
        }
    }

    /// An approval is stored in the operation's currency.
    private func checkApproval() throws {
        guard let approvedAmount = self.approvedAmount else { return }
        guard approvedAmount.currency == self.amount.currency else {
            throw StoreError.corrupt("operations.approved_minor_units")
        }
    }

    /// Whether the operation, begun earlier, may be another one now than in that version. An unknown one may have been
    /// accepted since, in a version that is not kept; writing it again changes nothing.
    public func mayHaveChanged(since version: Int) -> Bool {
        if let resolvedInVersion = self.resolvedInVersion { return resolvedInVersion > version }
        return self.state == .unknown || self.state == .accepted
    }
}

/// A state is three columns.
extension PaymentOperation.State {
    fileprivate var name: String {
        switch self {
        case .pending: "pending"
        case .unknown: "unknown"
        case .accepted: "accepted"
        case .succeeded: "succeeded"
        case .failed: "failed"
        }
    }

    fileprivate var failureName: String? {
        switch self {
        case .pending, .unknown, .accepted, .succeeded: nil
        case .failed(.reversed): "reversed"
        case .failed(.declined): "declined"
        case .failed(.notProcessed(let reason)): reason.rawValue
        }
    }

    fileprivate var declineReason: String? {
        guard case .failed(.declined(let reason)) = self else { return nil }
        return reason.rawValue
    }
}
