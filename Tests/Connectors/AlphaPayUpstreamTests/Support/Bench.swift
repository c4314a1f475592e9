//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AlphaPayUpstream
import ConnectorKit
import CryptoExtras
import Money
import Payments
import Redaction
import TestUpstream
import Testing
import Time

/// Accounts, tokens and requests of tests. Nothing here is anybody's.
enum Bench: ConnectorBench {
    static let at = Timestamp(seconds: 1_781_524_800)
    static let merchantCode = "POMONA"
    static let orderID = "2026061512000000042"
    static let refundID = "2026061512000000077"
    static let notifyURL = "https://pay.example/acquirers/acq/notices"

    static var saleID: OperationID { self.authorizationID }

    static func money(_ minorUnits: Int64, _ code: String = "CAD") throws -> Money {
        Money(minorUnits: minorUnits, currency: try #require(Currency.alphabetic(code)))
    }

    /// Of the shape of a real one; nobody can open it.
    static let tokenData =
        #"{"version":"EC_v1","data":"c2VhbGVkLXRva2VuLWRhdGE=","signature":"c2VhbGVkLXRva2VuLXNpZ25hdHVyZQ==","header":{"#
        + #""ephemeralPublicKey":"c2VhbGVkLXRva2VuLWtleQ==","publicKeyHash":"c2VhbGVkLXRva2VuLWhhc2g=","#
        + #""transactionId":"00aa11bb22cc33dd44ee55ff66778899"}}"#

    static let token = PaymentInstrument.sealedApplePayToken(
        SealedApplePayToken(
            paymentData: Redacted(Array(Bench.tokenData.utf8)),
            transactionIdentifier: "00AA11BB22CC33DD44EE55FF66778899", network: "Visa", methodType: "debit",
            displayName: "Visa 1234"))

    // MARK: - Accounts

    static func account(
        host: String, mode: Mode = .sandbox, settings: [String: String?] = [:], secrets: [String: String?] = [:]
    ) throws -> OpenedAcquirerAccount {
        var all = [
            "host": host, "merchantCode": self.merchantCode,
            "gatewayPublicKey": try Keys.gateway.publicKey.pemRepresentation, "notifyUrl": self.notifyURL,
        ]
        for (name, value) in settings { all[name] = value }
        var allSecrets = ["privateKey": try Keys.merchant.pkcs8PEMRepresentation]
        for (name, value) in secrets { allSecrets[name] = value }
        let account = AcquirerAccount(
            id: self.id(9), merchantID: self.id(8), name: "alphapay", connector: AlphaPayConnector.connectorName,
            mode: mode, settings: all, createdAt: self.at)
        return OpenedAcquirerAccount(account, secrets: allSecrets.mapValues { Redacted($0) })
    }

    /// With a clock that stands still and nonces that are all alike.
    static func connector(
        _ client: UpstreamClient, clock: @escaping @Sendable () -> Timestamp = { Bench.at },
        random: @escaping @Sendable (Int) -> [UInt8] = { Array(repeating: 0xAB, count: $0) }
    ) -> AlphaPayConnector {
        AlphaPayConnector(client: client, clock: clock, random: random)
    }

    // MARK: - Requests

    static let orderMemo = AcquirerMemo(["paymentId": Redacted(Bench.orderID)], handles: [Bench.orderID])
    static let refundMemo = AcquirerMemo(["refundId": Redacted(Bench.refundID)], handles: [Bench.refundID])

    /// A sale, as it is sent once its order is there.
    static func sale(
        _ amount: Money, instrument: PaymentInstrument = Bench.token, details: ChargeDetails = ChargeDetails(),
        memo: AcquirerMemo = Bench.orderMemo
    ) -> AcquirerRequest {
        self.request(
            .authorize(Charge(instrument: instrument, network: .visa, captures: true, details: details)), amount,
            operation: self.saleID, memo: memo)
    }

    static func refund(_ amount: Money, of sale: OriginalOperation? = nil) -> AcquirerRequest {
        self.request(.refund(of: sale ?? self.original(.authorization, amount), capture: nil), amount)
    }

    static func reversal(_ amount: Money, of original: OriginalOperation? = nil) -> AcquirerRequest {
        self.request(.reverse(original ?? self.original(.authorization, amount)), amount)
    }

    /// A sale unless it is said otherwise.
    static func original(
        _ kind: PaymentOperation.Kind, _ amount: Money, id: OperationID = Bench.saleID,
        memo: AcquirerMemo = Bench.orderMemo
    ) -> OriginalOperation {
        OriginalOperation(
            id: id, kind: kind, isSale: kind == .authorization, amount: amount, begunAt: self.at,
            authorizedTotal: amount, capturedTotal: amount, memo: memo)
    }

    // MARK: - Calls

    static let noAnswer = StubUpstream.noAnswer

    /// Runs a body with an acquirer that talks to a stub.
    static func with<Value: Sendable>(
        settings: [String: String?] = [:], secrets: [String: String?] = [:], script: @escaping StubUpstream.Script,
        _ body: (any Acquirer, StubUpstream) async throws -> Value
    ) async throws -> Value {
        try await StubUpstream.with(script) { stub, client in
            let account = try self.account(host: stub.url, settings: settings, secrets: secrets)
            return try await body(try self.connector(client).open(account), stub)
        }
    }

    /// What an acquirer makes of one request, where every call gets the same answer, signed.
    static func outcome(of request: AcquirerRequest, _ answer: String) async throws -> AcquirerOutcome {
        try await self.with(script: Signed.always(answer)) { acquirer, _ in
            await acquirer.perform(request)
        }
    }
}
