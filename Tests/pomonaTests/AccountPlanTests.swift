//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Foundation
import Payments
import Redaction
import Settings
import Testing

@testable import pomona

/// What every dialect of this program says of its accounts.
@Suite struct AccountPlanTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static var plans: [AccountPlan] { DialectModule.all.map(\.plan) }

    private static func plan(_ dialect: String) throws -> AccountPlan {
        try #require(DialectModule.named(dialect)).plan
    }

    /// As the sandbox makes accounts.
    private static func tools(_ folder: CliFolder) -> AccountTools {
        AccountTools(.system) { name in
            try SandboxTLS(directory: DataDirectory(path: folder.path), host: "localhost", now: .now())
                .clientIdentity(named: name)
        }
    }

    // MARK: Settings

    /// Of a dialect's files, those that read settings say by what names.
    @Test func everySettingThatADialectReadsIsInItsPlan() throws {
        let shelf = Self.root.appendingPathComponent("Sources/Dialects")
        #expect(try FileManager.default.contentsOfDirectory(atPath: shelf.path).sorted() == Self.plans.map(\.title))
        let name = try Regex(#"static let (?:\w+Name|settingName|\w*[pP]ublicKey) = "(\w+)""#)
        for plan in Self.plans {
            let folder = shelf.appendingPathComponent(plan.title)
            let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
                .filter { $0.hasSuffix(".swift") && !$0.hasSuffix("AccountPlan.swift") }
                .map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }
                .filter { $0.contains("settings[") || $0.contains("static let settingName") }
            #expect(!files.isEmpty)
            var found = Set(files.flatMap { $0.matches(of: name).compactMap { $0[1].substring.map(String.init) } })
            found.subtract(plan.secretNames)
            found.formUnion([MerchantRates.rateSetting, MerchantRates.burstSetting])
            #expect(Set(plan.settings.map(\.name)) == found, "\(plan.title)")
            #expect(plan.settings.count == found.count, "\(plan.title) has a setting twice")
        }
    }

    /// The same of secrets: each has a credential that it is made of.
    @Test func everySecretThatADialectReadsIsInItsPlan() throws {
        let name = try Regex(#"static let \w+ = "(\w+)""#)
        for plan in Self.plans {
            let file = "Sources/Dialects/\(plan.title)/Account/AccountSettings.swift"
            let text = try String(contentsOf: Self.root.appendingPathComponent(file), encoding: .utf8)
            var found = Set(text.matches(of: name).compactMap { $0[1].substring.map(String.init) })
            found.subtract(plan.settings.map(\.name))
            #expect(plan.secretNames == found, "\(plan.title)")
        }
    }

    @Test func everySettingIsDocumented() throws {
        let page = try String(contentsOf: Self.root.appendingPathComponent("docs/configuration.md"), encoding: .utf8)
        for plan in Self.plans {
            for setting in plan.settings {
                #expect(
                    page.contains("| \(plan.dialect) | `\(setting.name)` | \(setting.meaning)"),
                    "\(plan.dialect) \(setting.name)")
            }
        }
    }

    @Test(arguments: [
        ("alphapay", "keyVersion", "1", "v1"), ("alphapay", "supportedNetworks", "visa,masterCard", "visa,VISA"),
        ("alphapay", "timeZoneOffset", "-08:00", "-8:00"), ("alphapay", "timeZoneOffset", "+14:00", "+15:00"),
        ("alphapay", "merchantPublicKey", "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----", "AAAA"),
        ("commweb", "notifyURL", "https://shop.example/n", "shop.example"),
        ("commweb", "notificationFormat", "NVP", "XML"), ("commweb", "allowInsecureNotify", "true", "yes"),
        ("commweb", "clientCertificateSHA256", String(repeating: "ab", count: 32), "ab"),
        ("commweb", "allowedOperations", "PAY, REFUND", "PAY, STEAL"),
        ("commweb", "currencies", "USD, AUD", "USD, XYZ"),
        ("payone", "mid", "10001", "x"), ("payone", "aids", "20002,20003", "20002,"),
        ("payone", "captureModeDefault", "completed", "done"), ("payone", "cardTypes", "V,M,G", "V,X"),
        ("radial", "webhookForm", "single", "both"),
        ("radial", "allowedTenders", "VC,MC", "VC,XX"), ("radial", "decryptBlob", "true", "1"),
        ("radial", "webhookUser", "u", "a\u{7}"), ("tappay", "captureTime", "00:00", "0:00"),
        ("tappay", "allowedAddresses", "192.0.2.7, 2001:db8::/32", "192.0.2.0/33"),
        ("tappay", "currencies", "TWD, USD", "twd"), ("tappay", "iosSDKVersionMin", "2.17.0", "2"),
        ("tappay", "affiliateCodes", "424242=ABC", "424242"), ("payone", "requestsPerSecond", "50", "many"),
    ])
    func everyRuleTakesTheSoundAndRefusesTheWrong(dialect: String, name: String, sound: String, wrong: String) throws {
        let setting = try Self.plan(dialect).setting(name)
        #expect(setting.rule(sound) == nil)
        #expect(setting.rule(wrong)?.contains("must be") == true || setting.rule(wrong)?.contains("must have") == true)
    }

    /// What notifications of a live merchant carry, and their credentials, nobody reads on the way.
    @Test(arguments: [
        ("commweb", "notifyURL"), ("payone", "notificationURL"), ("radial", "webhookURL"),
        ("radial", "cancelWebhookURL"),
    ])
    func aLiveMerchantIsNotifiedOverTLS(dialect: String, name: String) throws {
        let plan = try Self.plan(dialect)
        try plan.check(setting: name, value: "https://shop.example/n", mode: .live)
        try plan.check(setting: name, value: "http://shop.example/n", mode: .sandbox)
        let refusal = #expect(throws: AccountPlanError.self) {
            try plan.check(setting: name, value: "http://shop.example/n", mode: .live)
        }
        #expect(refusal?.code == .settingInvalid && refusal?.message.contains("https") == true)
    }

    /// Every setting of every dialect, by whether it guards what credentials guard, or is one: a new one is to be decided, too.
    /// The others say what is taken and how it is written, never who gets a secret or what a caller may do. One person switches
    /// an identifier of TapPay's off and on: to stop payments is never held up, and which identifiers have a key their
    /// certificates say, which are guarded. Only live merchants are, and `allowInsecureNotify` is for sandbox merchants alone.
    @Test func everySettingIsGuardedOrNot() throws {
        let verdicts: [String: (guarded: Set<String>, open: Set<String>)] = [
            "alphapay": (
                ["merchantPublicKey", "merchantPublicKey2", "gatewayPublicKey", "keyVersion", "keyVersion2"],
                ["supportedNetworks", "timeZoneOffset", "allowInsecureNotify"]
            ),
            "commweb": (
                ["notifyURL", "clientCertificateSHA256", "allowedOperations"],
                ["notificationFormat", "allowInsecureNotify", "currencies"]
            ),
            "payone": (["mid", "aids", "notificationURL"], ["captureModeDefault", "cardTypes"]),
            "radial": (
                ["webhookURL", "cancelWebhookURL", "webhookUser", "decryptBlob"], ["webhookForm", "allowedTenders"]
            ),
            "tappay": (
                ["merchantIds", "allowedAppNames", "allowedAddresses"],
                [
                    "merchantGroupIds", "appName", "currencies", "captureTime", "amountPending", "affiliateCodes",
                    "disabledMerchantIdentifiers", "iosSDKVersionMin", "allowInsecureNotify",
                ]
            ),
        ]
        #expect(Set(Self.plans.map(\.dialect.text)) == Set(verdicts.keys))
        for plan in Self.plans {
            let verdict = try #require(verdicts[plan.dialect.text])
            let open = verdict.open.union([MerchantRates.rateSetting, MerchantRates.burstSetting])
            #expect(plan.guardedSettings == verdict.guarded, "\(plan.title)")
            #expect(Set(plan.settings.map(\.name)).subtracting(plan.guardedSettings) == open, "\(plan.title)")
            // Where notifications go, whatever they carry today.
            let addresses = plan.otherNotifySettings.union([plan.notifySetting].compactMap(\.self))
            #expect(addresses.isSubset(of: plan.guardedSettings), "\(plan.title)")
        }
    }

    // MARK: Accounts

    /// What the sandbox announces and writes, name by name.
    @Test(
        arguments: [
            (
                "alphapay", ["merchantCode=POMONA", "keyVersion=1"],
                ["privateKey=private-key.pem", "publicKey=public-key.pem", "gatewayPublicKey=gateway-public-key.pem"],
                ["allowInsecureNotify", "gatewayPublicKey", "keyVersion", "merchantPublicKey"]
            ),
            (
                "commweb", ["merchantId=POMONA", "password", "notificationSecret"],
                ["clientCertificate=client.pem", "clientKey=client-key.pem"],
                ["allowInsecureNotify", "clientCertificateSHA256", "notifyURL"]
            ),
            (
                "payone", ["mid=10001", "aid=20002", "portalid=3000003", "key"], [],
                ["aids", "captureModeDefault", "mid", "notificationURL"]
            ),
            ("radial", ["storeId=POMONA", "apikey"], [], ["decryptBlob", "webhookURL"]),
            (
                "tappay", ["appId=12345", "appKey", "partnerKey", "merchantId=GlobalTesting_CTBC"], [],
                ["allowInsecureNotify", "amountPending", "merchantIds"]
            ),
        ] as [(String, [String], [String], [String])])
    func demoAccountsAreAsTheyEverWere(
        _ dialect: String, _ values: [String], _ files: [String], _ settings: [String]
    ) async throws {
        let folder = try CliFolder()
        let (plan, tools) = (try Self.plan(dialect), Self.tools(folder))
        let order = AccountOrder.demo(notifyURL: "https://shop.example/hook")
        let made = try await plan.makeCredentials(order, tools)
        #expect(made.values.map(\.name) == values.map { String($0.prefix { $0 != "=" }) })
        for value in values where value.contains("=") {
            #expect(made.values.contains { "\($0.name)=\($0.value)" == value }, "\(value)")
        }
        #expect(made.files.map { "\($0.name)=\($0.fileName)" } == files)
        #expect(Set(made.files.filter(\.isPrivate).map(\.name)).isSubset(of: ["privateKey", "clientKey"]))
        let draft = try plan.draft(made, order, tools.keys)
        #expect(draft.settings.keys.sorted() == settings && draft.key == plan.demoKey)
        #expect(Set(draft.secrets.keys).isSubset(of: plan.secretNames) && !draft.secrets.isEmpty)
        // The next start makes the same settings of what stands on the card.
        let held = AccountCredentials(values: made.values, files: made.files)
        #expect(try plan.draft(held, order, tools.keys).settings == draft.settings)
    }

    @Test(arguments: Mode.allCases)
    func everyPlanMakesAccountsThatItsOwnRulesTake(_ mode: Mode) async throws {
        let tools = AccountTools(.system)
        for plan in Self.plans {
            let order = AccountOrder(mode: mode)
            var made: [AccountCredentials] = []
            for _ in 0..<2 { made.append(try await plan.makeCredentials(order, tools)) }
            // Nobody's but this merchant's.
            for entry in made[0].values where entry.name != "keyVersion" {
                #expect(entry.value != made[1].value(entry.name), "\(plan.title) \(entry.name)")
            }
            for entry in made[0].values {
                let credential = try plan.credential(entry.name)
                #expect(credential.form.fits(entry.value, tools.keys), "\(plan.title) \(entry.name)")
                #expect(credential.demo != entry.value || entry.name == "keyVersion", "\(plan.title) \(entry.name)")
            }
            let draft = try plan.draft(made[0], order, tools.keys)
            #expect(draft.key == made[0].value(plan.keyName) && !draft.key.isEmpty)
            for (name, value) in draft.settings {
                #expect(try plan.setting(name).rule(value) == nil, "\(plan.title) \(name)")
            }
            #expect(draft.settings["allowInsecureNotify"] == nil)
            #expect(draft.secrets.values.allSatisfy { !$0.reveal().isEmpty })
        }
    }

    @Test func noLiveMerchantIsNotifiedWithoutTLS() {
        for plan in Self.plans where plan.settings.contains(where: { $0.name == "allowInsecureNotify" }) {
            let order = { AccountOrder(mode: $0, settings: ["allowInsecureNotify": "true"]) }
            #expect(throws: AccountPlanError.self) { try plan.check(order(.live), .cryptographic) }
            #expect(throws: Never.self) { try plan.check(order(.sandbox), .cryptographic) }
        }
    }

    /// What a merchant has configured already can be brought along.
    @Test func everyChoosableCredentialIsTakenAsItIs() async throws {
        let tools = AccountTools(.system)
        for plan in Self.plans {
            var chosen: [String: String] = [:]
            for credential in plan.credentials {
                switch credential.form {
                case .identifier: chosen[credential.name] = "SHOP_1"
                case .number(let digits): chosen[credential.name] = String(repeating: "7", count: digits.upperBound)
                case .secret: chosen[credential.name] = "chosen-\(credential.name)"
                case .rsaPrivateKey, .rsaPublicKey, .certificate: break
                }
            }
            let order = AccountOrder(mode: .live, chosen: chosen)
            let made = try await plan.makeCredentials(order, tools)
            #expect(
                Dictionary(uniqueKeysWithValues: made.values.map { ($0.name, $0.value) }) == chosen, "\(plan.title)")
            let secrets = try plan.draft(made, order, tools.keys).secrets
            for credential in plan.credentials where credential.form == .secret {
                #expect(secrets[credential.name]?.reveal() == chosen[credential.name], "\(plan.title)")
            }
        }
    }

    // MARK: Replacing

    /// The places in which a replaced credential is still accepted, which each dialect's own tests prove.
    @Test func everyCredentialThatRequestsShowHasASecondPlace() throws {
        let places = Dictionary(
            uniqueKeysWithValues: Self.plans.map { plan in
                (
                    plan.dialect.text,
                    plan.credentials.filter(\.hasOverlap).map { credential in
                        "\(credential.name): \(credential.slots.compactMap(\.second).joined(separator: ", "))"
                    }
                )
            })
        #expect(
            places == [
                "alphapay": [
                    "privateKey: merchantPublicKey2, keyVersion2", "publicKey: merchantPublicKey2, keyVersion2",
                ],
                "commweb": ["password: password2"], "payone": ["key: key2"], "radial": ["apikey: apikey2"],
                "tappay": ["appKey: appKey2", "partnerKey: partnerKey2"],
            ])
    }

    @Test func everyPasswordAndKeyIsReplacedAndRevoked() async throws {
        let tools = AccountTools(.system)
        for plan in Self.plans {
            let order = AccountOrder(mode: .live)
            let before = try plan.draft(try await plan.makeCredentials(order, tools), order, tools.keys)
            for credential in plan.credentials where credential.isReplaceable && !credential.isOptional {
                var account = before
                let made = try await plan.makeReplacement(of: credential.name, mode: .live, tools)
                try plan.replace(credential.name, by: made, in: &account, tools.keys)
                #expect(account.secrets != before.secrets || account.settings != before.settings)
                if credential.hasOverlap {
                    #expect(credential.overlaps(settings: account.settings, secrets: Set(account.secrets.keys)))
                    try plan.revokeReplaced(credential.name, in: &account)
                }
                #expect(account.settings.keys == before.settings.keys && account.secrets.keys == before.secrets.keys)
                #expect(account.aliases.count == before.aliases.count)
            }
        }
    }

    // MARK: Notifications

    /// `pomona webhooks listen` goes by them.
    @Test func noTwoDialectsNotificationsAreTakenForOneAnother() {
        let headers = [
            "alphapay": ["Signature": "x", "Merchant-Code": "x", "Content-Type": "application/json"],
            "commweb": ["X-Notification-ID": "x", "Content-Type": "application/json"],
            "payone": ["User-Agent": "PAYONE FinanceGate", "Content-Type": "application/x-www-form-urlencoded"],
            "radial": ["Content-Type": "application/xml; charset=UTF-8"],
            "tappay": ["X-Pomona-Signature": "x", "Content-Type": "application/json"],
        ]
        #expect(headers.keys.sorted() == Self.plans.map(\.dialect.text))
        for (dialect, headers) in headers {
            let known = Self.plans.filter { $0.notifications.isShown { headers[$0] } }
            #expect(known.map(\.dialect.text) == [dialect])
        }
    }
}
