//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
import Payments

extension PAYONE {
    func capture(_ request: CaptureRequest, _ merchant: MerchantContext) async throws(PAYONEError) -> Answer {
        let payment = try await self.payment(request.txid, merchant)
        let turn = try Turn(request.sequenceNumber, digest: request.digest, in: payment, isCapture: true)
        // What gives the reservation back has no amount of its own for anybody else to look at.
        guard turn.isRepeat || request.currency == payment.amount.currency else {
            throw PAYONEError(GatewayRefusal.payment(.currencyDiffers))
        }
        let outcome = try await self.followUp(
            request.action, as: .capture, turn, request.txid, request.digest, request.narrativeText, merchant)
        // One like it may have been made since the look at the payment process.
        if outcome.isRepeat { try Turn.check(outcome.operation, request.sequenceNumber) }
        return try Answer(followUp: outcome)
    }

    func refund(_ request: RefundRequest, _ merchant: MerchantContext) async throws(PAYONEError) -> Answer {
        let payment = try await self.payment(request.txid, merchant)
        let turn = try Turn(request.sequenceNumber, digest: request.digest, in: payment, isCapture: false)
        // A refund is for balanced accounts only: nothing may be under way. A debit is not bound to that.
        if request.name == .refund, !turn.isRepeat, payment.operations.contains(where: { !$0.state.isResolved }) {
            throw PAYONEError.notBalanced
        }
        let outcome = try await self.followUp(
            .refund(request.amount), as: request.name, turn, request.txid, request.digest, request.narrativeText,
            merchant)
        return try Answer(followUp: outcome)
    }

    /// The payment process of a txid, as it stands now.
    func payment(_ txid: String, _ merchant: MerchantContext) async throws(PAYONEError) -> Payment {
        do throws(GatewayRefusal) {
            return try await self.gateway.operation(.reference(Self.txidReference(txid)), merchant: merchant).payment
        } catch {
            throw PAYONEError(error)
        }
    }

    private func followUp(
        _ action: FollowUpCommand.Action, as name: RequestName, _ turn: Turn, _ txid: String, _ digest: String,
        _ narrativeText: String?, _ merchant: MerchantContext
    ) async throws(PAYONEError) -> OperationOutcome {
        let idempotency = CallContext.Idempotency(
            operation: Self.sequenceOperation, key: Self.sequenceKey(txid, turn.number, turn.attempt),
            digest: requestDigest(digest.utf8))
        var labels = OperationLabels(
            memo: narrativeText, notifySettings: [AccountSettings.notificationURLName],
            fields: [
                LabelField.request: name.rawValue,
                LabelField.sequenceNumber: String(turn.number),
                LabelField.attempt: String(turn.attempt),
                LabelField.digest: digest,
            ])
        // "Dynamic text element on account statements" (PAYONE, "Apple Pay", capture): the page of debits has none.
        if name == .capture { labels.statementDescriptor = narrativeText }
        let command = FollowUpCommand(
            context: CallContext(merchant: merchant, idempotency: idempotency),
            payment: .reference(Self.txidReference(txid)), action: action, labels: labels)
        do throws(GatewayRefusal) {
            return try await self.gateway.followUp(command)
        } catch {
            switch error {
            case .idempotencyConflict: throw PAYONEError.sequenceNumberUsed
            // 80 is of an amount that was to be captured. Of what was given back there is nothing to refund.
            case .payment(.alreadyVoided) where name != .capture: throw PAYONEError.reservationGivenBack
            default: throw PAYONEError(error)
            }
        }
    }
}

extension PAYONEError {
    fileprivate static let reservationGivenBack = PAYONEError(
        .refundNotPossible, "The reservation has been given back: nothing of the payment process has been captured.")
    fileprivate static let notBalanced = PAYONEError(
        .refundNotPossible, "The account is not balanced: a request of this {txid} is under way. Wait, or send debit.")
}
