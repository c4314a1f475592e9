//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Settings
import Testing

/// What values of settings may be.
@Suite struct SettingRulesTests {
    @Test(
        arguments: [
            ("text", SettingRules.text(5), ["a", "café", "12345"], ["", "123456", "a\nb", "\u{7F}"]),
            (
                "name", SettingRules.name, ["a", "1", "a-", "shop-2", String(repeating: "a", count: 64)],
                ["", "-", "--json", "-a", "A", "a_b", "a b", "é", String(repeating: "a", count: 65)]
            ),
            ("flag", SettingRules.flag, ["true", "false"], ["", "yes", "TRUE"]),
            ("choice", SettingRules.choice(["list", "single"]), ["list"], ["", "List", "list,single"]),
            ("list", SettingRules.list(of: ["VC", "MC"]), ["VC", "VC,MC", "MC, VC"], ["", "VC,", "AM", "vc"]),
            ("digits", SettingRules.digits(4...4), ["5999", "0001"], ["", "599", "59990", "59a9", "٥٩٩٩"]),
            ("digit lists", SettingRules.digitLists, ["1", "1,22", "1, 22"], ["", "1,,2", "12345678901", "a"]),
            ("currencies", SettingRules.currencies, ["EUR", "EUR,USD"], ["", "eur", "EUR,", "ZZZ"]),
            (
                "fingerprints", SettingRules.fingerprints,
                [String(repeating: "aB", count: 32), String(repeating: "ab:", count: 31) + "ab"],
                ["", "ab", String(repeating: "zz", count: 32)]
            ),
            ("offset", SettingRules.offset, ["-08:00", "+05:30"], ["", "08:00", "+8:00", "+15:00", "+05:60"]),
            (
                "public key", SettingRules.publicKey, ["-----BEGIN PUBLIC KEY-----\nx\n-----END PUBLIC KEY-----\n"],
                ["", "-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----"]
            ),
        ] as [(String, SettingDescription.Rule, [String], [String])])
    func takesAndRefuses(
        _ name: String, _ rule: SettingDescription.Rule, _ good: [String], _ bad: [String]
    ) {
        for value in good { #expect(rule(value) == nil, "\(name): \(value)") }
        for value in bad { #expect(rule(value)?.hasPrefix("must ") == true, "\(name): \(value)") }
    }
}
