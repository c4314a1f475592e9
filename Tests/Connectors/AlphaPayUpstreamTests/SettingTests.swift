//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import CryptoExtras
import Payments
import Settings
import TestUpstream
import Testing

@testable import AlphaPayUpstream

/// What an account may be made of, and which account may talk to whom.
@Suite struct SettingTests {
    private static func open(
        host: String? = "http://127.0.0.1:1", mode: Mode = .sandbox, settings: [String: String?] = [:],
        secrets: [String: String?] = [:]
    ) throws -> any Acquirer {
        var all = settings
        if host == nil { all.updateValue(nil, forKey: "host") }
        return try Bench.connector(Bench.client()).open(
            try Bench.account(host: host ?? "", mode: mode, settings: all, secrets: secrets))
    }

    // MARK: - Sandbox and live

    @Test(arguments: [
        "http://127.0.0.1:8080", "http://localhost:8080", "http://[::1]:8080", "https://localhost:8443",
        "sandbox.alphapay.example", "https://sandbox.alphapay.example:8443",
    ])
    func sandboxTakesLoopbackAndWhatIsNotLive(_ host: String) {
        #expect(ConnectorError.refusedSetting { _ = try Self.open(host: host, mode: .sandbox) } == nil)
    }

    @Test(arguments: [
        "openapi.alphapay.ca", "https://openapi.alphapay.ca", "https://OpenAPI.AlphaPay.ca:443",
        "https://openapi.alphapay.ca.", "https://openapi.alphapay.com", "openapi.alphapay.com.",
        "http://openapi.alphapay.ca", "http://sandbox.alphapay.example",
        "http://127.1", "http://localhost.alphapay.example", "https://openapi.alphapay.ca/api",
    ])
    func sandboxTakesNothingElse(_ host: String) {
        #expect(ConnectorError.refusedSetting { _ = try Self.open(host: host, mode: .sandbox) } == "host")
    }

    @Test(arguments: [nil, "openapi.alphapay.ca", "https://openapi.alphapay.ca", "https://openapi2.alphapay.ca"])
    func liveTakesThePublicService(_ host: String?) {
        #expect(ConnectorError.refusedSetting { _ = try Self.open(host: host, mode: .live) } == nil)
    }

    @Test(arguments: [
        "http://openapi.alphapay.ca", "http://127.0.0.1:1", "https://127.0.0.1", "https://localhost", "https://[::1]",
        "https://127.1", "https://2130706433", "https://a.localhost",
    ])
    func liveTakesNothingElse(_ host: String) {
        #expect(ConnectorError.refusedSetting { _ = try Self.open(host: host, mode: .live) } == "host")
    }

    @Test func sandboxHasNoHostOfItsOwn() {
        #expect(throws: ConnectorError.settingMissing("host")) { _ = try Self.open(host: nil, mode: .sandbox) }
    }

    // MARK: - What must be there

    @Test(arguments: ["merchantCode", "gatewayPublicKey"]) func needsItsSettings(_ name: String) {
        #expect(throws: ConnectorError.settingMissing(name)) { _ = try Self.open(settings: [name: nil]) }
    }

    @Test func needsAKey() {
        #expect(throws: ConnectorError.secretMissing("privateKey")) {
            _ = try Self.open(secrets: ["privateKey": nil])
        }
        #expect(throws: ConnectorError.secretMissing("privateKey")) {
            _ = try Self.open(
                secrets: ["privateKey": nil, "privateKey2": try Keys.merchant.pkcs8PEMRepresentation])
        }
    }

    @Test(arguments: ["privateKey", "privateKey2"]) func needsKeysThatSign(_ name: String) throws {
        let publicKey = try Keys.merchant.publicKey.pemRepresentation
        for key in ["secret", "-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----", publicKey, ""] {
            #expect(ConnectorError.refusedSetting { _ = try Self.open(secrets: [name: key]) } == name)
        }
    }

    @Test(arguments: [
        ("merchantCode", "a b"), ("merchantCode", String(repeating: "A", count: 65)), ("merchantCode", "a.b"),
        ("gatewayPublicKey", "-----BEGIN PUBLIC KEY-----\nAA==\n-----END PUBLIC KEY-----"), ("gatewayPublicKey", "key"),
        ("gatewayPublicKey2", "-----BEGIN PUBLIC KEY-----\nAA==\n-----END PUBLIC KEY-----"), ("keyVersion", "one"),
        ("keyVersion2", ""), ("merchantIdentifier", "shop"), ("networks", "visa, diners"),
        ("notifyUrl", "http://pay.example/n"), ("notifyUrl", "https://"), ("notifyUrl", "https://pay.example/a b"),
        ("trustRoot", "-----BEGIN CERTIFICATE-----"), ("applePayMerchantIdentifiers", "shop"),
        ("applePayKeyHashes", "AA"),
    ])
    func takesNoOtherValue(_ name: String, _ value: String) {
        #expect(ConnectorError.refusedSetting { _ = try Self.open(settings: [name: value]) } == name)
    }

    @Test func describesItsSettings() throws {
        let connector = Bench.connector(Bench.client())
        #expect(connector.name.text == "alphapay")
        let rules = Dictionary(uniqueKeysWithValues: connector.settings.map { ($0.name, $0.rule) })
        #expect(
            Set(rules.keys) == [
                "host", "trustRoot", "merchantCode", "gatewayPublicKey", "gatewayPublicKey2", "keyVersion",
                "keyVersion2", "merchantIdentifier", "networks", "notifyUrl", "chargeSeconds", "otherSeconds",
                "applePayMerchantIdentifiers", "applePayKeyHashes",
            ])
        #expect(
            connector.settings.filter(\.isRequired).map(\.name) == ["host", "merchantCode", "gatewayPublicKey"])
        #expect(connector.secrets.map(\.name) == ["privateKey", "privateKey2"])
        #expect(connector.secrets.filter(\.isRequired).map(\.name) == ["privateKey"])
        for secret in connector.secrets {
            #expect(secret.rule(try Keys.merchant.pkcs8PEMRepresentation) == nil)
            #expect(secret.rule("secret")?.hasPrefix("must be ") == true)
        }
        let key = try #require(rules["gatewayPublicKey"])
        #expect(key(try Keys.gateway.publicKey.pemRepresentation) == nil)
        #expect(key("-----BEGIN PUBLIC KEY-----\nAA==\n-----END PUBLIC KEY-----")?.hasPrefix("must be ") == true)
    }

    // MARK: - What the acquirer can do

    @Test func sellsAndRefunds() throws {
        let capabilities = try Self.open().capabilities
        #expect(capabilities.forms == [.sealedApplePayToken])
        #expect(capabilities.networks == [.visa, .mastercard, .amex])
        #expect(capabilities.sells && !capabilities.authorizes && !capabilities.verifiesCards)
        #expect(capabilities.refundsInParts && !capabilities.capturesInParts)
        #expect(capabilities.voids.isEmpty && capabilities.adjustments.isEmpty)
        #expect(capabilities.memos == .prepared)
        #expect(capabilities.recovery == .query(quietSeconds: 90))
        let slow = try Self.open(settings: ["chargeSeconds": "40"]).capabilities
        #expect(slow.recovery == .query(quietSeconds: 100) && slow.deadlines?.chargeMilliseconds == 40_000)
    }

    @Test func networksAreTheAccounts() throws {
        #expect(try Self.open(settings: ["networks": "visa, discover"]).capabilities.networks == [.visa, .discover])
    }
}
