//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What a setting of an account is called, what it may be and what it does. Dialects and connectors describe theirs;
/// whatever lists settings reads that.
public struct SettingDescription: Sendable {
    /// What is wrong with a value: "must be …"; `nil` for one that may be set.
    public typealias Rule = @Sendable (String) -> String?

    public let name: String
    public let meaning: String
    public let rule: Rule
    /// Whether an account is of no use without it.
    public let isRequired: Bool
    /// Why no command changes it; `nil` where one does.
    public let fixedBecause: String?

    public init(
        _ name: String, _ rule: @escaping Rule, _ meaning: String, isRequired: Bool = false,
        fixedBecause: String? = nil
    ) {
        self.name = name
        self.meaning = meaning
        self.rule = rule
        self.isRequired = isRequired
        self.fixedBecause = fixedBecause
    }
}

/// What a secret of an account is called, and what it is for. Its value is never shown again.
public struct SecretDescription: Sendable {
    public let name: String
    public let meaning: String
    public let isRequired: Bool
    public let rule: SettingDescription.Rule

    public init(
        _ name: String, _ meaning: String, isRequired: Bool = false,
        rule: @escaping SettingDescription.Rule = SettingRules.text(1024)
    ) {
        self.name = name
        self.meaning = meaning
        self.isRequired = isRequired
        self.rule = rule
    }
}
