//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AlphaPay
import CommWeb
import CryptoExtras
import DialectKit
import Money
import PAYONE
import Payments
import Radial
import Redaction
import SimulatorAcquirer
import StrictJSON
import TapPay
import TestGateway
import TestUpstream
import Testing
import WalletSimulator

/// Another gateway in a service's place, and the file that its operator would write.
struct SecondPomona: Sendable {
    let gateway: OtherGateway
    private let service: RealService
    private let merchant: TestMerchant
    private let settings: [String: String]
    private let secrets: [String: String]

    var surroundings: Surroundings {
        let clock = self.gateway.test.clock
        return Surroundings(
            clock: { clock.now }, random: { count in (0..<count).map { _ in UInt8.random(in: .min ... .max) } })
    }

    private static let pairs = Result {
        (try _RSA.Signing.PrivateKey(keySize: .bits2048), try _RSA.Signing.PrivateKey(keySize: .bits2048))
    }

    static func open(_ service: RealService) async throws -> SecondPomona {
        let test = try await TestGateway.open()
        switch service {
        case .mpgs:
            let draft = CommWeb.accountDraft(password: Redacted("pass-w0rd-0f-a-test"))
            return SecondPomona(
                gateway: OtherGateway(test) { CommWeb(gateway: $0) }, service: service,
                merchant: try await test.addMerchant(
                    dialect: CommWeb.dialectName, key: "TESTMERCHANT", settings: draft.settings,
                    secrets: draft.secrets, countryCode: "AU"),
                settings: ["merchantId": "TESTMERCHANT"], secrets: ["password": "pass-w0rd-0f-a-test"])
        case .payone:
            let draft = PAYONE.accountDraft(mid: "10001", aids: ["20002"], key: Redacted("p0rtal-key-0f-a-test"))
            return SecondPomona(
                gateway: OtherGateway(test) { PAYONE(gateway: $0) }, service: service,
                merchant: try await test.addMerchant(
                    dialect: PAYONE.dialectName, key: "2030405", settings: draft.settings, secrets: draft.secrets,
                    countryCode: "DE"),
                settings: [
                    "mid": "10001", "aid": "20002", "portalid": "2030405", "voids": "true",
                    "defaultLastName": "Kunde", "defaultCountry": "DE",
                ], secrets: ["key": "p0rtal-key-0f-a-test"])
        case .radial:
            let draft = Radial.accountDraft(
                apiKey: Redacted("k3y-0f-a-test-st0re"), webhookURL: "https://pay.example/acquirers/a/notices",
                webhookCredentials: (user: "radial", password: Redacted("w3bh00k-0f-a-test")))
            return SecondPomona(
                gateway: OtherGateway(test) { Radial(gateway: $0) }, service: service,
                merchant: try await test.addMerchant(
                    dialect: Radial.dialectName, key: "POMONA", settings: draft.settings, secrets: draft.secrets,
                    countryCode: "US"),
                settings: [
                    "storeId": "POMONA", "webhookUser": "radial", "defaultFirstName": "John",
                    "defaultLastName": "Smith",
                    "defaultPhone": "6101234567", "defaultEmail": "customer@sample.com",
                    "defaultIPAddress": "208.247.73.130", "defaultLine1": "123 Main St",
                    "defaultCity": "Philadelphia", "defaultMainDivision": "PA", "defaultPostalCode": "19019",
                    "defaultCountry": "US",
                ], secrets: ["apikey": "k3y-0f-a-test-st0re", "webhookPassword": "w3bh00k-0f-a-test"])
        case .tappay:
            let (appKey, partnerKey) = ("app_Yw7kQ2mZr5TxLp9vNc3HbD8f", "partner_Jq4Xn8VbT2mKz6RwLc9Hs5Pd")
            let draft = TapPay.accountDraft(
                appID: 12345, appKey: Redacted(appKey), partnerKey: Redacted(partnerKey),
                merchantIDs: ["GlobalTesting_CTBC"])
            let merchant = try await test.addMerchant(
                dialect: TapPay.dialectName, key: draft.key, aliases: draft.aliases, settings: draft.settings,
                secrets: draft.secrets, countryCode: "TW")
            return SecondPomona(
                gateway: OtherGateway(test) { TapPay(gateway: $0) }, service: service, merchant: merchant,
                settings: [
                    "appId": "12345", "merchantId": "GlobalTesting_CTBC",
                    "appleMerchantId": merchant.merchantIdentifier,
                ], secrets: ["appKey": appKey, "partnerKey": partnerKey])
        case .alphapay:
            let (ours, theirs) = try Self.pairs.get()
            let gatewayKey = theirs.publicKey.pemRepresentation
            let draft = AlphaPay.accountDraft(
                merchantPublicKeyPEM: ours.publicKey.pemRepresentation,
                gatewayPrivateKeyPEM: Redacted(theirs.pemRepresentation), gatewayPublicKeyPEM: gatewayKey)
            return SecondPomona(
                gateway: OtherGateway(test) { AlphaPay(gateway: $0) }, service: service,
                merchant: try await test.addMerchant(
                    dialect: AlphaPay.dialectName, key: "POMONA", settings: draft.settings, secrets: draft.secrets),
                settings: ["merchantCode": "POMONA", "gatewayPublicKey": gatewayKey],
                secrets: ["privateKey": ours.pkcs8PEMRepresentation])
        }
    }

    private var currency: String {
        switch self.service {
        case .mpgs: "AUD"
        case .payone: "EUR"
        case .radial: "USD"
        case .tappay: "TWD"
        case .alphapay: "CAD"
        }
    }

    /// - Parameter port: where it is served.
    func file(port: Int) throws -> JSON {
        var settings = self.settings
        settings["host"] = "http://127.0.0.1:\(port)"
        var payments: [JSON] = []
        for minorUnits: Int64 in [35_000, 12_000] {
            let amount = Money(
                minorUnits: minorUnits, currency: try #require(Currency.alphabetic(self.currency)))
            let token = try self.gateway.test.mint(amount, for: self.merchant)
            payments.append([
                "amount": .string(String(minorUnits)), "currency": .string(self.currency),
                "token": token.paymentToken,
            ])
        }
        return [
            "settings": Self.object(settings), "secrets": Self.object(self.secrets), "payments": .array(payments),
        ]
    }

    private static func object(_ texts: [String: String]) -> JSON {
        .object(JSONObject(texts.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
    }

    /// What both payments came to at its acquirer.
    func sums() async throws -> (captured: Int64, refunded: Int64) {
        var (captured, refunded): (Int64, Int64) = (0, 0)
        for payment in try await self.gateway.test.payments() {
            let position = try await self.gateway.test.book.position(payment.id)
            captured += position?.captured.minorUnits ?? 0
            refunded += position?.refunded.minorUnits ?? 0
        }
        return (captured, refunded)
    }
}
