//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import Crypto
import CryptoExtras
import Foundation
import Redaction
import StrictJSON
import SwiftASN1
import Testing
import WalletSimulator
import X509

/// The simulator and the token library know nothing of each other: where they agree, both read the format alike.
@Suite struct CrossTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let card: SimulatedCard
        let version: PaymentRequest.Version
        let kind: PaymentRequest.Kind

        var testDescription: String { "\(self.card.name) \(self.version.rawValue) \(self.kind.rawValue)" }
    }

    static let cases: [Case] = SimulatedCard.allCases.flatMap { card in
        PaymentRequest.Version.allCases.flatMap { version in
            PaymentRequest.Kind.allCases.map { Case(card: card, version: version, kind: $0) }
        }
    }

    private let verifier: TokenVerifier
    private let keyring: TokenKeyring

    init() throws {
        let root = try TrustAnchor(certificatePEM: try Sandbox.authority.get().rootCertificatePEM)
        self.verifier = TokenVerifier(trustRoots: [root])
        self.keyring = TokenKeyring([
            try PaymentProcessingKey(
                privateKeyPEM: .init(Sandbox.ecKey.pemRepresentation), merchantIdentifier: Sandbox.merchantIdentifier),
            try PaymentProcessingKey(
                privateKeyPEM: .init(try Sandbox.rsaKey.get()), merchantIdentifier: Sandbox.merchantIdentifier),
        ])
    }

    private func open(_ token: MintedToken, applicationData: [UInt8]? = nil) throws -> DecryptedToken {
        let unverified = try UnverifiedToken(parsing: Array(token.paymentTokenText.utf8))
        let verified = try self.verifier.verify(
            unverified, at: Sandbox.now.addingTimeInterval(30), expecting: .init(applicationData: applicationData))
        return try verified.decrypt(with: self.keyring)
    }

    @Test(arguments: cases)
    func tokenLibraryOpensEveryCombination(example: Case) throws {
        for applicationData in [nil, Array("order 42".utf8)] {
            for isMerchantToken in [false, true] {
                var request = Sandbox.request(example.version, kind: example.kind, applicationData: applicationData)
                request.merchantToken = isMerchantToken ? .sample(card: example.card) : nil
                let token = try Sandbox.mint(request, card: example.card)
                let opened = try self.open(token, applicationData: applicationData)
                #expect(opened.transactionIdentifier == token.transactionIdentifier)
                #expect(opened.signingTime == Sandbox.now)
                let payload = opened.payload
                #expect(payload.applicationPrimaryAccountNumber.reveal() == example.card.dpan)
                #expect(payload.applicationExpirationDate.description == example.card.expirationDate)
                #expect(payload.currencyCode.numericCode == "124")
                #expect(payload.transactionAmount.integer == 1099)
                #expect(payload.merchantTokenIdentifier == (isMerchantToken ? "DSMTSIMULATOR0001" : nil))
                #expect(
                    payload.merchantTokenMetadata?.cardMetadata?.fpanSuffix
                        == (isMerchantToken ? example.card.fpanSuffix : nil))
                switch (payload.paymentData, example.kind) {
                case (.threeDSecure(let data), .threeDSecure):
                    #expect(data.cryptogram.reveal().count == 20)
                    #expect(data.eciIndicator == example.card.eci)
                case (.emv(let data), .emv):
                    #expect(data.emvData.reveal().count > 80)
                    #expect(data.encryptedPINData == nil)
                default: Issue.record("the payload is of the other kind")
                }
            }
        }
    }

    @Test(arguments: PaymentRequest.Version.allCases)
    func tokenLibraryReadsEveryOptionalKey(version: PaymentRequest.Version) throws {
        var request = Sandbox.request(version, kind: .emv)
        request.cardholderName = "Ada Lovelace"
        request.encryptedPINData = [1, 2, 3, 4, 5, 6, 7, 8]
        request.authenticationResponses = [
            .init(merchantIdentifier: "merchant.hotel", authenticationData: [1, 2, 3], amountMinorUnits: 500)
        ]
        let payload = try self.open(try Sandbox.mint(request)).payload
        #expect(payload.cardholderName?.reveal() == "Ada Lovelace")
        #expect(payload.authenticationResponses.map(\.transactionAmount) == ["500"])
        guard case .emv(let data) = payload.paymentData else {
            Issue.record("the payload is of the other kind")
            return
        }
        #expect(data.encryptedPINData?.reveal() == "0102030405060708")
    }

    @Test(arguments: PaymentRequest.Version.allCases)
    func tokenLibraryAcceptsEveryVariantOfTheEncoding(version: PaymentRequest.Version) throws {
        let variants: [@Sendable (inout MintOptions) -> Void] = [
            { $0.hasNullParameters = true }, { $0.hasAlgorithmProtection = false }, { $0.hasDefiniteLengths = true },
            { $0.putsIntermediateFirst = true }, { $0.includesRoot = true }, { $0.escapesSolidus = true },
            { $0.wantsLeadingZeroInSecret = version == .ecV1 },
            { $0.transactionIdentifier = [0, 0] + Array(repeating: 1, count: 30) },
        ]
        for change in variants {
            var options = MintOptions()
            change(&options)
            let token = try Sandbox.mint(Sandbox.request(version), options: options)
            #expect(try self.open(token).payload.transactionAmount.integer == 1099)
        }
    }

    @Test(arguments: Forgery.allCases, PaymentRequest.Version.allCases)
    func tokenLibraryRefusesEveryForgery(forgery: Forgery, version: PaymentRequest.Version) throws {
        let recipient = try Self.certifiedRecipient(version)
        let data: [UInt8]? = forgery == .applicationDataAdded ? nil : Array("order 42".utf8)
        let request = Sandbox.request(version, applicationData: data)
        guard forgery.applies(to: request, recipient: recipient) else { return }
        let token = try Sandbox.device().mint(
            request, card: .visa, recipient: recipient, signingTime: Sandbox.now, options: .forged(forgery))
        #expect(throws: TokenError.self) { try self.open(token) }
    }

    @Test func tokenLibraryRefusesTokensThatAreTooOldOrTooNew() throws {
        let token = try UnverifiedToken(parsing: Array(Sandbox.mint(Sandbox.request()).paymentDataText.utf8))
        for (seconds, code) in [(301.0, TokenError.Code.signingTimeTooOld), (-61.0, .signingTimeInFuture)] {
            let error = #expect(throws: TokenError.self) {
                try self.verifier.verify(token, at: Sandbox.now.addingTimeInterval(seconds))
            }
            #expect(error?.code == code)
        }
    }

    @Test(arguments: PaymentRequest.Version.allCases)
    func tokenLibraryReadsTheSimulatorsProcessingCertificate(version: PaymentRequest.Version) throws {
        let certificate = try Self.processingCertificate(version)
        let key = try PaymentProcessingKey(
            privateKeyPEM: .init(version == .ecV1 ? Sandbox.ecKey.pemRepresentation : try Sandbox.rsaKey.get()),
            certificate: AppleCertificate(pem(certificate)))
        #expect(key.publicKeyHash == (try Sandbox.recipient(version)).publicKeyHash)
    }

    private static func processingCertificate(_ version: PaymentRequest.Version) throws -> Certificate {
        let recipient = try Sandbox.recipient(version)
        return try Sandbox.authority.get().issue(
            .paymentProcessing, merchantIdentifier: Sandbox.merchantIdentifier,
            publicKey: try Certificate.PublicKey(derEncoded: recipient.derRepresentation), now: Sandbox.now)
    }

    private static func certifiedRecipient(_ version: PaymentRequest.Version) throws -> ProcessingPublicKey {
        try ProcessingPublicKey(certificate: self.processingCertificate(version))
    }
}
