//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import PassKit
import Server
import StrictJSON
import SwiftASN1
import TPDirect
import TestProcesses
import Testing
import WalletSimulator
import X509

@testable import pomona

/// The SDK for iOS against a running sandbox: from the button over the sheet to the prime, to pay-by-prime on the
/// shop's server, and back to the sheet's result.
///
/// One after the other, since an app has one `TPDSetup`.
@Suite(.serialized) struct TPDirectSandboxTests {
    private static func run(_ body: @escaping @MainActor @Sendable (AppAndServer, [String]) async throws -> Void)
        async throws
    {
        let folder = try CliFolder()
        var configuration = ApplicationConfiguration.sandbox(DataDirectory(path: folder.file("data")))
        configuration.listeners = [
            ApplicationConfiguration.Listener(host: "127.0.0.1", port: 0),
            ApplicationConfiguration.Listener(host: "127.0.0.1", port: 0, tls: .sandboxAuthority),
        ]
        configuration.applePort = 0
        configuration.logLevel = .critical
        let application = try await Application.build(configuration)
        let directory = application.directory
        try await application.withRunning { addresses in
            let app = try await AppAndServer(directory: directory, url: addresses[0].url)
            try await body(app, addresses.map(\.url))
        }
    }

    @Test func paysFromTheButtonToTheLedger() async throws {
        try await Self.run { app, _ in
            let sheet = try await app.click()
            #expect(sheet.total?.amount == 100)
            try sheet.choose(.mastercardDebit)
            #expect(sheet.total?.amount == 99)
            try sheet.authorize()
            #expect(await sheet.result() == .success)
            sheet.finishShowing()
            #expect(app.ends == ["succeeded 99 0"])
            #expect(app.cardInfo?.bincode == "520425")
            #expect(app.cardInfo?.funding == 1)
            #expect(app.cardInfo?.lastFour?.count == 4)
            #expect(app.cardInfo?.cardType == 2)
            #expect(app.consumer.clientIP == "127.0.0.1")
            #expect(app.prime.hasPrefix("test_"))
            #expect(app.answer["status"]?.integer == 0)
            #expect(app.answer["amount"]?.integer == 99)
            #expect(app.answer["currency"]?.string == "TWD")
            #expect(app.answer["card_info"]?["last_four"]?.string == app.cardInfo?.lastFour)
            let query = try await app.call(
                "transaction/query", ["filters": ["rec_trade_id": app.answer["rec_trade_id"] ?? .null]])
            let record = try #require(query["trade_records"]?.array?.first, "\(query.text())")
            #expect(record["amount"]?.integer == 99)
        }
    }

    @Test func deferredPaymentTakesItsAmountFromPayByPrime() async throws {
        try await Self.run { app, _ in
            app.cart.isAmountPending = true
            app.cart.isShowTotalAmount = false
            app.cart.add(TPDPaymentItem.pendingPaymentItem(withItemName: "NT$5 per miles"))
            app.amount = 345
            let before = Date()
            let sheet = try await app.click()
            #expect(sheet.total?.type == .pending)
            try sheet.authorize()
            #expect(await sheet.result() == .success)
            sheet.finishShowing()
            #expect(app.answer["amount"]?.integer == 345)
            let days = (app.expiryMillis / 1000 - Int(before.timeIntervalSince1970)) / 86_400
            #expect((29...30).contains(days))
        }
    }

    @Test func ordinaryPrimePaysItsAmountOnly() async throws {
        try await Self.run { app, _ in
            app.amount = 101
            let before = Date()
            let sheet = try await app.click()
            try sheet.authorize()
            #expect(await sheet.result() == .failure)
            sheet.cancel()
            #expect(app.ends == ["failed -1"])
            #expect(app.answer["status"]?.integer != 0)
            // 90 seconds from when it was made, which was between the two.
            let made = Double(app.expiryMillis) / 1000 - 90
            #expect(made >= before.timeIntervalSince1970 - 1 && made <= Date().timeIntervalSince1970 + 1)
        }
    }

    @Test func reportsTheGatewaysRefusals() async throws {
        try await Self.run { app, _ in
            TPDSetup.setWithAppId(12345, withAppKey: "app_of_another_app", with: .sandBox)
            let sheet = try await app.click()
            try sheet.authorize()
            #expect(await sheet.result() == .failure)
            sheet.cancel()
            let end = try #require(app.ends.first)
            #expect(["failed 16", "failed 80"].contains(end), "\(end)")
            #expect(app.prime.isEmpty)
        }
    }

    @Test func tokenOfAnotherMerchantGetsNoPrime() async throws {
        try await Self.run { app, _ in
            app.merchant.applePayMerchantIdentifier = "merchant.dev.pomona.other"
            app.wallet = try AppAndServer.wallet(app.directory, merchantIdentifier: "merchant.dev.pomona.other")
            let sheet = try await app.click()
            try sheet.authorize()
            #expect(await sheet.result() == .failure)
            sheet.cancel()
            #expect(app.prime.isEmpty)
            #expect(app.ends.first?.hasPrefix("failed ") == true)
            #expect(app.ends != ["failed 5"])
        }
    }

    /// examples/swift/PayInApp, in a process of its own.
    @Test func theSampleAppGetsItsPrime() async throws {
        try await Self.run { app, urls in
            let program = CliTool.pomona.deletingLastPathComponent().appendingPathComponent("PayInApp").path
            let text = try await Command([
                program, urls[0], try app.card.value("appId"), try app.card.value("appKey"),
                app.card.merchantIdentifier, app.card.processingCertificatePath, app.directory.authorityPath,
            ]).runWell()
            #expect(text.wholeMatch(of: /prime test_\w+ of a card that ends with \d{4}\s*/) != nil, "\(text)")
        }
    }

    @Test func aGatewayThatTheDeviceDoesNotTrustGivesNoPrime() async throws {
        try await Self.run { app, urls in
            try TPDSetup.setHost(URL(string: urls[1]))
            let sheet = try await app.click()
            try sheet.authorize()
            #expect(await sheet.result() == .failure)
            sheet.cancel()
            // Foundation's networking on Linux does not say that it was the certificate; Apple's does.
            #if os(Linux)
            #expect(app.ends == ["failed 421"])
            #else
            #expect(app.ends == ["failed 1003"])
            #endif
            #expect(app.prime.isEmpty)
        }
    }
}

/// An app with its sheet, and the shop's server behind it.
@MainActor final class AppAndServer: NSObject, TPDApplePayDelegate {
    let directory: DataDirectory
    let card: MerchantCard
    let merchant = TPDMerchant()
    let consumer = TPDConsumer()
    let cart = TPDCart()
    var wallet: SimulatedWallet
    /// What the server asks for; the cart's total unless set.
    var amount: Int64?
    private(set) var prime = ""
    private(set) var expiryMillis = 0
    private(set) var cardInfo: TPDCardInfo?
    private(set) var answer: JSON = [:]
    private(set) var ends: [String] = []
    private let url: String

    init(directory: DataDirectory, url: String) throws {
        self.directory = directory
        self.url = url
        self.card = try directory.loadMerchant("tappay")
        self.wallet = try Self.wallet(directory, merchantIdentifier: self.card.merchantIdentifier)
        self.merchant.merchantName = "TapPay!"
        self.merchant.applePayMerchantIdentifier = self.card.merchantIdentifier
        self.merchant.supportedNetworks = TPDMerchant.availableNetworks()
        self.cart.add(TPDPaymentItem(itemName: "Book", withAmount: NSDecimalNumber(string: "100.00")))
        super.init()
        TPDSetup.setWithAppId(
            Int32(try self.card.value("appId")) ?? 0, withAppKey: try self.card.value("appKey"), with: .sandBox)
        try TPDSetup.setHost(URL(string: url))
    }

    static func wallet(_ directory: DataDirectory, merchantIdentifier: String) throws -> SimulatedWallet {
        let certificate = try Certificate(
            pemEncoded: FileSystem.readText(directory.loadMerchant("tappay").processingCertificatePath))
        return SimulatedWallet(
            device: SimulatedDevice(authority: try directory.loadAuthority()),
            recipients: [merchantIdentifier: try ProcessingPublicKey(certificate: certificate)], now: { Date() })
    }

    /// Clicks the button.
    func click() async throws -> SimulatedSheet {
        let applePay = TPDApplePay.setupWthMerchant(
            self.merchant, with: self.consumer, with: self.cart, withDelegate: self)
        await self.wallet.inHand { applePay.startPayment() }
        return try #require(self.wallet.sheet, "\(self.ends)")
    }

    func call(_ path: String, _ members: JSON) async throws -> JSON {
        var body = members.object ?? JSONObject()
        let key = try self.card.value("partnerKey")
        body["partner_key"] = .string(key)
        var request = HTTPClientRequest(url: "\(self.url)/tpc/\(path)")
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.headers.add(name: "x-api-key", value: key)
        request.body = .bytes(ByteBuffer(bytes: JSON.object(body).serialized()))
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
        return try JSON.parse(Array(try await response.body.collect(upTo: 1 << 20).readableBytesView))
    }

    private func pay() async throws -> JSON {
        try await self.call(
            "payment/pay-by-prime",
            [
                "prime": .string(self.prime), "merchant_id": .string(try self.card.value("merchantId")),
                "amount": JSON(self.amount ?? self.cart.totalAmount?.int64Value ?? 0), "currency": "TWD",
                "details": "A book",
                "cardholder": ["phone_number": "+886923456789", "name": "TapPay", "email": "a@example.com"],
            ])
    }

    func tpdApplePay(
        _ applePay: TPDApplePay!, didReceivePrime prime: String!, withExpiryMillis expiryMillis: Int,
        withCardInfo cardInfo: TPDCardInfo, withMerchantReferenceInfo merchantReferenceInfo: [AnyHashable: Any]!
    ) {
        self.prime = prime
        self.expiryMillis = expiryMillis
        self.cardInfo = cardInfo
        guard let applePay else { return }
        Task {
            do {
                self.answer = try await self.pay()
            } catch {
                Issue.record(error)
            }
            applePay.showPaymentResult(self.answer["status"]?.integer == 0)
        }
    }

    func tpdApplePay(_ applePay: TPDApplePay!, didSelect paymentMethod: PKPaymentMethod!, cart: TPDCart!) -> TPDCart! {
        if paymentMethod.type == .debit {
            self.cart.add(TPDPaymentItem(itemName: "Discount", withAmount: NSDecimalNumber(string: "-1.00")))
        }
        return self.cart
    }

    func tpdApplePay(_ applePay: TPDApplePay!, didSuccessPayment result: TPDTransactionResult!) {
        self.ends.append("succeeded \(result.amount.stringValue) \(result.status)")
    }

    func tpdApplePay(_ applePay: TPDApplePay!, didFailurePayment result: TPDTransactionResult!) {
        self.ends.append("failed \(result.status)")
    }
}
