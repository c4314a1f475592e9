//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
@_spi(Administration) import Gateway
public import Payments
import Redaction
import StrictJSON

extension Administration {
    /// The chosen credentials that an account does not have: ids and passwords that it has otherwise, or not at all. One that
    /// has been replaced and is accepted still counts as one that it has.
    ///
    /// - Parameters:
    ///   - chosen: by name, each of a form that the plan takes.
    /// - Returns: their names, sorted.
    /// - Throws: ``AdministrationError`` `account_unknown`; `AccountPlanError`; ``VaultError``, `StoreError`.
    public func differingCredentials(
        of merchant: Merchant, _ plan: AccountPlan, chosen: [String: String], _ tools: AccountTools
    ) async throws -> [String] {
        guard !chosen.isEmpty else { return [] }
        let (account, secrets) = try await self.gateway.withFreshKeys {
            try await self.read { reader in
                let (account, owner) = try Self.account(of: merchant.id, plan.dialect, in: reader)
                return (account, try self.openedSecrets(of: account, owner, in: reader))
            }
        }
        let order = AccountOrder(mode: merchant.mode, chosen: chosen)
        let made = try await plan.makeCredentials(order, tools)
        let meant = try plan.draft(made, order, tools.keys)
        let identifiers = Dictionary(plan.identifiers(of: account).map { ($0.name, $0.value) }) { first, _ in first }
        return chosen.keys.sorted().filter { name in
            if let identifier = identifiers[name] { return !chosen[name].isExactly(identifier) }
            let slots = plan.credentials.first { $0.name == name }?.slots.filter { !$0.isCopied } ?? []
            return !slots.allSatisfy { slot in
                let places = [slot.first, slot.second].compactMap(\.self)
                return switch slot.place {
                case .setting: places.contains { account.settings[$0].isExactly(meant.settings[slot.first]) }
                case .secret: places.contains { (secrets[$0]?.reveal()).isExactly(meant.secrets[slot.first]?.reveal()) }
                }
            }
        }
    }
}
