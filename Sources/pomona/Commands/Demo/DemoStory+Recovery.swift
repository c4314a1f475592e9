//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Storefront
import StrictJSON
import WalletSimulator

extension DemoStory {
    /// The simulated bank approves this amount, and its answer gets lost on the way.
    private static let lostAmount = Money(minorUnits: 58_58, currency: .cad)

    /// Nobody may guess an outcome that is not known: it is kept as unknown, and the recovery worker asks the bank.
    func loseAnAnswer(_ recipient: ProcessingPublicKey) async throws {
        self.printer.step("The line to the bank breaks: the answer to a payment is lost")
        let orderID = try await self.order(Self.lostAmount)
        let token = try self.mint(Self.lostAmount, to: recipient)
        let reply = try await self.shop.pay(orderID, token: token.paymentToken)
        self.printer.fact("POST apple-pay/pay", "\(reply.result), of \(Self.lostAmount)")
        try self.printer.check(
            "the gateway says that it does not know yet, neither yes nor no",
            reply.resultStatus == "U" && reply.isSignatureValid, "\(reply.result): \(reply.resultMessage)")
        var inquiry = reply
        for _ in 0..<160 {
            inquiry = try await self.shop.inquire(orderID)
            if inquiry.text("paymentStatus") == "SUCCESS" { break }
            try await Task.sleep(for: .milliseconds(50))
        }
        self.printer.fact("POST inquiryPayment", "\(inquiry.result), \(inquiry.text("paymentStatus"))")
        let payment = try await self.payment(ofOrder: orderID)
        try self.printer.check(
            "the recovery worker has asked the bank: \(payment.capturedAmount) were paid, once",
            inquiry.text("paymentStatus") == "SUCCESS" && payment.state == .captured, payment.state.words)
    }
}
