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
    /// What it must be, too, where whoever sets it administers no more than some merchants: the gateway's own network is not
    /// his to look around in. `nil` where that makes no difference.
    public let publicRule: Rule?
    /// Whether an account is of no use without it.
    public let isRequired: Bool
    /// Why no command changes it; `nil` where one does.
    public let fixedBecause: String?
    /// Whether it is a text of several lines, a certificate or a key, which people have in a file.
    public let isDocument: Bool
    /// Whether it says who we are to the acquirer: under another name he knows none of the account's payments.
    public let isIdentity: Bool
    /// Whether it says where he is: at another place he may know none of them.
    public let isPlace: Bool
    /// Whether it guards what others must not get: where notifications go that carry a secret, who may call and what he may
    /// do, what is shown unmasked. A live merchant's may need a second person, as its credentials do.
    public let isGuarded: Bool

    public init(
        _ name: String, _ rule: @escaping Rule, _ meaning: String, isRequired: Bool = false,
        fixedBecause: String? = nil, isDocument: Bool = false, isIdentity: Bool = false,
        isPlace: Bool = false, isGuarded: Bool = false, publicRule: Rule? = nil
    ) {
        self.name = name
        self.meaning = meaning
        self.rule = rule
        self.publicRule = publicRule
        self.isRequired = isRequired
        self.fixedBecause = fixedBecause
        self.isDocument = isDocument
        self.isIdentity = isIdentity
        self.isPlace = isPlace
        self.isGuarded = isGuarded
    }
}

/// What a secret of an account is called, and what it is for. Its value is never shown again.
public struct SecretDescription: Sendable {
    public let name: String
    public let meaning: String
    public let isRequired: Bool
    /// The way of proving who one is that it belongs to, where an account needs one of several (``SecretAlternative``):
    /// "password", "certificate".
    public let alternative: String?
    /// Whether it is a text of several lines, which people have in a file.
    public let isDocument: Bool
    public let rule: SettingDescription.Rule

    public init(
        _ name: String, _ meaning: String, isRequired: Bool = false, alternative: String? = nil,
        isDocument: Bool = false, rule: @escaping SettingDescription.Rule = SettingRules.text(1024)
    ) {
        self.name = name
        self.meaning = meaning
        self.isRequired = isRequired
        self.alternative = alternative
        self.isDocument = isDocument
        self.rule = rule
    }
}
