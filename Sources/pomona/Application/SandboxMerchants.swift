//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CryptoExtras
import Gateway
import Payments
import Redaction
import SwiftASN1
import WalletSimulator
import X509

/// Sets up a demo merchant for every dialect, through the gateway's own onboarding and with the wallet simulator as
/// Apple.
///
/// Each step looks first whether it has been done, so that a start that was cut short is taken up again, and a later
/// start does nothing.
struct SandboxMerchants: Sendable {
    static let acquirer = AcquirerName("simulator")

    let directory: DataDirectory
    let gateway: Gateway

    func prepare(_ modules: [DialectModule]) async throws -> [MerchantCard] {
        var cards: [MerchantCard] = []
        for module in modules { cards.append(try await self.prepare(module)) }
        return cards
    }

    private func prepare(_ module: DialectModule) async throws -> MerchantCard {
        let folder = self.directory.merchant(module.name)
        let name = module.name
        let (merchant, account, credentials) = try await self.gateway.store.read { reader in
            let merchant = try reader.merchant(named: name)
            let account = try merchant.flatMap { try reader.account(dialect: DialectName(name), merchant: $0.id) }
            return (merchant, account, try merchant.map { try reader.appleCredentials(of: $0.id) } ?? [])
        }
        let now = self.gateway.now()
        let credential = credentials.last { credential in
            credential.purpose == .paymentProcessing && credential.certificatePEM != nil
                && credential.notAfter.map { $0 > now } ?? false
        }
        // The card is the last thing that is written.
        if merchant != nil, account != nil, credential != nil, FileSystem.exists(folder.cardPath) {
            return try folder.loadCard()
        }
        try folder.create()
        let owner: Merchant =
            if let merchant { merchant } else {
                try await self.gateway.createMerchant(
                    name: name, displayName: module.demo.displayName, mode: .sandbox, acquirer: Self.acquirer,
                    countryCode: module.demo.countryCode)
            }
        let card = self.card(of: module, in: folder)
        let certificate: String =
            if let existing = credential?.certificatePEM { existing } else {
                try await self.certify(owner, merchantIdentifier: card.merchantIdentifier)
            }
        try FileSystem.write(certificate, to: folder.processingCertificatePath)
        if account == nil || !FileSystem.exists(folder.privateKeyPath)
            || !FileSystem.exists(folder.gatewayPublicKeyPath)
        {
            try await self.openAccount(of: owner, module, in: folder)
        }
        try folder.save(card)
        return card
    }

    private func card(of module: DialectModule, in folder: MerchantDirectory) -> MerchantCard {
        MerchantCard(
            name: module.name, merchantCode: module.demo.merchantCode,
            merchantIdentifier: "merchant.dev.pomona.\(module.name)", mode: Mode.sandbox.rawValue,
            currency: module.demo.currency, countryCode: module.demo.countryCode, keyVersion: module.demo.keyVersion,
            processingCertificatePath: folder.processingCertificatePath, privateKeyPath: folder.privateKeyPath,
            gatewayPublicKeyPath: folder.gatewayPublicKeyPath)
    }

    /// What a merchant does at Apple's developer portal: request, certificate, import.
    /// - Returns: the certificate, PEM.
    private func certify(_ merchant: Merchant, merchantIdentifier: String) async throws -> String {
        let now = self.gateway.now()
        let authority = try self.directory.loadOrCreateAuthority(now: now)
        let request = try await self.gateway.createSigningRequest(
            merchant: merchant.id, purpose: .paymentProcessing, merchantIdentifier: merchantIdentifier)
        let certificate = try authority.issue(
            .paymentProcessing, merchantIdentifier: merchantIdentifier, signingRequestPEM: request, now: now.date)
        let pem = try certificate.serializeAsPEM().pemString + "\n"
        _ = try await self.gateway.importCertificate(merchant: merchant.id, bytes: Array(pem.utf8))
        return pem
    }

    private func openAccount(of merchant: Merchant, _ module: DialectModule, in folder: MerchantDirectory) async throws
    {
        // Two keys of 2048 bits: the second is made while the first is.
        async let second = Self.makeKey()
        let merchantKey = try Self.makeKey()
        let gatewayKey = try await second
        let keys = DemoKeys(
            merchantPrivateKeyPEM: Redacted(merchantKey.pkcs8PEMRepresentation + "\n"),
            merchantPublicKeyPEM: merchantKey.publicKey.pemRepresentation + "\n",
            gatewayPrivateKeyPEM: Redacted(gatewayKey.pkcs8PEMRepresentation + "\n"),
            gatewayPublicKeyPEM: gatewayKey.publicKey.pemRepresentation + "\n")
        let draft = module.demo.draft(keys)
        try await self.gateway.putAccount(
            merchant: merchant.id, dialect: DialectName(module.name), key: module.demo.merchantCode,
            settings: draft.settings, secrets: draft.secrets)
        try FileSystem.write(keys.gatewayPublicKeyPEM, to: folder.gatewayPublicKeyPath)
        try FileSystem.writePrivate(keys.merchantPrivateKeyPEM.reveal(), to: folder.privateKeyPath)
    }

    private static func makeKey() throws -> _RSA.Signing.PrivateKey {
        try _RSA.Signing.PrivateKey(keySize: .bits2048)
    }
}
