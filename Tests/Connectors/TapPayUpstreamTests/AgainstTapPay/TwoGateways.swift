//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ConnectorKit
@_spi(Administration) import Gateway
import Money
import Payments
import Redaction
import SimulatorAcquirer
import TestGateway
import TestUpstream
import Testing
import WalletSimulator

@testable import TapPayUpstream

/// A gateway whose acquirer is another one.
struct TwoGateways: Sendable {
    /// Where the payments are made.
    let front: FrontGateway
    let other: OtherTapPay

    var first: TestGateway { self.front.test }

    static let notificationURL = "https://pay.example/acquirers/acc_1/notices"

    static func with(_ body: (TwoGateways) async throws -> Void) async throws {
        let other = try await OtherTapPay.open()
        try await Bench.client().closed { client in
            try await other.other.serving { port in
                let front = try await FrontGateway.open(
                    TapPayConnector(client: client), countryCode: "TW", secrets: Bench.keys.mapValues { Redacted($0) }
                ) { _ in Self.settings(port: port) }
                try await body(TwoGateways(front: front, other: other))
            }
        }
    }

    static func settings(port: Int) -> [String: String] {
        [
            "host": "http://127.0.0.1:\(port)", "appId": "12345", "merchantId": Bench.merchantID,
            "appleMerchantId": Bench.appleMerchantID, "notificationUrl": Self.notificationURL,
            "applePayMerchantIdentifiers": Bench.appleMerchantID,
        ]
    }

    // MARK: - Payments

    /// Pays with a token that only the other gateway can open.
    func authorize(_ minorUnits: Int64, sale: Bool = false) async throws -> OperationOutcome {
        let amount = try Bench.money(minorUnits)
        let token = try self.other.test.mint(amount, for: self.other.merchant)
        return try await self.front.authorize(
            amount, .applePay(json: token.paymentToken), sale: sale)
    }

    func follow(_ action: FollowUpCommand.Action, of payment: PaymentID) async throws -> PaymentOperation {
        try await self.front.follow(action, of: payment).operation
    }

    func state(of operation: PaymentOperation) async throws -> PaymentOperation.State? {
        let payment = try await self.front.payment(of: operation)
        return payment?.operation(operation.id)?.state
    }

    /// Whether both gateways, and the acquirer behind them, have the same sums of a payment.
    func expectAgreement(
        on payment: Payment, captured: Int64 = 0, refunded: Int64 = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let name = try #require(payment.authorization).id.shortName
        try await self.front.expectAgreement(
            on: payment.id, with: try await self.other.positions()[name], captured: captured, refunded: refunded,
            sourceLocation: sourceLocation)
        #expect(try await self.front.bookProblems().isEmpty, sourceLocation: sourceLocation)
        #expect(try await self.other.test.bookProblems().isEmpty, sourceLocation: sourceLocation)
    }
}
