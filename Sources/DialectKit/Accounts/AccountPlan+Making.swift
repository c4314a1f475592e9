//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Settings

extension AccountPlan {
    /// How often another key is drawn for one that is taken.
    private static let drawsMax = 32

    /// Makes the credentials of an account.
    ///
    /// - Throws: ``AccountPlanError``, or what the tools throw.
    public func makeCredentials(_ order: AccountOrder, _ tools: AccountTools) async throws -> AccountCredentials {
        // What a sandbox hands in stands on its card, and may have been chosen by rules of another time.
        if !order.isDemo { try self.check(order, tools.keys) }
        // At once: an RSA key takes its time.
        var parts = try await withThrowingTaskGroup(of: (Int, AccountCredentials).self) { group in
            for (index, credential) in self.credentials.enumerated() {
                group.addTask { (index, try await credential.make(order, tools)) }
            }
            var parts: [Int: AccountCredentials] = [:]
            for try await (index, part) in group { parts[index] = part }
            return parts
        }
        if !order.isDemo, let index = self.credentials.firstIndex(where: { $0.name == self.keyName }) {
            parts[index] = try await self.untaken(parts[index], self.credentials[index], order, tools)
        }
        var credentials = AccountCredentials()
        for index in self.credentials.indices {
            if let part = parts[index] { credentials.add(part) }
        }
        return credentials
    }

    /// The account's key, drawn anew while another account has it.
    private func untaken(
        _ drawn: AccountCredentials?, _ key: CredentialDescription, _ order: AccountOrder, _ tools: AccountTools
    ) async throws -> AccountCredentials? {
        var drawn = drawn
        var drawsCount = 1
        while let value = drawn?.value(self.keyName), try await tools.isTaken(self.dialect, value) {
            guard order.chosen[self.keyName] == nil, drawsCount < Self.drawsMax else {
                throw AccountPlanError(
                    .keyTaken, "Another account in \(self.dialect) has the \(self.keyName) \(value). Choose another.")
            }
            drawn = try await key.make(order, tools)
            drawsCount += 1
        }
        return drawn
    }

    /// What the store is to hold of an account with these credentials. Of credentials that have not just been made, but come
    /// from where they were kept, the settings alone count.
    ///
    /// - Throws: ``AccountPlanError``, or what the tools throw.
    public func draft(
        _ credentials: AccountCredentials, _ order: AccountOrder, _ keys: AccountKeyTools
    ) throws -> AccountDraft {
        var (settings, secrets) = try self.places(credentials, keys)
        // Else the holder would be given another one than the account has.
        if let name = order.settings.keys.sorted().first(where: { settings[$0] != nil }) {
            throw AccountPlanError(
                .settingFixed, "\(name) follows from the account's credentials. Choose those, or change it afterwards.")
        }
        if order.isDemo { settings.merge(self.demo.settings) { $1 } }
        if let name = self.notifySetting, let notifyURL = order.notifyURL { settings[name] = notifyURL }
        settings.merge(order.settings) { $1 }
        let isComplete = { (setting: SettingDescription) in settings[setting.name]?.isEmpty == false }
        if let missing = self.settings.first(where: { $0.isRequired && !isComplete($0) }) {
            throw AccountPlanError(
                .settingMissing, "The account would be of no use without \(missing.name): \(missing.meaning)")
        }
        return AccountDraft(
            key: credentials.value(self.keyName), aliases: self.aliases(settings, secrets), settings: settings,
            secrets: secrets)
    }
}
