//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
public import Redaction

/// For whom an account is to be made, and what is known of it beforehand.
public struct AccountOrder: Sendable {
    public let mode: Mode
    /// Whether it is a sandbox's demo merchant's, whose names are known to everybody.
    public let isDemo: Bool
    /// Credentials that are not made, because they are known, by name.
    public var chosen: [String: String]
    /// Where events are reported, in dialects with one address for all.
    public var notifyURL: String?
    /// What else the account is to say.
    public var settings: [String: String]

    public init(
        mode: Mode, chosen: [String: String] = [:], notifyURL: String? = nil, settings: [String: String] = [:]
    ) {
        self.mode = mode
        self.isDemo = false
        self.chosen = chosen
        self.notifyURL = notifyURL
        self.settings = settings
    }

    private init(demoWith chosen: [String: String], notifyURL: String?) {
        self.mode = .sandbox
        self.isDemo = true
        self.chosen = chosen
        self.notifyURL = notifyURL
        self.settings = [:]
    }

    /// A sandbox's demo merchant's. What is chosen has been checked when it was read.
    public static func demo(chosen: [String: String] = [:], notifyURL: String? = nil) -> AccountOrder {
        AccountOrder(demoWith: chosen, notifyURL: notifyURL)
    }
}

/// The ids, passwords and keys of an account, as its holder is given them, once.
public struct AccountCredentials: Sendable {
    /// A name and a value, as they are shown.
    public struct Entry: Hashable, Sendable {
        public let name: String
        public let value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    public struct File: Hashable, Sendable {
        /// What it is announced as: "privateKey".
        public let name: String
        /// "private-key.pem".
        public let fileName: String
        public let text: String
        public let isPrivate: Bool

        public init(name: String, fileName: String, text: String, isPrivate: Bool) {
            self.name = name
            self.fileName = fileName
            self.text = text
            self.isPrivate = isPrivate
        }
    }

    public var values: [Entry]
    public var files: [File]
    /// What the holder never sees, by the names of the account's secrets: the gateway's own signing key. There only when
    /// it has just been made.
    public var hidden: [String: Redacted<String>]

    public init(values: [Entry] = [], files: [File] = [], hidden: [String: Redacted<String>] = [:]) {
        self.values = values
        self.files = files
        self.hidden = hidden
    }

    /// Empty for one that there is not.
    public func value(_ name: String) -> String { self.values.first { $0.name == name }?.value ?? "" }

    /// The file's text; empty for one that there is not.
    public func file(_ name: String) -> String { self.files.first { $0.name == name }?.text ?? "" }

    mutating func add(_ others: AccountCredentials) {
        self.values += others.values
        self.files += others.files
        self.hidden.merge(others.hidden) { $1 }
    }
}

// What is chosen and made may be secret: neither is shown whole.

extension AccountOrder: CustomStringConvertible {
    public var description: String {
        "\(self.mode.rawValue)\(self.isDemo ? ", demo" : ""), chosen: \(self.chosen.keys.sorted()), "
            + "settings: \(self.settings.keys.sorted())"
    }
}

extension AccountCredentials: CustomStringConvertible {
    public var description: String { "\(self.values.map(\.name) + self.files.map(\.name))" }
}

/// The parts of an account, its secrets open: what is to be written, or what is there and is to be changed.
public struct AccountDraft: Sendable {
    /// What the wire calls the account.
    public let key: String
    /// Further names by which the wire finds it.
    public var aliases: Set<String>
    public var settings: [String: String]
    public var secrets: [String: Redacted<String>]

    public init(
        key: String, aliases: Set<String> = [], settings: [String: String], secrets: [String: Redacted<String>]
    ) {
        self.key = key
        self.aliases = aliases
        self.settings = settings
        self.secrets = secrets
    }
}
