//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import Payments
import Settings

/// Looks a setup file through before the first act, and finds all that would be refused: what it says of itself, what
/// dialects and connectors take, and what is there already. It makes nothing.
struct SetupExamination {
    /// A merchant that is there.
    struct Known: Sendable {
        let merchant: Merchant
        let accounts: [MerchantAccount]
        let acquirers: [AcquirerAccount]
    }

    let directory: DataDirectory
    let connectors: [any Connector]
    /// `nil` where there is no store yet, and so nothing.
    let administration: Administration?

    /// Empty where all of the file can be made.
    ///
    /// - Throws: what reading the store throws.
    func problems(of file: SetupFile) async throws -> [SetupProblem] {
        let known = try await self.known(file.name)
        var found = self.merchantProblems(file, known)
        found += Self.repetitions(file)
        for account in file.accounts { found += try await self.problems(account, of: file, known) }
        for (acquirer, complete) in zip(file.acquirers, file.acquirersWithKeys) {
            found += try await self.problems(acquirer, complete, of: file, known)
        }
        found += self.routeProblems(file, known)
        for entry in file.applePay { found += self.problems(entry, of: file) }
        for domain in file.domains { found += try await self.problems(domain, of: file, known?.merchant.id) }
        // What could not be read is not missing besides.
        let unread = file.problems.map(\.pointer)
        let others = found.filter { problem in
            !unread.contains { $0 == problem.pointer || $0.hasPrefix(problem.pointer + "/") }
        }
        return file.problems + others
    }

    private func known(_ name: String) async throws -> Known? {
        try await self.administration?.read { reader in
            guard let merchant = try reader.merchant(named: name) else { return nil }
            return Known(
                merchant: merchant, accounts: try reader.accounts(of: merchant.id),
                acquirers: try reader.acquirerAccounts(of: merchant.id))
        }
    }

    // MARK: - The merchant

    private func merchantProblems(_ file: SetupFile, _ known: Known?) -> [SetupProblem] {
        var problems: [SetupProblem] = []
        func refuse(_ name: String, _ code: AdministrationError.Code, _ text: String) {
            problems.append(SetupProblem(at: "/merchant/\(name)", AdministrationError(code, text)))
        }
        if known == nil, !file.name.isEmpty, let problem = SettingRules.name(file.name) {
            refuse("name", .merchantNameMalformed, "A merchant's name \(problem).")
        }
        if let text = file.displayName, let problem = SettingRules.text(64)(text) {
            refuse("displayName", .displayNameMalformed, "The display name \(problem).")
        }
        if !file.countryCode.isEmpty, let problem = SettingRules.country(file.countryCode) {
            refuse("countryCode", .countryUnknown, "The country \(problem).")
        }
        if let zone = file.timeZone, ReportZone(zone) == nil {
            refuse("timeZone", .timeZoneUnknown, "There is no time zone \(zone). Examples: Europe/Berlin, UTC.")
        }
        guard let merchant = known?.merchant else { return problems }
        if merchant.state == .closed {
            refuse("name", .merchantClosed, "The merchant \(merchant.name) is closed, for ever. Choose another name.")
        }
        if merchant.mode != file.mode {
            problems.append(
                SetupProblem(
                    at: "/merchant/mode", .setupDiffers,
                    "The merchant \(merchant.name) is there and is a \(merchant.mode.rawValue) one, which can never be "
                        + "changed. Choose another name."))
        }
        return problems
    }

    /// What stands in the file twice, of which one would be lost.
    private static func repetitions(_ file: SetupFile) -> [SetupProblem] {
        func repeated<Entry, Key: Hashable>(
            _ entries: [Entry], _ what: String, _ key: (Entry) -> Key?, _ pointer: (Entry) -> String
        ) -> [SetupProblem] {
            var first: [Key: String] = [:]
            return entries.compactMap { entry in
                guard let value = key(entry) else { return nil }
                guard let earlier = first[value] else {
                    first[value] = pointer(entry)
                    return nil
                }
                return SetupProblem(at: pointer(entry), .setupRepeated, "\(earlier) has the same \(what).")
            }
        }
        struct Way: Hashable {
            let acquirer: String
            let condition: Route.Condition
        }
        func named(_ text: String) -> String? { text.isEmpty ? nil : text }
        return repeated(file.accounts, "dialect, of which a merchant has one account", { named($0.dialect) }, \.pointer)
            + repeated(file.acquirers, "name", { named($0.name) }, \.pointer)
            + repeated(file.routes, "number", \.number, \.pointer)
            + repeated(
                file.routes, "acquirer and conditions", { Way(acquirer: $0.acquirer, condition: $0.condition) },
                \.pointer)
            + repeated(file.applePay, "merchant identifier", { named($0.merchantIdentifier) }, \.pointer)
            + repeated(file.domains, "host", { WellKnownHost($0.host) }, \.pointer)
    }

    // MARK: - Accounts in dialects

    private func problems(
        _ account: SetupFile.Account, of file: SetupFile, _ known: Known?
    ) async throws -> [SetupProblem] {
        guard !account.dialect.isEmpty else { return [] }
        let plan: AccountPlan
        do {
            plan = try DialectModule.required(account.dialect).plan
        } catch {
            return [SetupProblem(at: JSONPointer.member("dialect", of: account.pointer), error)]
        }
        let problems = Self.memberProblems(account, plan, file.mode)
        guard problems.isEmpty else { return problems }
        var tools = AccountTools(.system)
        guard let known, let existing = known.accounts.first(where: { $0.dialect == plan.dialect }) else {
            if let administration = self.administration {
                tools.isTaken = { dialect, key in
                    try await administration.read { try $0.account(dialect: dialect, key: key) } != nil
                }
            }
            return try await Self.trialProblems(account, plan, file.mode, tools)
        }
        let differing =
            try await self.administration?.differingCredentials(
                of: known.merchant, plan, chosen: account.credentials, tools) ?? []
        return differing.map { name in
            let isReplaceable = plan.credentials.first { $0.name == name }?.isReplaceable == true
            return SetupProblem(
                at: JSONPointer.member(name, of: account.pointer + "/credentials"), .setupDiffers,
                "The account \(existing.key) is there and has another \(name). "
                    + (isReplaceable
                        ? "Leave it out, and replace it by pomona account rotate." : "It stays; leave it out."))
        }
    }

    /// What is wrong with single members.
    private static func memberProblems(
        _ account: SetupFile.Account, _ plan: AccountPlan, _ mode: Mode
    ) -> [SetupProblem] {
        func problem(_ pointer: String, _ order: AccountOrder) -> SetupProblem? {
            do throws(AccountPlanError) {
                try plan.check(order, AccountTools(.system).keys)
                return nil
            } catch {
                return SetupProblem(at: pointer, error)
            }
        }
        func sorted(_ values: [String: String]) -> [(key: String, value: String)] { values.sorted { $0.key < $1.key } }
        let credentials = sorted(account.credentials).map { name, value in
            problem(
                JSONPointer.member(name, of: account.pointer + "/credentials"),
                AccountOrder(mode: mode, chosen: [name: value]))
        }
        let settings = sorted(account.settings).map { name, value in
            problem(
                JSONPointer.member(name, of: account.pointer + "/settings"),
                AccountOrder(mode: mode, settings: [name: value]))
        }
        let notifyURL = account.notifyURL.map { url in
            problem(account.pointer + "/notifyURL", AccountOrder(mode: mode, notifyURL: url))
        }
        return (credentials + settings + [notifyURL ?? nil]).compactMap(\.self)
    }

    /// What only shows when the account is made: made as it would be, and thrown away.
    private static func trialProblems(
        _ account: SetupFile.Account, _ plan: AccountPlan, _ mode: Mode, _ tools: AccountTools
    ) async throws -> [SetupProblem] {
        let order = account.order(mode)
        do {
            _ = try plan.draft(try await plan.makeCredentials(order, tools), order, tools.keys)
            return []
        } catch let error as AccountPlanError {
            let pointer =
                error.code == .keyTaken
                ? JSONPointer.member(plan.keyName, of: account.pointer + "/credentials") : account.pointer
            return [SetupProblem(at: pointer, error)]
        }
    }
}

extension SetupFile.Account {
    func order(_ mode: Mode) -> AccountOrder {
        AccountOrder(mode: mode, chosen: self.credentials, notifyURL: self.notifyURL, settings: self.settings)
    }
}
