//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AlphaPay
import ApplePayToken
import CryptoExtras
import DialectKit
import Foundation
import Gateway
import HTTPTypes
import MemoryStore
import Payments
import Redaction
import SimulatorAcquirer
import StrictJSON
import SwiftASN1
import Time
import WalletSimulator
import X509

/// A gateway with one sandbox merchant, and all that a shop needs to call it: keys, a clock, a wallet.
struct TestShop: Sendable {
    static let merchantCode = "CXVJIU"
    static let merchantIdentifier = "merchant.com.example.shop"

    let gateway: Gateway
    let alphaPay: AlphaPay
    let store: MemoryStore
    let book: SimulatorBook
    let script: SimulatorScript
    let clock: TestClock
    let log: CapturedLog
    let merchantID: MerchantID
    let recipient: ProcessingPublicKey

    /// - Parameter settings: the account's settings beyond those of the draft.
    static func open(
        settings extra: [String: String] = [:], mode: Mode = .sandbox, nonces: NonceMemory = NonceMemory()
    ) async throws -> TestShop {
        let clock = TestClock(Timestamp(seconds: Int64(Keys.now.timeIntervalSince1970)))
        let store = MemoryStore()
        let book = try SimulatorBook.inMemory()
        let script = SimulatorScript()
        let log = CapturedLog()
        let root = try TrustAnchor(certificatePEM: try Keys.authority.rootCertificatePEM)
        var parts = GatewayParts(
            store: store, acquirers: [SimulatorAcquirer(book: book, script: script)],
            masterKey: Redacted(Self.randomBytes(32)), clock: { clock.now }, random: Self.randomBytes,
            sleep: Self.sleepUntilCancelled, logger: log.logger)
        parts.sandboxTrustRoots = mode == .sandbox ? [root] : []
        parts.liveTrustRoots = mode == .live ? [root] : []
        let gateway = try await Gateway.start(parts)
        let merchant = try await gateway.createMerchant(
            name: "alphapay", displayName: "Demo Merchant", mode: mode, acquirer: AcquirerName("simulator"),
            countryCode: "CA")
        let draft = AlphaPay.accountDraft(
            merchantPublicKeyPEM: try Keys.merchant.publicKey.pemRepresentation,
            gatewayPrivateKeyPEM: Redacted(try Keys.gateway.pemRepresentation),
            gatewayPublicKeyPEM: try Keys.gateway.publicKey.pemRepresentation)
        try await gateway.putAccount(
            merchant: merchant.id, dialect: AlphaPay.dialectName, key: Self.merchantCode,
            settings: draft.settings.merging(extra) { $1 }, secrets: draft.secrets)
        let recipient = try await Self.certify(merchant.id, Self.merchantIdentifier, gateway)
        return TestShop(
            gateway: gateway, alphaPay: AlphaPay(gateway: gateway, nonces: nonces), store: store, book: book,
            script: script, clock: clock, log: log, merchantID: merchant.id, recipient: recipient)
    }

    /// Onboards a second merchant with the same keys; with a merchant identifier, its processing key is certified.
    @discardableResult
    func addMerchant(
        _ code: String, mode: Mode = .sandbox, acquirer: String = "simulator", merchantIdentifier: String? = nil
    ) async throws -> ProcessingPublicKey? {
        let merchant = try await self.gateway.createMerchant(
            name: code.lowercased(), displayName: code, mode: mode, acquirer: AcquirerName(acquirer), countryCode: "CA")
        let draft = AlphaPay.accountDraft(
            merchantPublicKeyPEM: try Keys.merchant.publicKey.pemRepresentation,
            gatewayPrivateKeyPEM: Redacted(try Keys.gateway.pemRepresentation),
            gatewayPublicKeyPEM: try Keys.gateway.publicKey.pemRepresentation)
        try await self.gateway.putAccount(
            merchant: merchant.id, dialect: AlphaPay.dialectName, key: code, settings: draft.settings,
            secrets: draft.secrets)
        guard let merchantIdentifier else { return nil }
        return try await Self.certify(merchant.id, merchantIdentifier, self.gateway)
    }

    /// Has the merchant's processing key certified by the test authority.
    static func certify(
        _ merchant: MerchantID, _ identifier: String, _ gateway: Gateway
    ) async throws -> ProcessingPublicKey {
        let request = try await gateway.createSigningRequest(
            merchant: merchant, purpose: .paymentProcessing, merchantIdentifier: identifier)
        let certificate = try Keys.authority.issue(
            .paymentProcessing, merchantIdentifier: identifier, signingRequestPEM: request, now: Keys.now)
        let pem = try certificate.serializeAsPEM().pemString
        _ = try await gateway.importCertificate(merchant: merchant, bytes: Array(pem.utf8))
        return try ProcessingPublicKey(certificate: certificate)
    }

    /// The acquirer's deadline never passes here.
    static let sleepUntilCancelled: @Sendable (Int64) async throws -> Void = { _ in
        let (never, continuation) = AsyncStream<Void>.makeStream()
        for await _ in never {}
        continuation.finish()
        try Task.checkCancellation()
    }

    static let randomBytes: @Sendable (Int) -> [UInt8] = { count in
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
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
        try SimulatedDevice(authority: try Keys.authority).mint(
            PaymentRequest(
                merchantIdentifier: merchantIdentifier, amountMinorUnits: value, currencyCode: currencyCode),
            card: card, recipient: recipient ?? self.recipient,
            signingTime: Date(timeIntervalSince1970: TimeInterval(self.clock.now.seconds)), options: options)
    }

    /// Moves the clock past the grace of recovery, and recovers until nothing is open any more.
    func recover() async {
        for _ in 0..<10 {
            self.clock.advance(seconds: 61)
            let report = await self.gateway.recover()
            if report.examinedCount == 0, report.openCount == 0 { return }
        }
    }
}
