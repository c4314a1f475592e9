//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import Gateway
import Payments
import StrictJSON

/// Makes what a setup names and is not there yet; the same setup twice changes nothing the second time.
struct Setup {
    let administration: Administration
    let directory: DataDirectory

    /// - Throws: ``CommandFailure`` `setup_differs` where the merchant is there and is another; ``AdministrationError``
    ///   and what making accounts and certificates throws. What was made before stays, and the same setup goes on from
    ///   there.
    func apply(_ file: SetupFile) async throws -> SetupReport {
        let merchant = try await self.makeMerchant(file)
        var accounts = JSONObject()
        for account in file.accounts { accounts[account.dialect] = try await self.makeAccount(account, merchant) }
        for acquirer in file.acquirers { try await self.makeAcquirer(acquirer, merchant) }
        for route in file.routes { try await self.makeRoute(route, merchant) }
        var applePay: [JSON] = []
        for entry in file.applePay { applePay.append(try await self.makeCredentials(entry, merchant)) }
        if let first = file.applePay.first, let dialect = file.accounts.first?.dialect {
            try self.saveCard(of: merchant, identifier: first.merchantIdentifier, dialect: dialect)
        }
        let report = try await MerchantReport(of: merchant, self.administration, self.directory)
        return SetupReport(report: report, accounts: accounts, applePay: applePay)
    }

    func makeMerchant(_ file: SetupFile) async throws -> Merchant {
        let existing = try await self.administration.read { try $0.merchant(named: file.name) }
        guard let existing else {
            return try await self.administration.createMerchant(
                name: file.name, displayName: file.displayName ?? file.name, mode: file.mode,
                countryCode: file.countryCode)
        }
        guard existing.mode == file.mode else {
            throw CommandFailure(
                .setupDiffers, stage: .store,
                "The merchant \(file.name) is there and is a \(existing.mode.rawValue) one, which can never be changed. "
                    + "Choose another name.")
        }
        return try await self.administration.changeMerchant(
            existing.id, displayName: file.displayName, countryCode: file.countryCode)
    }

    /// - Returns: the credentials; of an account that was there, what is no secret.
    func makeAccount(_ account: SetupFile.Account, _ merchant: Merchant) async throws -> JSON {
        let plan = try DialectModule.required(account.dialect).plan
        let existing = try await self.administration.read { reader in
            try reader.account(dialect: plan.dialect, merchant: merchant.id)
        }
        if let existing {
            return .object(JSONObject([(name: plan.keyName, value: .string(existing.key))]))
        }
        let order = AccountOrder(
            mode: merchant.mode, chosen: account.credentials, notifyURL: account.notifyURL, settings: account.settings)
        let made = try await self.administration.createAccount(
            of: merchant, plan, order, AccountTools(.system))
        let report = try CredentialsReport(
            made, plan: plan, merchant: merchant.name, folder: self.directory.merchant(merchant.name).path)
        return .object(report.credentials)
    }

    func makeAcquirer(_ acquirer: SetupFile.Acquirer, _ merchant: Merchant) async throws {
        let draft = AcquirerAccountDraft(
            name: acquirer.name, connector: AcquirerName(acquirer.connector),
            acceptor: try CardAcceptor(acquirer.acceptor), settings: acquirer.settings, secrets: acquirer.secrets)
        do {
            _ = try await self.administration.putAcquirerAccount(draft, of: merchant.id)
        } catch let error as AdministrationError where error.code == .acquirerNameTaken {
            throw CommandFailure(.setupDiffers, stage: .store, error.message)
        }
    }

    func makeRoute(_ route: SetupFile.RouteEntry, _ merchant: Merchant) async throws {
        let account = try await self.administration.acquirerAccount(named: route.acquirer, of: merchant)
        try await self.administration.setRoute(
            of: merchant.id, to: account.id, condition: route.condition, number: route.number)
    }

    /// The key that opens tokens for a merchant identifier, with the certificate of Apple's: of a sandbox merchant the
    /// wallet simulator's, at once; of a live one a signing request to hand in.
    func makeCredentials(_ entry: SetupFile.ApplePay, _ merchant: Merchant) async throws -> JSON {
        let folder = self.directory.merchant(merchant.name)
        var report = JSONObject()
        report["merchantIdentifier"] = .string(entry.merchantIdentifier)
        report["custody"] = .string(entry.custody.rawValue)
        // Merchant sessions are asked for here, whoever opens the tokens.
        let purposes = entry.custody == .gateway ? AppleCredential.Purpose.allCases : [.merchantIdentity]
        for purpose in purposes {
            let known = try await self.administration.credentials(of: merchant.id).contains {
                $0.purpose == purpose && $0.merchantIdentifier == entry.merchantIdentifier && $0.state != .retired
            }
            let name = purpose == .paymentProcessing ? "processing" : "identity"
            let base = folder.file("\(entry.merchantIdentifier).\(name)")
            let path = merchant.mode == .sandbox ? base + ".pem" : base + ".csr"
            if !known {
                try folder.create()
                let text =
                    switch merchant.mode {
                    case .sandbox:
                        try await self.administration.certify(
                            purpose, entry.merchantIdentifier, of: merchant.id,
                            by: try self.directory.loadOrCreateAuthority(now: self.administration.now()))
                    case .live:
                        try await self.administration.createSigningRequest(
                            merchant: merchant.id, purpose: purpose, merchantIdentifier: entry.merchantIdentifier)
                    }
                try FileSystem.write(text, to: path)
            }
            if FileSystem.exists(path) {
                report[name + (merchant.mode == .sandbox ? "Certificate" : "SigningRequest")] = .string(path)
            }
        }
        return .object(report)
    }

    /// What `pomona token mint --merchant` reads. No credential of the account stands in it.
    private func saveCard(of merchant: Merchant, identifier: String, dialect: String) throws {
        let folder = self.directory.merchant(merchant.name)
        guard merchant.mode == .sandbox, !FileSystem.exists(folder.cardPath),
            let plan = DialectModule.named(dialect)?.plan
        else { return }
        let certificate = folder.file("\(identifier).processing.pem")
        guard FileSystem.exists(certificate) else { return }
        try folder.save(
            MerchantCard(
                name: merchant.name, merchantIdentifier: identifier, mode: merchant.mode.rawValue,
                currency: plan.demo.currency, countryCode: merchant.countryCode,
                processingCertificatePath: certificate, values: [], files: []))
    }
}

/// What a setup has made, and what is still missing.
struct SetupReport: Sendable {
    let report: MerchantReport
    /// By dialect.
    let accounts: JSONObject
    let applePay: [JSON]

    /// One line.
    var json: JSON {
        var acquirers = JSONObject()
        for acquirer in self.report.acquirers { acquirers[acquirer.account.name] = acquirer.json }
        var object = JSONObject()
        object["merchant"] = .object(self.report.merchant.json)
        object["accounts"] = .object(self.accounts)
        object["acquirers"] = .object(acquirers)
        object["routes"] = self.report.routes.list
        object["applePay"] = .array(self.applePay)
        object["missing"] = .array(self.report.missing.map(\.json))
        return .object(object)
    }
}
