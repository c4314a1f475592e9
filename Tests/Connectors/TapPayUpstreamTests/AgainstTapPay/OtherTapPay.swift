//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import DialectKit
import Gateway
import Money
import Payments
import Redaction
import SimulatorAcquirer
import StrictJSON
import TapPay
import TestGateway
import TestUpstream
import Time
import WalletSimulator

@testable import TapPayUpstream

/// Another gateway that speaks TapPay's language, with a merchant whose tokens it opens.
struct OtherTapPay: Sendable {
    let other: OtherGateway
    let merchant: TestMerchant

    var test: TestGateway { self.other.test }

    static func open() async throws -> OtherTapPay {
        let test = try await TestGateway.open()
        let draft = TapPay.accountDraft(
            appID: 12345, appKey: Redacted(Bench.appKey), partnerKey: Redacted(Bench.partnerKey),
            merchantIDs: [Bench.merchantID])
        let merchant = try await test.addMerchant(
            dialect: TapPay.dialectName, key: draft.key, aliases: draft.aliases, settings: draft.settings,
            secrets: draft.secrets, merchantIdentifier: Bench.appleMerchantID, countryCode: "TW")
        return OtherTapPay(other: OtherGateway(test) { TapPay(gateway: $0) }, merchant: merchant)
    }

    /// A token for the merchant, as it came: only the other gateway can open it.
    func instrument(_ amount: Money, card: SimulatedCard = .visa) throws -> PaymentInstrument {
        let token = try self.test.mint(amount, for: self.merchant, card: card)
        return .sealedApplePayToken(
            SealedApplePayToken(
                paymentData: Redacted(token.paymentData.serialized()),
                transactionIdentifier: token.transactionIdentifier))
    }

    func charge(_ amount: Money, captures: Bool = false, card: SimulatedCard = .visa) throws -> Charge {
        Charge(instrument: try self.instrument(amount, card: card), network: .visa, captures: captures)
    }

    /// Serves while a body runs with an acquirer that talks to it.
    func withAcquirer<Value: Sendable>(
        settings: [String: String?] = [:], _ body: (any Acquirer) async throws -> Value
    ) async throws -> Value {
        try await self.other.withAcquirer(
            { client, port in
                try TapPayConnector(client: client).open(
                    Bench.account(host: "http://127.0.0.1:\(port)", settings: settings))
            }, body)
    }

    /// What it has to report, as it sends it.
    func reports() async throws -> [NoticeCall] {
        let dialect = TapPay(gateway: self.test.gateway)
        var calls: [NoticeCall] = []
        for delivery in try await self.test.gateway.leaseDeliveries(limit: 10) {
            guard let merchant = try await self.test.gateway.merchantContext(for: delivery),
                dialect.notificationsCount(for: delivery) > 0
            else { continue }
            let message = try dialect.notification(for: delivery, merchant: merchant)
            let headers = message.headers.map { ($0.name.lowercased(), $0.value) }
            calls.append(
                NoticeCall(headers: Dictionary(headers, uniquingKeysWith: { $1 }), body: message.body))
        }
        return calls
    }

    /// What its acquirer has booked, by the name that a payment was given; nothing for what it knows not.
    func positions() async throws -> [String: SimulatorPosition] {
        var positions: [String: SimulatorPosition] = [:]
        for payment in try await self.test.payments() {
            guard let name = payment.operations.first?.labels.fields["bankTransactionId"] else { continue }
            positions[name] = try await self.test.book.position(payment.id)
        }
        return positions
    }
}
