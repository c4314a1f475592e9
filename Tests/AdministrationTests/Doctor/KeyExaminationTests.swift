//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import Payments
import TestGateway
import Testing
import Time

/// Tokens that nobody could open: whose key it was that they were sealed for.
struct KeyExaminationTests {
    private static let dialect = DialectName("test")

    private static func refuse(
        _ test: TestGateway, _ merchant: TestMerchant, key: String?, stage: RefusedCall.Stage = .keySelection,
        secondsAgo: Int64 = 0
    ) async throws {
        let at = test.clock.now.adding(seconds: -secondsAgo)
        let call = RefusedCall(
            id: RefusedCallID(at: at, random: test.gateway.randomBytes(10)), at: at, merchantID: merchant.id,
            dialect: Self.dialect, operation: "pay", wireCode: "X", stage: stage, code: "key_unknown", text: "",
            requestID: "1", publicKeyHash: key)
        try await test.store.write { try $0.insert(call) }
    }

    private static func findings(_ test: TestGateway, _ merchant: TestMerchant? = nil) async throws -> [Finding] {
        try await test.gateway.administration.examine(merchant?.merchant, asksAcquirers: false)
            .filter { $0.code.hasPrefix("wrong_key") || $0.code == "keys_known" }
    }

    private static func key(_ test: TestGateway, _ merchant: TestMerchant) async throws -> AppleCredential {
        try #require(
            try await test.gateway.administration.credentials(of: merchant.id).last {
                $0.purpose == .paymentProcessing
            })
    }

    private static let unknown = String(repeating: "ab", count: 32)

    @Test func saysThatAKeyWasNeverHere() async throws {
        let test = try await TestGateway.open()
        let shop = try await test.addMerchant("shop", dialect: Self.dialect, key: "SHOP")
        for _ in 0..<2 { try await Self.refuse(test, shop, key: Self.unknown) }
        let findings = try await Self.findings(test)
        #expect(findings.map(\.code) == ["wrong_key_unknown"])
        let finding = try #require(findings.first)
        #expect(finding.severity == .warning && finding.merchant == "shop" && finding.subject == Self.unknown)
        #expect(finding.text.hasPrefix("2 tokens were refused") && finding.advice != nil)
        #expect(finding.command == ["refusals", "list", "--key", Self.unknown, "--merchant", "shop"])
    }

    @Test func saysThatAKeyIsRetiredAndHowToBringItBack() async throws {
        let test = try await TestGateway.open()
        let shop = try await test.addMerchant("shop", dialect: Self.dialect, key: "SHOP")
        let old = try await Self.key(test, shop)
        _ = try await test.addMerchantIdentifier(shop.merchantIdentifier, to: shop)
        _ = try await test.gateway.administration.retireCredential(old.id, of: shop.id)
        try await Self.refuse(test, shop, key: old.id)
        let finding = try #require(try await Self.findings(test).first)
        #expect(finding.code == "wrong_key_retired")
        #expect(finding.text.contains(shop.merchantIdentifier))
        #expect(finding.command?.prefix(2) == ["certificate", "activate"])
    }

    @Test func saysThatAKeyIsAnotherMerchants() async throws {
        let test = try await TestGateway.open()
        let shop = try await test.addMerchant("shop", dialect: Self.dialect, key: "SHOP")
        let other = try await test.addMerchant(
            "other", dialect: Self.dialect, key: "OTHER", merchantIdentifier: "merchant.com.example.other")
        try await Self.refuse(test, shop, key: try await Self.key(test, other).id)
        let findings = try await Self.findings(test)
        #expect(findings.map(\.code) == ["wrong_key_of_other_merchant"])
        #expect(findings.first?.text.contains("other's (merchant.com.example.other)") == true)
        // Whoever may know of the shop alone is named nobody else.
        let narrow = test.gateway.administration.by(Authority(merchants: [shop.id]))
        let own = try await narrow.examine(shop.merchant, asksAcquirers: false).filter { $0.code == findings[0].code }
        #expect(own.count == 1 && own.first?.text.hasSuffix("which is another merchant's.") == true)
        // It is the caller's trouble, not the other's.
        #expect(try await Self.findings(test, other).map(\.code) == ["keys_known"])
        #expect(try await Self.findings(test, shop).count == 1)
    }

    @Test func isSilentAboutWhatIsOldMendedOrNoKeysFault() async throws {
        let test = try await TestGateway.open()
        let shop = try await test.addMerchant("shop", dialect: Self.dialect, key: "SHOP")
        try await Self.refuse(test, shop, key: Self.unknown, secondsAgo: 86_401)
        try await Self.refuse(test, shop, key: Self.unknown, stage: .signature)
        try await Self.refuse(test, shop, key: nil)
        try await Self.refuse(test, shop, key: try await Self.key(test, shop).id)
        #expect(try await Self.findings(test).map(\.code) == ["keys_known"])
    }
}
