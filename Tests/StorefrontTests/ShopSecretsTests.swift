//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Clients
import Crypto
import DialectKit
import Foundation
import HTTPTypes
import Redaction
import StrictJSON
import TestGateway
import Testing
import Time
import WalletSimulator

@testable import Storefront

/// Nothing that is shown beside the shop may hold a secret.
struct ShopSecretsTests {
    static let credentials = [
        ShopFixture.password, ShopFixture.notificationSecret, ShopFixture.payoneKey, ShopFixture.radialKey,
        ShopFixture.partnerKey,
    ]

    /// Runs everything in every dialect, and looks for every secret that there was in every way of writing it.
    @Test(arguments: ShopFixture.names)
    func exchangeShowsNoSecret(_ name: String) async throws {
        let shop = try await ShopFixture.open(name)
        let order = try await shop.order(name)
        let token = try shop.token(order, name)
        _ = try await shop.perform("pay", order, ["token": token])
        _ = try await shop.perform("capture", order)
        _ = try await shop.perform("refund", order)
        _ = try await shop.deliver()
        let shown = try await shop.shown(order)
        #expect(shown.contains("request"))
        let header = token["paymentData"]?["header"]
        let parts = [
            token["paymentData"]?["data"], token["paymentData"]?["signature"], header?["ephemeralPublicKey"],
        ].compactMap { $0?.string }
        #expect(parts.count == 3)
        let ownSecrets: [Secret] =
            Self.credentials.map { Secret("credential", $0) } + parts.map { Secret("token", $0) }
            // Also a piece of the token is too much.
            + parts.map { Secret("part of the token", String($0.prefix(40))) }
            + Self.credentials.map { Secret("md5", Hex.encode(Insecure.MD5.hash(data: Data($0.utf8)))) }
            + Self.credentials.map { Secret("sha384", Hex.encode(SHA384.hash(data: Data($0.utf8)))) }
        for secret in shop.test.jar.secrets + ownSecrets {
            for form in Self.forms(secret.bytes) {
                #expect(!shown.contains(form), "\(secret.name) is shown by \(name)")
            }
        }
    }

    private static func forms(_ bytes: [UInt8]) -> [String] {
        var forms = [Base64.encode(bytes), Hex.encode(bytes), Hex.encode(bytes, isUpperCase: true)]
        if let text = String(validating: bytes, as: UTF8.self) {
            forms += [text, PercentCoding.encoded(text), String(JSON.string(text).text().dropFirst().dropLast())]
        }
        return forms.filter { $0.utf8.count >= 6 }
    }

    @Test func plantedSecretsAreTakenOutOfEveryShape() throws {
        let transcript = Transcript(scrubber: Scrubber([Redacted("PLANTED-secret/+="), Redacted("short")]))
        let json: JSON = [
            "visible": "yes", "echo": "it was PLANTED-secret/+= indeed", "password": "hunter22",
            "list": [["key": "abc"]],
            "paymentToken": .string("{\"data\":\"AAAA\",\"version\":\"EC_v1\"}"),
            "card": ["number": "4895370012345671"],
            "note": "card 4895370012345671 and 379999001234562", "empty": "", "key": nil, "app_key": "",
            "sealed": .string(String(repeating: "QUJD", count: 20)),
        ]
        let bodies: [(String, [UInt8])] = [
            ("application/json", json.serialized()),
            (
                "application/x-www-form-urlencoded",
                Array(
                    "visible=yes&key=hunter22&echo=PLANTED-secret%2F%2B%3D&add_paydata%5Bpaymentdata_token_data%5D=AAAA"
                        .utf8)
            ),
            ("text/plain", Array("visible=yes\nkey=hunter22\necho=PLANTED-secret/+=\nplain line".utf8)),
            (
                "text/xml",
                Array(
                    "<a x=\"yes\"><Data>AAAA</Data><b><key>hunter22</key></b><echo>PLANTED-secret/+=</echo><e/></a>"
                        .utf8)
            ),
            ("text/plain", Array("nothing to read, 4895370012345671, PLANTED-secret/+=".utf8)),
        ]
        for (type, body) in bodies {
            let request = ClientRequest(
                .post, "/path/PLANTED-secret/+=",
                headers: [
                    ("Content-Type", type), ("Authorization", "Basic UExBTlRFRA=="), ("apikey", "hunter22"),
                    ("x-api-key", "hunter22"), ("Cookie", "hunter22"),
                    ("Signature", "algorithm=RS256, keyVersion=1, signature=c2lnbmF0dXJl"),
                ], body: body)
            let text = transcript.text(request)
            for secret in [
                "PLANTED-secret", "PLANTED-secret%2F", "hunter22", "4895370012345671", "379999001234562", "AAAA",
                "UExBTlRFRA", "c2lnbmF0dXJl", String(repeating: "QUJD", count: 10),
            ] {
                #expect(!text.contains(secret), "\(type) shows \(secret): \(text)")
            }
            #expect(text.contains("Basic …"))
            #expect(text.contains("signature=c2lnbm…"))
            #expect(!text.contains("Cookie"))
        }
        let shown = transcript.text(ClientRequest(.post, "/", headers: [], body: json.serialized()))
        #expect(shown.contains("\"visible\": \"yes\""))
        // A token's structure may be seen, and that something is empty.
        #expect(shown.contains("EC_v1"))
        #expect(shown.contains("\"app_key\": \"\""))
        let masked: JSON = ["number": "489537xxxxxx5671"]
        #expect(transcript.text(headers: [], body: masked.serialized()).contains("489537xxxxxx5671"))
    }

    @Test(arguments: [
        ("4895370012345671", true), ("5204240012345679", true), ("379999001234562", true),
        ("6725990000123456780", true),
        // Fails the check, is a time, is too short, is of no network.
        ("4895370012345672", false), ("1781524800000", false), ("48953700126", false), ("0895370012345676", false),
    ])
    func cardNumbersAreKnownByTheirDigits(_ digits: String, _ isHidden: Bool) {
        let text = Scrubber([]).scrub("x \(digits).")
        #expect(text.contains(digits) != isHidden)
        #expect(text == (isHidden ? "x \(digits.prefix(4))…." : "x \(digits)."))
    }

    /// As people write them, beside other digits.
    @Test(arguments: [
        ("paid 2026-11-29 with 4111 1111 1111 1111 12/28", "paid 2026-11-29 with 4111… 12/28"),
        ("4111-1111-1111-1111", "4111…"), ("Amex 3782 822463 10005, ok", "Amex 3782…, ok"),
        ("2026 4111 1111 1111 1111", "2026 4111…"), ("4111111111111111 737", "4111… 737"),
        // Fails the check, has two blanks, is an id, are times.
        ("4111 1111 1111 1112", "4111 1111 1111 1112"), ("4111  1111  1111  1111", "4111  1111  1111  1111"),
        ("41111111-1111-4111-1111-111111111111", "41111111-1111-4111-1111-111111111111"),
        ("2026-11-29 12:30 to 2026-11-30 09:00", "2026-11-29 12:30 to 2026-11-30 09:00"),
    ])
    func cardNumbersInGroupsAreHidden(_ text: String, _ shown: String) {
        #expect(Scrubber([]).scrub(text) == shown)
    }

    @Test func pathsAndIdsStayReadable() {
        let path = "/api/rest/version/71/merchant/POMONA/order/S0123456789abcdef/transaction/1"
        #expect(Scrubber([]).scrub(path) == path)
        let id = "0198a7c3-1d2e-7f00-8123-0123456789ab"
        #expect(Scrubber([]).scrub(id) == id)
    }

    @Test func logIsBoundedAndNumbered() throws {
        var log = ExchangeLog()
        let now = Timestamp(seconds: 1_781_524_800)
        for index in 0..<ExchangeLog.entriesMax + 5 {
            log.append(ExchangeEntry(.note, "\(index)", String(repeating: "x", count: 20_000)), at: now)
        }
        let entries = try #require(log.json(after: 0).array)
        #expect(entries.count == ExchangeLog.entriesMax)
        #expect(entries.first?["seq"]?.integer == 6)
        #expect((entries.first?["text"]?.string?.count ?? 0) <= ExchangeLog.textCharactersMax + 2)
        #expect(log.json(after: log.lastSequence) == .array([]))
    }
}
