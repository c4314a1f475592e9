//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Payments
import Settings
import TestUpstream
import Testing

@testable import TapPayUpstream

@Suite struct SettingTests {
    private static func open(
        host: String? = nil, mode: Mode = .sandbox, settings: [String: String?] = [:],
        secrets: [String: String] = Bench.keys
    ) throws -> any Acquirer {
        try TapPayConnector(client: Bench.client()).open(
            Bench.account(host: host, mode: mode, settings: settings, secrets: secrets))
    }

    // MARK: - Sandbox and live

    @Test func eachModeHasItsHost() throws {
        #expect(try TapPayAccount(Bench.account()).address.origin == "https://sandbox.tappaysdk.com")
        #expect(try TapPayAccount(Bench.account(mode: .live)).address.origin == "https://prod.tappaysdk.com")
    }

    @Test(arguments: [
        ("prod.tappaysdk.com", Mode.sandbox), ("https://prod.tappaysdk.com:443", .sandbox),
        ("PROD.tappaysdk.com", .sandbox), ("http://10.0.0.1", .sandbox), ("sandbox.tappaysdk.com", .live),
        ("https://sandbox.tappaysdk.com:443", .live), ("http://prod.tappaysdk.com", .live),
        ("http://127.0.0.1:1", .live), ("https://127.0.0.1", .live), ("https://localhost", .live),
    ])
    func modesAreNotMixed(_ host: String, _ mode: Mode) {
        #expect(ConnectorError.refusedSetting { _ = try Self.open(host: host, mode: mode) } == "host")
    }

    @Test(arguments: [
        ("http://127.0.0.1:8080", Mode.sandbox), ("sandbox.tappaysdk.com", .sandbox), ("prod.tappaysdk.com", .live),
    ])
    func takesTheHostOfTheMode(_ host: String, _ mode: Mode) {
        #expect(ConnectorError.refusedSetting { _ = try Self.open(host: host, mode: mode) } == nil)
    }

    // MARK: - What must be there

    @Test func needsBothKeys() {
        for name in ["appKey", "partnerKey"] {
            var secrets = Bench.keys
            secrets[name] = nil
            #expect(throws: ConnectorError.secretMissing(name)) { _ = try Self.open(secrets: secrets) }
            secrets[name + "2"] = "second"
            #expect(throws: ConnectorError.secretMissing(name)) { _ = try Self.open(secrets: secrets) }
        }
    }

    @Test func needsItsNames() {
        for name in ["appId", "merchantId", "appleMerchantId"] {
            #expect(throws: ConnectorError.settingMissing(name)) { _ = try Self.open(settings: [name: nil]) }
        }
    }

    @Test(arguments: [
        ("appId", "12a"), ("appId", "1234567890"), ("merchantId", "a b"), ("appleMerchantId", "shop"),
        ("appName", ""), ("currencies", "TWD,JPY"), ("currencies", "EUR"), ("networks", "visa, diners"),
        ("authorize", "yes"), ("sale", "1"), ("cancelCapture", ""), ("cancelRefund", "no"),
        ("cardholderEmail", "mei"), ("cardholderPhone", "call me"),
        ("cardholderName", String(repeating: "a", count: 101)), ("notificationUrl", "http://pay.example/n"),
        ("notificationUrl", "https://pay.example:8443/n"), ("quietSeconds", "119"), ("quietSeconds", "86401"),
        ("quietSeconds", "3m"), ("trustRoot", "-----BEGIN CERTIFICATE-----"), ("host", "a b"),
        ("applePayKeyHashes", "AAAA"),
    ])
    func takesNoOtherValue(_ name: String, _ value: String) {
        #expect(ConnectorError.refusedSetting { _ = try Self.open(settings: [name: value]) } == name)
    }

    /// What TapPay is sent tokens for must be what it has the key of.
    @Test func tokensOfOtherIdentifiersAreNotHandedOver() {
        let name = "applePayMerchantIdentifiers"
        #expect(ConnectorError.refusedSetting { _ = try Self.open(settings: [name: Bench.appleMerchantID]) } == nil)
        for list in ["merchant.com.example.other", Bench.appleMerchantID + ",merchant.com.example.other"] {
            #expect(ConnectorError.refusedSetting { _ = try Self.open(settings: [name: list]) } == name)
        }
    }

    @Test func describesItsSettings() throws {
        let connector = TapPayConnector(client: Bench.client())
        #expect(connector.name.text == "tappay")
        let rules = Dictionary(uniqueKeysWithValues: connector.settings.map { ($0.name, $0.rule) })
        for (name, good, bad) in [
            ("host", "sandbox.tappaysdk.com", "ftp://x"), ("appId", "12345", "x"),
            ("merchantId", "GlobalTesting_CTBC", "a b"), ("appleMerchantId", "merchant.a.b", "a.b"),
            ("currencies", "TWD, USD", "JPY"), ("networks", "visa,jcb", "visa;jcb"), ("authorize", "true", "1"),
            ("sale", "false", "no"), ("cancelCapture", "false", "no"), ("cancelRefund", "false", "no"),
            ("appName", "shop.example", "a\nb"), ("cardholderName", "The Shop", ""),
            ("cardholderEmail", "shop@shop.example", "shop"), ("cardholderPhone", "+886 2 1234 5678", "x"),
            ("notificationUrl", "https://pay.example:443/n", "https://pay.example:80/n"),
            ("chargeSeconds", "45", "4"), ("otherSeconds", "45", "121"), ("quietSeconds", "300", "60"),
            ("applePayMerchantIdentifiers", "merchant.a.b", "shop"),
            ("trustRoot", "-----BEGIN CERTIFICATE-----\nAA\n-----END CERTIFICATE-----", "AA"),
        ] {
            let rule = try #require(rules[name])
            #expect(rule(good) == nil, "\(name)")
            #expect(rule(bad)?.hasPrefix("must be ") == true, "\(name)")
        }
        #expect(connector.settings.filter(\.isRequired).map(\.name) == ["appId", "merchantId", "appleMerchantId"])
        #expect(connector.secrets.map(\.name) == ["appKey", "appKey2", "partnerKey", "partnerKey2"])
        #expect(connector.secrets.filter(\.isRequired).map(\.name) == ["appKey", "partnerKey"])
    }

    // MARK: - What the acquirer can do

    @Test func capabilitiesFollowTheSettings() throws {
        let all = try Self.open().capabilities
        #expect(all.forms == [.sealedApplePayToken] && all.proofs.isEmpty)
        #expect(all.networks == [.visa, .mastercard, .amex, .jcb])
        #expect(all.authorizes && all.sells && all.refundsInParts && !all.capturesInParts && !all.verifiesCards)
        #expect(all.adjustments.isEmpty && all.voids == [.authorization, .sale, .capture, .refund])
        #expect(all.memos == .prepared && !all.notifiesByShortName && all.decidesLater)
        #expect(all.recovery == .query(quietSeconds: 180))
        let few = try Self.open(settings: [
            "networks": "visa", "sale": "false", "cancelCapture": "false", "cancelRefund": "false",
            "quietSeconds": "600", "notificationUrl": "https://pay.example/n",
        ]).capabilities
        #expect(few.networks == [.visa] && !few.sells && few.voids == [.authorization, .sale])
        #expect(few.recovery == .query(quietSeconds: 600) && few.notifiesByShortName)
        // A prime's life after the last moment at which something is written.
        let slow = try Self.open(settings: ["chargeSeconds": "100"]).capabilities
        #expect(slow.recovery == .query(quietSeconds: 250) && slow.deadlines?.chargeMilliseconds == 100_000)
        let short = try Self.open(settings: ["chargeSeconds": "100", "quietSeconds": "120"]).capabilities
        #expect(short.recovery == .query(quietSeconds: 190))
        #expect(try !Self.open(settings: ["authorize": "false"]).capabilities.authorizes)
        #expect(
            ConnectorError.refusedSetting { _ = try Self.open(settings: ["authorize": "false", "sale": "false"]) }
                == "sale")
    }
}
