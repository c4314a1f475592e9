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

@testable import MPGS

/// Accounts, cards and requests of tests. Nothing here is anybody's.
enum Bench: ConnectorBench {
    static let merchantID = "TESTPOMONA"
    static let password = "5ecret-p4ssw0rd-0f-a-test"
    static let secondPassword = "an0ther-p4ssw0rd-0f-a-test"
    static let cryptogram: [UInt8] = [
        0x20, 0x0F, 0xFC, 0xA5, 0xD8, 0x96, 0x7E, 0xD4, 0xAC, 0xC6, 0x91, 0x53, 0xEB, 0x00, 0x01, 0xA0, 0x00, 0x61,
        0xA8, 0x00,
    ]
    static let cryptogramText = "IA/8pdiWftSsxpFT6wABoABhqAA="

    static let numbers: [CardNetwork: String] = [
        .visa: "4005519200000004", .mastercard: "5123450000000008", .amex: "345678901234564",
        .jcb: "3528000000000007", .discover: "6011003179988686", .unionPay: "6201089999995464",
    ]

    static func money(_ minorUnits: Int64, _ code: String = "USD") throws -> Money {
        Money(minorUnits: minorUnits, currency: try #require(Currency.alphabetic(code)))
    }

    static func token(_ network: CardNetwork = .visa) -> NetworkToken {
        NetworkToken(
            pan: Redacted(self.numbers[network] ?? ""), expiryYearMonth: "3901",
            proof: .cryptogram(Redacted(self.cryptogram)), eci: network == .mastercard ? nil : "05")
    }

    // MARK: - Accounts

    static func account(
        host: String, mode: Mode = .sandbox, merchantID: String = Bench.merchantID,
        acceptor: CardAcceptor = CardAcceptor(), settings: [String: String] = [:],
        secrets: [String: String] = ["password": Bench.password]
    ) -> OpenedAcquirerAccount {
        var all = ["host": host, "merchantId": merchantID]
        all.merge(settings) { $1 }
        let account = AcquirerAccount(
            id: self.id(9), merchantID: self.id(8), name: "bank", connector: MPGSConnector.connectorName, mode: mode,
            acceptor: acceptor, settings: all, createdAt: self.at)
        return OpenedAcquirerAccount(account, secrets: secrets.mapValues { Redacted($0) })
    }

    // MARK: - Requests

    /// An authorization or a sale with ids and a cryptogram of its own: a cryptogram pays once.
    static func authorization(_ number: Int, _ amount: Money, captures: Bool = false) -> AcquirerRequest {
        let id = OperationID(number, at: self.at)
        let cryptogram = Array(self.cryptogram.dropLast(3)) + id.text.utf8.suffix(3)
        let token = NetworkToken(
            pan: Redacted(self.numbers[.visa] ?? ""), expiryYearMonth: "3901",
            proof: .cryptogram(Redacted(cryptogram)), eci: "05")
        return AcquirerRequest(
            operationID: id, paymentID: PaymentID(number, at: self.at), merchantID: self.id(8), amount: amount,
            begunAt: self.at,
            action: .authorize(Charge(instrument: .networkToken(token), network: .visa, captures: captures)))
    }

    static func charge(
        _ network: CardNetwork = .visa, captures: Bool = false, acceptsPartialApproval: Bool = false,
        details: ChargeDetails = ChargeDetails()
    ) -> Charge {
        Charge(
            instrument: .networkToken(self.token(network)), network: network, captures: captures,
            acceptsPartialApproval: acceptsPartialApproval, details: details)
    }

    static func original(
        _ kind: PaymentOperation.Kind = .authorization, _ amount: Money, isSale: Bool = false,
        id: OperationID = Bench.authorizationID, authorized: Money? = nil, captured: Money? = nil
    ) -> OriginalOperation {
        OriginalOperation(
            id: id, kind: kind, isSale: isSale, amount: amount, begunAt: self.at,
            authorizedTotal: authorized ?? amount, capturedTotal: captured ?? .zero(amount.currency))
    }

    /// Runs a body with an acquirer that talks to a stub.
    static func with<Value: Sendable>(
        settings: [String: String] = [:], secrets: [String: String] = ["password": Bench.password],
        acceptor: CardAcceptor = CardAcceptor(), script: @escaping StubUpstream.Script,
        _ body: (any Acquirer, StubUpstream) async throws -> Value
    ) async throws -> Value {
        try await StubUpstream.with(script) { stub, client in
            let account = self.account(host: stub.url, acceptor: acceptor, settings: settings, secrets: secrets)
            return try await body(try MPGSConnector(client: client).open(account), stub)
        }
    }
}
