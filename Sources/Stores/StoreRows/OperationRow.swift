//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
public import Payments
import Time

extension Payments.Operation {
    /// As ``OperationReader`` reads them.
    public static let columnNames = """
        ordinal, id, kind, minor_units, currency, sale_capture_id, is_final_capture, target, accepts_partial_approval, \
        merchant_reference, memo, notify_url, fields, begun_at, begun_in_version, state, failure, decline_reason, \
        approved_minor_units, acquirer_reference, authorization_code, response_code, stan, network_reference, \
        address_check, security_code_check, funding_pan_suffix, funding_expiry_year_month, resolved_at, \
        resolved_in_version, unknown_reason
        """

    /// The payment's id and the values of ``columnNames``.
    /// - Parameter ordinal: its place among the payment's operations.
    /// - Throws: ``StoreError/corrupt(_:)`` for an approval in another currency than the operation's.
    public func columnValues(of payment: PaymentID, ordinal: Int) throws -> RowArguments {
        try self.checkApproval()
        let (amount, labels) = (self.amount, self.labels)
        let (state, answer) = (StateColumns(self.state), self.answer)
        // In one piece, the outcome too: this is in every payment's way, and joining lists copies them.
        return [
            payment.text, ordinal, self.id.text, self.kind.rawValue, amount.minorUnits, amount.currency.code,
            self.saleCaptureID?.text, self.isFinalCapture, self.target?.text, self.acceptsPartialApproval,
            labels.reference, labels.memo, labels.notifyURL, FieldsColumn.text(labels.fields),
            self.begunAt.milliseconds, self.begunInVersion,
            state.state, state.failure, state.declineReason, self.approvedAmount?.minorUnits, answer.reference,
            answer.authorizationCode, answer.responseCode, answer.stan, answer.networkReference, answer.addressCheck,
            answer.securityCodeCheck, answer.fundingPANSuffix, answer.fundingExpiryYearMonth,
            self.resolvedAt?.milliseconds, self.resolvedInVersion, self.unknownReason?.rawValue,
        ]
    }

    /// The values that an outcome changes, `state` and all columns after it, and those that find the row: the payment's
    /// id, the ordinal and the operation's id.
    /// - Throws: ``StoreError/corrupt(_:)`` for an approval in another currency than the operation's.
    public func outcomeValues(of payment: PaymentID, ordinal: Int) throws -> RowArguments {
        try self.checkApproval()
        let (state, answer) = (StateColumns(self.state), self.answer)
        return [
            state.state, state.failure, state.declineReason, self.approvedAmount?.minorUnits, answer.reference,
            answer.authorizationCode, answer.responseCode, answer.stan, answer.networkReference, answer.addressCheck,
            answer.securityCodeCheck, answer.fundingPANSuffix, answer.fundingExpiryYearMonth,
            self.resolvedAt?.milliseconds, self.resolvedInVersion, self.unknownReason?.rawValue, payment.text, ordinal,
            self.id.text,
        ]
    }

    /// An approval is stored in the operation's currency.
    private func checkApproval() throws {
        guard let approvedAmount = self.approvedAmount else { return }
        guard approvedAmount.currency == self.amount.currency else {
            throw StoreError.corrupt("operations.approved_minor_units")
        }
    }

    /// Whether the operation, begun earlier, may be another one now than in that version. That it has become unknown
    /// or accepted leaves no version behind; writing it again changes nothing.
    public func mayHaveChanged(since version: Int) -> Bool {
        if let resolvedInVersion = self.resolvedInVersion { return resolvedInVersion > version }
        return self.state == .unknown || self.state == .accepted
    }
}

/// An operation's state as its three columns.
private struct StateColumns {
    let state: String
    var failure: String?
    var declineReason: String?

    init(_ state: Payments.Operation.State) {
        switch state {
        case .pending: self.state = "pending"
        case .unknown: self.state = "unknown"
        case .accepted: self.state = "accepted"
        case .succeeded: self.state = "succeeded"
        case .failed(.reversed):
            self.state = "failed"
            self.failure = "reversed"
        case .failed(.declined(let reason)):
            self.state = "failed"
            self.failure = "declined"
            self.declineReason = reason.rawValue
        case .failed(.notProcessed(let reason)):
            self.state = "failed"
            self.failure = reason.rawValue
        }
    }
}
