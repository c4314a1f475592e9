//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Payments
import Settings

// Where the money goes, who opens the tokens, and on which pages.

extension SetupExamination {
    // MARK: - Acquirer accounts

    /// - Parameter complete: the same with the keys that are left to the acquirer, which stand elsewhere in the file.
    func problems(
        _ acquirer: SetupFile.Acquirer, _ complete: SetupFile.Acquirer, of file: SetupFile, _ known: Known?
    ) async throws -> [SetupProblem] {
        var problems = acquirer.acceptor.sorted { $0.key < $1.key }.compactMap { name, value -> SetupProblem? in
            do throws(AdministrationError) {
                _ = try CardAcceptor([name: value])
                return nil
            } catch {
                return SetupProblem(at: JSONPointer.member(name, of: acquirer.pointer + "/acceptor"), error)
            }
        }
        guard !acquirer.connector.isEmpty else { return problems }
        guard let connector = self.connectors.first(where: { $0.name.text == acquirer.connector }) else {
            let names = self.connectors.map(\.name.text).sorted().joined(separator: ", ")
            return problems + [
                SetupProblem(
                    at: acquirer.pointer + "/connector",
                    AdministrationError(
                        .connectorUnknown,
                        "There is no connector named \(acquirer.connector); there are \(names)."))
            ]
        }
        // Those have been looked at, each by itself.
        var sound = complete
        if !problems.isEmpty { sound.acceptor = [:] }
        guard let draft = try? sound.draft else { return problems }
        let found: [AcquirerAccountProblem]
        if let existing = known?.acquirers.first(where: { $0.name == acquirer.name }) {
            guard existing.connector == connector.name else {
                return problems + [
                    SetupProblem(
                        at: acquirer.pointer + "/connector", .setupDiffers,
                        "The acquirer account \(acquirer.name) is there, with the connector \(existing.connector). "
                            + "Choose another name.")
                ]
            }
            found = try await self.administration?.problems(of: draft, over: existing) ?? []
        } else {
            found = draft.problems(mode: file.mode, connector)
        }
        for problem in found where !(problem.place == ["name"] && acquirer.name.isEmpty) {
            // Said of the entry of applePay that it comes from.
            guard acquirer.settings[problem.place.last ?? ""] != nil || !Self.isOfKeys(problem) else { continue }
            let pointer = problem.place.reduce(acquirer.pointer) { JSONPointer.member($1, of: $0) }
            problems.append(SetupProblem(at: pointer, problem.error))
        }
        return problems
    }

    private static func isOfKeys(_ problem: AcquirerAccountProblem) -> Bool {
        [["settings", KeyCustody.identifiersName], ["settings", KeyCustody.hashesName]].contains(problem.place)
            && problem.error.code != .accountNotAllowed
    }

    // MARK: - Routes

    func routeProblems(_ file: SetupFile, _ known: Known?) -> [SetupProblem] {
        let names = file.acquirers.map(\.name) + (known?.acquirers.map(\.name) ?? [])
        return file.routes.flatMap { route -> [SetupProblem] in
            var problems: [SetupProblem] = []
            if !route.acquirer.isEmpty, !names.contains(route.acquirer) {
                let known = names.isEmpty ? "there is none" : "there are \(Set(names).sorted().joined(separator: ", "))"
                problems.append(
                    SetupProblem(
                        at: route.pointer + "/acquirer",
                        AdministrationError(
                            .acquirerUnknown, "There is no acquirer account named \(route.acquirer); \(known).")))
            }
            do throws(AdministrationError) {
                try route.condition.check()
            } catch {
                problems.append(SetupProblem(at: route.pointer, error))
            }
            return problems
        }
    }

    // MARK: - Apple Pay

    func problems(_ entry: SetupFile.ApplePay, of file: SetupFile) -> [SetupProblem] {
        var problems: [SetupProblem] = []
        func refuse(_ name: String, _ code: CommandFailure.Code, _ text: String) {
            problems.append(SetupProblem(at: JSONPointer.member(name, of: entry.pointer), code, text))
        }
        if !entry.merchantIdentifier.isEmpty, let problem = SettingRules.merchantIdentifier(entry.merchantIdentifier) {
            refuse("merchantIdentifier", .settingInvalid, "A merchant identifier \(problem).")
        }
        if let hash = entry.publicKeyHash, let problem = SettingRules.sha256Base64(hash) {
            refuse("publicKeyHash", .settingInvalid, "The hash of a key \(problem).")
        }
        guard entry.custody == .acquirer else {
            for (name, value) in [("acquirer", entry.acquirer), ("publicKeyHash", entry.publicKeyHash)]
            where value != nil {
                refuse(name, .setupMalformed, "It goes with the custody acquirer alone.")
            }
            return problems
        }
        guard let index = file.holder(of: entry) else {
            refuse("acquirer", .setupMalformed, "It must name one of the file's acquirers, who holds the key.")
            return problems
        }
        let holder = file.acquirers[index]
        let connector = self.connectors.first { $0.name.text == holder.connector }
        if let connector, !connector.settings.contains(where: { $0.name == KeyCustody.identifiersName }) {
            refuse(
                "custody", .settingInvalid,
                "The connector \(connector.name) of \(holder.name) takes no tokens unopened: the gateway must open them."
            )
        }
        return problems
    }

    // MARK: - Domains

    func problems(
        _ domain: SetupFile.Domain, of file: SetupFile, _ merchant: MerchantID?
    ) async throws -> [SetupProblem] {
        guard !domain.host.isEmpty else { return [] }
        guard let host = WellKnownHost(domain.host) else {
            return [
                SetupProblem(
                    at: domain.pointer + "/host", .settingInvalid,
                    "It must be a host name without scheme, port and path, such as shop.example.com.")
            ]
        }
        do {
            let registration = try await SetupDomain(domain, of: merchant, file.mode, self.administration)
            if let bytes = registration.bytes {
                try await self.administration?.checkDomain(host, file: bytes, of: merchant, file.mode)
            }
            return []
        } catch let error as CommandFailure {
            return [SetupProblem(at: domain.pointer + "/file", error)]
        } catch let error as AdministrationError {
            return [SetupProblem(at: domain.pointer + "/file", CommandFailure(error))]
        }
    }
}
