//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import AlphaPayUpstream
import ConnectorKit
import CryptoExtras
import DialectKit
@_spi(Administration) import Gateway
import Money
import Payments
import Redaction
import Settings
import TestGateway
import TestUpstream
import Testing
import WalletSimulator

/// A gateway whose merchant is paid through AlphaPay: the whole way of a payment, with memos, recovery and notices.
struct Front: Sendable {
    let test: TestGateway
    let vendor: Vendor
    let merchant: MerchantContext
    let account: AcquirerAccount

    static let dialect = DialectName("shop")

    static func open(_ vendor: Vendor, _ client: UpstreamClient, port: Int) async throws -> Front {
        let test = try await TestGateway.open { $0.connectors.append(vendor.connector(client)) }
        let shop = try await test.addMerchant(dialect: Self.dialect, key: "SHOP", certified: false, acquirer: nil)
        let administration = test.gateway.administration
        let account = try await administration.addAcquirerAccount(
            AcquirerAccountDraft(
                name: "alphapay", connector: AlphaPayConnector.connectorName,
                settings: [
                    "host": "http://127.0.0.1:\(port)", "merchantCode": Bench.merchantCode,
                    "gatewayPublicKey": try Keys.gateway.publicKey.pemRepresentation, "notifyUrl": Bench.notifyURL,
                    "applePayMerchantIdentifiers": vendor.merchant.merchantIdentifier,
                ], secrets: ["privateKey": Redacted(try Keys.merchant.pkcs8PEMRepresentation)]), to: shop.id)
        try await administration.setRoutes(of: shop.id, to: [Route(number: 1, account: account.id)])
        let merchant = try #require(try await test.gateway.account(dialect: Self.dialect, key: "SHOP"))
        return Front(test: test, vendor: vendor, merchant: merchant, account: account)
    }

    /// Serves the vendor while a body runs with a gateway before it, and a proxy between them that the body may spoil.
    static func with(_ body: (Front, FaultyProxy) async throws -> Void) async throws {
        let vendor = try await Vendor.open()
        try await vendor.other.serving { port in
            let proxy = try await FaultyProxy(to: port)
            // A connection of its own for each call, so that a fault is of one of them.
            let client = Bench.client(limits: UpstreamLimits(connectMilliseconds: 60_000, idleMilliseconds: 1))
            let front = try await self.open(vendor, client, port: proxy.port)
            let result: Result<Void, any Error>
            do { result = .success(try await body(front, proxy)) } catch { result = .failure(error) }
            await client.shutdown()
            await proxy.close()
            try result.get()
        }
        await vendor.test.recover()
        #expect(try await vendor.test.bookProblems().isEmpty)
    }

    func pay(_ minorUnits: Int64) async throws -> OperationOutcome {
        let amount = try Bench.money(minorUnits)
        let minted = try self.vendor.test.mint(amount, for: self.vendor.merchant)
        return try await self.test.gateway.authorize(
            AuthorizeCommand(
                context: CallContext(merchant: self.merchant, idempotency: nil),
                instrument: try .applePay(json: minted.paymentToken), amount: amount, purpose: .sale))
    }

    func refund(_ minorUnits: Int64, of payment: PaymentID) async throws -> OperationOutcome {
        try await self.test.gateway.followUp(
            FollowUpCommand(
                context: CallContext(merchant: self.merchant, idempotency: nil), payment: .payment(payment),
                action: .refund(try Bench.money(minorUnits))))
    }

    func payment(_ id: PaymentID) async throws -> Payment {
        try #require(try await self.test.store.read { try $0.payment(id) })
    }

    /// Hands everything that the vendor has to notify in, and what it is answered.
    func receiveNotices() async throws -> [NoticeAnswer] {
        var answers: [NoticeAnswer] = []
        for notification in try await self.vendor.notifications() {
            answers.append(await self.test.gateway.receive(notification.asCall, for: self.account.id))
        }
        return answers
    }

    /// Whether the ledger proves what the payments say.
    func ledgerProblems() async throws -> [String] { try await LedgerAudit.run(store: self.test.store).problems }
}
