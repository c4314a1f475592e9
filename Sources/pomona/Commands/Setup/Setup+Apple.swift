//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import Gateway
import Payments
import StrictJSON

// The keys, what Apple has to say of them, and the pages on which Apple Pay is shown.

extension Setup {
    /// The keys for a merchant identifier, with the certificates of Apple's: of a sandbox merchant the wallet simulator's, at
    /// once; of a live one signing requests to hand in.
    func makeCredentials(_ entry: SetupFile.ApplePay, _ merchant: Merchant) async throws -> JSON {
        var report = JSONObject()
        report["merchantIdentifier"] = .string(entry.merchantIdentifier)
        report["custody"] = .string(entry.custody.rawValue)
        // Merchant sessions are asked for here, whoever opens the tokens.
        let purposes = entry.custody == .gateway ? AppleCredential.Purpose.allCases : [.merchantIdentity]
        for purpose in purposes {
            let now = self.administration.now()
            let known = try await self.administration.credentials(of: merchant.id).filter {
                $0.purpose == purpose && $0.merchantIdentifier == entry.merchantIdentifier && $0.state != .retired
                    && $0.notAfter ?? now >= now
            }
            // A signing request of a sandbox merchant is handed in at no portal: one that is open was left by a run that ended
            // before the simulated Apple had answered.
            let credential = known.last { merchant.mode == .live || $0.state != .requested }
            let (name, path) = self.file(of: purpose, entry.merchantIdentifier, merchant)
            if let credential {
                try await self.writeAgain(credential, merchant, to: path)
            } else {
                try await self.makeKey(purpose, entry.merchantIdentifier, merchant)
            }
            if FileSystem.exists(path) { report[name] = .string(path) }
        }
        return .object(report)
    }

    /// Writes the file that belongs to a key, where a run has made the key and ended before the file was there.
    private func writeAgain(_ credential: AppleCredential, _ merchant: Merchant, to path: String) async throws {
        guard !FileSystem.exists(path) else { return }
        var text: String?
        if merchant.mode == .sandbox {
            text = credential.certificatePEM
        } else if credential.state == .requested {
            text = try await self.administration.signingRequest(credential.id, of: merchant.id)
        }
        guard let text else { return }
        try self.directory.merchant(merchant.name).create()
        try FileSystem.write(text.hasSuffix("\n") ? text : text + "\n", to: path)
    }

    /// Makes a new key for a purpose, beside those that there are; of a sandbox merchant, one whose certificate has not come
    /// gets it.
    func makeKey(_ purpose: AppleCredential.Purpose, _ merchantIdentifier: String, _ merchant: Merchant) async throws {
        try self.directory.merchant(merchant.name).create()
        let text =
            switch merchant.mode {
            case .sandbox:
                try await self.administration.certifyOpenRequest(
                    purpose, merchantIdentifier, of: merchant.id,
                    by: try self.directory.loadOrCreateAuthority(now: self.administration.now()))
            case .live:
                try await self.administration.createSigningRequest(
                    merchant: merchant.id, purpose: purpose, merchantIdentifier: merchantIdentifier)
            }
        try FileSystem.write(text, to: self.file(of: purpose, merchantIdentifier, merchant).path)
    }

    /// Where the certificate of a sandbox merchant is written, or the signing request of a live one, and what it is called.
    func file(
        of purpose: AppleCredential.Purpose, _ merchantIdentifier: String, _ merchant: Merchant
    ) -> (name: String, path: String) {
        let word =
            switch purpose {
            case .paymentProcessing: "processing"
            case .merchantIdentity: "identity"
            }
        let base = self.directory.merchant(merchant.name).file("\(merchantIdentifier).\(word)")
        return switch merchant.mode {
        case .sandbox: (word + "Certificate", base + ".pem")
        case .live: (word + "SigningRequest", base + ".csr")
        }
    }

    /// Serves what Apple gave for a domain, unless it is served already.
    func makeDomain(_ entry: SetupFile.Domain, _ merchant: Merchant) async throws {
        let domain = try await SetupDomain(entry, of: merchant.id, merchant.mode, self.administration)
        guard let bytes = domain.bytes else { return }
        try await self.administration.addDomain(domain.host, to: merchant.id, file: bytes)
    }

    /// What `pomona token mint --merchant` reads. No credential of the account stands in it.
    func saveCard(of merchant: Merchant) async throws {
        let folder = self.directory.merchant(merchant.name)
        guard merchant.mode == .sandbox, !FileSystem.exists(folder.cardPath) else { return }
        let (accounts, credentials) = try await self.administration.read { reader in
            (try reader.accounts(of: merchant.id), try reader.appleCredentials(of: merchant.id))
        }
        guard let plan = accounts.lazy.compactMap({ DialectModule.named($0.dialect.text)?.plan }).first,
            let identifier = credentials.first(where: { $0.purpose == .paymentProcessing && $0.isInUse })?
                .merchantIdentifier
        else { return }
        let certificate = self.file(of: .paymentProcessing, identifier, merchant).path
        guard FileSystem.exists(certificate) else { return }
        try folder.save(
            MerchantCard(
                name: merchant.name, merchantIdentifier: identifier, mode: merchant.mode.rawValue,
                currency: plan.demo.currency, countryCode: merchant.countryCode,
                processingCertificatePath: certificate, values: [], files: []))
    }
}
