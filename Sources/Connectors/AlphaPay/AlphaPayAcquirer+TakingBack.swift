//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Money
import Payments

// The end of a payment whose outcome never became known, or that cannot stand.

extension AlphaPayAcquirer {
    /// An order that is not paid is closed, after which no payment of it can succeed, however late it arrives. One that
    /// is paid is refunded whole, under the reversal's own id.
    func takeBack(_ request: AcquirerRequest, _ original: OriginalOperation) async -> AcquirerOutcome {
        let budget = self.calls.budget
        switch original.kind {
        case .authorization:
            // What was never sent is ended by the quiet time.
            guard let paymentID = original.memo[Memo.paymentID] else { return Self.invalidOperation }
            return await self.takeBack(request, paymentID, within: budget)
        case .refund: return await self.outcomeOfReversedRefund(original, request.amount, within: budget)
        case .verification, .capture, .adjustment, .void, .reversal, .lateFailure, .chargeback:
            return Self.invalidOperation
        }
    }

    private func takeBack(
        _ request: AcquirerRequest, _ paymentID: String, within budget: UpstreamBudget
    ) async -> AcquirerOutcome {
        let ending = await self.calls.send(within: budget) { client throws(ClientError) in
            try client.cancel(paymentID)
        }
        switch ending {
        case .notProcessed(let not): return .notProcessed(not)
        case .unknown(let unknown): return .unknown(unknown)
        case .notGenuine: return .unclear(AlphaPayEnding.notGenuineWord)
        case .answered(let answer):
            switch answer.status {
            case .done:
                guard answer.isAbout("paymentId", paymentID) else { return .unclear("other_payment") }
                return Self.closed(request.amount, paymentID)
            case .open: return .unclear("in_process")
            case .failed:
                if case .notProcessed(let reason) = answer.meaning {
                    return .notProcessed(NotProcessed(reason, answer.word))
                }
                // Only `ORDER_PAID` is documented, so that the order itself is asked.
                return await self.takeBackOpen(request, paymentID, within: budget)
            }
        }
    }

    private static func closed(_ amount: Money, _ paymentID: String) -> AcquirerOutcome {
        .approved(
            AcquirerApproval(amount: amount, answer: AcquirerAnswer(), memo: self.memo(ofOrder: paymentID)))
    }

    /// What could not be canceled.
    private func takeBackOpen(
        _ request: AcquirerRequest, _ paymentID: String, within budget: UpstreamBudget
    ) async -> AcquirerOutcome {
        let standing = await self.findPayment(paymentID, request.amount, within: budget)
        switch standing.status {
        case .success, .partialRefund: return await self.refund(request, paymentID, within: budget)
        case .fullRefund:
            // If it was by this reversal, it has the same answer again; else there is nothing left to take back.
            let again = await self.refund(request, paymentID, within: budget)
            if case .declined = again { return Self.closed(request.amount, paymentID) }
            return again
        // It expired, was canceled or was declined, and is not paid with anything else.
        case .failed, .closed: return Self.closed(request.amount, paymentID)
        case .inProcess: return .unclear("in_process")
        case nil:
            switch standing.outcome {
            case .unknown(let unknown): return .unknown(unknown)
            case .notFound, .approved, .declined, .accepted, .reversed: return Self.invalidOperation
            }
        }
    }

    /// A refund can't be taken back, so that no reversal of one is ever under way: AlphaPay's notice, or a later question,
    /// ends the refund. What has failed needs no more.
    private func outcomeOfReversedRefund(
        _ original: OriginalOperation, _ amount: Money, within budget: UpstreamBudget
    ) async -> AcquirerOutcome {
        switch await self.findRefund(original, within: budget).outcome {
        case .declined: .approved(AcquirerApproval(amount: amount, answer: AcquirerAnswer()))
        case .approved, .accepted, .reversed, .notFound, .unknown: Self.invalidOperation
        }
    }
}
