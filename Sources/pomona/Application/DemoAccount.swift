//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Redaction

/// How a demo merchant's account in a dialect is made.
struct DemoAccount: Sendable {
    let displayName: String
    /// What the wire calls the account, unless other credentials were chosen.
    let key: String
    /// Which of the credentials that is: "merchantCode".
    let keyName: String
    /// ISO 3166-1 alpha-2.
    let countryCode: String
    /// ISO 4217.
    let currency: String
    /// What may be chosen instead of made.
    let choices: [CredentialChoice]
    /// Makes the ids, passwords and keys, once.
    let makeCredentials: @Sendable (DemoTools) async throws -> DemoCredentials
    /// What the gateway keeps of them: what may be read, and what is sealed. Secrets count only when the credentials
    /// have just been made.
    let draft:
        @Sendable (DemoCredentials, DemoSettings) throws -> (
            settings: [String: String], secrets: [String: Redacted<String>]
        )
    /// Further names by which the wire finds the account.
    var aliases: @Sendable (DemoCredentials) -> Set<String> = { _ in [] }
}

/// What credentials are made with.
struct DemoTools: Sendable {
    /// That many bytes of a cryptographically secure source.
    let random: @Sendable (Int) -> [UInt8]
    /// A key and a certificate for TLS clients by the sandbox's authority, both PEM.
    let makeClientIdentity: @Sendable (_ name: String) throws -> (certificatePEM: String, privateKeyPEM: String)
    /// The values that are not made because they are known.
    var chosen: [String: String] = [:]

    /// A password: 128 random bits as hexadecimal digits.
    func makePassword() -> String { Hex.encode(self.random(16)) }

    /// A value that has been chosen, or the standard one.
    func entry(_ name: String, _ standard: String) -> MerchantCard.Entry {
        MerchantCard.Entry(name: name, value: self.chosen[name] ?? standard)
    }

    /// A secret that has been chosen, or a new one.
    func secret(_ name: String, prefix: String = "") -> MerchantCard.Entry {
        self.entry(name, prefix + self.makePassword())
    }
}

/// What the person who starts the sandbox says about its accounts.
struct DemoSettings: Hashable, Sendable {
    /// Where accounts of dialects whose requests name no address are notified of events.
    var notifyURL: String?
}

/// The ids, passwords and keys of a demo merchant.
struct DemoCredentials: Sendable {
    struct File: Sendable {
        /// What it is called in the sandbox's announcement: "privateKey".
        let name: String
        /// "private-key.pem".
        let fileName: String
        let text: String
        let isPrivate: Bool
    }

    var values: [MerchantCard.Entry]
    var files: [File] = []
    /// What the merchant never sees: the gateway's own signing key. Known only when it has just been made.
    var gatewayKeyPEM: Redacted<String>?

    func value(_ name: String) -> String { self.values.first { $0.name == name }?.value ?? "" }

    func file(_ name: String) -> String { self.files.first { $0.name == name }?.text ?? "" }
}
