//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
public import DialectKit
import Gateway
import Payments
public import TestGateway

extension AccountTools {
    /// Makes passwords and ids; keys and certificates are whatever somebody says they are.
    public static let test = AccountTools(
        random: { count in (0..<count).map { _ in UInt8.random(in: .min ... .max) } },
        keys: AccountKeyTools(
            makeRSAKey: { throw AccountPlanError(.credentialInvalid, "Tests bring their keys.") }, rsaKey: { _ in nil },
            rsaPublicKey: { $0 }, certificateSHA256: { $0 }))
}

extension TestGateway {
    /// Replaces a credential of an account, as an operator does it.
    ///
    /// - Parameter account: the account as it stands; afterwards as it has become.
    public func replace(
        _ name: String, by chosen: String, in account: inout AccountDraft, of merchant: TestMerchant,
        _ plan: AccountPlan
    ) async throws {
        let made = try await plan.makeReplacement(of: name, chosen: chosen, mode: merchant.merchant.mode, .test)
        try plan.replace(name, by: made, in: &account, AccountTools.test.keys)
        try await self.write(account, of: merchant)
    }

    /// Has the credential that was replaced accepted no more.
    public func revokeReplaced(
        _ name: String, in account: inout AccountDraft, of merchant: TestMerchant, _ plan: AccountPlan
    ) async throws {
        try plan.revokeReplaced(name, in: &account)
        try await self.write(account, of: merchant)
    }

    /// Writes a merchant's account over the one that it has.
    public func write(_ account: AccountDraft, of merchant: TestMerchant) async throws {
        try await self.gateway.administration.putAccount(
            merchant: merchant.id, dialect: merchant.dialect, key: account.key, aliases: account.aliases,
            settings: account.settings, secrets: account.secrets)
    }
}
