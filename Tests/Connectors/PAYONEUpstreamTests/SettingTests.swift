//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Payments
import Settings
import TestUpstream
import Testing

@testable import PAYONEUpstream

/// What an account may be made of, and which account may talk to whom.
@Suite struct SettingTests {
    private static func open(
        host: String? = nil, mode: Mode = .sandbox, settings: [String: String?] = [:],
        secrets: [String: String] = ["key": Bench.key]
    ) throws -> any Acquirer {
        try PAYONEConnector(client: Bench.client()).open(
            Bench.account(host: host, mode: mode, settings: settings, secrets: secrets))
    }

    // MARK: - Sandbox and live

    @Test(arguments: [
        nil, "api.pay1.de", "http://127.0.0.1:8080", "http://localhost:8080", "http://[::1]:8080",
        "https://localhost:8443",
    ])
    func sandboxTakesTheServiceAndThisMachine(_ host: String?) {
        #expect(ConnectorError.refusedSetting { _ = try Self.open(host: host, mode: .sandbox) } == nil)
    }

    @Test(arguments: [
        "http://api.pay1.de", "http://10.0.0.1", "http://127.1", "a b", "https://api.pay1.de/post-gateway",
    ])
    func sandboxTakesNothingElse(_ host: String) {
        #expect(ConnectorError.refusedSetting { _ = try Self.open(host: host, mode: .sandbox) } == "host")
    }

    @Test(arguments: [nil, "api.pay1.de", "https://api.pay1.de:443"]) func liveTakesTheService(_ host: String?) {
        #expect(ConnectorError.refusedSetting { _ = try Self.open(host: host, mode: .live) } == nil)
    }

    @Test(arguments: [
        "http://api.pay1.de", "http://127.0.0.1:1", "https://127.0.0.1", "https://localhost", "https://[::1]",
        "https://127.1", "https://2130706433",
    ])
    func liveTakesNeitherPlainNorThisMachine(_ host: String) {
        #expect(ConnectorError.refusedSetting { _ = try Self.open(host: host, mode: .live) } == "host")
    }

    // MARK: - What must be there

    @Test func needsItsNumbersAndAKey() {
        for name in ["mid", "aid", "portalid"] {
            #expect(throws: ConnectorError.settingMissing(name)) { _ = try Self.open(settings: [name: nil]) }
        }
        #expect(throws: ConnectorError.secretMissing("key")) { _ = try Self.open(secrets: [:]) }
        #expect(throws: ConnectorError.secretMissing("key")) { _ = try Self.open(secrets: ["key2": "x"]) }
    }

    static let bad = [
        ("mid", "1000"), ("mid", "1000a"), ("aid", "200022"), ("portalid", "20304"), ("portalid", "20304050"),
        ("keyDigest", "sha256"), ("networks", "visa, diners"), ("currencies", "EURO"),
        ("currencies", ""), ("partialCaptures", "yes"), ("voids", "1"), ("defaultLastName", "X"),
        ("defaultLastName", String(repeating: "x", count: 51)), ("defaultLastName", "a\u{7}b"),
        ("defaultCountry", "de"), ("defaultCountry", "DEU"), ("noticeNetworks", "185.60.20.0/33"),
        ("noticeNetworks", "185.60.20.1/24"), ("noticeNetworks", "185.60.20"), ("noticeNetworks", "185.060.20.0"),
        ("noticeNetworks", "185.60.20.0/24;1.2.3.4"), ("noticeNetworks", "185.60.20.0/0"), ("noticeNetworks", "::1"),
        ("noticeNetworks", "::ffff:185.60.20.0/120"), ("noticeNetworks", "185.60.20.7,"),
        ("trustRoot", "-----BEGIN CERTIFICATE-----"),
    ]

    @Test(arguments: bad) func takesNoOtherValue(_ name: String, _ value: String) {
        let refused = ConnectorError.refusedSetting { _ = try Self.open(settings: [name: value]) }
        #expect(refused == name || value.isEmpty && refused?.contains(name) == true)
    }

    @Test func describesItsSettings() throws {
        let connector = PAYONEConnector(client: Bench.client())
        #expect(connector.name.text == "payone")
        let rules = Dictionary(uniqueKeysWithValues: connector.settings.map { ($0.name, $0.rule) })
        for (name, value) in Self.bad where name != "trustRoot" {
            let rule = try #require(rules[name])
            #expect(rule(value)?.hasPrefix("must be ") == true, "\(name)=\(value)")
        }
        for (name, value) in [
            ("host", "api.pay1.de"), ("mid", "10001"), ("aid", "20002"), ("portalid", "2030405"),
            ("portalid", "203040"), ("keyDigest", "md5"), ("networks", "visa,girocard"), ("currencies", "EUR, CHF"),
            ("partialCaptures", "false"), ("voids", "true"), ("defaultLastName", "Kunde"), ("defaultCountry", "DE"),
            ("noticeNetworks", "185.60.20.0/24, 54.246.203.105"),
            ("chargeSeconds", "45"), ("otherSeconds", "45"), ("applePayMerchantIdentifiers", "merchant.a.b"),
            ("trustRoot", "-----BEGIN CERTIFICATE-----\nAA\n-----END CERTIFICATE-----"),
            ("applePayKeyHashes", String(repeating: "A", count: 43) + "="),
        ] {
            let rule = try #require(rules[name])
            #expect(rule(value) == nil, "\(name)=\(value)")
        }
        #expect(connector.settings.filter(\.isRequired).map(\.name) == ["mid", "aid", "portalid"])
        #expect(connector.secrets.map(\.name) == ["key", "key2"])
        #expect(connector.secrets.filter(\.isRequired).map(\.name) == ["key"])
    }

    // MARK: - What the acquirer can do

    @Test func capabilitiesFollowTheSettings() throws {
        let plain = try Self.open(settings: ["networks": nil, "voids": nil]).capabilities
        #expect(plain.forms == [.sealedApplePayToken] && plain.proofs.isEmpty)
        // What is not known is not sent unless the account says so.
        #expect(plain.networks == [.visa, .mastercard])
        #expect(try Self.open(settings: ["networks": "visa, other"]).capabilities.networks == [.visa, .other])
        #expect(plain.authorizes && plain.sells && plain.capturesInParts && plain.refundsInParts)
        #expect(plain.adjustments.isEmpty && plain.voids.isEmpty && !plain.verifiesCards && !plain.decidesLater)
        #expect(plain.memos == .withOutcomes && plain.notifiesByShortName)
        #expect(plain.recovery == .reports(repeats: false))
        let other = try Self.open(
            settings: ["networks": "visa, girocard", "voids": "true", "partialCaptures": "false"]
        ).capabilities
        #expect(other.networks == [.visa, .girocard])
        #expect(other.voids == [.authorization])
        #expect(!other.capturesInParts)
    }
}
