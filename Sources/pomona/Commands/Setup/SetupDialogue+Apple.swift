//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ApplePayToken
import Gateway
import Payments
import Settings
import StrictJSON

// The keys to the tokens, Apple's certificates, and the pages with Apple Pay.

extension SetupDialogue {
    // MARK: - Keys

    /// Makes what the merchant has no key for yet, and anew what has ended.
    func provideKeys(_ merchant: Merchant, _ setup: Setup) async throws {
        for part in try await setup.administration.missingParts(of: merchant) {
            switch part {
            case .processingKey:
                let identifier = try self.questions.ask(
                    "What is its merchant identifier at Apple?", standard: "merchant.com.example.\(merchant.name)",
                    rule: SettingRules.merchantIdentifier)
                let custody = try await self.custody(of: identifier, merchant, setup)
                _ = try await setup.makeCredentials(
                    SetupFile.ApplePay(merchantIdentifier: identifier, custody: custody), merchant)
                if merchant.mode == .sandbox { self.console.line("Certified by the simulated Apple.") }
            case .processingExpired(let identifier):
                try await self.renew(.paymentProcessing, identifier, merchant, setup)
            default: continue
            }
        }
        for part in try await setup.administration.missingPartsForWeb(of: merchant) {
            if case .identityExpired(let identifier) = part {
                try await self.renew(.merchantIdentity, identifier, merchant, setup)
            }
        }
    }

    private func renew(
        _ purpose: AppleCredential.Purpose, _ identifier: String, _ merchant: Merchant, _ setup: Setup
    ) async throws {
        let question = "The \(purpose.name) certificate for \(identifier) has expired. Make a new key?"
        guard try self.questions.confirm(question) else { return }
        try await setup.writeFile(of: purpose, identifier, merchant)
    }

    /// Who opens the tokens for a merchant identifier. An acquirer that does is written into its account's settings.
    private func custody(
        of identifier: String, _ merchant: Merchant, _ setup: Setup
    ) async throws -> SetupFile.ApplePay.Custody {
        let accounts = try await setup.administration.read { try $0.acquirerAccounts(of: merchant.id) }
        var openers: [AcquirerAccount] = []
        for account in accounts where account.state == .active {
            let settings = try setup.administration.connector(account.connector).settings
            guard settings.contains(where: { $0.name == KeyCustody.identifiersName }),
                try await setup.administration.takesSealedTokens(account)
            else { continue }
            openers.append(account)
        }
        guard !openers.isEmpty else { return .gateway }
        // What opens every token itself has the key, or no payment succeeds.
        var standard = "gateway"
        for account in openers where try await setup.administration.takesSealedTokensAlone(account) {
            standard = account.name
            break
        }
        while true {
            let holder = try self.questions.choose(
                "Who holds its payment processing key, and opens its tokens: this gateway, or an acquirer?",
                among: ["gateway"] + openers.map(\.name), standard: standard)
            guard let account = openers.first(where: { $0.name == holder }) else { return .gateway }
            let hash = try self.questions.askOptional(
                "What is that key's SHA-256 hash, in base64? Tokens for other keys are refused then.",
                rule: SettingRules.sha256Base64)
            let list = { (name: String, element: String?) in
                let earlier = account.settings[name].map(SettingRules.elements) ?? []
                // Its own command may have written it between two runs: then nothing is left to approve.
                return (earlier + [element].compactMap { $0 }.filter { !earlier.contains($0) }).joined(separator: ",")
            }
            var settings = [KeyCustody.identifiersName: list(KeyCustody.identifiersName, identifier)]
            if hash != nil { settings[KeyCustody.hashesName] = list(KeyCustody.hashesName, hash) }
            let entry = SetupFile.Acquirer(
                name: account.name, connector: account.connector.text, settings: settings)
            let step = SetupStep.acquirer(entry, of: merchant, nil, instead: account)
            do {
                try await step.run(in: self.directory) {
                    _ = try await setup.administration.changeAcquirerAccount(
                        account.id, AcquirerAccountChange(settings: entry.settings.mapValues { $0 }))
                }
                return .acquirer
            } catch let error as AdministrationError {
                self.complain(error)
                standard = "gateway"
            }
        }
    }

    // MARK: - Certificates

    /// Takes what Apple has answered to signing requests. What is not here yet waits, and is asked for by the next run.
    func importCertificates(_ merchant: Merchant, _ setup: Setup) async throws {
        var left: Set<String> = []
        while let waiting = try await self.waiting(merchant, setup).first(where: { !left.contains($0.id) }) {
            let what = "the \(waiting.purpose.name) certificate for \(waiting.merchantIdentifier)"
            if waiting.state == .imported {
                left.insert(waiting.id)
                guard try self.questions.confirm("Use \(what), which is imported, from now on?") else { continue }
                try await SetupStep.certificateActivation(waiting, of: merchant).run(in: self.directory) {
                    _ = try await setup.administration.activateCredential(waiting.id, of: merchant.id)
                }
                continue
            }
            let request = setup.file(of: waiting.purpose, waiting.merchantIdentifier, merchant).path
            if merchant.mode == .live, FileSystem.exists(request) {
                self.console.line("Hand in at Apple's developer portal: \(request)")
            }
            guard try await self.importCertificate(what, merchant, setup) else {
                left.insert(waiting.id)
                continue
            }
        }
    }

    /// The newest credential of each purpose and merchant identifier, where its certificate is not in use yet.
    private func waiting(_ merchant: Merchant, _ setup: Setup) async throws -> [AppleCredential] {
        struct Use: Hashable {
            let purpose: AppleCredential.Purpose
            let merchantIdentifier: String
        }
        let credentials = try await setup.administration.credentials(of: merchant.id).filter { $0.state != .retired }
        let newest = Dictionary(
            credentials.map { (Use(purpose: $0.purpose, merchantIdentifier: $0.merchantIdentifier), $0) }
        ) { $1 }
        return credentials.filter { credential in
            (credential.state == .requested || credential.state == .imported)
                && newest.values.contains { $0.id == credential.id }
        }
    }

    /// - Returns: `false` for one that is not here yet.
    private func importCertificate(_ what: String, _ merchant: Merchant, _ setup: Setup) async throws -> Bool {
        while true {
            let typed = try self.questions.askOptional("The file of \(what), as Apple gave it?") { _ in nil }
            guard let typed else { return false }
            let path = Questions.path(typed)
            do {
                let bytes = try InputFile.bytes(of: path, what: "certificate", bytesMax: InputFile.pemBytesMax)
                let step = SetupStep.certificateImport(what, path, of: merchant)
                let credential = try await step.run(in: self.directory) {
                    try await setup.administration.importCertificate(
                        merchant: merchant.id, bytes: bytes, activates: true)
                }
                self.console.line(
                    "In use now: the \(credential.purpose.name) certificate for \(credential.merchantIdentifier).")
                return true
            } catch let error as AdministrationError {
                self.complain(error)
            } catch let error as TokenError {
                self.complain(error)
            } catch let error as CommandFailure where error.part == nil {
                self.complain(error)
            }
        }
    }

    // MARK: - Domains

    /// Registers the domains on which Apple Pay is shown. Apps need none.
    func registerDomains(_ merchant: Merchant, _ setup: Setup) async throws {
        let missing = try await setup.administration.missingPartsForWeb(of: merchant)
        guard missing.contains(.domain) else { return }
        var hasDomain = false
        var question = "On which domain is Apple Pay shown? Apps need none."
        while let host = try self.questions.askOptional(
            question,
            rule: { WellKnownHost($0) == nil ? "must be a host name without scheme, port and path" : nil })
        {
            question = "On which other domain?"
            guard try await self.registerDomain(host, merchant, setup) else { continue }
            hasDomain = true
        }
        guard hasDomain else { return }
        for case .identityKey(let identifier?) in missing {
            _ = try await setup.makeCredentials(
                SetupFile.ApplePay(merchantIdentifier: identifier, custody: .acquirer), merchant)
            try await self.importCertificates(merchant, setup)
        }
    }

    private func registerDomain(_ host: String, _ merchant: Merchant, _ setup: Setup) async throws -> Bool {
        var entry = SetupFile.Domain(host: host)
        if merchant.mode == .live {
            let typed = try self.questions.askOptional(
                "The domain association file that Apple's developer portal gives for \(host)?"
            ) { _ in nil }
            guard let typed else { return false }
            entry.file = Questions.path(typed)
        }
        do {
            try await setup.makeDomain(entry, merchant)
            self.console.line("The gateway answers https://\(host)\(RegisteredDomain.filePath) with it.")
            return true
        } catch let error as CommandFailure {
            self.complain(error)
            return false
        } catch let error as AdministrationError {
            self.complain(error)
            return false
        }
    }
}
