//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Time

/// A request as the book takes it. The card has been looked at by now: nothing of it goes further.
struct BookRequest: Sendable {
    let operationID: OperationID
    let kind: SimulatorEntry.Kind
    let paymentID: PaymentID
    let merchantID: MerchantID
    /// The authorization that is followed, or the operation that is taken back.
    let targetID: OperationID?
    let amount: Money
    /// For an authorization: whether it is a sale.
    let captures: Bool
    let isFinal: Bool
    let reversalReason: AcquirerReversal.Reason?
    let at: Timestamp
    /// Why it is declined whatever the amount.
    var refusal: DeclineReason?
    /// The refusal's response code, where it is not the reason's own.
    var refusalResponseCode: String?
    /// Whether the answer gets lost on its way, if it is an approval.
    var losesAnswer = false
    /// What the issuer says of the card; of nothing else than an authorization or a verification.
    var checks = IssuerChecks()

    init(_ request: AcquirerAuthorization, kind: SimulatorEntry.Kind = .authorization) {
        self.operationID = request.operationID
        self.kind = kind
        self.paymentID = request.paymentID
        self.merchantID = request.merchantID
        self.targetID = nil
        self.amount = request.amount
        self.captures = request.captures
        self.isFinal = false
        self.reversalReason = nil
        self.at = request.at
        let card = TestCard(request.instrument)
        if let refusal = CardCheck.refusal(of: request.instrument, at: request.at) {
            self.refusal = refusal
        } else if let refusal = card?.refusal {
            self.refusal = refusal.reason
            self.refusalResponseCode = refusal.responseCode
        }
        self.losesAnswer = card == .answerLost
        self.checks = IssuerChecks(request.instrument, request.billing)
    }

    init(_ request: AcquirerFollowUp, kind: SimulatorEntry.Kind) {
        self.operationID = request.operationID
        self.kind = kind
        self.paymentID = request.paymentID
        self.merchantID = request.merchantID
        self.targetID = request.authorizationID
        self.amount = request.amount
        self.captures = false
        self.isFinal = kind == .capture && request.isFinal
        self.reversalReason = nil
        self.at = request.at
    }

    init(_ request: AcquirerReversal) {
        self.operationID = request.operationID
        self.kind = .reversal
        self.paymentID = request.paymentID
        self.merchantID = request.merchantID
        self.targetID = request.targetID
        self.amount = request.amount
        self.captures = false
        self.isFinal = false
        self.reversalReason = request.reason
        self.at = request.at
    }
}
