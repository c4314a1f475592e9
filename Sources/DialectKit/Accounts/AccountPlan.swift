//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Gateway
public import Payments
public import Redaction
public import Settings

/// What a dialect says of its accounts: what they are made of, what may be set in them, and what of them can be
/// replaced. Whatever makes, lists or changes accounts reads it, and knows no dialect by name.
public struct AccountPlan: Sendable {
    /// What a sandbox's demo merchant is, and what its account says beyond what every account does.
    public struct Demo: Sendable {
        public let displayName: String
        /// ISO 3166-1 alpha-2.
        public let countryCode: String
        /// ISO 4217.
        public let currency: String
        public let settings: [String: String]

        public init(
            displayName: String = "Pomona Sandbox Shop", countryCode: String, currency: String,
            settings: [String: String] = [:]
        ) {
            self.displayName = displayName
            self.countryCode = countryCode
            self.currency = currency
            self.settings = settings
        }
    }

    /// What the gateway keeps of credentials: what may be read, and what is sealed. May be asked about some of an account's
    /// credentials alone; what is said of the others then counts for nothing.
    public typealias Places =
        @Sendable (AccountCredentials, AccountKeyTools) throws -> (
            settings: [String: String], secrets: [String: Redacted<String>]
        )

    /// How the wire knows what an operator does to a payment: labels, references, where it is reported. `nil` for an act that
    /// it has no word for, and that is not offered therefore.
    public typealias OperatorMarks = @Sendable (OperatorOperation) -> OperatorMark?

    public let dialect: DialectName
    /// What people call the dialect: "CommWeb".
    public let title: String
    /// The credential by which the wire calls the account: "merchantId".
    public let keyName: String
    /// In the order in which they are shown.
    public let credentials: [CredentialDescription]
    /// The dialect's own, and those of every dialect.
    public let settings: [SettingDescription]
    /// Those that only a sandbox merchant's account may have.
    public let sandboxSettings: Set<String>
    /// The setting that says where events are reported; `nil` where every request names an address of its own.
    public let notifySetting: String?
    /// Further settings that say where some of the events are reported.
    public let otherNotifySettings: Set<String>
    public let demo: Demo
    /// The kinds of references that the dialect has the store look operations up by.
    public let referenceKinds: [ReferenceKind]
    public let notifications: NotificationMark
    /// What a payment in it usually is: a sale in a dialect that has no other.
    public let usualPurpose: AuthorizeCommand.Purpose
    public let operatorMark: OperatorMarks
    /// How many minor units of ISO 4217 the unit is in which the wire counts a payment's currency: a power of ten.
    public let wireUnit: @Sendable (Payment) -> Int64
    /// Further names by which the wire finds an account, of its settings and its open secrets.
    let aliases: @Sendable (_ settings: [String: String], _ secrets: [String: Redacted<String>]) -> Set<String>
    let places: Places

    public init(
        dialect: DialectName, title: String, keyName: String, credentials: [CredentialDescription],
        settings: [SettingDescription], sandboxSettings: Set<String> = [], notifySetting: String? = nil,
        otherNotifySettings: Set<String> = [], demo: Demo,
        referenceKinds: [ReferenceKind] = [], notifications: NotificationMark,
        usualPurpose: AuthorizeCommand.Purpose = .authorization,
        operatorMark: @escaping OperatorMarks = { _ in OperatorMark() },
        wireUnit: @escaping @Sendable (Payment) -> Int64 = { _ in 1 },
        aliases: @escaping @Sendable ([String: String], [String: Redacted<String>]) -> Set<String> = { _, _ in [] },
        places: @escaping Places
    ) {
        self.dialect = dialect
        self.title = title
        self.keyName = keyName
        self.credentials = credentials
        self.settings = settings + Self.settingsOfAll
        self.sandboxSettings = sandboxSettings
        self.notifySetting = notifySetting
        self.otherNotifySettings = otherNotifySettings
        self.demo = demo
        self.referenceKinds = referenceKinds
        self.notifications = notifications
        self.usualPurpose = usualPurpose
        self.operatorMark = operatorMark
        self.wireUnit = wireUnit
        self.aliases = aliases
        self.places = places
    }

    /// What the wire calls the demo merchant's account, unless another name was chosen.
    public var demoKey: String { self.credentials.first { $0.name == self.keyName }?.demo ?? "" }

    /// The secrets that an account of the dialect can have.
    public var secretNames: Set<String> { self.names(in: .secret) }

    /// The settings that are credentials, or parts of them (public keys, certificates' digests, the numbers by which a caller
    /// is known), and those that guard what credentials guard. A change of one in a live merchant's account may need a second
    /// person.
    public var guardedSettings: Set<String> {
        self.names(in: .setting).union(self.credentials.compactMap(\.setting))
            .union(self.settings.lazy.filter(\.isGuarded).map(\.name))
    }

    private func names(in place: CredentialSlot.Place) -> Set<String> {
        Set(
            self.credentials.flatMap { credential in
                credential.slots.filter { $0.place == place }.flatMap { [$0.first] + ($0.second.map { [$0] } ?? []) }
            })
    }

    /// Read by DialectKit, for every dialect.
    private static let settingsOfAll = [
        SettingDescription(
            MerchantRates.rateSetting, SettingRules.digits(1...6),
            "How many requests a second the merchant may make; 0 for any number; without it, limits.merchantRequestsPerSecond."
        ),
        SettingDescription(
            MerchantRates.burstSetting, SettingRules.digits(1...6),
            "How many requests it may make at once; without it, as many as in two seconds."),
    ]
}

// MARK: - What is refused

extension AccountPlan {
    /// - Throws: ``AccountPlanError`` `credential_unknown`, which names those that there are.
    public func credential(_ name: String) throws(AccountPlanError) -> CredentialDescription {
        if let credential = self.credentials.first(where: { $0.name == name }) { return credential }
        let names = self.credentials.map(\.name).joined(separator: ", ")
        throw AccountPlanError(
            .credentialUnknown, "An account in \(self.dialect) has no credential named \(name); it has \(names).")
    }

    /// - Throws: ``AccountPlanError`` `setting_unknown`, which names those that there are.
    public func setting(_ name: String) throws(AccountPlanError) -> SettingDescription {
        if let setting = self.settings.first(where: { $0.name == name }) { return setting }
        let names = self.settings.map(\.name).joined(separator: ", ")
        throw AccountPlanError(
            .settingUnknown, "\(self.dialect) has no setting named \(name); it has \(names).")
    }

    /// Whether a command may set a setting to a value, or take it away.
    ///
    /// - Parameters:
    ///   - value: `nil` to take it away.
    ///   - mode: the merchant's.
    /// - Throws: ``AccountPlanError`` `setting_unknown`, `setting_fixed`, `setting_invalid`, `setting_missing`,
    ///   `setting_for_sandbox`.
    public func check(setting name: String, value: String?, mode: Mode) throws(AccountPlanError) {
        let setting = try self.setting(name)
        if let reason = setting.fixedBecause {
            throw AccountPlanError(.settingFixed, "\(name) cannot be changed: \(reason).")
        }
        guard let value else {
            guard !setting.isRequired else {
                throw AccountPlanError(.settingMissing, "\(name) cannot be unset: the account is of no use without it.")
            }
            return
        }
        if let problem = setting.rule(value) { throw AccountPlanError(.settingInvalid, "\(name) \(problem).") }
        if name == self.notifySetting || self.otherNotifySettings.contains(name) {
            try Self.check(notifyURL: value, mode: mode)
        }
        guard mode == .sandbox || !self.sandboxSettings.contains(name) else {
            throw AccountPlanError(.settingForSandbox, "\(name) is for sandbox merchants alone; this one is live.")
        }
    }

    /// What notifications of a live merchant say of payments is nobody's on the way, nor this machine's.
    private static func check(notifyURL: String, mode: Mode) throws(AccountPlanError) {
        if let problem = SettingRules.url(notifyURL) {
            throw AccountPlanError(.settingInvalid, "The address for notifications \(problem).")
        }
        guard mode == .sandbox || NotificationTarget(notifyURL)?.isSecure == true else {
            throw AccountPlanError(
                .settingInvalid, "The address for notifications of a live merchant must be an https URL.")
        }
    }

    /// Whether an account can be made as an operator wants it.
    ///
    /// - Throws: ``AccountPlanError``, which never shows what was chosen: it may be a secret.
    public func check(_ order: AccountOrder, _ keys: AccountKeyTools) throws(AccountPlanError) {
        for (name, value) in order.chosen.sorted(by: { $0.key < $1.key }) {
            try self.credential(name).check(chosen: value, keys)
        }
        if let notifyURL = order.notifyURL {
            guard self.notifySetting != nil else {
                throw AccountPlanError(
                    .settingUnknown, "\(self.dialect) has no address for all events: every request names its own.")
            }
            try Self.check(notifyURL: notifyURL, mode: order.mode)
        }
        for (name, value) in order.settings.sorted(by: { $0.key < $1.key }) {
            try self.check(setting: name, value: value, mode: order.mode)
        }
    }
}
