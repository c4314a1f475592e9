//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import Foundation
import Gateway
import Money
import Payments
import StrictJSON
import TestGateway
import Testing
import Time
import WalletSimulator

extension Shop {
    // MARK: - Tokens

    /// What the shop's customer sends: a token of the shop's own authority, signed now.
    func minted(
        _ amount: Money, card: SimulatedCard = .visa, by authority: TestAuthority? = nil,
        to identity: ProcessingIdentity? = nil, at time: Timestamp? = nil, applicationData: [UInt8]? = nil,
        options: MintOptions = MintOptions()
    ) throws -> MintedToken {
        let identity = identity ?? self.identity
        let request = PaymentRequest(
            merchantIdentifier: identity.merchantIdentifier, amountMinorUnits: amount.minorUnits,
            currencyCode: amount.currency.numericText, applicationData: applicationData)
        return try SimulatedDevice(authority: authority ?? self.authority).mint(
            request, card: card, recipient: identity.recipient,
            signingTime: TestAuthorities.date(time ?? self.clock.now), options: options)
    }

    func token(
        _ amount: Money, card: SimulatedCard = .visa, by authority: TestAuthority? = nil,
        to identity: ProcessingIdentity? = nil, at time: Timestamp? = nil, applicationData: [UInt8]? = nil,
        options: MintOptions = MintOptions()
    ) throws -> UnverifiedToken {
        try UnverifiedToken(
            json: self.minted(
                amount, card: card, by: authority, to: identity, at: time, applicationData: applicationData,
                options: options
            ).paymentToken)
    }

    // MARK: - Calls

    /// A context with a key of its own, or with the key given; the digest stands for the request's contents.
    func context(
        _ operation: String, key: String? = nil, digest: String = "contents", as merchant: MerchantContext? = nil
    ) -> CallContext {
        let key = key ?? "key-\(self.nextNumber())"
        return CallContext(
            merchant: merchant ?? self.merchant,
            idempotency: .init(operation: operation, key: key, digest: requestDigest(digest.utf8)))
    }

    func authorization(
        of amount: Money, token: UnverifiedToken? = nil, sale: Bool = false, acceptsPartialApproval: Bool = false,
        order: OrderID? = nil, notifyURL: String? = Shop.notifyURL, key: String? = nil,
        as merchant: MerchantContext? = nil
    ) throws -> AuthorizeCommand {
        AuthorizeCommand(
            context: self.context("authorize", key: key, as: merchant),
            instrument: .applePay(try token ?? self.token(amount)), amount: order == nil ? amount : nil,
            order: order.map(OrderBinding.placed), purpose: sale ? .sale : .authorization,
            acceptsPartialApproval: acceptsPartialApproval, labels: OperationLabels(notifyURL: notifyURL))
    }

    func authorize(_ amount: Money, acceptsPartialApproval: Bool = false) async throws -> OperationOutcome {
        try await self.gateway.authorize(
            self.authorization(of: amount, acceptsPartialApproval: acceptsPartialApproval))
    }

    func sell(_ amount: Money) async throws -> OperationOutcome {
        try await self.gateway.authorize(self.authorization(of: amount, sale: true))
    }

    func followUp(
        _ action: FollowUpCommand.Action, of payment: PaymentID, key: String? = nil
    ) -> FollowUpCommand {
        FollowUpCommand(
            context: self.context("\(action)".prefix { $0 != "(" }.description, key: key), payment: .payment(payment),
            action: action, labels: OperationLabels(notifyURL: Shop.notifyURL))
    }

    func capture(_ amount: Money?, of payment: PaymentID, isFinal: Bool = false) async throws -> OperationOutcome {
        try await self.gateway.followUp(self.followUp(.capture(amount, isFinal: isFinal), of: payment))
    }

    func refund(_ amount: Money?, of payment: PaymentID) async throws -> OperationOutcome {
        try await self.gateway.followUp(self.followUp(.refund(amount), of: payment))
    }

    func void(_ payment: PaymentID) async throws -> OperationOutcome {
        try await self.gateway.followUp(self.followUp(.void(nil), of: payment))
    }

    // MARK: - Looking

    func payment(_ id: PaymentID) async throws -> Payment {
        try #require(try await self.store.read { try $0.payment(id) })
    }

    func operation(_ outcome: OperationOutcome) async throws -> PaymentOperation {
        try #require(try await self.payment(outcome.payment.id).operation(outcome.operation.id))
    }

    func payments() async throws -> [Payment] {
        try await self.store.read { try $0.payments(PaymentQuery(limit: .max)) }
    }

    func recoveryJobs() async throws -> [Job] {
        try await self.store.read { try $0.jobs(.recover, limit: .max) }
    }

    func events(of payment: PaymentID) async throws -> [OutboxEvent] {
        try await self.store.read { try $0.events(of: payment) }
    }

    // MARK: - Recovering

    /// Lets time pass and recovery run until nothing is due any more.
    /// - Returns: how many passes it took.
    @discardableResult
    func recoverUntilSettled(passesMax: Int = 40) async throws -> Int {
        for pass in 0..<passesMax {
            if try await self.recoveryJobs().isEmpty { return pass }
            self.clock.advance(seconds: 3600)
            _ = await self.gateway.recover(limit: 1000)
        }
        let open = try await self.recoveryJobs().count
        Issue.record("\(open) payments are unresolved after \(passesMax) passes of recovery")
        return passesMax
    }

    /// One pass, after everything unresolved has become due.
    @discardableResult
    func recoverOnce() async -> RecoveryReport {
        self.clock.advance(seconds: 61)
        return await self.gateway.recover(limit: 1000)
    }
}

/// Expects a call to be refused so.
func expectRefusal(
    _ expected: GatewayRefusal, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ call: () async throws -> Void
) async {
    do {
        try await call()
        Issue.record("accepted, where \(expected) is expected", sourceLocation: sourceLocation)
    } catch let refusal as GatewayRefusal {
        #expect(refusal == expected, comment, sourceLocation: sourceLocation)
    } catch {
        Issue.record("another kind of error: \(error)", sourceLocation: sourceLocation)
    }
}

/// Expects a token to be refused with that code.
func expectTokenRefusal(
    _ code: TokenError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ call: () async throws -> Void
) async {
    do {
        try await call()
        Issue.record("accepted, where \(code) is expected", sourceLocation: sourceLocation)
    } catch GatewayRefusal.token(let error) {
        #expect(error.code == code, sourceLocation: sourceLocation)
    } catch {
        Issue.record("another refusal: \(error)", sourceLocation: sourceLocation)
    }
}
