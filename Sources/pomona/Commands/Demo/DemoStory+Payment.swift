//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ApplePayToken
import BaseEncoding
import Clients
import Foundation
import Gateway
import Money
import Payments
import Storefront
import StrictJSON
import Time
import WalletSimulator

extension DemoStory {
    /// An order that has been paid.
    struct Paid: Sendable {
        let orderID: String
        let token: MintedToken
    }

    /// The main road: order, payment sheet, token, authorization and capture.
    func pay(_ recipient: ProcessingPublicKey) async throws -> Paid {
        let orderID = try await self.order(Self.amount, title: "The shop asks the gateway for an order")
        let token = try self.mint(Self.amount, to: recipient)
        self.printer.step("The buyer double-clicks; the phone makes a token")
        self.describe(token)
        try self.verify(token)

        self.printer.step("The shop hands the token in; the gateway opens it and the bank says yes")
        let reply = try await self.shop.pay(orderID, token: token.paymentToken)
        self.printer.fact("POST apple-pay/pay", "\(reply.result), payment status \(reply.text("paymentStatus"))")
        try self.printer.check(
            "the gateway answers success, and signed it", reply.resultCode == "SUCCESS" && reply.isSignatureValid,
            "\(reply.result): \(reply.resultMessage)")
        let payment = try await self.payment(ofOrder: orderID)
        self.describe(payment)
        try self.printer.check(
            "\(Self.amount) are authorized and captured",
            payment.state == .captured && payment.capturedAmount == Self.amount, payment.state.words)
        return Paid(orderID: orderID, token: token)
    }

    /// Creates an order through the wire.
    /// - Returns: its id.
    func order(_ amount: Money, title: String? = nil) async throws -> String {
        let reference = "shop-" + Hex.encode(Surroundings.system.random(6))
        let reply = try await self.shop.order(reference, amount)
        let orderID = reply.text("paymentId")
        guard let title else {
            guard reply.resultCode == "PAYMENT_IN_PROCESS" else {
                throw CommandFailure(
                    .demoExpectationFailed, stage: .demo,
                    "An order was refused: \(reply.result). \(reply.resultMessage)")
            }
            return orderID
        }
        self.printer.step(title)
        self.printer.fact(
            "POST apple-pay/preOrder", "\(reply.result), asked with the shop's RSA signature")
        self.printer.fact("order", "\(orderID), \(amount), until \(reply.text("paymentExpireTime"))")
        let networks = reply.body.json?["applePayParams"]?["supportedNetworks"]?.array?.compactMap(\.string) ?? []
        self.printer.fact(
            "payment sheet",
            "\(reply.sheetText("label")), \(reply.sheetText("amount")) \(reply.sheetText("currencyCode")), "
                + "\(networks.joined(separator: ", "))"
        )
        try self.printer.check(
            "the order waits for Apple Pay, and the gateway's reply is signed",
            reply.resultCode == "PAYMENT_IN_PROCESS" && reply.isSignatureValid,
            "\(reply.result): \(reply.resultMessage)")
        return orderID
    }

    func mint(_ amount: Money, to recipient: ProcessingPublicKey, by phone: SimulatedDevice? = nil) throws
        -> MintedToken
    {
        try (phone ?? self.phone).mint(
            PaymentRequest(
                merchantIdentifier: self.merchant.merchantIdentifier, amountMinorUnits: amount.minorUnits,
                currencyCode: amount.currency.numericText),
            card: .visa, recipient: recipient, signingTime: Timestamp.now().date)
    }

    /// The payment of an order as the store has it.
    func payment(ofOrder orderID: String) async throws -> Payment {
        guard let id = OrderID(orderID),
            let payment = try await self.application.gateway.administration.read({
                try $0.payments(PaymentQuery(orderID: id, limit: 1)).first
            })
        else { throw CommandFailure(.paymentUnknown, stage: .demo, "The store has no payment for the order.") }
        return payment
    }
}

// MARK: - What is shown

extension DemoStory {
    private func describe(_ token: MintedToken) {
        let parts = token.parts
        self.printer.fact(
            "paymentData",
            "\(token.paymentData["version"]?.string ?? ""), \(parts.data.count) bytes sealed, CMS signature of "
                + "\(parts.signature.count) bytes"
        )
        self.printer.fact("transaction id", token.transactionIdentifier)
        self.printer.fact("encrypted to", "the key with the hash \(Data(parts.publicKeyHash).base64EncodedString())")
    }

    /// The first half of what the gateway does with a token, which needs no key and so can be watched from here.
    private func verify(_ token: MintedToken) throws {
        let root = try TrustAnchor(certificatePEM: try FileSystem.readText(self.application.directory.trustRootPath))
        let verifier = TokenVerifier(trustRoots: [root])
        let now = Timestamp.now()
        let unverified = try UnverifiedToken(json: token.paymentData)
        let verified = try verifier.verify(unverified, at: now.date)
        let inspection = TokenInspection(unverified, with: verifier, at: now.date)
        let passed = inspection.findings.count { $0.outcome == .passed }
        self.printer.fact("1. verified", "\(passed) of \(inspection.findings.count) checks passed")
        self.printer.fact("   signer", self.commonName(.leaf, in: inspection))
        self.printer.fact("   issued by", self.commonName(.intermediate, in: inspection))
        self.printer.fact("   under the root", verified.anchor.label)
        self.printer.fact("   signing time", Timestamp(verified.signingTime).rfc3339Seconds)
        try self.printer.check("the token is genuine: signature, certificates and age", inspection.isSound)
    }

    private func commonName(_ role: TokenInspection.CertificateSummary.Role, in inspection: TokenInspection) -> String {
        let subject = inspection.certificates.first { $0.role == role }?.subject ?? ""
        let name = subject.split(separator: ",").first { $0.hasPrefix("CN=") }
        return name.map { String($0.dropFirst(3)) } ?? "nobody"
    }

    private func describe(_ payment: Payment) {
        self.printer.fact(
            "2. decrypted",
            "device account number \(payment.instrument.maskedPAN) (the buyer's card is "
                + "\(payment.instrument.displayName ?? "not named"))"
        )
        self.printer.fact(
            "",
            "expires "
                + "\(payment.instrument.expiryYearMonth.suffix(2))/\(payment.instrument.expiryYearMonth.prefix(2)), "
                + "ECI \(payment.instrument.eci ?? "none"), 3-D Secure cryptogram passed on and forgotten"
        )
        let answer = payment.authorization?.answer
        self.printer.fact(
            "3. authorized",
            "approval \(answer?.authorizationCode ?? "none"), response \(answer?.responseCode ?? "none"), reference "
                + "\(answer?.reference ?? "none")"
        )
        self.printer.fact("4. captured", "\(payment.capturedAmount), payment \(payment.id)")
    }
}

extension Reading {
    /// A member of the parameters for the payment sheet.
    fileprivate func sheetText(_ name: String) -> String { self["applePayParams.\(name)"] ?? "" }
}
