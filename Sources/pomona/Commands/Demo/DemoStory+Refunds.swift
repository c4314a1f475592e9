//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import BaseEncoding
import Clients
import Gateway
import Money
import Payments
import Storefront
import StrictJSON
import Time
import WalletSimulator

extension DemoStory {
    /// A part of the money goes back, then the rest.
    func refund(_ paid: Paid) async throws {
        let part = Money(minorUnits: 12_50, currency: .cad)
        try await self.refund(
            part, of: paid, title: "The buyer returns something; a part is refunded", leaves: .partiallyRefunded)
        try await self.refund(
            Self.amount - part, of: paid, title: "And the rest: a second refund", leaves: .refunded)
        let excess = try await self.refundCall(Money(minorUnits: 1, currency: .cad), of: paid)
        self.printer.fact("POST refund", "\(excess.result), of one cent more")
        self.printer.fact("", excess.resultMessage)
        try self.printer.check(
            "no more can be refunded than was captured", excess.resultStatus == "F" && excess.isSignatureValid,
            excess.result)
    }

    private func refund(_ amount: Money, of paid: Paid, title: String, leaves state: PaymentState) async throws {
        self.printer.step(title)
        let reply = try await self.refundCall(amount, of: paid)
        self.printer.fact("POST refund", "\(reply.result), of \(amount)")
        self.printer.fact("refund", reply.text("refundId"))
        try self.printer.check(
            "the refund is done", reply.resultCode == "SUCCESS" && reply.isSignatureValid,
            "\(reply.result): \(reply.resultMessage)")
        let payment = try await self.payment(ofOrder: paid.orderID)
        try self.printer.check(
            "the payment is \(state.words): captured \(payment.capturedAmount), refunded \(payment.refundedAmount)",
            payment.state == state, payment.state.words)
        let inquiry = try await self.shop.inquire(paid.orderID)
        let expected = state == .refunded ? "FULL_REFUND" : "PARTIAL_REFUND"
        try self.printer.check(
            "asked for it, the gateway says \(expected)", inquiry.text("paymentStatus") == expected,
            inquiry.text("paymentStatus"))
    }

    private func refundCall(_ amount: Money, of paid: Paid) async throws -> Reading {
        try await self.shop.refund(
            paid.orderID, amount, requestID: "refund-" + Hex.encode(Surroundings.system.random(6)))
    }
}

// MARK: - What is refused

extension DemoStory {
    /// A token by another authority, with the same names in its certificates: everything is right but the keys.
    func refuseForgery(_ recipient: ProcessingPublicKey) async throws {
        self.printer.step("A forger tries: a token that another authority signed")
        let amount = Money(minorUnits: 999_00, currency: .cad)
        let orderID = try await self.order(amount)
        let forger = SimulatedDevice(authority: try TestAuthority.make(now: Timestamp.now().date))
        let forged = try self.mint(amount, to: recipient, by: forger)
        try await self.checkRefusal(
            of: forged, for: orderID, code: "APPLE_PAY_TOKEN_INVALID",
            "the forged token is refused before anything of it is decrypted; the bank never hears of it")
    }

    /// The token that has paid, once more, for another order of the same amount.
    func refuseReplay(_ paid: Paid) async throws {
        self.printer.step("A thief tries: the token that has paid already")
        let orderID = try await self.order(Self.amount)
        try await self.checkRefusal(
            of: paid.token, for: orderID, code: "APPLE_PAY_TOKEN_REPEATED",
            "a token pays once: its transaction id is remembered for ever")
    }

    private func checkRefusal(
        of token: MintedToken, for orderID: String, code: String, _ statement: String
    ) async throws {
        let reply = try await self.shop.pay(orderID, token: token.paymentToken)
        self.printer.fact("POST apple-pay/pay", reply.result)
        self.printer.fact("", reply.resultMessage)
        let id = OrderID(orderID)
        let payments = try await self.application.gateway.administration.read {
            try $0.paymentsCount(PaymentQuery(orderID: id))
        }
        try self.printer.check(
            statement,
            reply.resultStatus == "F" && reply.resultCode == code && reply.isSignatureValid && payments == 0,
            "\(reply.result), payments: \(payments)")
    }
}
