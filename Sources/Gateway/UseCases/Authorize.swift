//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import Money
import Payments
import Redaction
import StrictJSON
import Time

extension Gateway {
    /// Authorizes with an Apple Pay token, or sells with one.
    ///
    /// Returns also for a decline and for an outcome that is not known yet; read the operation's state. Until the
    /// pending authorization is durable nothing leaves for the acquirer, and once it is, nothing that goes wrong is
    /// reported as a refusal.
    public func authorize(_ command: AuthorizeCommand) async throws(GatewayRefusal) -> OperationOutcome {
        let merchant = command.context.merchant.merchant
        // Cheap refusals first; all of this is checked again in the commit. The claim is looked up in the same state as
        // the order: a repeated call finds its order paid, and is none the worse for it.
        let orderID = command.orderID
        let now = self.clock()
        let claimed = try await self.reading { reader -> Beginning? in
            if let claimed = try Gateway.claimed(command.context, in: reader) { return claimed }
            if let orderID { _ = try Gateway.checkPayable(orderID, by: command.context.merchant, at: now, in: reader) }
            return nil
        }
        if let claimed { return try await self.repeated(claimed) }
        guard let acquirer = self.acquirers[merchant.acquirer] else { throw .acquirerNotConnected }
        let keys = try await self.keyring(of: merchant, for: command.token)
        let opened = try self.tokens.open(
            command.token, for: merchant.mode, keys: keys, applicationData: command.applicationData, at: self.clock())
        let reading = try TokenReading(opened)
        if let amount = command.amount { try Gateway.checkBinding(of: amount, to: reading.amount) }
        guard acquirer.capabilities.networks.contains(reading.summary.network) else { throw .networkNotSupported }

        let begun = try await self.beginAuthorization(command, reading, acquirer.name)
        guard case .begun(let payment, let order) = begun else {
            return try await self.repeated(begun)
        }
        guard let authorization = payment.authorization else { throw .paymentNotFound }
        let request = AcquirerAuthorization(
            operationID: authorization.id, paymentID: payment.id, merchantID: merchant.id, amount: payment.amount,
            captures: command.capturesAtOnce, instrument: self.instrument(reading, command.token, for: acquirer),
            at: authorization.begunAt)
        let outcome = await self.withDeadline { await acquirer.authorize(request) }
        return await self.finish(payment, authorization, order, outcome)
    }

    private func instrument(
        _ reading: TokenReading, _ token: UnverifiedToken, for acquirer: any Acquirer
    ) -> PaymentInstrument {
        switch acquirer.capabilities.instrument {
        case .networkToken: .networkToken(reading.networkToken)
        case .sealedApplePayToken: .sealedApplePayToken(Redacted(token.paymentDataJSON.serialized()))
        }
    }

    static func checkBinding(of amount: Money, to tokenAmount: Money) throws(GatewayRefusal) {
        guard amount.currency == tokenAmount.currency else { throw .currencyDiffersFromToken }
        guard amount == tokenAmount else { throw .amountDiffersFromToken }
    }

    /// The one commit that records the payment, its pending authorization, the token and the claim, before anything
    /// leaves.
    private func beginAuthorization(
        _ command: AuthorizeCommand, _ reading: TokenReading, _ acquirer: AcquirerName
    ) async throws(GatewayRefusal) -> Beginning {
        let merchant = command.context.merchant
        let now = self.clock()
        let paymentID: PaymentID = self.makeID()
        let authorizationID: OperationID = self.makeID()
        let captureID: OperationID? = command.capturesAtOnce ? self.makeID() : nil
        let tokenID = command.token.header.transactionIdentifier
        let recoveryDue = now.adding(seconds: self.settings.recoveryGraceSeconds)
        return try await self.writing { transaction in
            if let claimed = try Gateway.claimed(command.context, in: transaction) { return claimed }
            var order: Order?
            if let orderID = command.orderID {
                order = try Gateway.checkPayable(orderID, by: merchant, at: now, in: transaction)
            }
            // Whoever asks, the customer approved one amount, and an order is paid with its own amount or not at all.
            for asked in [command.amount, order?.amount].compactMap({ $0 }) {
                try Gateway.checkBinding(of: asked, to: reading.amount)
            }
            var labels = command.labels
            labels.notifyURL = labels.notifyURL ?? order?.notifyURL
            let payment = try Payment.opening(
                id: paymentID, merchantID: merchant.merchant.id, mode: merchant.merchant.mode,
                dialect: merchant.dialect,
                acquirer: acquirer, orderID: order?.id, amount: reading.amount, instrument: reading.summary,
                authorizationID: authorizationID, saleCaptureID: captureID,
                acceptsPartialApproval: command.acceptsPartialApproval, labels: labels, at: now)
            let isNew = try transaction.rememberToken(
                transactionIdentifier: tokenID, mode: merchant.merchant.mode, payment: paymentID, at: now)
            guard isNew else { throw GatewayRefusal.tokenReplayed }
            try transaction.insert(payment)
            try Gateway.record(
                command.context, command.references, .operation(paymentID, authorizationID), at: now, in: transaction)
            if var order {
                order.paymentID = paymentID
                try transaction.update(order)
                try transaction.schedule(Job(kind: .recover, paymentID: paymentID, dueAt: recoveryDue))
                return .begun(payment, order)
            }
            try transaction.schedule(Job(kind: .recover, paymentID: paymentID, dueAt: recoveryDue))
            return .begun(payment, nil)
        }
    }
}
