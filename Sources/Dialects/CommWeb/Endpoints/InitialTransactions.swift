//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
import Payments
import Redaction

extension CommWeb {
    /// AUTHORIZE, PAY and VERIFY.
    func initialTransaction(_ call: Call, _ caller: Caller) async throws(CommWebError) -> Answer {
        let name = try TransactionName(call)
        guard let sessionID = try call.fields.text("session.id", max: 35) else {
            return try await self.authorize(call, name, call.payload, with: nil, caller)
        }
        // The session is empty once it has paid: a repeated call is answered before it is looked at.
        if let earlier = try await self.earlierTransaction(call, name, caller) { return earlier }
        do throws(CommWebError) {
            let session = try await self.sessionForPayment(sessionID, call, caller)
            let bringsDetails = call.payload.hasInstrument
            let fields = call.payload.over(bringsDetails ? session.fields.withoutSourceOfFunds : session.fields)
            return try await self.authorize(call, name, fields, with: bringsDetails ? nil : session, caller)
        } catch {
            // The identical call may have paid with the session in the meantime.
            guard error.code == .sessionUsed || error.code == .sessionConflict,
                let earlier = try await self.earlierTransaction(call, name, caller)
            else { throw error }
            return earlier
        }
    }

    /// - Parameters:
    ///   - fields: the call's, and the session's where it names one.
    ///   - session: whose payment details are used; `nil` where the call brings its own.
    private func authorize(
        _ call: Call, _ name: TransactionName, _ fields: RequestFields, with session: Session?, _ caller: Caller
    ) async throws(CommWebError) -> Answer {
        let unmasks = try caller.unmasks(call)
        let payment = try PaymentFields(reading: fields, for: caller.merchant)
        let command = try self.command(call, name, payment, caller)
        let number = unmasks ? await self.unmaskedNumber(command.provided, caller) : nil
        if let session { try await self.claim(session, for: name, of: caller) }
        let outcome: OperationOutcome
        do throws(GatewayRefusal) {
            outcome = try await self.gateway.authorize(command.authorize)
        } catch {
            // What the store could not say may have been sent: then the details are not for another payment.
            if let session, error != .storeUnavailable { await self.release(session, from: name, of: caller) }
            throw CommWebError(error, of: call.operation)
        }
        if let session { await self.spend(session, by: name, of: caller) }
        try Self.requireTokenTaken(outcome.operation)
        return self.transactionAnswer(outcome, name, call, caller, number: number)
    }

    private func command(
        _ call: Call, _ name: TransactionName, _ payment: PaymentFields, _ caller: Caller
    ) throws(CommWebError) -> (authorize: AuthorizeCommand, provided: ProvidedInstrument) {
        let (amount, purpose) = try Self.amountAndPurpose(of: call.operation, payment, caller)
        let provided = try payment.card.instrument(wallet: payment.wallet)
        let digest = call.digest
        var labels = call.labels(
            name, digest: digest.text, reference: payment.transactionReference,
            notifyURL: payment.notifyURL)
        labels.fields.merge(payment.labels(provided.kind)) { $1 }
        let command = AuthorizeCommand(
            context: name.context(of: caller, digest: digest.bytes), instrument: provided.instrument, amount: amount,
            order: .named(name.orderID), purpose: purpose,
            acceptsPartialApproval: payment.acceptsPartialAmount && call.operation != .verify,
            details: payment.details, labels: labels, references: [name.reference])
        return (command, provided)
    }

    private static func amountAndPurpose(
        of operation: APIOperation, _ payment: PaymentFields, _ caller: Caller
    ) throws(CommWebError) -> (Money, AuthorizeCommand.Purpose) {
        guard let currency = payment.currency else { throw .missing("order.currency") }
        guard AccountSettings(caller.merchant).currencies.contains(currency) else {
            throw .unsupported("order.currency", "is none that the merchant may be paid in")
        }
        if operation == .verify { return (.zero(currency), .verification) }
        guard let amount = payment.amount else { throw .missing("order.amount") }
        guard amount.isPositive else { throw CommWebError(.amountInvalid, field: "order.amount") }
        return (amount, operation == .pay ? .sale : .authorization)
    }

    /// The number for a caller that may see it: it stands in this very call, or in the token that this call brings, and
    /// is kept nowhere. `nil` where the token cannot be opened; the call itself then says why.
    private func unmaskedNumber(_ provided: ProvidedInstrument, _ caller: Caller) async -> Redacted<String>? {
        if let number = provided.number { return number }
        let opened = try? await self.gateway.openToken(provided.instrument, merchant: caller.merchant)
        return opened?.networkToken.pan
    }

    /// The answer of a transaction that an identical call made before; `nil` if there is none.
    ///
    /// - Throws: that its id is taken.
    private func earlierTransaction(
        _ call: Call, _ name: TransactionName, _ caller: Caller
    ) async throws(CommWebError) -> Answer? {
        let outcome: OperationOutcome
        do throws(GatewayRefusal) {
            outcome = try await self.gateway.operation(.reference(name.reference), merchant: caller.merchant)
        } catch .paymentNotFound {
            return nil
        } catch {
            throw CommWebError(error, of: call.operation)
        }
        return try self.repeatedAnswer(outcome, name, call, caller)
    }

    /// A token that the acquirer does not take is refused as one is that this gateway does not take, whenever the call
    /// is made. The transaction can be retrieved, as one that has failed.
    private static func requireTokenTaken(_ operation: Operation) throws(CommWebError) {
        guard operation.state == .failed(.notProcessed(.tokenRefused)) else { return }
        throw CommWebError(.tokenRefused, field: CardFields.tokenPath)
    }

    /// The answer of the transaction as it was when it was made.
    func repeatedAnswer(
        _ outcome: OperationOutcome, _ name: TransactionName, _ call: Call, _ caller: Caller
    ) throws(CommWebError) -> Answer {
        guard outcome.operation.labels.fields[TransactionLabel.digest] == call.digest.text else {
            throw CommWebError(.transactionConflict, field: "transaction.id")
        }
        try Self.requireTokenTaken(outcome.operation)
        let payment = outcome.operation.resolvedInVersion.map(outcome.payment.asOf) ?? outcome.payment
        let then = OperationOutcome(
            payment: payment, operation: outcome.operation, order: outcome.order, isRepeat: true)
        return self.transactionAnswer(then, name, call, caller, number: nil)
    }
}

extension PaymentFields {
    /// What is returned again with the transaction.
    func labels(_ kind: ProvidedInstrument.Kind) -> [String: String] {
        var labels = [
            TransactionLabel.source: (self.source ?? .internet).rawValue,
            TransactionLabel.certainty: (self.certainty ?? .final).rawValue,
            TransactionLabel.instrument: kind.rawValue,
        ]
        labels[TransactionLabel.agreementID] = self.agreement.id
        labels[TransactionLabel.agreementType] = self.agreement.type?.rawValue
        labels[TransactionLabel.wallet] = self.wallet?.rawValue
        labels[TransactionLabel.location] = self.location?.rawValue
        labels[TransactionLabel.description] = self.description
        labels[TransactionLabel.orderReference] = self.orderReference
        labels[TransactionLabel.nameOnCard] = self.card.nameOnCard
        for (name, value) in self.device.values { labels[TransactionLabel.devicePrefix + name] = value }
        return labels
    }
}
