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

@testable import RadialUpstream

/// Accounts, tokens and requests of tests. Nothing here is anybody's.
enum Bench: ConnectorBench {
    static let storeID = "POMONA"
    static let apiKey = "k3y-0f-a-test-st0re"
    static let secondKey = "an0ther-k3y-0f-a-test"
    static let noticeUser = "radial"
    static let noticePassword = "w3bh00k-0f-a-test"
    static let secrets = ["apikey": Bench.apiKey, "webhookPassword": Bench.noticePassword]

    /// Parts that look like a token's, and open to nobody.
    static let tokenParts = (
        data: "ZGF0YS1vZi1hLXRlc3QtdG9rZW4=", signature: "c2lnbmF0dXJlLW9mLWEtdGVzdC10b2tlbg==",
        key: "ZXBoZW1lcmFsLWtleS1vZi1hLXRlc3Q=", hash: "aGFzaC1vZi1hLWtleQ=="
    )

    static let orderID = Bench.paymentID.shortName

    static func money(_ minorUnits: Int64, _ code: String = "USD") throws -> Money {
        Money(minorUnits: minorUnits, currency: try #require(Currency.alphabetic(code)))
    }

    // MARK: - Accounts

    static func account(
        host: String?, mode: Mode = .sandbox, settings: [String: String] = [:],
        secrets: [String: String] = Bench.secrets
    ) -> OpenedAcquirerAccount {
        var all = ["storeId": self.storeID, "webhookUser": self.noticeUser]
        all["host"] = host
        all.merge(settings) { $1 }
        let account = AcquirerAccount(
            id: self.id(9), merchantID: self.id(8), name: "radial", connector: RadialConnector.connectorName,
            mode: mode, acceptor: CardAcceptor(), settings: all, createdAt: self.at)
        return OpenedAcquirerAccount(account, secrets: secrets.mapValues { Redacted($0) })
    }

    // MARK: - Requests

    static let billing = PostalAddress(
        lines: ["123 Main St"], city: "Philadelphia", mainDivision: "PA", postalCode: "19019", countryCode: "US")
    static let customer = Customer(
        firstName: "John", lastName: "Smith", email: "customer@sample.com", phone: "6101234567",
        ipAddress: "208.247.73.130")

    static func charge(
        version: String = "EC_v1", captures: Bool = false,
        details: ChargeDetails = ChargeDetails(customer: Bench.customer, billing: Bench.billing)
    ) -> Charge {
        let parts = self.tokenParts
        let header =
            #"{"ephemeralPublicKey":"\#(parts.key)","publicKeyHash":"\#(parts.hash)","transactionId":"84a7e17570c9"}"#
        let data =
            #"{"data":"\#(parts.data)","header":\#(header),"signature":"\#(parts.signature)","version":"\#(version)"}"#
        return Charge(
            instrument: .sealedApplePayToken(
                SealedApplePayToken(paymentData: Redacted(Array(data.utf8)), transactionIdentifier: "84A7E17570C9")),
            network: .visa, captures: captures, details: details)
    }

    /// What an approved authorization leaves behind.
    static let memo = AcquirerMemo([
        "PaymentAccountUniqueId": Redacted("4054131ImpMJ6965"), "TenderType": Redacted("VC"),
        "BankAuthorizationCode": Redacted("614653"),
    ])

    /// What is noted when it is answered: the same, and the name by which the event of a cancellation finds the payment.
    static let noted = AcquirerMemo(Bench.memo.entries, handles: ["order/\(Bench.orderID)"])

    static func original(
        _ kind: PaymentOperation.Kind = .authorization, _ amount: Money, id: OperationID = Bench.authorizationID,
        memo: AcquirerMemo = Bench.memo
    ) -> OriginalOperation {
        OriginalOperation(
            id: id, kind: kind, amount: amount, begunAt: self.at, authorizedTotal: amount,
            capturedTotal: .zero(amount.currency), memo: memo)
    }

    /// Asks after an authorization, or a sale.
    ///
    /// - Parameter noted: beside the account.
    static func query(
        _ amount: Money, isSale: Bool = false, _ noted: [String: String] = [:], memo: AcquirerMemo = Bench.memo,
        at: Timestamp = Bench.at.adding(seconds: 60)
    ) -> AcquirerQuery {
        let notes = AcquirerMemo(noted.mapValues { Redacted($0) })
        let original = OriginalOperation(
            id: self.authorizationID, kind: .authorization, isSale: isSale, amount: amount, begunAt: self.at,
            answer: TestReply.answer, authorizedTotal: .zero(amount.currency), capturedTotal: .zero(amount.currency),
            memo: memo.merging(notes))
        return AcquirerQuery(paymentID: self.paymentID, merchantID: self.id(8), original: original, at: at)
    }

    // MARK: - Calls

    /// Runs a body with an acquirer that talks to a stub.
    static func with<Value: Sendable>(
        settings: [String: String] = [:], secrets: [String: String] = Bench.secrets,
        script: @escaping StubUpstream.Script, _ body: (any Acquirer, StubUpstream) async throws -> Value
    ) async throws -> Value {
        try await StubUpstream.with(script) { stub, client in
            let account = self.account(host: stub.url, settings: settings, secrets: secrets)
            return try await body(try RadialConnector(client: client).open(account), stub)
        }
    }
}

extension Acquirer {
    /// Prepares an operation and performs it, as the gateway does.
    func perform(preparing request: AcquirerRequest) async -> AcquirerOutcome {
        switch await self.prepare(request) {
        case .ready(let memo): await self.perform(request.with(memo))
        case .notProcessed(let not): .notProcessed(not)
        }
    }
}
