//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import CryptoExtras
import Foundation
import Payments
import StrictJSON
import SwiftASN1
import Testing
import Time
import X509

@testable import pomona

@Suite("pomona certificate", .serialized)
struct CliCertificateTests {
    /// A merchant's certificate with its key, as openssl or Keychain Access would hold it.
    private struct Credential {
        let folder: CliFolder
        let key: String
        let certificate: String

        init(_ sandbox: CliSandbox, title: String = "Apple Pay Payment Processing", merchantIdentifier: String) throws {
            self.folder = try CliFolder()
            let issuer = try CliIssuer(authority: "\(sandbox.data)/authority")
            let isIdentity = title.contains("Identity")
            let rsa = isIdentity ? try _RSA.Signing.PrivateKey(keySize: .bits2048) : nil
            let ec = P256.Signing.PrivateKey()
            self.key = try self.folder.write("key.pem", rsa?.pkcs8PEMRepresentation ?? ec.pemRepresentation)
            self.certificate = try self.folder.write(
                "certificate.pem",
                try issuer.processing(
                    rsa.map { Certificate.PublicKey($0.publicKey) } ?? Certificate.PublicKey(ec.publicKey),
                    merchantIdentifier: merchantIdentifier, title: title))
        }

        /// The two as a PKCS #12 file, made by openssl.
        func pkcs12(passphrase: String, _ arguments: [String] = []) async throws -> String {
            let path = self.folder.file("credential.p12")
            let secret = try self.folder.write("out-passphrase", passphrase + "\n")
            let made = try await CliTool.openssl(
                [
                    "pkcs12", "-export", "-inkey", self.key, "-in", self.certificate, "-out", path, "-passout",
                    "file:\(secret)",
                ]
                    + arguments)
            try #require(made.exitCode == 0, "openssl: \(made.stderr)")
            return path
        }
    }

    private func importing(_ sandbox: CliSandbox, _ arguments: [String]) async throws -> CliResult {
        try await CliTool.pomona(
            ["certificate", "import", "--data", sandbox.data, "--merchant", "alphapay", "--json"] + arguments)
    }

    @Test(arguments: [
        ("payment-processing", nil, "id-ecPublicKey"), ("payment-processing", "rsa2048", "2048 bit"),
        ("merchant-identity", nil, "2048 bit"),
    ])
    func signingRequestsAreSoundForOpenssl(_ purpose: String, _ algorithm: String?, _ key: String) async throws {
        let sandbox = try await CliSandbox.copy()
        let result = try await CliTool.pomona(
            [
                "certificate", "csr", "--data", sandbox.data, "--merchant", "alphapay", "--purpose", purpose,
                "--merchant-identifier", "merchant.test.csr",
            ] + (algorithm.map { ["--algorithm", $0] } ?? []))
        #expect(result.exitCode == 0, "\(result.stderr)")
        #expect(result.stdout.hasPrefix("-----BEGIN CERTIFICATE REQUEST-----\n"))
        #expect(!result.stdout.contains("PRIVATE KEY"))
        let checked = try await CliTool.openssl(["req", "-verify", "-noout", "-text"], stdin: result.stdout)
        #expect(checked.exitCode == 0)
        #expect((checked.stdout + checked.stderr).contains("verify OK"))
        #expect(checked.stdout.contains(key))
        #expect(checked.stdout.contains("CN = merchant.test.csr"))
    }

    /// Apple's sandbox takes a request; the simulated Apple certifies what setup makes.
    @Test func requestOfASandboxMerchantSaysWhomItIsFor() async throws {
        let sandbox = try await CliSandbox.copy()
        let result = try await CliTool.pomona([
            "certificate", "csr", "--data", sandbox.data, "--merchant", "alphapay", "--purpose", "payment-processing",
            "--merchant-identifier", "merchant.test.csr", "--out", sandbox.folder.file("request.pem"),
        ])
        #expect(result.exitCode == 0 && result.stdout.isEmpty)
        #expect(result.stderr.contains("Apple's own sandbox") && result.stderr.contains("pomona setup"))
    }

    @Test func signingRequestIsWrittenAgainWhileItWaits() async throws {
        let sandbox = try await CliSandbox.copy()
        let made = try await CliTool.pomona([
            "certificate", "csr", "--data", sandbox.data, "--merchant", "alphapay", "--purpose", "merchant-identity",
            "--merchant-identifier", "merchant.test.again",
        ])
        let listed = try await CliTool.pomona(["certificate", "list", "--data", sandbox.data, "--json"])
        let certificates = try listed.json()["certificates"]?.array ?? []
        let waiting = try #require(certificates.first { $0["state"] == "requested" }?["id"]?.string)
        let start = ["certificate", "request", "--data", sandbox.data, "--merchant", "alphapay", "--json"]
        let again = try await CliTool.pomona(start + [String(waiting.prefix(8))])
        #expect(again.exitCode == 0, "\(again.stderr)")
        let keys = try [made, again].map { try CertificateSigningRequest(pemEncoded: $0.stdout).publicKey }
        #expect(keys[0] == keys[1])
        let checked = try await CliTool.openssl(["req", "-verify", "-noout", "-text"], stdin: again.stdout)
        #expect((checked.stdout + checked.stderr).contains("verify OK"))
        #expect(checked.stdout.contains("CN = merchant.test.again"))
        let used = try #require(
            certificates.first { $0["state"] == "active" && $0["merchant"] == "alphapay" }?["id"]?.string)
        #expect(try await CliTool.pomona(start + [used]).errorCode == "certificate_not_waiting")
        #expect(try await CliTool.pomona(start + ["0000000000000000"]).errorCode == "certificate_unknown")
    }

    @Test func aMistypedRequestIsWithdrawn() async throws {
        let sandbox = try await CliSandbox.copy()
        let made = try await CliTool.pomona([
            "certificate", "csr", "--data", sandbox.data, "--merchant", "alphapay", "--purpose", "payment-processing",
            "--merchant-identifier", "merchant.test.typo",
        ])
        #expect(made.exitCode == 0, "\(made.stderr)")
        let shown = try await CliTool.pomona([
            "merchant", "show", "alphapay", "--data", sandbox.data, "--json",
        ])
        #expect(try shown.json()["missing"] == [], "another identifier's key works")
        let listed = try await CliTool.pomona(["certificate", "list", "--data", sandbox.data, "--json"])
        let waiting = try #require(
            try listed.json()["certificates"]?.array?.first { $0["state"] == "requested" }?["id"]?.string)
        let withdrawn = try await CliTool.pomona([
            "certificate", "retire", "--data", sandbox.data, "--merchant", "alphapay", waiting,
        ])
        #expect(withdrawn.exitCode == 0, "\(withdrawn.stderr)")
        #expect(withdrawn.stdout.hasPrefix("The signing request is withdrawn: merchant.test.typo of alphapay."))
        #expect(try await self.state(sandbox, waiting) == "retired")
    }

    private func state(_ sandbox: CliSandbox, _ id: String) async throws -> String? {
        let listed = try await CliTool.pomona(["certificate", "list", "--data", sandbox.data, "--json"])
        return try listed.json()["certificates"]?.array?.first { $0["id"]?.string == id }?["state"]?.string
    }

    @Test func saysWhatToDoAfterAnImport() async throws {
        let sandbox = try await CliSandbox.copy()
        let credential = try Credential(sandbox, merchantIdentifier: "merchant.test.people")
        let imported = try await CliTool.pomona([
            "certificate", "import", "--data", sandbox.data, "--merchant", "alphapay", credential.certificate, "--key",
            credential.key,
        ])
        #expect(imported.exitCode == 0, "\(imported.stderr)")
        let command = try #require(imported.stdout.split(separator: "\n").last { $0.contains("activate") })
        let words = command.split(separator: " ").dropFirst().map(String.init)
        let activated = try await CliTool.pomona(words)
        #expect(activated.exitCode == 0, "\(activated.stderr)")
        #expect(activated.stdout.hasPrefix("In use now: merchant.test.people of alphapay."))
    }

    @Test func refusesACertificateOfAnotherAuthority() async throws {
        let (sandbox, other) = (try await CliSandbox.copy(), try CliFolder())
        let authority = DataDirectory(path: other.path)
        _ = try authority.loadOrCreateAuthority(now: .now())
        let issuer = try CliIssuer(authority: authority.authorityPath)
        let key = P256.Signing.PrivateKey()
        let pem = try issuer.processing(
            Certificate.PublicKey(key.publicKey), merchantIdentifier: "merchant.test.forged")
        let result = try await self.importing(
            sandbox,
            [try other.write("forged.pem", pem), "--key", try other.write("key.pem", key.pemRepresentation)])
        #expect(result.exitCode == 1)
        #expect(result.errorCode == "certificate_not_of_apple", "\(result.stdout)")
    }

    @Test(arguments: ["activate", "retire", "request"])
    func refusesIdsThatAreNone(_ command: String) async throws {
        let sandbox = try await CliSandbox.copy()
        let start = ["certificate", command, "--data", sandbox.data, "--merchant", "alphapay", "--json"]
        #expect(try await CliTool.pomona(start + ["1234567"]).exitCode == 64)
        #expect(try await CliTool.pomona(start + ["xyzxyzxyz"]).exitCode == 64)
        let unknown = try await CliTool.pomona(start + ["0000000000000000"])
        #expect(unknown.exitCode == 1)
        #expect(unknown.errorCode == "certificate_unknown", "\(unknown.stdout)")
    }

    @Test func whatAppleGivesBackFindsItsKey() async throws {
        let sandbox = try await CliSandbox.copy()
        let folder = try CliFolder()
        let requestFile = folder.file("request.csr")
        let made = try await CliTool.pomona([
            "certificate", "csr", "--data", sandbox.data, "--merchant", "alphapay", "--purpose", "payment-processing",
            "--merchant-identifier", "merchant.test.roundtrip", "--out", requestFile,
        ])
        #expect(made.exitCode == 0, "\(made.stderr)")
        #expect(made.stdout.isEmpty)
        let request = try CertificateSigningRequest(pemEncoded: String(contentsOfFile: requestFile, encoding: .utf8))
        let issuer = try CliIssuer(authority: "\(sandbox.data)/authority")
        let pem = try issuer.processing(request.publicKey, merchantIdentifier: "merchant.test.roundtrip")
        let der = try Certificate(pemEncoded: pem).serializeAsPEM().derBytes
        let imported = try await self.importing(sandbox, [try folder.write("apple.cer", bytes: der)])
        #expect(imported.exitCode == 0, "\(imported.stdout)")
        let json = try imported.json()
        #expect(json["imported"]?.bool == true)
        #expect(json["kind"]?.string == "payment_processing")
        #expect(json["merchantIdentifier"]?.string == "merchant.test.roundtrip")
        #expect(json["keyFits"]?.bool == true)
        #expect(json["state"]?.string == "imported")
        let id = try #require(json["id"]?.string)
        #expect(try await self.state(sandbox, id) == "imported")
        for (command, state) in [("activate", "active"), ("retire", "retired"), ("activate", "active")] {
            let changed = try await CliTool.pomona([
                "certificate", command, "--data", sandbox.data, "--merchant", "alphapay", "--json",
                String(id.prefix(12)),
            ])
            #expect(changed.exitCode == 0, "\(changed.stdout)")
            #expect(try changed.json()["state"]?.string == state)
            #expect(try await self.state(sandbox, id) == state)
        }
        let listed = try await CliTool.pomona(["certificate", "list", "--data", sandbox.data, "--json"])
        let entry = try listed.json()["certificates"]?.array?.first {
            $0["merchantIdentifier"]?.string == "merchant.test.roundtrip"
        }
        #expect(entry?["state"]?.string == "active")
        #expect(entry?["notAfter"]?.string == json["notAfter"]?.string)
        let people = try await CliTool.pomona(["certificate", "list", "--data", sandbox.data, "--merchant", "alphapay"])
        #expect(people.stdout.contains("merchant.test.roundtrip"))
    }

    @Test func refusesACertificateWhoseKeyIsNowhere() async throws {
        let sandbox = try await CliSandbox.copy()
        let credential = try Credential(sandbox, merchantIdentifier: "merchant.test.lonely")
        let result = try await self.importing(sandbox, [credential.certificate])
        #expect(result.exitCode == 1)
        #expect(result.errorCode == "certificate_has_no_key")
        let other = try Credential(sandbox, merchantIdentifier: "merchant.test.other")
        let mismatch = try await self.importing(sandbox, [credential.certificate, "--key", other.key])
        #expect(mismatch.errorCode == "key_does_not_fit")
        let imported = try await self.importing(sandbox, [credential.certificate, "--key", credential.key])
        #expect(imported.exitCode == 0, "\(imported.stdout)")
    }

    @Test(arguments: [
        ("Apple Pay Payment Processing", "payment_processing"), ("Apple Pay Merchant Identity", "merchant_identity"),
    ])
    func importsPKCS12FilesOfOpenssl(_ title: String, _ kind: String) async throws {
        let sandbox = try await CliSandbox.copy()
        let credential = try Credential(sandbox, title: title, merchantIdentifier: "merchant.test.p12.\(kind)")
        let file = try await credential.pkcs12(passphrase: "correct horse")
        let wrong = try credential.folder.write("wrong", "battery staple\n")
        for arguments in [[file], [file, "--passphrase-file", wrong]] {
            let refused = try await self.importing(sandbox, arguments)
            #expect(refused.exitCode == 1)
            #expect(refused.errorCode == "pkcs12_passphrase_wrong", "\(refused.stdout)")
        }
        let passphrase = try credential.folder.write("passphrase", "correct horse\n")
        let imported = try await self.importing(sandbox, [file, "--passphrase-file", passphrase])
        #expect(imported.exitCode == 0, "\(imported.stdout)")
        #expect(try imported.json()["kind"]?.string == kind)
        #expect(!(imported.stdout + imported.stderr).contains("PRIVATE KEY"))
    }

    /// As editors end a line on other systems, and with a note below it.
    @Test(arguments: ["\r\n", "\r\nof the test\r\n", ""])
    func aPassphraseIsTheFirstLineOfItsFile(end: String) async throws {
        let sandbox = try await CliSandbox.copy()
        let credential = try Credential(
            sandbox, title: "Apple Pay Merchant Identity", merchantIdentifier: "merchant.test.p12.line")
        let file = try await credential.pkcs12(passphrase: "correct horse")
        let passphrase = try credential.folder.write("passphrase", "correct horse" + end)
        let imported = try await self.importing(sandbox, [file, "--passphrase-file", passphrase])
        #expect(imported.exitCode == 0, "\(imported.stdout)")
    }

    @Test func importsPKCS12FilesWithoutAPassphrase() async throws {
        let sandbox = try await CliSandbox.copy()
        let credential = try Credential(sandbox, merchantIdentifier: "merchant.test.p12.open")
        let imported = try await self.importing(sandbox, [try await credential.pkcs12(passphrase: "")])
        #expect(imported.exitCode == 0, "\(imported.stdout)")
    }

    /// As older versions of openssl and Keychain Access write them.
    @Test func importsPKCS12FilesInTheOldEncryption() async throws {
        let sandbox = try await CliSandbox.copy()
        let credential = try Credential(sandbox, merchantIdentifier: "merchant.test.p12.old")
        let file = try await credential.pkcs12(
            passphrase: "x", ["-keypbe", "PBE-SHA1-3DES", "-certpbe", "PBE-SHA1-3DES", "-macalg", "sha1"])
        let passphrase = try credential.folder.write("passphrase", "x\n")
        let imported = try await self.importing(sandbox, [file, "--passphrase-file", passphrase])
        #expect(imported.exitCode == 0, "\(imported.stdout)")
    }

    @Test func aPKCS12FileWithoutAKeyOrDamagedIsRefusedAndNoCrash() async throws {
        let sandbox = try await CliSandbox.copy()
        let credential = try Credential(sandbox, merchantIdentifier: "merchant.test.p12.empty")
        let passphrase = try credential.folder.write("passphrase", "x\n")
        let keyless = try await credential.pkcs12(passphrase: "x", ["-nokeys"])
        let withoutKey = try await self.importing(sandbox, [keyless, "--passphrase-file", passphrase])
        #expect(withoutKey.exitCode == 1)
        #expect(withoutKey.errorCode == "pkcs12_unreadable")
        let whole = try Data(contentsOf: URL(fileURLWithPath: try await credential.pkcs12(passphrase: "x")))
        for length in [12, 100, whole.count - 1] {
            let cut = try credential.folder.write("cut.p12", bytes: Array(whole.prefix(length)))
            let result = try await self.importing(sandbox, [cut, "--passphrase-file", passphrase])
            #expect(result.exitCode == 1)
            #expect(result.errorCode == "pkcs12_unreadable", "\(length): \(result.stdout)")
        }
        let notPKCS12 = try await self.importing(
            sandbox, [credential.certificate, "--passphrase-file", passphrase])
        #expect(notPKCS12.errorCode == "not_pkcs12")
    }

    @Test func aPKCS12FileWithAKeyOnTheCommandLineIsAUsageError() async throws {
        let sandbox = try await CliSandbox.copy()
        let credential = try Credential(sandbox, merchantIdentifier: "merchant.test.p12.key")
        let file = try await credential.pkcs12(passphrase: "x")
        #expect(try await self.importing(sandbox, [file, "--key", credential.key]).exitCode == 64)
    }

    @Test func refusesAnUnknownMerchantAndADirectoryWithoutAStore() async throws {
        let sandbox = try await CliSandbox.copy()
        let request = ["--purpose", "payment-processing", "--merchant-identifier", "merchant.test.x", "--json"]
        let unknown = try await CliTool.pomona(
            ["certificate", "csr", "--data", sandbox.data, "--merchant", "nobody"] + request)
        #expect(unknown.exitCode == 1)
        #expect(unknown.errorCode == "merchant_unknown")
        let folder = try CliFolder()
        let empty = try await CliTool.pomona(
            ["certificate", "csr", "--data", folder.path, "--merchant", "alphapay"] + request)
        #expect(empty.exitCode == 1)
        #expect(empty.errorCode == "file_missing")
        #expect(empty.errorStage == "data_directory")
    }

    @Test func inspectionSaysWhichCertificateItIsAndWhetherTheKeyFits() async throws {
        let sandbox = try await CliSandbox.copy()
        let credential = try Credential(sandbox, merchantIdentifier: "merchant.test.inspect")
        let inspect = ["certificate", "inspect", credential.certificate, "--json"]
        let plain = try await CliTool.pomona(inspect)
        #expect(plain.exitCode == 0)
        let json = try plain.json()
        #expect(json["kind"]?.string == "payment_processing")
        #expect(json["merchantIdentifier"]?.string == "merchant.test.inspect")
        #expect(json["organization"]?.string == "Outside Ltd")
        #expect(json["keyAlgorithm"]?.string == "EC P-256")
        #expect(json["valid"]?.bool == true)
        #expect(json["keyFits"] == .null)
        #expect(try await CliTool.pomona(inspect + ["--key", credential.key]).json()["keyFits"]?.bool == true)
        let other = try await CliTool.pomona(inspect + ["--key", sandbox.rsaProcessingKey])
        #expect(other.exitCode == 1)
        #expect(other.errorCode == "private_key_mismatch")
        let people = try await CliTool.pomona([
            "certificate", "inspect", credential.certificate, "--key", credential.key,
        ])
        #expect(people.stdout.contains("Payment Processing: tokens are encrypted to its key"))
        #expect(people.stdout.contains("fits"))
        let nothing = try await CliTool.pomona(["certificate", "inspect", "-", "--json"], stdin: "no certificate")
        #expect(nothing.exitCode == 1)
        #expect(nothing.errorCode == "certificate_unreadable")
    }

    @Test func idThatTwoCertificatesBeginWithIsRefused() async throws {
        let sandbox = try await CliSandbox.copy()
        let store = try await DataDirectory(path: sandbox.data).storeLocation().open()
        let id = try await store.write { transaction in
            let merchant = try #require(try transaction.merchant(named: "alphapay"))
            let first = try #require(try transaction.appleCredentials(of: merchant.id).first)
            let end = first.id.hasSuffix("0") ? "1" : "0"
            try transaction.upsert(
                AppleCredential(
                    id: first.id.dropLast() + end, merchantID: first.merchantID, purpose: first.purpose,
                    merchantIdentifier: first.merchantIdentifier, certificatePEM: first.certificatePEM,
                    notAfter: first.notAfter, sealedPrivateKey: first.sealedPrivateKey, createdAt: first.createdAt,
                    state: .retired))
            return first.id
        }
        try await store.close()
        let retire = ["certificate", "retire", "--data", sandbox.data, "--merchant", "alphapay", "--json"]
        let refused = try await CliTool.pomona(retire + [String(id.prefix(63))])
        #expect(refused.exitCode == 1 && refused.errorCode == "certificate_ambiguous", "\(refused.stdout)")
        let retired = try await CliTool.pomona(retire + [id])
        #expect(retired.exitCode == 0, "\(retired.stdout)")
    }

    @Test func keyThatIsNoTextIsRefused() async throws {
        let sandbox = try await CliSandbox.copy()
        let credential = try Credential(sandbox, merchantIdentifier: "merchant.test.inspect")
        let key = try credential.folder.write("key.der", bytes: [0x30, 0x82, 0xFF, 0xFE])
        let result = try await CliTool.pomona([
            "certificate", "inspect", credential.certificate, "--key", key, "--json",
        ])
        #expect(result.exitCode == 1 && result.errorCode == "file_not_text", "\(result.stdout)")
    }
}
