//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AlphaPay
import AlphaPayUpstream
import ConnectorKit
import CryptoExtras
import DialectKit
import Gateway
import Money
import Payments
import Redaction
import SimulatorAcquirer
import StrictJSON
import TestGateway
import TestUpstream
import WalletSimulator

/// Another gateway, which speaks AlphaPay, with one merchant whose tokens it opens.
struct Vendor: Sendable {
    let other: OtherGateway
    let merchant: TestMerchant
    /// Makes the notifications that it sends.
    private let dialect: AlphaPay

    var test: TestGateway { self.other.test }

    static func open(settings: [String: String] = [:]) async throws -> Vendor {
        let test = try await TestGateway.open()
        let draft = AlphaPay.accountDraft(
            merchantPublicKeyPEM: try Keys.merchant.publicKey.pemRepresentation,
            gatewayPrivateKeyPEM: Redacted(try Keys.gateway.pemRepresentation),
            gatewayPublicKeyPEM: try Keys.gateway.publicKey.pemRepresentation)
        let merchant = try await test.addMerchant(
            dialect: AlphaPay.dialectName, key: Bench.merchantCode, settings: draft.settings.merging(settings) { $1 },
            secrets: draft.secrets)
        let dialect = AlphaPay(gateway: test.gateway)
        return Vendor(other: OtherGateway(test) { _ in dialect }, merchant: merchant, dialect: dialect)
    }

    /// By the vendor's clock, with nonces that nobody has used.
    func connector(_ client: UpstreamClient) -> AlphaPayConnector {
        let clock = self.test.clock
        return Bench.connector(
            client, clock: { clock.now }, random: { count in (0..<count).map { _ in UInt8.random(in: .min ... .max) } })
    }

    func acquirer(_ client: UpstreamClient, port: Int) throws -> any Acquirer {
        try self.connector(client).open(try Bench.account(host: "http://127.0.0.1:\(port)"))
    }

    /// Serves while a body runs with an acquirer that talks to it.
    func withAcquirer<Value: Sendable>(_ body: (any Acquirer) async throws -> Value) async throws -> Value {
        try await self.other.withAcquirer(self.acquirer, body)
    }

    /// What a customer of the merchant pays with.
    func instrument(_ amount: Money, card: SimulatedCard = .visa) throws -> PaymentInstrument {
        let minted = try self.test.mint(amount, for: self.merchant, card: card)
        return .sealedApplePayToken(
            SealedApplePayToken(
                paymentData: Redacted(minted.paymentData.serialized()),
                transactionIdentifier: minted.transactionIdentifier, network: minted.paymentMethod["network"]?.string,
                methodType: minted.paymentMethod["type"]?.string,
                displayName: minted.paymentMethod["displayName"]?.string))
    }

    // MARK: - Its book

    /// What its acquirer has booked, by `paymentRequestId`.
    func positions() async throws -> [String: SimulatorPosition] {
        var positions: [String: SimulatorPosition] = [:]
        for payment in try await self.test.payments() {
            guard let id = payment.orderID, let order = try await self.test.store.read({ try $0.order(id) }) else {
                continue
            }
            positions[order.reference] = try await self.test.book.position(payment.id)
        }
        return positions
    }

    // MARK: - Its notifications

    /// All that are due, as they are sent.
    func notifications() async throws -> [OutgoingNotification] {
        var sent: [OutgoingNotification] = []
        while true {
            let deliveries = try await self.test.gateway.leaseDeliveries(limit: 10)
            if deliveries.isEmpty { return sent }
            for delivery in deliveries {
                guard let merchant = try await self.test.gateway.merchantContext(for: delivery) else { continue }
                if self.dialect.notificationsCount(for: delivery) > 0 {
                    sent.append(try self.dialect.notification(for: delivery, merchant: merchant))
                }
                try await self.test.gateway.record(.delivered("http_200"), of: delivery)
            }
        }
    }

    /// Whether an answer to a notification is taken for an acknowledgement.
    func isAcknowledged(_ answer: NoticeAnswer) -> Bool {
        self.dialect.isAcknowledged(status: answer.status, body: Array(answer.body.utf8))
    }
}

extension OutgoingNotification {
    /// As the gateway's listener hands it on.
    var asCall: NoticeCall {
        var headers: [String: String] = [:]
        for header in self.headers { headers[header.name.lowercased()] = header.value }
        return NoticeCall(headers: headers, body: self.body)
    }
}
