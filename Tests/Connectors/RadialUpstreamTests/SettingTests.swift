//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Payments
import Settings
import TestUpstream
import Testing

@testable import RadialUpstream

/// What an account may be made of, and which account may talk to whom.
@Suite struct SettingTests {
    private static func open(
        host: String? = nil, mode: Mode = .sandbox, settings: [String: String] = [:],
        secrets: [String: String] = Bench.secrets
    ) throws -> any Acquirer {
        try RadialConnector(client: Bench.client()).open(
            Bench.account(host: host, mode: mode, settings: settings, secrets: secrets))
    }

    private static func refusedSetting(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch let error as ConnectorError {
            guard case .settingNotAllowed(let name, _) = error else { return "\(error)" }
            return name
        } catch {
            return "\(error)"
        }
    }

    // MARK: - Sandbox and live

    @Test(arguments: [
        nil, "developer-na.gsipartners.com", "developer-eu.gsipartners.com", "https://beta-ap.gsipartners.com",
        "http://127.0.0.1:8080", "http://localhost:8080", "http://[::1]:8080", "https://localhost:8443",
        "sandbox.shop.example",
    ])
    func sandboxTakesTestHosts(_ host: String?) {
        #expect(Self.refusedSetting { _ = try Self.open(host: host) } == nil)
    }

    @Test(arguments: [
        "apg.radial.com", "https://apg.radial.com", "APG.RADIAL.COM", "apg.radial.com.", "https://apg.radial.com:8443",
        "api-na.gsipartners.com", "api-eu.gsipartners.com.", "http://sandbox.shop.example",
    ])
    func refusesLiveHostInSandboxAccount(_ host: String) {
        #expect(Self.refusedSetting { _ = try Self.open(host: host) } == "host")
    }

    @Test(arguments: [nil, "apg.radial.com", "https://api-na.gsipartners.com", "radial.proxy.example:8443"])
    func liveTakesPublicHosts(_ host: String?) {
        #expect(Self.refusedSetting { _ = try Self.open(host: host, mode: .live) } == nil)
    }

    @Test(arguments: [
        "developer-na.gsipartners.com", "developer-na.gsipartners.com.", "beta-na.gsipartners.com",
        "http://apg.radial.com", "http://127.0.0.1:1", "https://localhost", "https://127.1",
    ])
    func refusesSandboxHostInLiveAccount(_ host: String) {
        #expect(Self.refusedSetting { _ = try Self.open(host: host, mode: .live) } == "host")
    }

    // MARK: - What must be there

    @Test func needsAStoreAndAKey() {
        #expect(throws: ConnectorError.secretMissing("apikey")) { _ = try Self.open(secrets: [:]) }
        #expect(throws: ConnectorError.secretMissing("apikey")) { _ = try Self.open(secrets: ["apikey2": "x"]) }
        #expect(throws: ConnectorError.settingMissing("storeId")) { _ = try Self.open(settings: ["storeId": ""]) }
    }

    @Test(arguments: [
        ("storeId", "a/b"), ("storeId", String(repeating: "a", count: 41)), ("version", "1"), ("version", "1.0.0"),
        ("version", "v1.0"), ("version", "1.1000"), ("networks", "visa, dinersClub!"), ("networks", "visa,"),
        ("currencies", "USD,XXX"), ("currencies", "USD,KWD"), ("currencies", ""), ("reauthorize", "yes"),
        ("trustRoot", "-----BEGIN CERTIFICATE-----"), ("host", "https://apg.radial.com/v1.0"),
        ("defaultEmail", "nobody"), ("defaultIPAddress", "2001:db8::1"), ("defaultIPAddress", "1.2.3.999"),
        ("defaultIPAddress", "1.2.3.04"),
        ("defaultCountry", "USA"), ("defaultLine1", ""), ("defaultCity", String(repeating: "a", count: 41)),
        ("defaultFirstName", "\u{7}"),
    ])
    func takesNoOtherValue(_ name: String, _ value: String) {
        #expect(Self.refusedSetting { _ = try Self.open(settings: [name: value]) } == name)
    }

    @Test func describesItsSettings() throws {
        let connector = RadialConnector(client: Bench.client())
        #expect(connector.name.text == "radial")
        let rules = Dictionary(uniqueKeysWithValues: connector.settings.map { ($0.name, $0.rule) })
        for (name, good, bad) in [
            ("host", "apg.radial.com", "ftp://x"), ("storeId", "POMONA", "a b"), ("version", "1.10", "1"),
            ("networks", "visa,mastercard", "visa;amex"), ("currencies", "USD, CAD", "US"),
            ("reauthorize", "false", "0"), ("webhookUser", "radial", ""), ("defaultFirstName", "Online", ""),
            ("defaultLastName", "Customer", ""), ("defaultPhone", "6105550100", ""),
            ("defaultEmail", "a@shop.example", "a"), ("defaultIPAddress", "192.0.2.7", "::1"),
            ("defaultLine1", "1 Shop Street", ""), ("defaultCity", "Reno", ""), ("defaultMainDivision", "NV", ""),
            ("defaultPostalCode", "89501", ""), ("defaultCountry", "US", "us"),
            ("chargeSeconds", "45", "4"), ("otherSeconds", "45", "121"),
            ("applePayMerchantIdentifiers", "merchant.a.b", "shop"),
            ("applePayKeyHashes", String(repeating: "A", count: 43) + "=", "AAAA"),
            ("trustRoot", "-----BEGIN CERTIFICATE-----\nAA\n-----END CERTIFICATE-----", "AA"),
        ] {
            let rule = try #require(rules[name])
            #expect(rule(good) == nil)
            #expect(rule(bad)?.hasPrefix("must be") == true)
        }
        #expect(rules.count == 22)
        #expect(connector.settings.filter(\.isRequired).map(\.name) == ["storeId"])
        #expect(connector.secrets.map(\.name) == ["apikey", "apikey2", "webhookPassword", "webhookPassword2"])
        #expect(connector.secrets.filter(\.isRequired).map(\.name) == ["apikey"])
    }

    // MARK: - What the acquirer can do

    @Test func capabilitiesAreTheServices() throws {
        let all = try Self.open().capabilities
        #expect(all.forms == [.sealedApplePayToken] && all.proofs.isEmpty)
        #expect(all.networks == [.visa, .mastercard, .amex, .discover])
        #expect(all.authorizes && all.sells && !all.verifiesCards)
        #expect(all.capturesInParts && all.refundsInParts && all.adjustments.isEmpty)
        #expect(all.voids == [.authorization])
        #expect(all.decidesLater && all.memos == .prepared)
        #expect(all.recovery == .reports(repeats: true) && all.queriesAccepted == [.authorization])
        let few = try Self.open(settings: ["networks": "visa, jcb"]).capabilities
        #expect(few.networks == [.visa, .jcb])
    }
}
