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
import Synchronization
import TestGateway
import TestUpstream
import Testing
import WalletSimulator

@testable import TapPayUpstream

/// A gateway whose acquirer is another one.
struct TwoGateways: Sendable {
    /// Where the payments are made.
    let first: TestGateway
    let other: OtherTapPay
    let account: AcquirerAccountID
    private let merchant: MerchantContext
    private let callsCount = CallsCount()

    private static let dialect = DialectName("testwire")
    static let notificationURL = "https://pay.example/acquirers/acc_1/notices"

    private final class CallsCount: Sendable {
        private let value = Mutex(0)

        func next() -> Int {
            self.value.withLock { value in
                value += 1
                return value
            }
        }
    }

    private init(_ first: TestGateway, _ other: OtherTapPay, _ account: AcquirerAccountID, _ merchant: MerchantContext)
    {
        self.first = first
        self.other = other
        self.account = account
        self.merchant = merchant
    }

    static func with(_ body: (TwoGateways) async throws -> Void) async throws {
        let other = try await OtherTapPay.open()
        let client = Bench.client()
        let result: Result<Void, any Error>
        do {
            try await other.other.serving { port in
                let first = try await TestGateway.open(seed: 2) { $0.connectors = [TapPayConnector(client: client)] }
                let merchant = try await first.addMerchant(
                    dialect: Self.dialect, key: "shop", certified: false, acquirer: nil, countryCode: "TW")
                let settings = [
                    "host": "http://127.0.0.1:\(port)", "appId": "12345", "merchantId": Bench.merchantID,
                    "appleMerchantId": Bench.appleMerchantID, "notificationUrl": Self.notificationURL,
                    "applePayMerchantIdentifiers": Bench.appleMerchantID,
                ]
                let account = try await first.gateway.administration.putAcquirerAccount(
                    AcquirerAccountDraft(
                        name: "tappay", connector: TapPayConnector.connectorName, settings: settings,
                        secrets: Bench.keys.mapValues { Redacted($0) }), of: merchant.id)
                try await first.gateway.administration.setRoutes(
                    of: merchant.id, to: [Route(number: 1, account: account.id)])
                let context = try #require(try await first.gateway.account(dialect: Self.dialect, key: "shop"))
                try await body(TwoGateways(first, other, account.id, context))
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await client.shutdown()
        try result.get()
    }

    // MARK: - Payments

    private func context(_ operation: String) -> CallContext {
        CallContext(
            merchant: self.merchant,
            idempotency: .init(
                operation: operation, key: "key-\(self.callsCount.next())", digest: requestDigest("contents".utf8)))
    }

    /// Pays with a token that only the other gateway can open.
    func authorize(_ minorUnits: Int64, sale: Bool = false) async throws -> OperationOutcome {
        let amount = try Bench.money(minorUnits)
        let token = try self.other.test.mint(amount, for: self.other.merchant)
        return try await self.first.gateway.authorize(
            AuthorizeCommand(
                context: self.context("authorize"), instrument: .applePay(json: token.paymentToken), amount: amount,
                purpose: sale ? .sale : .authorization))
    }

    func follow(_ action: FollowUpCommand.Action, of payment: PaymentID) async throws -> Payments.Operation {
        try await self.first.gateway.followUp(
            FollowUpCommand(context: self.context("follow"), payment: .payment(payment), action: action)
        ).operation
    }

    func state(of operation: Payments.Operation) async throws -> Payments.Operation.State? {
        let payment = try await self.first.store.read { reader in
            try reader.paymentID(ofOperation: operation.id).flatMap { try reader.payment($0) }
        }
        return payment?.operation(operation.id)?.state
    }

    /// Whether both gateways, and the acquirer behind them, have the same sums of a payment.
    func expectAgreement(
        on payment: Payment, captured: Int64 = 0, refunded: Int64 = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let known = try #require(try await self.first.store.read { try $0.payment(payment.id) })
        let name = try #require(payment.authorization).id.shortName
        let booked = try await self.other.positions()[name]
        #expect(known.authorizedAmount == booked?.authorized, sourceLocation: sourceLocation)
        for (sum, position) in [(known.capturedAmount, booked?.captured), (known.refundedAmount, booked?.refunded)] {
            #expect(sum == position, sourceLocation: sourceLocation)
        }
        #expect(known.capturedAmount.minorUnits == captured, sourceLocation: sourceLocation)
        #expect(known.refundedAmount.minorUnits == refunded, sourceLocation: sourceLocation)
        #expect(try await LedgerAudit.run(store: self.first.store).problems.isEmpty, sourceLocation: sourceLocation)
        #expect(try await self.other.test.bookProblems().isEmpty, sourceLocation: sourceLocation)
    }
}
