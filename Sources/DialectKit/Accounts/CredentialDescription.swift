//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments

/// An id, a password or a key of an account: what it is called, what it may be, how it is made, and how it can be
/// replaced.
public struct CredentialDescription: Sendable {
    public typealias Make = @Sendable (AccountOrder, AccountTools) async throws -> AccountCredentials

    /// Who may choose what would else be made.
    public enum Choice: Hashable, Sendable {
        case everybody
        /// Not the file of a sandbox's credentials: its demo shop could not use the account.
        case operators
        case nobody
    }

    /// As it is announced: "password".
    public let name: String
    public let meaning: String
    public let form: CredentialForm
    public let choice: Choice
    /// Whether an account has it only if it was chosen.
    public let isOptional: Bool
    /// What the sandbox's demo merchant has; `nil` for one that is made anew for every sandbox.
    public let demo: String?
    /// Where it stands in the account; none for an id, which stays for ever.
    public let slots: [CredentialSlot]
    /// Whether requests are proved by it, so that its use can be seen.
    public let isProof: Bool
    /// The setting of the account in which an id stands; `nil` for what is no id, and for the one that is the account's
    /// key.
    public let setting: String?
    let make: Make

    public init(
        _ name: String, _ form: CredentialForm, _ meaning: String, choice: Choice = .everybody,
        isOptional: Bool = false, demo: String? = nil, slots: [CredentialSlot] = [], isProof: Bool = false,
        setting: String? = nil, make: @escaping Make
    ) {
        self.name = name
        self.meaning = meaning
        self.form = form
        self.choice = choice
        self.isOptional = isOptional
        self.demo = demo
        self.slots = slots
        self.isProof = isProof
        self.setting = setting
        self.make = make
    }

    /// Whether nobody but its holder may see it.
    public var isSecret: Bool { self.form.isSecret }

    /// Whether it can be replaced by another.
    public var isReplaceable: Bool { !self.slots.isEmpty }

    /// Whether one that has been replaced is accepted beside the new one until it is revoked.
    public var hasOverlap: Bool { self.slots.contains { $0.second != nil } }

    /// - Throws: ``AccountPlanError`` `credential_invalid`, without the value.
    func check(chosen value: String, _ keys: AccountKeyTools) throws(AccountPlanError) {
        guard self.choice != .nobody else {
            throw AccountPlanError(.credentialInvalid, "\(self.name) cannot be chosen: the gateway makes it.")
        }
        guard self.form.fits(value, keys) else {
            throw AccountPlanError(.credentialInvalid, "\(self.name) must be \(self.form.allowed).")
        }
    }
}

/// Where a credential stands in an account.
public struct CredentialSlot: Hashable, Sendable {
    public enum Place: Hashable, Sendable {
        case setting
        case secret
    }

    public let place: Place
    /// The one that counts: what requests are compared with first, and what is used for whatever is sent.
    public let first: String
    /// Where one that has been replaced stands until it is revoked: requests are compared with it, too, and nothing is
    /// sent with it. `nil` where a new one takes the other's place at once.
    public let second: String?
    /// Whether the new credential leaves the first place as it is: it goes with the other that has been replaced.
    public let isCopied: Bool

    public init(_ place: Place, _ first: String, second: String? = nil, isCopied: Bool = false) {
        self.place = place
        self.first = first
        self.second = second
        self.isCopied = isCopied
    }
}

// MARK: - The usual kinds

extension CredentialDescription {
    /// An id: the chosen one, the demo merchant's, or a fresh one.
    ///
    /// - Parameter setting: where it stands in the account; left out for the account's key.
    public static func identifier(
        _ name: String, _ form: CredentialForm, _ meaning: String, demo: String, setting: String? = nil,
        fresh: @escaping @Sendable (Mode, AccountTools) -> String
    ) -> CredentialDescription {
        CredentialDescription(name, form, meaning, demo: demo, setting: setting) { order, tools in
            let value = order.chosen[name] ?? (order.isDemo ? demo : fresh(order.mode, tools))
            return AccountCredentials(values: [.init(name: name, value: value)])
        }
    }

    /// A password, which the account's secret of the same name holds: the chosen one, or 128 random bits.
    ///
    /// - Parameter second: the secret that holds one that has been replaced; `nil` for a password that the gateway shows,
    ///   rather than whoever calls it.
    public static func secret(
        _ name: String, _ meaning: String, prefix: String = "", second: String? = nil
    ) -> CredentialDescription {
        CredentialDescription(
            name, .secret, meaning, slots: [CredentialSlot(.secret, name, second: second)], isProof: second != nil
        ) { order, tools in
            let value = order.chosen[name] ?? prefix + tools.password()
            return AccountCredentials(values: [.init(name: name, value: value)])
        }
    }

    /// A password that an account has only if it was chosen.
    public static func optionalSecret(_ name: String, _ meaning: String) -> CredentialDescription {
        CredentialDescription(
            name, .secret, meaning, choice: .operators, isOptional: true, slots: [CredentialSlot(.secret, name)]
        ) { order, _ in
            AccountCredentials(values: order.chosen[name].map { [.init(name: name, value: $0)] } ?? [])
        }
    }
}
