//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import Foundation
import StrictJSON
import Testing
import WalletSimulator
import X509

/// One kind of token that the simulated wallet makes.
struct CliMintCase: Sendable, CustomTestStringConvertible {
    let card: String
    let kind: String
    let version: String

    var testDescription: String { "\(self.card) \(self.kind) \(self.version)" }

    /// The cards' account numbers, as they appear masked.
    static let masked = [
        "visa": "489537xxxxxx5671", "visa-debit": "489538xxxxxx0306", "mastercard": "520424xxxxxx5679",
        "mastercard-debit": "520425xxxxxx0304", "amex": "379999xxxxx4562", "discover": "651099xxxxxx5676",
        "jcb": "356999xxxxxx5673", "unionpay": "625899xxxxxx5672", "girocard": "672599xxxxxxxxx6780",
    ]

    static let all = masked.keys.sorted().flatMap { card in
        ["3ds", "emv"].flatMap { kind in
            ["EC_v1", "RSA_v1"].map { CliMintCase(card: card, kind: kind, version: $0) }
        }
    }
}

@Suite("pomona token mint and open")
struct CliMintTests {
    @Test(arguments: CliMintCase.all)
    func mintedTokensVerifyAndOpen(_ mint: CliMintCase) async throws {
        let sandbox = try await CliSandbox.shared()
        let folder = try CliFolder()
        let token = try await sandbox.mint(
            ["--card", mint.card, "--kind", mint.kind, "--version", mint.version], in: folder)
        let isRSA = mint.version == "RSA_v1"
        let result = try await CliTool.pomona([
            "token", "open", "--token", token, "--trust-root", sandbox.trustRoot, "--key",
            isRSA ? sandbox.rsaProcessingKey : sandbox.processingKey, "--certificate",
            isRSA ? sandbox.rsaProcessingCertificate : sandbox.processingCertificate, "--json",
        ])
        #expect(result.exitCode == 0, "\(result.stdout)\(result.stderr)")
        let json = try result.json()
        #expect(json["version"]?.string == mint.version)
        let payload = json["payload"]
        #expect(payload?["applicationPrimaryAccountNumber"]?.string == CliMintCase.masked[mint.card])
        #expect(payload?["transactionAmount"]?.numberText == "1099")
        #expect(payload?["currencyCode"]?.string == "124")
        #expect(payload?["paymentDataType"]?.string == (mint.kind == "emv" ? "EMV" : "3DSecure"))
        // Nothing of the proof is shown.
        #expect(payload?["paymentData"]?["onlinePaymentCryptogram"] == nil)
        #expect(payload?["paymentData"]?["emvData"] == nil)
    }

    @Test func namesEveryCardThatItKnows() async throws {
        let help = try await CliTool.pomona(["token", "mint", "--help"]).stdout
        let words = Set(help.split { !$0.isLetter && !$0.isNumber && $0 != "-" }.map(String.init))
        for card in SimulatedCard.allNamed {
            #expect(words.contains(card.name), "\(card.name)")
        }
        let wrong = try await CliTool.pomona(["token", "mint", "--merchant", "m", "--amount", "1", "--card", "gold"])
        #expect(wrong.exitCode == 64 && wrong.stderr.contains("tappay-10023"))
    }

    /// The payment as Apple Pay JS hands it out, with the contacts of PAYONE's page.
    @Test func addsContactsToThePayment() async throws {
        let sandbox = try await CliSandbox.shared()
        let folder = try CliFolder()
        let text = """
            {"addressLines":["1 Street",""],"country":"United Kingdom","countryCode":"GB","familyName":"Appleseed",
            "givenName":"John","locality":"London","postalCode":"AB12 3CD","emailAddress":"john.appleseed@apple.com"}
            """
        let contact = try folder.write("contact.json", text)
        let both = try await sandbox.mint(
            ["--format", "payment", "--billing-contact", contact, "--shipping-contact", contact], in: folder)
        let payment = try JSON.parse(Array(Data(contentsOf: URL(fileURLWithPath: both))))
        #expect(payment.object?.names == ["token", "billingContact", "shippingContact"])
        let expected = try JSON.parse(Array(text.utf8))
        #expect(payment["billingContact"] == expected && payment["shippingContact"] == expected)
        let one = try await sandbox.mint(["--format", "payment", "--shipping-contact", contact], in: folder)
        let other = try JSON.parse(Array(Data(contentsOf: URL(fileURLWithPath: one))))
        #expect(other.object?.names == ["token", "shippingContact"])
        let opened = try await CliTool.pomona([
            "token", "verify", "--token", one, "--trust-root", sandbox.trustRoot, "--json",
        ])
        #expect(opened.exitCode == 0, "\(opened.stdout)\(opened.stderr)")
    }

    @Test(arguments: [
        ("[]", "payment", "contact_malformed"), ("{", "payment", "contact_malformed"),
        ("{\"name\":\"John\"}", "payment", "contact_malformed"), ("{\"city\":1}", "payment", "contact_malformed"),
        ("{\"givenName\":1}", "payment", "contact_malformed"),
        ("{\"addressLines\":\"1 Street\"}", "payment", "contact_malformed"),
        ("{\"addressLines\":[1]}", "payment", "contact_malformed"), ("", "payment", "contact_malformed"),
        ("{}", "token", ""),
    ])
    func refusesContactsThatAreNone(text: String, format: String, code: String) async throws {
        let sandbox = try await CliSandbox.shared()
        let folder = try CliFolder()
        let contact = try folder.write("contact.json", text)
        let arguments = [
            "token", "mint", "--data", sandbox.data, "--merchant", "outside", "--amount", "1", "--currency", "CAD",
            "--json", "--format", format, "--billing-contact",
        ]
        let result = try await CliTool.pomona(arguments + [contact])
        if code.isEmpty {
            #expect(result.exitCode == 64 && result.stderr.contains("--format payment"))
        } else {
            #expect(result.exitCode == 1 && result.errorCode == code)
            #expect(try await CliTool.pomona(arguments + ["/nowhere"]).errorCode == "file_unreadable")
        }
    }

    /// The order of the networks chooses that of a co-badged card.
    @Test(arguments: [
        ("girocard,masterCard,visa", "girocard 3012", "672599xxxxxxxxx4555"),
        ("masterCard, girocard, visa", "MasterCard 3012", "520425xxxxxx0403"),
    ])
    func theOrderOfNetworksChooses(networks: String, name: String, masked: String) async throws {
        let sandbox = try await CliSandbox.shared()
        let folder = try CliFolder()
        let arguments = ["--card", "girocard-mastercard", "--networks", networks, "--format", "token"]
        let token = try await sandbox.mint(arguments, in: folder)
        let json = try JSON.parse(Array(Data(contentsOf: URL(fileURLWithPath: token))))
        #expect(json["paymentMethod"]?["displayName"]?.string == name)
        let opened = try await CliTool.pomona([
            "token", "open", "--token", token, "--trust-root", sandbox.trustRoot, "--key", sandbox.processingKey,
            "--certificate", sandbox.processingCertificate, "--json",
        ])
        #expect(try opened.json()["payload"]?["applicationPrimaryAccountNumber"]?.string == masked)
        let none = try await CliTool.pomona([
            "token", "mint", "--data", sandbox.data, "--merchant", "outside", "--amount", "1", "--currency", "CAD",
            "--json", "--card", "girocard-mastercard", "--networks", "visa,amex",
        ])
        #expect(none.exitCode == 1 && none.errorCode == "network_not_supported")
    }

    @Test func revealsOnlyWhenAsked() async throws {
        let sandbox = try await CliSandbox.shared()
        let folder = try CliFolder()
        let token = try await sandbox.mint(["--card", "visa", "--cardholder", "Ada Appleseed"], in: folder)
        let arguments = [
            "token", "open", "--token", token, "--trust-root", sandbox.trustRoot, "--key", sandbox.processingKey,
            "--merchant-identifier", CliSandbox.merchantIdentifier,
        ]
        let revealed = try await CliTool.pomona(arguments + ["--json", "--reveal"])
        let payload = try revealed.json()["payload"]
        #expect(payload?["applicationPrimaryAccountNumber"]?.string == "4895370012345671")
        #expect(payload?["cardholderName"]?.string == "Ada Appleseed")
        let cryptogram = try #require(payload?["paymentData"]?["onlinePaymentCryptogram"]?.string)
        for style in [[], ["--json"]] {
            let masked = try await CliTool.pomona(arguments + style)
            #expect(masked.exitCode == 0)
            #expect(masked.stdout.contains("489537xxxxxx5671"))
            for secret in ["4895370012345671", "Ada Appleseed", cryptogram] {
                #expect(!(masked.stdout + masked.stderr).contains(secret))
            }
        }
        let people = try await CliTool.pomona(arguments + ["--reveal"])
        #expect(people.stdout.contains("4895370012345671"))
        #expect(people.stdout.contains(cryptogram))
    }

    @Test func bindsTheApplicationData() async throws {
        let sandbox = try await CliSandbox.shared()
        let folder = try CliFolder()
        let token = try await sandbox.mint(["--application-data", "basket 7"], in: folder)
        let arguments = ["token", "verify", "--token", token, "--trust-root", sandbox.trustRoot, "--json"]
        #expect(try await CliTool.pomona(arguments + ["--application-data", "basket 7"]).exitCode == 0)
        let other = try await CliTool.pomona(arguments + ["--application-data", "basket 8"])
        #expect(other.exitCode == 1)
        #expect(other.errorCode == "application_data_mismatch")
        let plain = try await sandbox.mint([], in: folder)
        let missing = try await CliTool.pomona(
            [
                "token", "verify", "--token", plain, "--trust-root", sandbox.trustRoot, "--application-data",
                "basket 7", "--json",
            ])
        #expect(missing.errorCode == "application_data_missing")
    }

    @Test func mintsMerchantTokensAndEveryFormat() async throws {
        let sandbox = try await CliSandbox.shared()
        let folder = try CliFolder()
        for (format, member) in [("paymentData", "version"), ("token", "paymentMethod"), ("payment", "token")] {
            let token = try await sandbox.mint(["--merchant-token", "--format", format], in: folder)
            let json = try JSON.parse(try String(contentsOfFile: token, encoding: .utf8))
            #expect(json[member] != nil, "\(format)")
            let opened = try await CliTool.pomona([
                "token", "open", "--token", token, "--trust-root", sandbox.trustRoot, "--key", sandbox.processingKey,
                "--merchant-identifier", CliSandbox.merchantIdentifier, "--json", "--reveal",
            ])
            #expect(try opened.json()["payload"]?["merchantTokenIdentifier"]?.string?.isEmpty == false)
        }
    }

    @Test func theSigningTimeIsWhatWasAskedFor() async throws {
        let sandbox = try await CliSandbox.shared()
        let folder = try CliFolder()
        let token = try await sandbox.mint(["--at", "2026-11-21T12:00:00+02:00"], in: folder)
        let verify = ["token", "verify", "--token", token, "--trust-root", sandbox.trustRoot, "--json", "--at"]
        let result = try await CliTool.pomona(verify + ["2026-11-21T10:05:00Z"])
        // The test authority is younger than that where the clock of the machine says so.
        #expect(["certificate_not_yet_valid", nil].contains(result.errorCode))
        if result.exitCode == 0 {
            #expect(try result.json()["signingTime"]?.string == "2026-11-21T10:00:00Z")
            #expect(try await CliTool.pomona(verify + ["2026-11-21T10:05:01Z"]).errorCode == "signing_time_too_old")
            #expect(try await CliTool.pomona(verify + ["2026-11-21T09:58:59Z"]).errorCode == "signing_time_in_future")
        }
    }

    @Test func withoutItsRootAMintedTokenIsUntrusted() async throws {
        let sandbox = try await CliSandbox.shared()
        let folder = try CliFolder()
        let token = try await sandbox.mint([], in: folder)
        let result = try await CliTool.pomona(["token", "verify", "--token", token, "--json"])
        #expect(result.exitCode == 1)
        #expect(result.errorCode == "root_untrusted")
        #expect(result.errorStage == "chain")
    }

    @Test func refusesKeysThatDoNotFit() async throws {
        let sandbox = try await CliSandbox.shared()
        let folder = try CliFolder()
        let token = try await sandbox.mint([], in: folder)
        let open = ["token", "open", "--token", token, "--trust-root", sandbox.trustRoot, "--json"]
        let mismatch = try await CliTool.pomona(
            open + ["--key", sandbox.rsaProcessingKey, "--certificate", sandbox.processingCertificate])
        #expect(mismatch.errorCode == "private_key_mismatch")
        let unknown = try await CliTool.pomona(
            open + ["--key", sandbox.rsaProcessingKey, "--merchant-identifier", CliSandbox.merchantIdentifier])
        #expect(unknown.errorCode == "key_unknown")
        #expect(unknown.errorStage == "key_selection")
        let otherMerchant = try await CliTool.pomona(
            open + ["--key", sandbox.processingKey, "--merchant-identifier", "merchant.of.somebody.else"])
        #expect(otherMerchant.errorCode == "decryption_failed")
        let encrypted = try folder.write(
            "encrypted.pem", "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n")
        let locked = try await CliTool.pomona(
            open + ["--key", encrypted, "--merchant-identifier", CliSandbox.merchantIdentifier])
        #expect(locked.errorCode == "private_key_encrypted")
    }

    @Test func opensWithSeveralKeysAndOneCertificate() async throws {
        let sandbox = try await CliSandbox.shared()
        let folder = try CliFolder()
        for version in ["EC_v1", "RSA_v1"] {
            let token = try await sandbox.mint(["--version", version], in: folder)
            let result = try await CliTool.pomona([
                "token", "open", "--token", token, "--trust-root", sandbox.trustRoot, "--key", sandbox.rsaProcessingKey,
                "--key", sandbox.processingKey, "--certificate", sandbox.processingCertificate, "--json",
            ])
            #expect(result.exitCode == 0, "\(result.stdout)")
        }
    }

    @Test func namesTheMerchantsThatThereAre() async throws {
        let sandbox = try await CliSandbox.shared()
        let unknown = try await CliTool.pomona(
            [
                "token", "mint", "--data", sandbox.data, "--merchant", "nobody", "--amount", "1", "--currency", "CAD",
                "--json",
            ])
        #expect(unknown.exitCode == 1)
        #expect(unknown.errorCode == "merchant_unknown")
        #expect(try unknown.json()["error"]?["message"]?.string?.contains("alphapay") == true)
        let worthless = try await self.mint(sandbox, ["--merchant", "nobody"])
        #expect(worthless.errorCode == "merchant_unknown", "\(worthless.stdout)")
        let folder = try CliFolder()
        let empty = try await CliTool.pomona(
            ["token", "mint", "--data", folder.path, "--merchant", "alphapay", "--amount", "1", "--json"])
        #expect(empty.exitCode == 1)
        #expect(empty.errorCode == "merchant_unknown")
    }

    private func mint(_ sandbox: CliSandbox, _ arguments: [String]) async throws -> CliResult {
        try await CliTool.pomona(["token", "mint", "--data", sandbox.data, "--amount", "5", "--json"] + arguments)
    }

    /// After a renewal wallets seal for the certificate that was activated last; the files of the sandbox are the first's.
    @Test func sealsForTheNewestKeyInUse() async throws {
        let sandbox = try await CliSandbox.copy()
        let (folder, key) = (try CliFolder(), P256.Signing.PrivateKey())
        let certificate = try folder.write(
            "new.pem",
            try CliIssuer(authority: "\(sandbox.data)/authority").processing(
                Certificate.PublicKey(key.publicKey), merchantIdentifier: "merchant.dev.pomona.alphapay"))
        let hash = Data(SHA256.hash(data: key.publicKey.derRepresentation)).base64EncodedString()
        func sealedFor(_ arguments: [String]) async throws -> String? {
            let result = try await self.mint(sandbox, arguments)
            #expect(result.exitCode == 0, "\(result.stdout)\(result.stderr)")
            return try result.json()["header"]?["publicKeyHash"]?.string
        }
        let first = try await sealedFor(["--merchant", "alphapay"])
        let imported = try await CliTool.pomona([
            "certificate", "import", "--data", sandbox.data, "--merchant", "alphapay", certificate, "--key",
            try folder.write("key.pem", key.pemRepresentation), "--json",
        ])
        let id = try #require(try imported.json()["id"]?.string, "\(imported.stdout)")
        #expect(try await sealedFor(["--merchant", "alphapay"]) == first, "not in use yet")
        func change(_ command: String) async throws {
            let changed = try await CliTool.pomona([
                "certificate", command, "--data", sandbox.data, "--merchant", "alphapay", id,
            ])
            #expect(changed.exitCode == 0, "\(changed.stderr)")
        }
        try await change("activate")
        #expect(try await sealedFor(["--merchant", "alphapay"]) == hash)
        try await change("retire")
        #expect(try await sealedFor(["--merchant", "alphapay"]) == first)
        try await change("activate")
        // What the sandbox has not made is known by the store alone.
        try FileManager.default.removeItem(atPath: "\(sandbox.data)/merchants/alphapay")
        #expect(try await sealedFor(["--merchant", "alphapay", "--currency", "CAD"]) == hash)
        let priceless = try await self.mint(sandbox, ["--merchant", "alphapay"])
        #expect(priceless.exitCode == 1 && priceless.errorCode == "argument_malformed", "\(priceless.stdout)")
        let other = ["--merchant", "nobody", "--currency", "CAD", "--certificate", certificate]
        #expect(try await sealedFor(other) == hash)
    }

    @Test func makesTheSandboxMerchantsRSAKeyWhenItIsFirstNeeded() async throws {
        let sandbox = try await CliSandbox.copy()
        // All at once: only one of them may make the key, and the leaf that signs.
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for _ in 0..<4 {
                tasks.addTask {
                    let minted = try await CliTool.pomona([
                        "token", "mint", "--data", sandbox.data, "--merchant", "alphapay", "--amount", "5", "--version",
                        "RSA_v1",
                    ])
                    #expect(minted.exitCode == 0, "\(minted.stderr)")
                    let verified = try await CliTool.pomona(
                        ["token", "verify", "--token", "-", "--trust-root", sandbox.trustRoot, "--json"],
                        stdin: minted.stdout)
                    #expect(try verified.json()["version"]?.string == "RSA_v1")
                }
            }
            try await tasks.waitForAll()
        }
        let listed = try await CliTool.pomona(["certificate", "list", "--data", sandbox.data, "--json"])
        let processing = try listed.json()["certificates"]?.array?.filter { $0["purpose"] == "payment-processing" }
        #expect(processing?.filter { $0["keyAlgorithm"] == "RSA-2048" }.count == 1)
    }
}
