//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import ArgumentParser
import Redaction
import StrictJSON

/// `pomona token open`: verify, then decrypt with the merchant's keys.
struct TokenOpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Verify a token and decrypt it with a merchant's private key.",
        usage: "pomona token open --token <file> --key <pem> ... [<options>]",
        discussion: """
            The account number is masked and cryptograms are left out unless --reveal is given. Give every key that is \
            in use (--key may be repeated): the token names the one that it is encrypted to.
            """)

    @OptionGroup var options: TokenOptions

    @Option(help: ArgumentHelp("A payment processing private key; may be repeated.", valueName: "pem"))
    var key: [String]

    @Option(
        help: ArgumentHelp("The payment processing certificate of one of the keys (.cer or PEM).", valueName: "pem"))
    var certificate: String?

    @Option(help: ArgumentHelp("The merchant identifier, instead of the certificate.", valueName: "id"))
    var merchantIdentifier: String?

    @Flag(help: "Print the account number, the cryptogram and all the rest in clear.")
    var reveal = false

    func validate() throws {
        guard !self.key.isEmpty else { throw ValidationError("Give the merchant's private key with --key.") }
        guard (self.certificate == nil) != (self.merchantIdentifier == nil) else {
            throw ValidationError(
                "Give either --certificate or --merchant-identifier: the key derivation needs one of them.")
        }
        let paths = [self.options.token] + self.key + (self.certificate.map { [$0] } ?? []) + self.options.trustRoots
        guard paths.count(where: { $0 == "-" }) <= 1 else {
            throw ValidationError("Only one file can be standard input.")
        }
    }

    func run() async throws {
        try await CommandRunner.run(json: self.options.json) { console in
            let token = try self.options.readToken()
            let keyring = TokenKeyring(try self.keys())
            let moment = self.options.moment()
            let verified = try self.options.verifier().verify(
                token, at: moment.date, expecting: self.options.expectations)
            let decrypted = try verified.decrypt(with: keyring)
            let verification = VerifiedTokenReport(verified, checkedAt: moment)
            if self.options.json {
                var object = verification.json.object ?? JSONObject()
                object["payload"] = decrypted.payload.json(reveals: self.reveal)
                console.line(JSON.object(object).text(pretty: true))
            } else {
                console.line(console.styled("The token is genuine.", .good))
                for line in verification.fields.lines() { console.line(line) }
                console.line()
                console.line(console.styled("It is opened.", .good))
                let payload = PayloadReport(decrypted.payload, reveals: self.reveal)
                for line in payload.fields.lines() { console.line(line) }
            }
        }
    }

    /// The certificate proves that one of the keys is this merchant's; the others are the merchant's keys of the past
    /// and the future.
    private func keys() throws -> [PaymentProcessingKey] {
        let privateKeys = try self.key.map { path in
            try MerchantPrivateKey(pem: Redacted(try InputFile.text(of: path, what: "private key")))
        }
        guard let path = self.certificate else {
            return try privateKeys.map {
                try PaymentProcessingKey(privateKey: $0, merchantIdentifier: self.merchantIdentifier ?? "")
            }
        }
        let certificate = try AppleCertificate(
            try InputFile.bytes(of: path, what: "certificate", bytesMax: InputFile.pemBytesMax))
        guard privateKeys.contains(where: certificate.fits) else {
            // Says which hashes the two have.
            return [try PaymentProcessingKey(privateKey: privateKeys[0], certificate: certificate)]
        }
        return try privateKeys.compactMap { privateKey in
            if certificate.fits(privateKey) {
                return try PaymentProcessingKey(privateKey: privateKey, certificate: certificate)
            }
            return try certificate.merchantIdentifier.map {
                try PaymentProcessingKey(privateKey: privateKey, merchantIdentifier: $0)
            }
        }
    }
}
