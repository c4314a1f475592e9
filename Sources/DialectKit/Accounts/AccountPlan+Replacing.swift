//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
import Redaction
import Settings

/// Replacing a password or a key without a gap: the new one takes the first place, and the one that was there is accepted
/// in the second until it is revoked.
extension AccountPlan {
    /// Makes a new one of a credential, or takes the chosen one.
    ///
    /// - Throws: ``AccountPlanError`` `credential_unknown`, `credential_fixed`, `credential_invalid`, or what the tools
    ///   throw.
    public func makeReplacement(
        of name: String, chosen: String? = nil, mode: Mode, _ tools: AccountTools
    ) async throws -> AccountCredentials {
        let credential = try self.replaceable(name)
        if let chosen { try credential.check(chosen: chosen, tools.keys) }
        guard chosen != nil || !credential.isOptional else {
            throw AccountPlanError(.credentialInvalid, "\(name) is not made here: say what it is to be.")
        }
        return try await credential.make(AccountOrder(mode: mode, chosen: chosen.map { [name: $0] } ?? [:]), tools)
    }

    /// Puts a credential that has just been made in the place of the account's.
    ///
    /// - Throws: ``AccountPlanError`` `credential_overlaps` while an earlier one is accepted beside the one that would be
    ///   replaced: whoever uses it still would be locked out.
    public func replace(
        _ name: String, by made: AccountCredentials, in account: inout AccountDraft, _ keys: AccountKeyTools
    ) throws {
        let credential = try self.replaceable(name)
        guard !credential.overlaps(settings: account.settings, secrets: Set(account.secrets.keys)) else {
            throw AccountPlanError(
                .credentialOverlaps,
                "The \(name) before the present one is still accepted. Revoke it first: whoever uses it is refused "
                    + "then.")
        }
        let new = try self.places(made, keys)
        for slot in credential.slots {
            switch slot.place {
            case .setting:
                if let second = slot.second { account.settings[second] = account.settings[slot.first] }
                if !slot.isCopied { account.settings[slot.first] = try Self.present(new.settings[slot.first], name) }
            case .secret:
                if let second = slot.second { account.secrets[second] = account.secrets[slot.first] }
                if !slot.isCopied {
                    let secret = try Self.present(new.secrets[slot.first]?.reveal(), name)
                    account.secrets[slot.first] = Redacted(secret)
                }
            }
        }
        account.aliases = self.aliases(account.settings, account.secrets)
    }

    /// Has the credential that was replaced accepted no more.
    ///
    /// - Throws: ``AccountPlanError`` `credential_not_replaced` when there is none.
    public func revokeReplaced(_ name: String, in account: inout AccountDraft) throws(AccountPlanError) {
        let credential = try self.replaceable(name)
        guard credential.overlaps(settings: account.settings, secrets: Set(account.secrets.keys)) else {
            throw AccountPlanError(
                .credentialNotReplaced, "No other \(name) than the present one is accepted: there is none to revoke.")
        }
        for slot in credential.slots {
            guard let second = slot.second else { continue }
            switch slot.place {
            case .setting: account.settings[second] = nil
            case .secret: account.secrets[second] = nil
            }
        }
        account.aliases = self.aliases(account.settings, account.secrets)
    }

    /// Takes a credential away that an account need not have.
    ///
    /// - Throws: ``AccountPlanError`` `credential_fixed` for one that it must have, `credential_not_replaced` when it has
    ///   none.
    public func remove(_ name: String, in account: inout AccountDraft) throws(AccountPlanError) {
        let credential = try self.replaceable(name)
        let isNeeded = credential.slots.contains { slot in
            slot.place == .setting && self.settings.contains { $0.name == slot.first && $0.isRequired }
        }
        guard credential.isOptional, !isNeeded else {
            throw AccountPlanError(.credentialFixed, "An account cannot be without \(name). Replace it.")
        }
        let isThere = credential.slots.contains { slot in
            slot.place == .setting ? account.settings[slot.first] != nil : account.secrets[slot.first] != nil
        }
        guard isThere else {
            throw AccountPlanError(
                .credentialNotReplaced, "The account has no \(name): there is none to revoke.")
        }
        for slot in credential.slots {
            switch slot.place {
            case .setting: account.settings[slot.first] = nil
            case .secret: account.secrets[slot.first] = nil
            }
        }
        account.aliases = self.aliases(account.settings, account.secrets)
    }

    /// An account that is there must not lose what it has by something that was not made.
    private static func present(_ value: String?, _ name: String) throws(AccountPlanError) -> String {
        guard let value, !value.isEmpty else {
            throw AccountPlanError(
                .credentialInvalid, "There is no new \(name) to put in the place of the present one.")
        }
        return value
    }

    private func replaceable(_ name: String) throws(AccountPlanError) -> CredentialDescription {
        let credential = try self.credential(name)
        guard credential.isReplaceable else {
            throw AccountPlanError(
                .credentialFixed, "\(name) is no password or key: it stays. Another one takes another account.")
        }
        return credential
    }
}

extension CredentialDescription {
    /// Whether one that has been replaced is still accepted.
    ///
    /// - Parameter secrets: the names of the account's.
    public func overlaps(settings: [String: String], secrets: Set<String>) -> Bool {
        self.slots.contains { slot in
            guard let second = slot.second, !slot.isCopied else { return false }
            return slot.place == .setting ? settings[second] != nil : secrets.contains(second)
        }
    }
}
