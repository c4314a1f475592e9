//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Money
import Payments
import Redaction
import TestUpstream
import Testing
import Time

@testable import TapPayUpstream

/// Accounts, requests and instruments of these tests.
enum Bench: ConnectorBench {
    static let merchantID = "GlobalTesting_CTBC"
    static let appleMerchantID = "merchant.com.example.shop"
    static let appKey = "app_Yw7kQ2mZr5TxLp9vNc3HbD8f"
    static let secondAppKey = "app_Zx8lR3nAs6UyMq0wOd4IcE9g"
    static let partnerKey = "partner_Jq4Xn8VbT2mKz6RwLc9Hs5Pd"
    static let secondPartnerKey = "partner_Kr5Yo9WcU3nLa7SxMd0It6Qe"
    static let keys = ["appKey": Bench.appKey, "partnerKey": Bench.partnerKey]
    static let prime = "test_3a2fb2b7e892b914a03c95dd4dd5dc7970c908df67a49527c0a648b2bc9"
    static let trade = "D20250615Uxy4ZR"
    static let refundTrade = "RF20250615abc"

    /// A token that a stub takes: nobody opens it.
    static let paymentData = """
        {"data":"c2VhbGVkLXRva2VuLWRhdGE=","header":{"ephemeralPublicKey":"ZXBoZW1lcmFsLWtleQ==",\
        "publicKeyHash":"cHVibGljLWtleS1oYXNo","transactionId":"31323334353637"},\
        "signature":"c2lnbmF0dXJlLWJ5dGVz","version":"EC_v1"}
        """

    static func money(_ minorUnits: Int64, _ code: String = "TWD") throws -> Money {
        Money(minorUnits: minorUnits, currency: try #require(Currency.alphabetic(code)))
    }

    // MARK: - Accounts

    static func account(
        host: String? = nil, mode: Mode = .sandbox, settings: [String: String?] = [:],
        secrets: [String: String] = Bench.keys
    ) -> OpenedAcquirerAccount {
        var all = ["appId": "12345", "merchantId": self.merchantID, "appleMerchantId": self.appleMerchantID]
        all["host"] = host
        for (name, value) in settings { all[name] = value }
        let account = AcquirerAccount(
            id: self.id(9), merchantID: self.id(8), name: "tappay", connector: TapPayConnector.connectorName,
            mode: mode, settings: all, createdAt: self.at)
        return OpenedAcquirerAccount(account, secrets: secrets.mapValues { Redacted($0) })
    }

    // MARK: - Requests

    static func charge(
        captures: Bool = false, details: ChargeDetails = ChargeDetails(), paymentData: String = Bench.paymentData
    ) -> Charge {
        Charge(
            instrument: .sealedApplePayToken(SealedApplePayToken(paymentData: Redacted(Array(paymentData.utf8)))),
            network: .visa, captures: captures, details: details)
    }

    static func original(
        _ kind: PaymentOperation.Kind = .authorization, _ amount: Money, isSale: Bool = false,
        id: OperationID = Bench.authorizationID, captured: Money? = nil, trade: String? = Bench.trade,
        refund: String? = nil
    ) -> OriginalOperation {
        OriginalOperation(
            id: id, kind: kind, isSale: isSale, amount: amount, begunAt: self.at, authorizedTotal: amount,
            capturedTotal: captured ?? .zero(amount.currency), memo: AcquirerMemo(trade: trade, refund: refund))
    }

    /// What is asked after once its own memo has been prepared.
    static func query(
        _ kind: PaymentOperation.Kind, _ amount: Money, about original: OriginalOperation,
        with acquirer: any Acquirer,
        id: OperationID = Bench.operationID
    ) async -> AcquirerQuery {
        let action: AcquirerRequest.Action =
            switch kind {
            case .capture: .capture(of: original, isFinal: true)
            case .refund: .refund(of: original, capture: nil)
            case .reversal: .reverse(original)
            default: .void(original)
            }
        var memo = AcquirerMemo()
        if case .ready(let prepared) = await acquirer.prepare(self.request(action, amount, operation: id)) {
            memo = prepared
        }
        return self.query(
            OriginalOperation(
                id: id, kind: kind, amount: amount, begunAt: self.at, authorizedTotal: amount,
                capturedTotal: .zero(amount.currency), memo: memo))
    }

    /// Runs a body with an acquirer that talks to a stub.
    static func with<Value: Sendable>(
        settings: [String: String?] = [:], secrets: [String: String] = Bench.keys,
        script: @escaping StubUpstream.Script, _ body: (any Acquirer, StubUpstream) async throws -> Value
    ) async throws -> Value {
        try await StubUpstream.with(script) { stub, client in
            let account = self.account(host: stub.url, settings: settings, secrets: secrets)
            return try await body(try TapPayConnector(client: client).open(account), stub)
        }
    }

    /// Runs a body with a stub that answers by path, and a prime where nothing else is said.
    static func with<Value: Sendable>(
        answers: [String: String], settings: [String: String?] = [:],
        _ body: (any Acquirer, StubUpstream) async throws -> Value
    ) async throws -> Value {
        var all = ["/tpc/applepay/getprime": TestReply.prime]
        for (path, answer) in answers { all["/tpc/" + path] = answer }
        let texts = all
        return try await self.with(
            settings: settings,
            script: { request, _ in
                texts[request.path].map { StubAnswer(status: 200, body: $0) } ?? StubAnswer(status: 500, body: "")
            }, body)
    }
}
