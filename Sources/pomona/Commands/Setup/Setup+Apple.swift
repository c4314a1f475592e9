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
            let usable = try await self.administration.credentials(of: merchant.id).filter {
                $0.purpose == purpose && $0.merchantIdentifier == entry.merchantIdentifier && $0.state != .retired
                    && $0.notAfter ?? now >= now
            }
            // A signing request of a sandbox merchant is handed in at no portal: one that is open was left by a run that ended
            // before the simulated Apple had answered.
            let known = usable.last { merchant.mode == .live || $0.state != .requested }
            let (name, path) = self.file(of: purpose, entry.merchantIdentifier, merchant)
            try await self.writeFile(of: purpose, entry.merchantIdentifier, merchant, known: known)
            if FileSystem.exists(path) { report[name] = .string(path) }
        }
        return .object(report)
    }

    /// Writes the file that belongs to a key for a purpose: the certificate of a sandbox merchant, the signing request
    /// of a live one.
    ///
    /// - Parameter known: the key, where an earlier run has made it: that run may have ended before the file was there.
    ///   Without one a new key is made, beside those that there are, or of a sandbox merchant one whose certificate has
    ///   not come gets it.
    func writeFile(
        of purpose: AppleCredential.Purpose, _ merchantIdentifier: String, _ merchant: Merchant,
        known: AppleCredential? = nil
    ) async throws {
        let path = self.file(of: purpose, merchantIdentifier, merchant).path
        if let known, FileSystem.exists(path) || merchant.mode == .live && known.state != .requested { return }
        // What cannot be written to is found out before there is a key.
        try self.directory.merchant(merchant.name).create()
        let text: String? =
            switch (merchant.mode, known) {
            case (.sandbox, let known?): known.certificatePEM
            case (.sandbox, nil):
                try await self.administration.certifyOpenRequest(
                    purpose, merchantIdentifier, of: merchant.id,
                    by: try self.directory.loadOrCreateAuthority(now: self.administration.now()))
            case (.live, let known?): try await self.administration.signingRequest(known.id, of: merchant.id)
            case (.live, nil):
                try await self.administration.createSigningRequest(
                    merchant: merchant.id, purpose: purpose, merchantIdentifier: merchantIdentifier)
            }
        guard let text else { return }
        try FileSystem.write(text.hasSuffix("\n") ? text : text + "\n", to: path)
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
