//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments

/// `result` and `response` of a transaction, from where its operation stands.
struct OperationResponse: Hashable, Sendable {
    let result: TransactionResult
    let gatewayCode: GatewayCode
    /// `response.acquirerMessage`.
    let message: String?
    /// `nil` while the outcome is open: nobody can say whether to proceed.
    let recommendation: GatewayRecommendation?

    init(_ operation: Operation) {
        switch operation.state {
        case .pending, .accepted:
            self.init(.pending, .submitted, nil, nil)
        case .unknown:
            // No failure: money may have moved. RETRIEVE_TRANSACTION says how it ended.
            self.init(.unknown, .unknown, nil, nil)
        case .succeeded:
            let isPartial = operation.approvedAmount.map { $0 != operation.amount } ?? false
            self.init(
                .success, isPartial ? .partiallyApproved : .approved, isPartial ? "Partially approved" : "Approved",
                .proceed)
        case .failed(.declined(let reason)):
            let isResubmittable = operation.kind.hasPaymentDetails && reason.mayBeTheCards
            self.init(.failure, GatewayCode(reason), Self.message(reason), Self.recommendation(isResubmittable))
        case .failed(.reversed):
            self.init(
                .failure, operation.unknownReason == .timedOut ? .timedOut : .unspecifiedFailure, nil,
                Self.recommendation(operation.kind.hasPaymentDetails))
        case .failed(.notProcessed(.notSent)), .failed(.notProcessed(.busy)), .failed(.notProcessed(.neverArrived)):
            self.init(.failure, .acquirerSystemError, nil, .doNotProceed)
        case .failed(.notProcessed(.notAuthorized)), .failed(.notProcessed(.requestRefused)):
            self.init(.failure, .systemError, nil, .doNotProceed)
        // As it is retrieved; the call itself is refused.
        case .failed(.notProcessed(.tokenRefused)):
            self.init(.failure, .unspecifiedFailure, nil, Self.recommendation(operation.kind.hasPaymentDetails))
        }
    }

    private init(
        _ result: TransactionResult, _ gatewayCode: GatewayCode, _ message: String?,
        _ recommendation: GatewayRecommendation?
    ) {
        self.result = result
        self.gatewayCode = gatewayCode
        self.message = message
        self.recommendation = recommendation
    }

    /// What an acquirer prints on its screens for the reason.
    private static func message(_ reason: DeclineReason) -> String {
        switch reason {
        case .doNotHonor: "Do not honor"
        case .insufficientFunds: "Insufficient funds"
        case .expiredCard: "Expired card"
        case .invalidCard: "Invalid card number"
        case .lostOrStolenCard: "Lost or stolen card"
        case .suspectedFraud: "Suspected fraud"
        case .exceedsLimit: "Exceeds amount limit"
        case .notPermitted: "Transaction not permitted"
        case .issuerUnavailable: "Issuer unavailable"
        case .timedOut: "Response received too late"
        case .systemError: "System malfunction"
        case .invalidOperation: "Invalid transaction"
        case .unspecified: "Error"
        }
    }

    /// Of what failed.
    private static func recommendation(_ isResubmittable: Bool) -> GatewayRecommendation {
        isResubmittable ? .resubmitWithAlternative : .doNotProceed
    }

    func fields(_ answer: AcquirerAnswer) -> AnswerFields {
        var fields = AnswerFields()
        fields.set("acquirerCode", answer.responseCode)
        fields.set("acquirerMessage", answer.responseCode == nil ? nil : self.message)
        if let letter = answer.securityCodeCheck {
            fields.set("cardSecurityCode.acquirerCode", letter)
            fields.set("cardSecurityCode.gatewayCode", Self.securityCodeResult(letter))
        }
        if let letter = answer.addressCheck {
            fields.set("cardholderVerification.avs.acquirerCode", letter)
            fields.set("cardholderVerification.avs.gatewayCode", Self.addressResult(letter))
        }
        fields.set("gatewayCode", self.gatewayCode.rawValue)
        fields.set("gatewayRecommendation", self.recommendation?.rawValue)
        return fields
    }

    /// The networks' letters for the card security code.
    private static func securityCodeResult(_ letter: String) -> String {
        switch letter {
        case "M": "MATCH"
        case "N": "NO_MATCH"
        case "P": "NOT_PROCESSED"
        case "S": "NOT_PRESENT"
        default: "NOT_SUPPORTED"
        }
    }

    /// The networks' letters for the address.
    private static func addressResult(_ letter: String) -> String {
        switch letter {
        case "D", "F", "M", "X", "Y": "ADDRESS_ZIP_MATCH"
        case "A", "B": "ADDRESS_MATCH"
        case "P", "W", "Z": "ZIP_MATCH"
        case "C", "N": "NO_MATCH"
        case "R": "SERVICE_NOT_AVAILABLE_RETRY"
        case "S": "SERVICE_NOT_SUPPORTED"
        default: "NOT_AVAILABLE"
        }
    }
}

extension Operation.Kind {
    /// Whether the request brings payment details, in the place of which others could be sent. What follows a payment
    /// has its card.
    fileprivate var hasPaymentDetails: Bool {
        switch self {
        case .authorization, .verification: true
        case .capture, .void, .refund, .adjustment, .reversal, .lateFailure, .chargeback: false
        }
    }
}

extension DeclineReason {
    /// Whether another card of the payer's may be approved.
    fileprivate var mayBeTheCards: Bool {
        switch self {
        case .doNotHonor, .insufficientFunds, .expiredCard, .invalidCard, .exceedsLimit, .notPermitted: true
        case .lostOrStolenCard, .suspectedFraud, .issuerUnavailable, .timedOut, .systemError, .invalidOperation,
            .unspecified:
            false
        }
    }
}
