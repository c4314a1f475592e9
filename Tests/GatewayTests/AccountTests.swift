//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import Payments
import Redaction
import TestGateway
import Testing

/// Merchants and their accounts.
struct AccountTests {
    private static func expect(_ code: AdministrationError.Code, _ call: () async throws -> Void) async {
        let error = await #expect(throws: AdministrationError.self) { try await call() }
        #expect(error?.code == code)
    }

    @Test(arguments: ["", "Shop", "a shop", "shop_1", "café", String(repeating: "a", count: 65)])
    func malformedMerchantNameIsRefused(name: String) async throws {
        let shop = try await Shop.open()
        await Self.expect(.merchantNameMalformed) {
            _ = try await Shop.makeMerchant(name, .sandbox, shop.gateway)
        }
    }

    @Test func merchantNameIsTakenOnce() async throws {
        let shop = try await Shop.open()
        await Self.expect(.merchantNameTaken) {
            _ = try await Shop.makeMerchant("first", .sandbox, shop.gateway)
        }
    }

    @Test func accountIsFoundByItsKeyAndSecretsAreComparedNotShown() async throws {
        let shop = try await Shop.open()
        let found = try #require(try await shop.gateway.account(dialect: Shop.dialect, key: "account-first"))
        #expect(found.merchant == shop.merchant.merchant)
        #expect(found.settings == ["city": "Toronto"])
        #expect(found.matches(Redacted("correct horse battery staple"), secret: "password"))
        #expect(!found.matches(Redacted("correct horse battery stapl"), secret: "password"))
        #expect(!found.matches(Redacted("anything"), secret: "no such secret"))
        #expect(try await shop.gateway.account(dialect: Shop.dialect, key: "account-nobody") == nil)
        #expect(try await shop.gateway.account(dialect: DialectName("otherwire"), key: "account-first") == nil)
    }

    /// MD5 and SHA-384 of "correct horse battery staple", as coreutils computes them.
    private static let digests: [(MerchantContext.SecretDigest, String)] = [
        (.md5, "9cc2ae8a1ba7a93da39b46fc1019c481"),
        (
            .sha384,
            "c24b92449c871f33bbbf1fc1989e5e1037cfa9a3dfdb17947f8172226181e7825ebb4c750763915835bf125a590e05ae"
        ),
    ]

    @Test(arguments: AccountTests.digests)
    func secretIsComparedByItsDigestInHexadecimalOfEitherCase(
        _ digest: MerchantContext.SecretDigest, _ hex: String
    ) async throws {
        let merchant = try await Shop.open().merchant
        #expect(merchant.digest(digest, of: "password")?.reveal() == hex)
        #expect(merchant.matches(Redacted(hex), digest: digest, of: "password"))
        #expect(merchant.matches(Redacted(hex.uppercased()), digest: digest, of: "password"))
        let others = [
            String(hex.dropLast()), hex + "0", "", "correct horse battery staple", String(hex.reversed()),
        ]
        for other in others { #expect(!merchant.matches(Redacted(other), digest: digest, of: "password"), "\(other)") }
        #expect(!merchant.matches(Redacted(hex), digest: digest, of: "no such secret"))
        #expect(merchant.digest(digest, of: "no such secret") == nil)
        #expect(!merchant.matches(Redacted(hex), digest: digest == .md5 ? .sha384 : .md5, of: "password"))
        #expect(!merchant.matches(Redacted(hex), secret: "password"), "a digest is not the secret")
    }

    @Test func changedAccountIsServedAtOnceHereAndSoonElsewhere() async throws {
        let shop = try await Shop.open()
        let node = try await shop.restarted()
        _ = try await node.gateway.account(dialect: Shop.dialect, key: "account-first")
        try await shop.gateway.administration.putAccount(
            merchant: shop.merchant.merchant.id, dialect: Shop.dialect, key: "account-first",
            settings: ["city": "Montréal"], secrets: [:])
        let city = { (shop: Shop) in
            try await shop.gateway.account(dialect: Shop.dialect, key: "account-first")?.settings["city"]
        }
        #expect(try await city(shop) == "Montréal")
        shop.clock.advance(seconds: 10)
        #expect(try await city(node) == "Montréal")
    }

    // MARK: - Settings

    /// Each reads what the others have written: none is lost.
    @Test func changesOfSettingsAtOnceAreAllMade() async throws {
        let shop = try await Shop.open()
        let (gateway, id) = (shop.gateway, shop.merchant.merchant.id)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<16 {
                group.addTask {
                    try await gateway.administration.changeSettings(of: id, dialect: Shop.dialect) {
                        $0["n\(number)"] = "x"
                    }
                }
            }
            try await group.waitForAll()
        }
        let found = try #require(try await gateway.account(dialect: Shop.dialect, key: "account-first"))
        #expect(found.settings.count == 17 && found.settings["city"] == "Toronto")
        #expect(found.matches(Redacted("correct horse battery staple"), secret: "password"))
    }

    @Test func changeOfSettingsThatThrowsChangesNothing() async throws {
        let shop = try await Shop.open()
        let id = shop.merchant.merchant.id
        await #expect(throws: CancellationError.self) {
            try await shop.gateway.administration.changeSettings(of: id, dialect: Shop.dialect) { settings in
                settings["city"] = "Ottawa"
                throw CancellationError()
            }
        }
        let account = try await shop.gateway.administration.changeSettings(of: id, dialect: Shop.dialect) { _ in }
        #expect(account.settings == ["city": "Toronto"])
        await Self.expect(.accountUnknown) {
            try await shop.gateway.administration.changeSettings(of: id, dialect: DialectName("otherwire")) { _ in }
        }
    }
}
