//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Redaction
import Settings
import Synchronization
import Testing

@testable import DialectKit

/// Plans, by that of a dialect with one of everything.
@Suite struct AccountPlanTests {
    private static let plan = AccountPlan(
        dialect: DialectName("test"), title: "Test", keyName: "shop",
        credentials: [
            .identifier("shop", .identifier(max: 10), "The shop.", demo: "DEMO") { mode, tools in
                (mode == .live ? "L" : "S") + tools.letters(4)
            },
            .identifier("version", .number(digits: 1...3), "The key's.", demo: "1") { _, _ in "1" },
            .secret("password", "What requests show.", prefix: "pw_", second: "password2"),
            .secret("hook", "What notifications show."), .optionalSecret("extra", "What few have."),
            CredentialDescription(
                "certificate", .certificate, "Made for the demo alone.", choice: .operators, isOptional: true,
                slots: [
                    CredentialSlot(.setting, "digest", second: "digest2"),
                    CredentialSlot(.setting, "version", second: "version2", isCopied: true),
                ]
            ) { order, tools in
                let text = try order.chosen["certificate"] ?? (order.isDemo ? tools.makeClientIdentity?("x").0 : nil)
                return AccountCredentials(
                    files: text.map { [.init(name: "certificate", fileName: "c.pem", text: $0, isPrivate: false)] }
                        ?? [])
            },
            CredentialDescription(
                "own", .rsaPrivateKey, "The gateway's.", choice: .nobody, slots: [CredentialSlot(.secret, "own")]
            ) { _, tools in AccountCredentials(hidden: ["own": try tools.keys.makeRSAKey().privateKeyPEM]) },
        ],
        settings: [
            SettingDescription("version", SettingRules.digits(1...3), "The key's.", isRequired: true),
            SettingDescription("insecure", SettingRules.flag, "For tests."),
            SettingDescription("url", SettingRules.url, "Where events go.", isGuarded: true),
            SettingDescription("digest", SettingRules.text(99), "Of the certificate."),
            SettingDescription("digest2", SettingRules.text(99), "Of the one before."),
            SettingDescription("version2", SettingRules.digits(1...3), "Of the one before."),
            SettingDescription("fixed", SettingRules.text(9), "Stays.", fixedBecause: "it does"),
        ],
        sandboxSettings: ["insecure"], notifySetting: "url",
        demo: AccountPlan.Demo(countryCode: "CA", currency: "CAD", settings: ["insecure": "true"]),
        referenceKinds: [ReferenceKind("trade"), ReferenceKind("call") { Int($0).map(String.init) }],
        notifications: NotificationMark { $0("X-Test") != nil },
        aliases: { _, secrets in Set(["password", "password2"].compactMap { secrets[$0]?.reveal().lowercased() }) },
        places: { credentials, keys in
            var settings = ["version": credentials.value("version")]
            settings["digest"] = keys.certificateSHA256(credentials.file("certificate"))
            var secrets = credentials.hidden
            for name in ["password", "hook", "extra"] where !credentials.value(name).isEmpty {
                secrets[name] = Redacted(credentials.value(name))
            }
            return (settings, secrets)
        })

    private static let keys = AccountKeyTools(
        makeRSAKey: { .init(privateKeyPEM: Redacted("private"), publicKeyPEM: "public") },
        rsaKey: { $0 == "rsa" ? .init(privateKeyPEM: Redacted($0), publicKeyPEM: "public") : nil },
        rsaPublicKey: { $0 == "public" ? $0 : nil },
        certificateSHA256: { $0.hasPrefix("certificate") ? "digest of \($0)" : nil })

    /// Bytes that count up, so that no two draws are the same.
    private static func tools(taken: Set<String> = []) -> AccountTools {
        let next = Mutex(UInt8(0))
        return AccountTools(
            random: { count in
                next.withLock { next in
                    (0..<count).map { _ in
                        next &+= 1
                        return next
                    }
                }
            }, keys: Self.keys, makeClientIdentity: { _ in ("certificate", "key") },
            isTaken: { dialect, key in dialect == DialectName("test") && taken.contains(key) })
    }

    private static func account(_ order: AccountOrder = AccountOrder(mode: .live)) async throws -> AccountDraft {
        try Self.plan.draft(try await Self.plan.makeCredentials(order, Self.tools()), order, Self.keys)
    }

    private static func code(_ body: () async throws -> Void) async -> AccountPlanError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? AccountPlanError)?.code
        }
    }

    // MARK: Making

    @Test func anOperationIsCalledByEachKindThatTheTextFits() {
        let dialect = DialectName("test")
        #expect(
            Self.plan.references("007") == [
                PaymentQuery.DialectReference(dialect, kind: "trade", value: "007"),
                PaymentQuery.DialectReference(dialect, kind: "call", value: "7"),
            ])
        let other = [PaymentQuery.DialectReference(dialect, kind: "trade", value: "x")]
        #expect(Self.plan.references("x") == other)
        #expect(PaymentQuery.OperationName.dialects([Self.plan, Self.plan], calling: "x") == .dialects(other + other))
    }

    @Test func makesTheDemoAccountOfWellKnownNames() async throws {
        let order = AccountOrder.demo(notifyURL: "https://shop.example/hook")
        let made = try await Self.plan.makeCredentials(order, Self.tools(taken: ["DEMO"]))
        #expect(made.values.map(\.name) == ["shop", "version", "password", "hook"])
        #expect(made.value("shop") == "DEMO" && made.value("password").hasPrefix("pw_"))
        #expect(made.files.map(\.fileName) == ["c.pem"])
        let draft = try Self.plan.draft(made, order, Self.keys)
        #expect(draft.key == "DEMO" && Self.plan.demoKey == "DEMO")
        #expect(
            draft.settings == [
                "version": "1", "digest": "digest of certificate", "insecure": "true",
                "url": "https://shop.example/hook",
            ])
        #expect(Set(draft.secrets.keys) == ["password", "hook", "own"] && draft.aliases.count == 1)
    }

    @Test func makesFreshIDsForMerchants() async throws {
        let live = try await Self.account()
        #expect(live.key.hasPrefix("L") && live.key.count == 5)
        #expect(live.settings == ["version": "1"] && Set(live.secrets.keys) == ["password", "hook", "own"])
        let sandbox = try await Self.account(AccountOrder(mode: .sandbox, settings: ["insecure": "true"]))
        #expect(sandbox.key.hasPrefix("S") && sandbox.settings["insecure"] == "true")
    }

    @Test func takesWhatIsChosen() async throws {
        let order = AccountOrder(
            mode: .live, chosen: ["shop": "APPLES", "password": "password-1", "extra": "extra-1234"],
            notifyURL: "https://shop.example/hook")
        let account = try await Self.account(order)
        #expect(account.key == "APPLES" && account.secrets["password"]?.reveal() == "password-1")
        #expect(account.secrets["extra"] != nil && account.settings["url"] == "https://shop.example/hook")
    }

    @Test func drawsAnotherKeyForOneThatIsTaken() async throws {
        let order = AccountOrder(mode: .live)
        let first = try await Self.plan.makeCredentials(order, Self.tools()).value("shop")
        let second = try await Self.plan.makeCredentials(order, Self.tools(taken: [first])).value("shop")
        #expect(second != first && second.hasPrefix("L"))
        let chosen = AccountOrder(mode: .live, chosen: ["shop": "MINE"])
        let code = await Self.code { _ = try await Self.plan.makeCredentials(chosen, Self.tools(taken: ["MINE"])) }
        #expect(code == .keyTaken)
    }

    @Test(
        arguments: [
            (AccountOrder(mode: .live, chosen: ["colour": "red"]), .credentialUnknown),
            (AccountOrder(mode: .live, chosen: ["password": "short"]), .credentialInvalid),
            (AccountOrder(mode: .live, chosen: ["own": "rsa"]), .credentialInvalid),
            (AccountOrder(mode: .live, notifyURL: "shop.example"), .settingInvalid),
            (AccountOrder(mode: .live, settings: ["colour": "red"]), .settingUnknown),
            (AccountOrder(mode: .live, settings: ["insecure": "maybe"]), .settingInvalid),
            (AccountOrder(mode: .live, settings: ["insecure": "true"]), .settingForSandbox),
            (AccountOrder(mode: .live, settings: ["fixed": "x"]), .settingFixed),
            // The holder would be given another version than the account has.
            (AccountOrder(mode: .live, settings: ["version": "2"]), .settingFixed),
        ] as [(AccountOrder, AccountPlanError.Code)])
    func refusesWhatCannotBe(_ order: AccountOrder, _ code: AccountPlanError.Code) async throws {
        #expect(await Self.code { _ = try await Self.account(order) } == code)
    }

    @Test func settingThatIsNeededCannotBeUnset() throws {
        let unset = { (name: String) in try Self.plan.check(setting: name, value: nil, mode: .live) }
        try unset("insecure")
        #expect(throws: AccountPlanError.self) { try unset("version") }
        #expect(throws: AccountPlanError.self) { try unset("fixed") }
        #expect(Self.plan.settings.map(\.name).suffix(2) == ["requestsPerSecond", "requestBurst"])
    }

    // MARK: Replacing

    @Test func replacedSecretStaysInTheSecondPlaceUntilItIsRevoked() async throws {
        var account = try await Self.account()
        let old = try #require(account.secrets["password"]?.reveal())
        let made = try await Self.plan.makeReplacement(
            of: "password", chosen: "new-password", mode: .live, Self.tools())
        try Self.plan.replace("password", by: made, in: &account, Self.keys)
        #expect(account.secrets["password"]?.reveal() == "new-password")
        #expect(account.secrets["password2"]?.reveal() == old && account.aliases == [old.lowercased(), "new-password"])
        // A third would lock out whoever has the first.
        let third = try await Self.plan.makeReplacement(of: "password", mode: .live, Self.tools())
        let again = account
        let code = await Self.code {
            var account = again
            try Self.plan.replace("password", by: third, in: &account, Self.keys)
        }
        #expect(code == .credentialOverlaps)
        try Self.plan.revokeReplaced("password", in: &account)
        #expect(account.secrets["password2"] == nil && account.aliases == ["new-password"])
        #expect(throws: AccountPlanError.self) { try Self.plan.revokeReplaced("password", in: &account) }
    }

    @Test func replacedSettingTakesWhatGoesWithItAlong() async throws {
        var account = try await Self.account(AccountOrder(mode: .live, chosen: ["certificate": "certificate 1"]))
        let made = try await Self.plan.makeReplacement(
            of: "certificate", chosen: "certificate 2", mode: .live, Self.tools())
        try Self.plan.replace("certificate", by: made, in: &account, Self.keys)
        #expect(
            account.settings == [
                "version": "1", "version2": "1", "digest": "digest of certificate 2",
                "digest2": "digest of certificate 1",
            ])
        try Self.plan.revokeReplaced("certificate", in: &account)
        #expect(account.settings == ["version": "1", "digest": "digest of certificate 2"])
    }

    @Test func secretWithoutASecondPlaceIsReplacedAtOnce() async throws {
        var account = try await Self.account()
        let made = try await Self.plan.makeReplacement(of: "hook", mode: .live, Self.tools())
        try Self.plan.replace("hook", by: made, in: &account, Self.keys)
        #expect(account.secrets["hook"]?.reveal() == made.value("hook"))
        #expect(throws: AccountPlanError.self) { try Self.plan.revokeReplaced("hook", in: &account) }
        #expect(try Self.plan.credential("hook").hasOverlap == false)
    }

    @Test func onlyWhatAnAccountNeedNotHaveIsRemoved() async throws {
        var account = try await Self.account(AccountOrder(mode: .live, chosen: ["extra": "extra-1234"]))
        try Self.plan.remove("extra", in: &account)
        #expect(account.secrets["extra"] == nil)
        let gone = #expect(throws: AccountPlanError.self) { try Self.plan.remove("extra", in: &account) }
        #expect(gone?.code == .credentialNotReplaced)
        let needed = #expect(throws: AccountPlanError.self) { try Self.plan.remove("password", in: &account) }
        #expect(needed?.code == .credentialFixed)
    }

    @Test(
        arguments: [
            ("shop", "OTHER", .credentialFixed), ("password", "short", .credentialInvalid),
            ("extra", nil, .credentialInvalid), ("own", "rsa", .credentialInvalid), ("colour", nil, .credentialUnknown),
        ] as [(String, String?, AccountPlanError.Code)])
    func refusesAReplacementThatCannotBe(
        _ name: String, _ chosen: String?, _ code: AccountPlanError.Code
    ) async throws {
        let refused = await Self.code {
            _ = try await Self.plan.makeReplacement(of: name, chosen: chosen, mode: .live, Self.tools())
        }
        #expect(refused == code)
    }

    /// An account never loses what it has to something that was not made.
    @Test func nothingTakesNoPlace() async throws {
        let account = try await Self.account()
        let code = await Self.code {
            var account = account
            try Self.plan.replace("password", by: AccountCredentials(), in: &account, Self.keys)
        }
        #expect(code == .credentialInvalid)
    }

    // MARK: Forms

    @Test(
        arguments: [
            (.identifier(max: 4), "A-b_", "A b"), (.identifier(max: 4), "abcd", "abcde"),
            (.identifier(max: 4), "1", "é"),
            (.number(digits: 1...3), "12", "012"), (.number(digits: 2...2), "12", "123"),
            (.number(digits: 1...3), "1", "x"),
            (.secret, "12345678", "1234567"), (.secret, "~!aA0123", "with blank"), (.rsaPrivateKey, "rsa", "public"),
            (.rsaPublicKey, "public", "rsa"), (.certificate, "certificate", "rsa"),
        ] as [(CredentialForm, String, String)])
    func formTakesTheSoundAndRefusesTheWrong(_ form: CredentialForm, _ sound: String, _ wrong: String) {
        #expect(form.fits(sound, Self.keys) && !form.fits(wrong, Self.keys) && !form.fits("", Self.keys))
        #expect(!form.allowed.isEmpty)
    }

    @Test(arguments: 1...9) func numbersHaveTheirDigits(_ count: Int) {
        let tools = Self.tools()
        for _ in 0..<200 {
            let number = tools.number(digits: count)
            #expect(CredentialForm.number(digits: count...count).fits(number, Self.keys), "\(number)")
        }
        for bytes in [UInt8.min, .max] {
            let tools = AccountTools(random: { Array(repeating: bytes, count: $0) }, keys: Self.keys)
            #expect(CredentialForm.number(digits: count...count).fits(tools.number(digits: count), Self.keys))
            #expect(CredentialForm.identifier(max: count).fits(tools.letters(count), Self.keys))
        }
    }
}
