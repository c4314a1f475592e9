//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Payments
import Settings
import TestUpstream
import Testing

@testable import MPGS

/// What an account may be made of, and which account may talk to whom.
@Suite struct SettingTests {
    private static func open(
        host: String = "gateway.bank.example", mode: Mode, merchantID: String = Bench.merchantID,
        settings: [String: String] = [:], secrets: [String: String] = ["password": Bench.password]
    ) throws -> any Acquirer {
        let connector = MPGSConnector(client: Bench.client())
        return try connector.open(
            Bench.account(host: host, mode: mode, merchantID: merchantID, settings: settings, secrets: secrets))
    }

    // MARK: - Sandbox and live

    @Test(arguments: [
        ("http://127.0.0.1:8080", "MERCHANT"), ("http://localhost:8080", "MERCHANT"), ("http://[::1]:8080", "MERCHANT"),
        ("https://localhost:8443", "MERCHANT"), ("gateway.bank.example", "TESTMERCHANT"),
        ("https://gateway.bank.example:8443", "TEST"),
    ])
    func sandboxTakesLoopbackAndTestMerchants(_ host: String, _ merchantID: String) {
        #expect(
            ConnectorError.refusedSetting { _ = try Self.open(host: host, mode: .sandbox, merchantID: merchantID) }
                == nil)
    }

    @Test(arguments: [
        ("gateway.bank.example", "MERCHANT", "merchantId"), ("https://gateway.bank.example", "MYTEST", "merchantId"),
        ("gateway.bank.example", "test1", "merchantId"), ("http://gateway.bank.example", "TESTMERCHANT", "host"),
        ("http://127.0.0.1.bank.example", "TESTMERCHANT", "host"), ("http://10.0.0.1", "TESTMERCHANT", "host"),
        ("http://127.1", "TESTMERCHANT", "host"), ("https://127.1", "MERCHANT", "merchantId"),
        ("http://localhost.bank.example", "MERCHANT", "host"),
    ])
    func sandboxTakesNothingElse(_ host: String, _ merchantID: String, _ setting: String) {
        #expect(
            ConnectorError.refusedSetting { _ = try Self.open(host: host, mode: .sandbox, merchantID: merchantID) }
                == setting)
    }

    @Test(arguments: ["gateway.bank.example", "https://gateway.bank.example:8443"])
    func liveTakesMerchantsOfPublicHosts(_ host: String) {
        #expect(
            ConnectorError.refusedSetting { _ = try Self.open(host: host, mode: .live, merchantID: "MERCHANT") } == nil)
    }

    @Test(arguments: [
        ("gateway.bank.example", "TESTMERCHANT", "merchantId"), ("gateway.bank.example", "testmerchant", "merchantId"),
        ("http://gateway.bank.example", "MERCHANT", "host"), ("http://127.0.0.1:1", "MERCHANT", "host"),
        ("https://127.0.0.1", "MERCHANT", "host"), ("https://localhost", "MERCHANT", "host"),
        ("https://[::1]", "MERCHANT", "host"), ("https://127.1", "MERCHANT", "host"),
        ("https://2130706433", "MERCHANT", "host"), ("https://0x7f.1", "MERCHANT", "host"),
        ("https://a.localhost", "MERCHANT", "host"), ("https://localhost.", "MERCHANT", "host"),
        ("https://[::ffff:127.0.0.1]", "MERCHANT", "host"),
    ])
    func liveTakesNothingElse(_ host: String, _ merchantID: String, _ setting: String) {
        #expect(
            ConnectorError.refusedSetting { _ = try Self.open(host: host, mode: .live, merchantID: merchantID) }
                == setting)
    }

    // MARK: - What must be there

    @Test func needsAPasswordOrACertificate() throws {
        #expect(throws: ConnectorError.secretMissing("password")) { _ = try Self.open(mode: .sandbox, secrets: [:]) }
        #expect(throws: ConnectorError.secretMissing("password")) {
            _ = try Self.open(mode: .sandbox, secrets: ["password2": "x"])
        }
        #expect(throws: ConnectorError.secretMissing("clientKey")) {
            _ = try Self.open(mode: .sandbox, secrets: ["clientCertificate": "x"])
        }
        #expect(throws: ConnectorError.secretMissing("clientCertificate")) {
            _ = try Self.open(mode: .sandbox, secrets: ["clientKey": "x"])
        }
        #expect(throws: ConnectorError.settingMissing("host")) { _ = try Self.open(host: "", mode: .sandbox) }
        #expect(throws: ConnectorError.settingMissing("merchantId")) {
            _ = try Self.open(mode: .sandbox, merchantID: "")
        }
    }

    @Test(arguments: [
        ("version", "45"), ("version", "1000"), ("version", "abc"), ("version", "071"), ("merchantId", "a/b"),
        ("merchantId", String(repeating: "a", count: 41)), ("form", "opened"), ("networks", "visa, diners"),
        ("pay", "yes"), ("partialCaptures", ""), ("trustRoot", "-----BEGIN CERTIFICATE-----"), ("host", "a b"),
        ("host", "https://gateway.bank.example/api"),
    ])
    func takesNoOtherValue(_ name: String, _ value: String) {
        #expect(ConnectorError.refusedSetting { _ = try Self.open(mode: .sandbox, settings: [name: value]) } == name)
    }

    @Test func describesItsSettings() throws {
        let connector = MPGSConnector(client: Bench.client())
        #expect(connector.name.text == "mpgs")
        let rules = Dictionary(uniqueKeysWithValues: connector.settings.map { ($0.name, $0.rule) })
        for (name, good, bad) in [
            ("host", "gateway.bank.example", "ftp://x"), ("version", "100", "45"), ("merchantId", "TEST_1-a", "a b"),
            ("authorize", "true", "1"), ("notificationUrl", "https://pay.example/n", "http://pay.example/n"),
            ("chargeSeconds", "45", "4"), ("otherSeconds", "45", "121"),
            ("applePayMerchantIdentifiers", "merchant.a.b, merchant.c.d", "merchant.a.b,shop"),
            ("applePayKeyHashes", String(repeating: "A", count: 43) + "=", "AAAA"),
            ("form", "both", "none"), ("networks", "visa,mastercard", "visa;amex"), ("pay", "false", "no"),
            ("trustRoot", "-----BEGIN CERTIFICATE-----\nAA\n-----END CERTIFICATE-----", "AA"),
        ] {
            let rule = try #require(rules[name])
            #expect(rule(good) == nil)
            #expect(rule(bad)?.hasPrefix("must be ") == true)
        }
        #expect(connector.settings.filter(\.isRequired).map(\.name) == ["host", "merchantId"])
        #expect(
            Set(connector.secrets.map(\.name)) == [
                "password", "password2", "notificationSecret", "clientCertificate", "clientKey",
            ])
    }

    // MARK: - What the acquirer can do

    @Test func capabilitiesFollowTheSettings() throws {
        let all = try Self.open(mode: .sandbox).capabilities
        #expect(all.forms == [.networkToken])
        #expect(all.proofs == [.cryptogram, .securityCode])
        #expect(all.networks == [.visa, .mastercard, .amex, .jcb, .discover, .unionPay])
        #expect(all.sells && all.verifiesCards && all.capturesInParts && all.refundsInParts)
        #expect(all.adjustments == [.up, .down])
        #expect(all.voids == [.authorization, .sale, .capture, .refund])
        #expect(all.recovery == .query(quietSeconds: 90))
        let slow = try Self.open(mode: .sandbox, settings: ["otherSeconds": "40"]).capabilities
        #expect(slow.recovery == .query(quietSeconds: 100) && slow.deadlines?.otherMilliseconds == 40_000)
        let few = try Self.open(
            mode: .sandbox,
            settings: [
                "form": "both", "networks": "visa, mastercard", "pay": "false", "verify": "false",
                "partialCaptures": "false", "updateAuthorization": "false", "authorize": "false",
            ]
        ).capabilities
        #expect(few.forms == [.networkToken, .sealedApplePayToken])
        #expect(few.networks == [.visa, .mastercard])
        #expect(!few.sells && !few.authorizes && !few.verifiesCards && !few.capturesInParts)
        #expect(few.adjustments.isEmpty)
    }

    /// By PAY, or by AUTHORIZE and CAPTURE.
    @Test(arguments: [("true", "true"), ("true", "false"), ("false", "true"), ("false", "false")])
    func sellsInOneCallOrInTwo(_ pay: String, _ authorize: String) throws {
        let capabilities = try Self.open(mode: .sandbox, settings: ["pay": pay, "authorize": authorize]).capabilities
        #expect(capabilities.sells == (pay == "true" || authorize == "true"))
        #expect(capabilities.authorizes == (authorize == "true"))
    }
}
