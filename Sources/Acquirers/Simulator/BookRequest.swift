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
    let at: Timestamp
    /// For a reversal: whether it is a merchant who takes back what is approved.
    var isVoid = false
    /// Why it is declined whatever the amount.
    var refusal: DeclineReason?
    /// The refusal's response code, where it is not the reason's own.
    var refusalResponseCode: String?
    /// Whether the answer gets lost on its way, if it is an approval.
    var losesAnswer = false
    /// What the issuer says of the card; of nothing else than an authorization or a verification.
    var checks = IssuerChecks()

    init(_ request: AcquirerRequest, takesSealedTokens: Bool) {
        self.operationID = request.operationID
        self.kind = SimulatorEntry.Kind(request.action)
        self.paymentID = request.paymentID
        self.merchantID = request.merchantID
        self.targetID = request.original?.id
        self.amount = request.amount
        self.at = request.begunAt
        var captures = false
        var isFinal = false
        switch request.action {
        case .authorize(let charge), .verify(let charge):
            captures = charge.captures
            let card = TestCard(charge.instrument)
            let refusal = CardCheck.refusal(
                of: charge.instrument, at: request.begunAt, takesSealedTokens: takesSealedTokens)
            if let refusal {
                self.refusal = refusal
            } else if let refusal = card?.refusal {
                self.refusal = refusal.reason
                self.refusalResponseCode = refusal.responseCode
            }
            self.losesAnswer = card == .answerLost
            self.checks = IssuerChecks(charge.instrument, charge.details.billing)
        case .capture(_, let isLast): isFinal = isLast
        case .void: self.isVoid = true
        case .refund, .adjust, .reverse: break
        }
        self.captures = captures
        self.isFinal = isFinal
    }
}

extension SimulatorEntry.Kind {
    fileprivate init(_ action: AcquirerRequest.Action) {
        switch action {
        case .authorize: self = .authorization
        case .verify: self = .verification
        case .capture: self = .capture
        case .refund: self = .refund
        case .adjust: self = .adjustment
        case .void, .reverse: self = .reversal
        }
    }
}
