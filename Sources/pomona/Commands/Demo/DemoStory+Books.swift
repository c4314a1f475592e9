//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ApplePayToken
import DialectKit
import Gateway
import Ledger
import Money
import Payments
import StrictJSON
import Time
import WalletSimulator

extension DemoStory {
    /// What AlphaPay's wire has no words for, through the gateway's own commands: holds, captures in parts, a void.
    func authorizeCaptureVoid(_ recipient: ProcessingPublicKey) async throws {
        self.printer.step("The core, without a wire: authorize, capture in parts, void")
        let context = try await self.callContext()
        let held = try await self.authorize(Money(minorUnits: 60_00, currency: .cad), recipient, context)
        self.printer.fact("authorized", "\(held.authorizedAmount), nothing captured: a hold")
        var payment = try await self.follow(
            held, .capture(Money(minorUnits: 25_00, currency: .cad), isFinal: false), context)
        self.printer.fact("captured", "\(payment.capturedAmount), \(payment.capturableAmount) still held")
        try self.printer.check(
            "the payment is partially captured", payment.state == .partiallyCaptured, payment.state.words)
        payment = try await self.follow(
            held, .capture(Money(minorUnits: 20_00, currency: .cad), isFinal: true), context)
        self.printer.fact("final capture", "\(payment.capturedAmount) in all, the rest of the hold is given back")
        try self.printer.check(
            "the payment is captured and nothing is held any more",
            payment.state == .captured && payment.capturableAmount.isZero, payment.state.words)
        let released = try await self.authorize(Money(minorUnits: 15_00, currency: .cad), recipient, context)
        payment = try await self.follow(released, .void(nil), context)
        self.printer.fact("void", "of another hold of \(payment.authorizedAmount): \(payment.state.words)")
        try self.printer.check("the voided payment holds nothing", payment.state == .voided, payment.state.words)
    }

    private func callContext() async throws -> CallContext {
        let gateway = self.application.gateway
        guard
            let merchant = try await gateway.account(
                dialect: DialectName(self.merchant.name), key: try self.merchant.value("merchantCode"))
        else { throw CommandFailure(.merchantUnknown, stage: .demo, "The gateway does not know the demo merchant.") }
        return CallContext(merchant: merchant, idempotency: nil)
    }

    private func authorize(
        _ amount: Money, _ recipient: ProcessingPublicKey, _ context: CallContext
    ) async throws -> Payment {
        let token = try self.mint(amount, to: recipient).paymentToken
        return try await self.application.gateway.authorize(
            AuthorizeCommand(
                context: context, instrument: try .applePay(json: token), amount: amount, purpose: .authorization)
        ).payment
    }

    private func follow(
        _ payment: Payment, _ action: FollowUpCommand.Action, _ context: CallContext
    ) async throws -> Payment {
        try await self.application.gateway.followUp(
            FollowUpCommand(context: context, payment: .payment(payment.id), action: action)
        ).payment
    }

    /// The notifications that the gateway has sent meanwhile.
    func notifyTheShop() async throws {
        self.printer.step("The shop is notified: signed notifications to its server")
        let notifications = try await self.inbox.notifications(atLeast: 4)
        for notification in notifications {
            let json = try? JSON.parse(notification.body)
            let result = json?["result"]?["resultCode"]?.string ?? ""
            let id = json?["refundId"]?.string ?? json?["paymentId"]?.string ?? ""
            self.printer.fact("POST \(notification.path)", "\(result) \(id)")
        }
        try self.printer.check(
            "one notification for each payment and one for each refund",
            notifications.count == 4, "\(notifications.count) came")
        try self.printer.check(
            "the gateway's signature on each of them is valid", notifications.allSatisfy(self.shop.isGenuine))
    }

    /// The books, and their proof from the rows.
    func checkTheBooks() async throws {
        self.printer.step("The ledger: every posting has its counterpart")
        let report = try await self.application.gateway.administration.checkLedger()
        self.printer.lines(BalanceTable(report.balances).lines())
        self.printer.blank()
        self.printer.fact("pending", "what is held: authorizations less captures, voids and releases")
        self.printer.fact("posted", "what has moved: captures less refunds")
        try self.printer.check(
            "\(Text.count(report.paymentsCount, "payment")), "
                + "\(Text.count(report.entriesCount, "journal entry", plural: "journal entries")): "
                + "every journal balances and every payment's sums agree with it",
            report.isSound, report.problems.first ?? "")
    }
}
