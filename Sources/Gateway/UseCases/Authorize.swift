//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import Logging
import Money
import Payments
import Time

extension Gateway {
    /// Authorizes, sells or verifies with an Apple Pay token or an instrument that the merchant has opened.
    ///
    /// Returns also for a decline and for an outcome that is not known yet; read the operation's state. Until the
    /// pending operation is durable nothing leaves for the acquirer, and once it is, nothing that goes wrong is reported
    /// as a refusal.
    public func authorize(_ command: AuthorizeCommand) async throws(GatewayRefusal) -> OperationOutcome {
        let beganAt = self.steadyClock()
        let command = try await self.completed(command)
        CallNotes.change { $0.amount = command.amount }
        let prepared: Prepared
        do throws(GatewayRefusal) {
            prepared = try await self.prepare(command)
        } catch {
            guard let claimed = try await self.claimedOrPayable(command) else { throw error }
            return try await self.repeated(claimed)
        }
        let (account, reading) = (prepared.account, prepared.reading)
        let (begun, milliseconds) = try await self.begin(command, prepared, since: beganAt)
        guard case .begun(let payment, let order) = begun else {
            return try await self.repeated(begun)
        }
        guard let opening = payment.opening else { throw .paymentNotFound }
        let outcome = await self.send(
            command, reading, opening, of: payment, order, to: account, within: milliseconds)
        if case .notProcessed = outcome {
            return await self.finishElsewhere(command, prepared, payment, opening, order, outcome, since: beganAt)
        }
        return await self.finish(payment, opening, order, outcome, account, in: command.context, since: beganAt)
    }

    private func send(
        _ command: AuthorizeCommand, _ reading: InstrumentReading, _ opening: Operation, of payment: Payment,
        _ order: Order?, to account: OpenAcquirer, within milliseconds: Int64? = nil
    ) async -> AcquirerOutcome {
        // What it does not take has been refused before anything was begun.
        guard let charge = command.charge(reading, order, account) else {
            return .notProcessed(NotProcessed(.requestRefused, "instrument_not_taken"))
        }
        return await self.send(opening, of: payment, charge, to: account, within: milliseconds)
    }

    /// Tries the accounts of the next routes, one after the other, for a payment that was not processed under its own,
    /// each within what those before have left of the deadline. Never after anything else: of an outcome that is not known,
    /// money may have moved.
    private func finishElsewhere(
        _ command: AuthorizeCommand, _ prepared: Prepared, _ begun: Payment, _ opening: Operation, _ order: Order?,
        _ first: AcquirerOutcome, since beganAt: ContinuousClock.Instant
    ) async -> OperationOutcome {
        // The opening is the same operation under each account.
        var (payment, outcome, account) = (begun, first, prepared.account)
        var tried: Set<AcquirerAccountID> = [begun.accountID]
        while case .notProcessed = outcome, let next = prepared.account(after: tried, command),
            let milliseconds = self.millisecondsLeft(for: opening, since: beganAt),
            let rerouted = await self.reroute(payment, opening, to: next)
        {
            tried.insert(next.id)
            (payment, account) = (rerouted, next)
            outcome = await self.send(
                command, prepared.reading, opening, of: payment, order, to: next, within: milliseconds)
        }
        return await self.finish(payment, opening, order, outcome, account, in: command.context, since: beganAt)
    }

    /// How long another try may take: what the call has left of the deadline, as far as it ends before recovery may take
    /// the payment up.
    ///
    /// - Returns: `nil` where it is too late for one: less than an eighth of the deadline is left, in which an issuer may
    ///   approve what nobody waits for any more (``OperationTime/mayBeSent()``).
    private func millisecondsLeft(for opening: Operation, since beganAt: ContinuousClock.Instant) -> Int64? {
        let deadline = self.settings.acquirerDeadlineSeconds * 1000
        let age = self.clock().milliseconds(since: opening.begunAt)
        // The clock was set back: recovery counts by it, and nobody knows how long it will be.
        guard age >= 0 else { return nil }
        let left = min(
            deadline - self.steadyClock().milliseconds(after: beganAt),
            self.settings.recoveryGraceSeconds * 1000 - age)
        return left < deadline / 8 ? nil : left
    }

    /// - Returns: `nil` where it can't be written, or somebody has taken the payment up.
    private func reroute(_ payment: Payment, _ opening: Operation, to account: OpenAcquirer) async -> Payment? {
        guard let change = try? payment.rerouted(to: account.id, acquirer: account.acquirer.name) else { return nil }
        let isWritten = try? await self.writingUnlessChanged { transaction in
            try transaction.update(change, from: payment.version)
            try Gateway.keepShortName(of: opening.id, payment.merchantID, account, in: transaction)
            return true
        }
        guard isWritten == true else { return nil }
        self.logger.notice(
            "payment takes another acquirer account",
            metadata: ["payment": "\(payment.id)", "from": "\(payment.accountID)", "to": "\(account.id)"])
        return change.payment
    }

    /// What is known of a call before the store is asked.
    private struct Prepared {
        let routes: MerchantRoutes
        let account: OpenAcquirer
        let reading: InstrumentReading
        let amount: Money

        /// The account of the next route that fits and can do it.
        func account(after tried: Set<AcquirerAccountID>, _ command: AuthorizeCommand) -> OpenAcquirer? {
            let accounts = self.routes.accounts(
                dialect: command.context.merchant.dialect, network: self.reading.summary.network, amount: self.amount)
            return try? command.account(
                among: accounts.filter { !tried.contains($0.id) }, self.reading, self.amount)
        }
    }

    private func prepare(_ command: AuthorizeCommand) async throws(GatewayRefusal) -> Prepared {
        let merchant = command.context.merchant
        guard merchant.merchant.state == .active else { throw .merchantSuspended }
        let routes = try await self.routes(of: merchant)
        let reading = try await self.read(command, merchant, routes)
        try command.checkTexts(against: reading)
        var bound = command
        if reading.amount == nil, bound.amount == nil, case .placed(let order) = bound.order {
            // Nothing that is signed says an amount; the order was placed with one.
            bound.amount = try await self.reading { try $0.order(order) }?.amount
        }
        let amount = try bound.bound(to: reading)
        let accounts = routes.accounts(
            dialect: merchant.dialect, network: reading.summary.network, amount: amount)
        let account = try command.account(among: accounts, reading, amount)
        return Prepared(routes: routes, account: account, reading: reading, amount: amount)
    }

    /// What counts for more than anything that is wrong with the instrument: that the same call was made before, when
    /// its token was young and its kept item there, and that its order cannot be paid.
    ///
    /// Asked only where the instrument is refused. Every other call learns the same in its commit, and is spared a
    /// visit to the store.
    private func claimedOrPayable(_ command: AuthorizeCommand) async throws(GatewayRefusal) -> Beginning? {
        let now = self.clock()
        return try await self.reading { reader in
            if let claimed = try Gateway.claimed(command.context, in: reader) { return claimed }
            // In the same state as the claim: a repeated call finds its order paid, and is none the worse for it.
            _ = try Gateway.payableOrder(of: command, at: now, in: reader)
            return nil
        }
    }

    /// Opens what has to be opened.
    private func read(
        _ command: AuthorizeCommand, _ merchant: MerchantContext, _ routes: MerchantRoutes
    ) async throws(GatewayRefusal) -> InstrumentReading {
        switch command.instrument {
        case .opened(let networkToken): return InstrumentReading(networkToken)
        case .applePay(let token):
            return try await self.read(
                token, merchant, routes, command.applicationData, stated: command.statedNetwork)
        case .kept(let kind, let id): return try await self.keptReading(kind: kind, id: id, merchant)
        }
    }

    static func checkBinding(of amount: Money, to tokenAmount: Money) throws(GatewayRefusal) {
        guard amount.currency == tokenAmount.currency else { throw .currencyDiffersFromToken }
        guard amount == tokenAmount else { throw .amountDiffersFromToken }
    }

    /// The sheet was shown for the order's merchant identifier, or the token is for something else.
    private static func checkIdentifier(
        of order: Order, against reading: InstrumentReading
    ) throws(GatewayRefusal) {
        guard let identifier = order.merchantIdentifier, let hash = reading.merchantIdentifierHash,
            requestDigest(identifier.utf8) != hash
        else { return }
        throw .token(
            TokenError(
                .keyUnknown, .keySelection,
                "The token is for another merchant identifier than the order, which is for \(identifier)."))
    }

    /// The order that is paid, if there is one: also the one that the payment opens, which is not in the store yet.
    private static func order(
        of command: AuthorizeCommand, orNew newOrder: Order?, _ reading: InstrumentReading, _ amount: Money,
        at now: Timestamp, in transaction: any StoreTransaction
    ) throws -> PayableOrder? {
        guard let payable = try self.payableOrder(of: command, at: now, in: transaction) else {
            return newOrder.map { PayableOrder(order: $0) }
        }
        // Whoever asks, the customer approved one amount, and an order that was placed is paid with its own amount or not
        // at all.
        if case .placed = command.order {
            try self.checkBinding(of: payable.order.amount, to: amount)
            try self.checkIdentifier(of: payable.order, against: reading)
        }
        return payable
    }

    /// Begins the payment, with what it takes the place of given back before: once everything else has been found right, so
    /// that nothing is given back for a call that is refused.
    ///
    /// - Returns: also how long the acquirer may take, where that is less than the deadline.
    private func begin(
        _ command: AuthorizeCommand, _ prepared: Prepared, since beganAt: ContinuousClock.Instant
    ) async throws(GatewayRefusal) -> (Beginning, milliseconds: Int64?) {
        switch try await self.begin(command, prepared.reading, prepared.amount, prepared.account) {
        case .success(let begun): return (begun, nil)
        case .failure(let replaced): try await self.giveBack(replaced.paymentID, for: command)
        }
        let milliseconds = try self.millisecondsAfterGivingBack(since: beganAt)
        switch try await self.begin(command, prepared.reading, prepared.amount, prepared.account) {
        case .success(let begun): return (begun, milliseconds)
        // Another call was quicker, and its authorization stands.
        case .failure: throw .orderPaid
        }
    }

    /// The one commit that records the payment, its pending operation, the instrument's use and the claim, before
    /// anything leaves.
    private func begin(
        _ command: AuthorizeCommand, _ reading: InstrumentReading, _ amount: Money, _ account: OpenAcquirer
    ) async throws(GatewayRefusal) -> Result<Beginning, MustGiveBack> {
        let merchant = command.context.merchant
        let now = self.clock()
        let paymentID: PaymentID = self.makeID()
        let openingID: OperationID = self.makeID()
        let captureID: OperationID? = command.purpose == .sale ? self.makeID() : nil
        let newOrder = command.newOrder(self.makeID(), amount, at: now)
        let recoveryDue = now.adding(seconds: self.settings.recoveryGraceSeconds)
        let seenKey = reading.summary.proof?.keyID.flatMap { key in
            self.keySightings.isDue(key, of: merchant.merchant.id, at: now) ? key : nil
        }
        var lookups = Gateway.lookups(command.context, command.references)
        lookups.tokens = reading.singleUses.map {
            TokenUse(mode: merchant.merchant.mode, transactionIdentifier: $0)
        }
        return try await self.writing(expecting: lookups, unless: MustGiveBack.self) { transaction in
            if let claimed = try Gateway.claimed(command.context, in: transaction) { return claimed }
            try Gateway.use(command.instrument, of: merchant, in: transaction)
            let payable = try Gateway.order(of: command, orNew: newOrder, reading, amount, at: now, in: transaction)
            var order = payable?.order
            var labels = command.labels
            labels.notifyURL = labels.notifyURL ?? order?.notifyURL
            let payment = try command.payment(
                id: paymentID, openingID: openingID, captureID: captureID, account: account, orderID: order?.id,
                amount: amount, instrument: reading.summary, labels: labels, at: now)
            for use in reading.singleUses {
                let isNew = try transaction.rememberToken(
                    transactionIdentifier: use, mode: merchant.merchant.mode, payment: paymentID, at: now)
                guard isNew else { throw GatewayRefusal.tokenReplayed }
            }
            // After the tokens: what is refused before anything is written costs those nothing that share the commit.
            if let newOrder, order?.id == newOrder.id { try transaction.insert(newOrder) }
            try transaction.insert(payment)
            // After the payment: an order that came first with its id would make the store look for what refers to it.
            order?.paymentID = paymentID
            if let order { try transaction.update(order) }
            try Gateway.record(
                command.context, command.references, .operation(paymentID, openingID), at: now, in: transaction)
            try Gateway.keepAgreement(of: command, openingID, in: transaction)
            if let seenKey {
                try Gateway.observeKey(seenKey, of: merchant.merchant.id, at: now, in: transaction)
            }
            try Gateway.keepShortName(of: openingID, merchant.merchant.id, account, in: transaction)
            try transaction.schedule(Job(kind: .recover, paymentID: paymentID, dueAt: recoveryDue))
            if let dueAt = command.captureDueAt {
                try transaction.schedule(Job(kind: .capture, paymentID: paymentID, dueAt: dueAt))
            }
            if let replaced = payable?.replaced { throw MustGiveBack(paymentID: replaced) }
            return .begun(payment, order)
        }
    }
}

extension ChargeDetails {
    /// What the merchant said when the order was made counts where the payment says nothing.
    fileprivate func completed(by order: Order?) -> ChargeDetails {
        var details = self
        details.orderReference = details.orderReference ?? order?.reference
        if let summary = order?.summary, !summary.isEmpty { details.description = details.description ?? summary }
        return details
    }
}

/// An order that a payment opens by its name is not offered to anybody and does not expire; it needs a time all the same.
private let namedOrderLifetimeSeconds: Int64 = 10 * 365 * 86_400

extension AuthorizeCommand {
    /// The order that the payment opens by its name, where there is none yet.
    fileprivate func newOrder(_ id: OrderID, _ amount: Money, at now: Timestamp) -> Order? {
        guard case .named(let name) = self.order else { return nil }
        return Order(
            id: id, merchantID: self.context.merchant.merchant.id, dialect: self.context.merchant.dialect,
            reference: name, amount: amount, summary: "", notifyURL: nil, merchantIdentifier: nil, createdAt: now,
            expiresAt: now.adding(seconds: namedOrderLifetimeSeconds))
    }

    /// What is sent to an acquirer.
    /// - Returns: `nil` for what it does not take.
    fileprivate func charge(_ reading: InstrumentReading, _ order: Order?, _ account: OpenAcquirer) -> Charge? {
        guard let instrument = account.instrument(reading) else { return nil }
        return Charge(
            instrument: instrument, network: reading.summary.network,
            captures: self.purpose == .sale, acceptsPartialApproval: self.acceptsPartialApproval,
            details: self.details.completed(by: order))
    }

    /// The amount to authorize: what is asked for, which must be what the customer approved.
    fileprivate func bound(to reading: InstrumentReading) throws(GatewayRefusal) -> Money {
        guard let approved = reading.amount ?? (self.takesPendingAmount ? nil : reading.pendingAmount) else {
            guard let amount = self.amount else { throw .payment(.amountNotPositive) }
            if let pending = reading.pendingAmount, amount.currency != pending.currency {
                throw .currencyDiffersFromToken
            }
            return amount
        }
        guard let amount = self.amount else { return approved }
        guard amount.currency == approved.currency else { throw .currencyDiffersFromToken }
        // A verification moves nothing, whatever the payment sheet said.
        if self.purpose != .verification { try Gateway.checkBinding(of: amount, to: approved) }
        return amount
    }

    fileprivate func payment(
        id: PaymentID, openingID: OperationID, captureID: OperationID?, account: OpenAcquirer, orderID: OrderID?,
        amount: Money, instrument: InstrumentSummary, labels: OperationLabels, at now: Timestamp
    ) throws(PaymentRefusal) -> Payment {
        let merchant = self.context.merchant
        if self.purpose == .verification {
            return Payment.verifying(
                id: id, merchantID: merchant.merchant.id, mode: merchant.merchant.mode, dialect: merchant.dialect,
                acquirer: account.acquirer.name, accountID: account.id, orderID: orderID, currency: amount.currency,
                instrument: instrument, verificationID: openingID, labels: labels, at: now)
        }
        return try Payment.opening(
            id: id, merchantID: merchant.merchant.id, mode: merchant.merchant.mode, dialect: merchant.dialect,
            acquirer: account.acquirer.name, accountID: account.id, orderID: orderID, amount: amount,
            instrument: instrument, authorizationID: openingID, saleCaptureID: captureID,
            acceptsPartialApproval: self.acceptsPartialApproval, labels: labels, at: now)
    }
}
