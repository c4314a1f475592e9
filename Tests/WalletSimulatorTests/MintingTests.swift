//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import CryptoExtras
import Foundation
import StrictJSON
import TestProcesses
import Testing
import WalletSimulator

@Suite struct MintingTests {
    @Test(arguments: PaymentRequest.Version.allCases, [nil, Array("order 42".utf8)])
    func opensslVerifiesTheSignature(version: PaymentRequest.Version, applicationData: [UInt8]?) async throws {
        let token = try Sandbox.mint(Sandbox.request(version, applicationData: applicationData))
        let root = try Sandbox.authority.get().rootCertificatePEM
        let good = try await OpenSSL.verify(
            signature: token.parts.signature, content: token.parts.signedMessage, root: root, at: Sandbox.now)
        #expect(good.status == 0, "\(good.errorsText)")
        let bad = try await OpenSSL.verify(
            signature: token.parts.signature, content: token.parts.signedMessage + [0], root: root, at: Sandbox.now)
        #expect(bad.status != 0)
    }

    @Test(arguments: ["null", "unprotected", "definite", "reversed", "root", "all"])
    func opensslVerifiesEveryVariantOfTheEncoding(variant: String) async throws {
        var options = MintOptions()
        let isAll = variant == "all"
        options.hasNullParameters = isAll || variant == "null"
        options.hasAlgorithmProtection = !(isAll || variant == "unprotected")
        options.hasDefiniteLengths = isAll || variant == "definite"
        options.putsIntermediateFirst = isAll || variant == "reversed"
        options.includesRoot = isAll || variant == "root"
        for version in PaymentRequest.Version.allCases {
            let token = try Sandbox.mint(Sandbox.request(version), options: options)
            let outcome = try await OpenSSL.verify(
                signature: token.parts.signature, content: token.parts.signedMessage,
                root: try Sandbox.authority.get().rootCertificatePEM, at: Sandbox.now)
            #expect(outcome.status == 0, "\(outcome.errorsText)")
        }
    }

    @Test func opensslShowsTheSigningTime() async throws {
        let token = try Sandbox.mint(Sandbox.request())
        let outcome = try await OpenSSL.run(
            ["cms", "-cmsout", "-print", "-noout", "-inform", "DER", "-in", "signature"],
            files: ["signature": token.parts.signature])
        #expect(outcome.outputText.contains("UTCTIME:Mar  1 12:34:56 2026 GMT"))
    }

    @Test(arguments: PaymentRequest.Version.allCases, PaymentRequest.Kind.allCases)
    func merchantDecryptsWhatWasSealed(version: PaymentRequest.Version, kind: PaymentRequest.Kind) throws {
        for card in SimulatedCard.allCases {
            let token = try Sandbox.mint(Sandbox.request(version, kind: kind), card: card)
            let payload = try MerchantServer.open(token.paymentData)
            #expect(payload.serialized() == token.parts.plaintext)
            #expect(payload["applicationPrimaryAccountNumber"]?.string == card.dpan)
            #expect(payload["applicationExpirationDate"]?.string == card.expirationDate)
            #expect(payload["transactionAmount"]?.integer == 1099)
            #expect(payload["currencyCode"] == "124")
            #expect(payload["paymentDataType"]?.string == kind.rawValue)
            #expect(payload["paymentData"]?["eciIndicator"]?.string == (kind == .threeDSecure ? card.eci : nil))
        }
    }

    @Test func secretThatBeginsWithZeroOpensToo() throws {
        var options = MintOptions()
        options.wantsLeadingZeroInSecret = true
        let token = try Sandbox.mint(Sandbox.request(), options: options)
        let ephemeral = try P256.KeyAgreement.PublicKey(derRepresentation: token.parts.key)
        let secret = try Sandbox.ecKey.sharedSecretFromKeyAgreement(with: ephemeral)
        #expect(secret.withUnsafeBytes { $0.first } == 0)
        #expect(try MerchantServer.open(token.paymentData).serialized() == token.parts.plaintext)
    }

    @Test func tokenHasTheKeysAndFormatsOfPassKit() throws {
        let token = try Sandbox.mint(Sandbox.request(applicationData: [1, 2, 3]))
        #expect(token.paymentData.object?.names == ["version", "data", "signature", "header"])
        let header = try #require(token.paymentData["header"]?.object)
        #expect(header.names == ["ephemeralPublicKey", "publicKeyHash", "transactionId", "applicationData"])
        #expect(try MerchantServer.bytes(header["ephemeralPublicKey"]).count == 91)
        let hash = SHA256.hash(data: Sandbox.ecKey.publicKey.derRepresentation)
        #expect(try MerchantServer.bytes(header["publicKeyHash"]) == Data(hash))
        let transactionIdentifier = try #require(header["transactionId"]?.string)
        #expect(transactionIdentifier.utf8.count == 64)
        #expect(transactionIdentifier == transactionIdentifier.lowercased())
        #expect(transactionIdentifier == token.transactionIdentifier)
        #expect(header["applicationData"]?.string == "039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81")

        let paymentToken = token.paymentToken
        #expect(paymentToken.object?.names == ["paymentData", "paymentMethod", "transactionIdentifier"])
        #expect(paymentToken["transactionIdentifier"]?.string == transactionIdentifier.uppercased())
        #expect(
            paymentToken["paymentMethod"] == ["displayName": "Visa 1234", "network": "Visa", "type": "credit"])
    }

    @Test func rsaTokenHasAWrappedKeyInsteadOfAnEphemeralOne() throws {
        let header = try #require(try Sandbox.mint(Sandbox.request(.rsaV1)).paymentData["header"]?.object)
        #expect(header.names == ["wrappedKey", "publicKeyHash", "transactionId"])
        #expect(try MerchantServer.bytes(header["wrappedKey"]).count == 256)
    }

    @Test func javaScriptPaymentCarriesTheContacts() throws {
        var request = Sandbox.request()
        #expect(try Sandbox.mint(request).javaScriptPayment.object?.names == ["token"])
        request.billingContact = ["givenName": "Ada"]
        request.shippingContact = ["emailAddress": "ada@example.com"]
        let payment = try Sandbox.mint(request).javaScriptPayment
        #expect(payment.object?.names == ["token", "billingContact", "shippingContact"])
        #expect(payment["billingContact"]?["givenName"] == "Ada")
        #expect(payment["token"]?["paymentData"]?["version"] == "EC_v1")
    }

    @Test func solidusIsEscapedOnlyIfAsked() throws {
        var options = MintOptions()
        let plain = try Sandbox.mint(Sandbox.request(), options: options)
        #expect(plain.paymentDataText.contains("/") && !plain.paymentDataText.contains("\\"))
        #expect(try JSON.parse(plain.paymentDataText) == plain.paymentData)
        options.escapesSolidus = true
        let escaped = try Sandbox.mint(Sandbox.request(), options: options)
        #expect(escaped.paymentTokenText.contains("\\/"))
        #expect(!escaped.paymentTokenText.replacing("\\/", with: "").contains("/"))
        #expect(try JSON.parse(escaped.paymentTokenText) == escaped.paymentToken)
        #expect(try JSON.parse(escaped.javaScriptPaymentText) == escaped.javaScriptPayment)
    }

    @Test func base64LosesItsPaddingOnlyIfAsked() throws {
        var options = MintOptions()
        options.plaintext = [0x7B, 0x7D]
        let padded = try Sandbox.mint(Sandbox.request(), options: options).paymentDataText
        #expect(padded.contains("="))
        options.omitsBase64Padding = true
        #expect(!(try Sandbox.mint(Sandbox.request(), options: options).paymentDataText.contains("=")))
    }

    @Test func sameSeedGivesTheSameIdentifierAndPayload() throws {
        let first = try Sandbox.mint(Sandbox.request(), seed: 7)
        let second = try Sandbox.mint(Sandbox.request(), seed: 7)
        let third = try Sandbox.mint(Sandbox.request(), seed: 8)
        #expect(first.transactionIdentifier == second.transactionIdentifier)
        #expect(first.parts.plaintext == second.parts.plaintext)
        #expect(first.parts.key != second.parts.key)
        #expect(first.transactionIdentifier != third.transactionIdentifier)
        #expect(first.parts.plaintext != third.parts.plaintext)
    }

    @Test func deviceNeverRepeatsATransactionIdentifier() throws {
        let device = try Sandbox.device()
        let identifiers = try (0..<20).map { _ in
            try device.mint(
                Sandbox.request(), card: .jcb, recipient: Sandbox.recipient(.ecV1), signingTime: Sandbox.now
            ).transactionIdentifier
        }
        #expect(Set(identifiers).count == 20)
    }

    @Test func valuesThatAreGivenAreUsed() throws {
        var options = MintOptions()
        let ephemeral = P256.KeyAgreement.PrivateKey()
        options.ephemeralKey = ephemeral
        options.transactionIdentifier = [0] + Array(repeating: 0xAB, count: 31)
        options.plaintext = Array(#"{"a":1}"#.utf8)
        let token = try Sandbox.mint(Sandbox.request(), options: options)
        #expect(token.parts.key == Array(ephemeral.publicKey.derRepresentation))
        #expect(token.transactionIdentifier == "00" + String(repeating: "ab", count: 31))
        #expect(try MerchantServer.open(token.paymentData) == ["a": 1])

        options.contentKey = Array(repeating: 7, count: 16)
        let rsaToken = try Sandbox.mint(Sandbox.request(.rsaV1), options: options)
        let key = try Sandbox.rsaPrivateKey().decrypt(rsaToken.parts.key, padding: .PKCS1_OAEP_SHA256)
        #expect(key == Data(repeating: 7, count: 16))
    }

    @Test func printsNothingOfItsPayload() throws {
        let token = try Sandbox.mint(Sandbox.request())
        var dumped = ""
        dump(token, to: &dumped)
        #expect("\(token)" == "MintedToken(\(token.transactionIdentifier))")
        #expect(!dumped.contains(SimulatedCard.visa.dpan) && !dumped.contains("EC_v1"))
    }
}

@Suite struct MintingRefusalTests {
    @Test func refusesKeyOfTheOtherVersion() throws {
        try self.expect(.recipientKeyDiffers, from: Sandbox.request(.ecV1), to: .rsaV1)
        try self.expect(.recipientKeyDiffers, from: Sandbox.request(.rsaV1), to: .ecV1)
    }

    @Test func refusesNegativeAmount() throws {
        var request = Sandbox.request()
        request.amountMinorUnits = -1
        try self.expect(.amountOutOfRange, from: request)
    }

    @Test func refusesChipAmountOfThirteenDigits() throws {
        var request = Sandbox.request(kind: .emv)
        request.amountMinorUnits = 1_000_000_000_000
        try self.expect(.amountOutOfRange, from: request)
    }

    @Test(arguments: ["", "CAD", "1240", "-12", "١٢"])
    func refusesCurrencyThatIsNoNumericCode(code: String) throws {
        var request = Sandbox.request()
        request.currencyCode = code
        try self.expect(.currencyMalformed, from: request)
    }

    @Test(arguments: [-700_000_000.0, 2_524_608_000.0])
    func refusesSigningTimeThatUTCTimeCannotHold(seconds: TimeInterval) throws {
        try self.expect(
            .signingTimeOutOfRange, from: Sandbox.request(), at: Date(timeIntervalSince1970: seconds))
    }

    @Test func refusesContentKeyOfWrongLength() throws {
        var options = MintOptions()
        options.contentKey = [1, 2, 3]
        try self.expect(.contentKeyMalformed, from: Sandbox.request(.rsaV1), to: .rsaV1, options: options)
    }

    @Test(arguments: [
        (Forgery.ephemeralKeyCompressed, PaymentRequest.Version.rsaV1), (.wrappedKeyWithSHA1, .ecV1),
        (.applicationDataUnsigned, .ecV1), (.publicKeyHashOfCertificate, .ecV1),
    ])
    func refusesForgeryThatMeansNothing(forgery: Forgery, version: PaymentRequest.Version) throws {
        try self.expect(
            .forgeryDoesNotApply, from: Sandbox.request(version), to: version, options: .forged(forgery))
    }

    private func expect(
        _ code: SimulatorError.Code, from request: PaymentRequest, to version: PaymentRequest.Version = .ecV1,
        at time: Date = Sandbox.now, options: MintOptions = MintOptions()
    ) throws {
        let device = try Sandbox.device()
        let recipient = try Sandbox.recipient(version)
        let error = #expect(throws: SimulatorError.self) {
            try device.mint(request, card: .visa, recipient: recipient, signingTime: time, options: options)
        }
        #expect(error?.code == code)
        #expect(error?.description.hasPrefix(code.rawValue) == true)
    }
}
