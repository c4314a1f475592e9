//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AlphaPay
import CryptoExtras
import DialectKit
import Foundation
import Gateway
import HTTPTypes
import Payments
import Redaction
import SimulatorAcquirer
import StrictJSON
import TestGateway
import Time
import WalletSimulator

/// A gateway with one sandbox merchant, and all that a shop needs to call it: keys, a clock, a wallet.
struct TestShop: Sendable {
    static let merchantCode = "CXVJIU"
    static let merchantIdentifier = "merchant.com.example.shop"

    let test: TestGateway
    let alphaPay: AlphaPay
    let merchant: TestMerchant

    var gateway: Gateway { self.test.gateway }
    var store: any PaymentStore { self.test.store }
    var book: SimulatorBook { self.test.book }
    var script: SimulatorScript { self.test.script }
    var clock: TestClock { self.test.clock }
    var log: CapturedLog { self.test.log }
    var merchantID: MerchantID { self.merchant.id }

    /// - Parameter settings: the account's settings beyond those of the draft.
    static func open(
        settings extra: [String: String] = [:], mode: Mode = .sandbox, nonces: NonceMemory = NonceMemory(),
        limits: CallerLimits = .none, store: (any PaymentStore)? = nil
    ) async throws -> TestShop {
        let test = try await TestGateway.open(mode: mode, store: store)
        let merchant = try await Self.addMerchant(to: test, Self.merchantCode, settings: extra)
        return TestShop(
            test: test, alphaPay: AlphaPay(gateway: test.gateway, nonces: nonces, limits: limits),
            merchant: merchant)
    }

    /// Onboards a merchant with the test keys.
    static func addMerchant(
        to test: TestGateway, _ code: String, settings extra: [String: String] = [:], mode: Mode? = nil,
        acquirer: String? = "simulator", merchantIdentifier: String? = TestShop.merchantIdentifier
    ) async throws -> TestMerchant {
        let draft = AlphaPay.accountDraft(
            merchantPublicKeyPEM: try Keys.merchant.publicKey.pemRepresentation,
            gatewayPrivateKeyPEM: Redacted(try Keys.gateway.pemRepresentation),
            gatewayPublicKeyPEM: try Keys.gateway.publicKey.pemRepresentation)
        return try await test.addMerchant(
            dialect: AlphaPay.dialectName, key: code, settings: draft.settings.merging(extra) { $1 },
            secrets: draft.secrets, mode: mode, certified: merchantIdentifier != nil,
            merchantIdentifier: merchantIdentifier ?? "", acquirer: acquirer)
    }

    /// Onboards a second merchant with the same keys; with a merchant identifier, its processing key is certified.
    @discardableResult
    func addMerchant(
        _ code: String, mode: Mode = .sandbox, acquirer: String? = "simulator", merchantIdentifier: String? = nil
    ) async throws -> ProcessingPublicKey? {
        try await Self.addMerchant(
            to: self.test, code, mode: mode, acquirer: acquirer, merchantIdentifier: merchantIdentifier
        ).recipient
    }
}

// MARK: - Calling

extension TestShop {
    /// Sends a call that is right in every way, but for what the closure changes.
    @discardableResult
    func call(
        _ endpoint: String, _ body: JSON, change: (inout SignedCall) throws -> Void = { _ in }
    ) async throws -> Reply {
        try await self.call(endpoint, bytes: body.serialized(), change: change)
    }

    func call(
        _ endpoint: String, bytes: [UInt8], change: (inout SignedCall) throws -> Void = { _ in }
    ) async throws -> Reply {
        var call = SignedCall(path: "/api/v2.0/payments/" + endpoint, body: bytes, time: self.clock.now.description)
        try change(&call)
        let request = try call.request()
        return try Reply(await self.alphaPay.respond(to: request), to: request)
    }

    /// A preOrder.
    @discardableResult
    func order(
        _ value: String, id: String = UUID().uuidString, notifyURL: String? = "https://shop.example/notify"
    ) async throws -> Reply {
        try await self.call("apple-pay/preOrder", Self.orderBody(value, id: id, notifyURL: notifyURL))
    }

    static func orderBody(_ value: String, id: String, notifyURL: String? = nil) -> JSON {
        var order = JSONObject()
        order["orderAmount"] = ["value": .string(value), "currency": "CAD"]
        order["description"] = "Two pounds of apples"
        order["notifyUrl"] = notifyURL.map(JSON.string)
        return ["paymentRequestId": .string(id), "order": .object(order)]
    }

    /// Pays an order with a new token for that amount.
    @discardableResult
    func pay(_ paymentID: String, _ value: Int64, card: SimulatedCard = .visa) async throws -> Reply {
        try await self.pay(paymentID, with: try self.token(value, card: card).paymentToken)
    }

    @discardableResult
    func pay(_ paymentID: String, with token: JSON) async throws -> Reply {
        try await self.call("apple-pay/pay", ["paymentId": .string(paymentID), "token": token])
    }

    /// Orders and pays; the payment's id.
    func paid(_ value: Int64, notifyURL: String? = "https://shop.example/notify") async throws -> String {
        let paymentID = try await self.order(String(value), notifyURL: notifyURL).paymentID
        let reply = try await self.pay(paymentID, value)
        guard reply.code == "SUCCESS" else { throw Reply.Failure(description: reply.code) }
        return paymentID
    }

    @discardableResult
    func refund(
        _ paymentID: String, _ value: String, id: String? = nil, notifyURL: String? = nil
    ) async throws -> Reply {
        try await self.call("refund", Self.refundBody(paymentID, value, id: id, notifyURL: notifyURL))
    }

    static func refundBody(_ paymentID: String, _ value: String, id: String?, notifyURL: String? = nil) -> JSON {
        var refund = JSONObject()
        refund["refundAmount"] = ["value": .string(value), "currency": "CAD"]
        refund["description"] = "Bruised"
        refund["notifyUrl"] = notifyURL.map(JSON.string)
        var body = JSONObject()
        body["paymentId"] = .string(paymentID)
        body["refundRequestId"] = id.map(JSON.string)
        body["refund"] = .object(refund)
        return .object(body)
    }

    func inquire(_ paymentID: String) async throws -> Reply {
        try await self.call("inquiryPayment", ["paymentId": .string(paymentID)])
    }

    func token(
        _ value: Int64, currencyCode: String = "124", card: SimulatedCard = .visa, options: MintOptions = MintOptions(),
        recipient: ProcessingPublicKey? = nil, merchantIdentifier: String = TestShop.merchantIdentifier
    ) throws -> MintedToken {
        guard let recipient = recipient ?? self.merchant.recipient else { throw NoProcessingKey() }
        // The authority is that of the gateway's own mode, whatever the merchant's.
        return try SimulatedDevice(authority: try TestAuthorities.authority(self.test.mode)).mint(
            PaymentRequest(
                merchantIdentifier: merchantIdentifier, amountMinorUnits: value, currencyCode: currencyCode),
            card: card, recipient: recipient,
            signingTime: Date(timeIntervalSince1970: TimeInterval(self.clock.now.seconds)), options: options)
    }

    func recover() async { await self.test.recover() }
}
