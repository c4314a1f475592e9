//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ApplePayToken
import ArgumentParser
import Gateway
import Payments
import Redaction
import StrictJSON
import Time

/// `pomona certificate import`: what Apple gave back, or a certificate with its key from elsewhere.
struct CertificateImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import a merchant's certificate: .cer or .pem from Apple, or .p12 with its key.",
        usage: "pomona certificate import --merchant <name> <file> [<options>]",
        discussion: """
            A certificate that was made from a signing request of this store finds its key here. One from elsewhere \
            comes with its key, in a .p12 file or with --key. It must have been issued by Apple, or by the sandbox's \
            authority for a sandbox merchant, and takes effect by: pomona certificate activate
            """)

    @OptionGroup var directory: DataOptions

    @Option(help: ArgumentHelp("The merchant's name in the store.", valueName: "name"))
    var merchant: String

    @Argument(
        help: ArgumentHelp("The certificate (.cer or PEM) or PKCS #12 file; - is standard input.", valueName: "file"))
    var file: String

    @Option(help: ArgumentHelp("The certificate's private key, when it was made elsewhere.", valueName: "pem"))
    var key: String?

    @Option(help: ArgumentHelp("A file whose first line is the passphrase of the PKCS #12 file.", valueName: "file"))
    var passphraseFile: String?

    @OptionGroup var overriding: OverrideOption

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func validate() throws {
        guard [self.file, self.key, self.passphraseFile].count(where: { $0 == "-" }) <= 1 else {
            throw ValidationError("Only one file can be standard input.")
        }
    }

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let input = try await self.readInput()
            let certificate = try AppleCertificate(input.certificate)
            let name = self.merchant
            let credential = try await DirectoryAccess.withAdministration(self.directory.directory) { administration in
                let merchant = try await administration.merchant(named: name)
                let administration = self.overriding.applied(to: administration)
                guard let key = input.privateKeyPEM else {
                    return try await administration.importCertificate(
                        merchant: merchant.id, bytes: input.certificate, activates: false)
                }
                return try await administration.importCredential(
                    merchant: merchant.id, certificate: input.certificate, privateKeyPEM: key, activates: false)
            }
            let report = CertificateReport(certificate: certificate, at: .now(), keyFits: true)
            if self.json {
                var object = report.json.object ?? JSONObject()
                object["imported"] = true
                object["merchant"] = .string(name)
                object["id"] = .string(credential.id)
                object["state"] = .string(credential.state.rawValue)
                console.line(JSON.object(object).text(pretty: true))
            } else {
                console.line(console.styled("Imported for \(name).", .good))
                for line in report.fields.lines() { console.line(line) }
                guard credential.state == .imported else { return }
                console.line("It is not in use yet. Activate it:")
                console.line(
                    "  pomona certificate activate --data \(self.directory.directory.path.shellQuoted) "
                        + "--merchant \(name) \(credential.id.prefix(16))")
            }
        }
    }

    private struct Input: Sendable {
        let certificate: [UInt8]
        /// Nil: the key is in the store.
        let privateKeyPEM: Redacted<String>?
    }

    private func readInput() async throws -> Input {
        let bytes = try InputFile.bytes(of: self.file, what: "certificate", bytesMax: InputFile.pemBytesMax)
        if PKCS12.isLikely(bytes) {
            guard self.key == nil else {
                throw ValidationError("A PKCS #12 file holds its own key: leave --key out.")
            }
            let contents = try await PKCS12.unpack(bytes, passphrase: try self.passphrase())
            return Input(certificate: contents.certificate, privateKeyPEM: contents.privateKeyPEM)
        }
        guard self.passphraseFile == nil else {
            throw CommandFailure(
                .notPKCS12, stage: .certificate,
                "A passphrase was given, but \(self.file) is no PKCS #12 file. Leave --passphrase-file out.")
        }
        return Input(
            certificate: bytes,
            privateKeyPEM: try self.key.map { Redacted(try InputFile.text(of: $0, what: "private key")) })
    }

    private func passphrase() throws -> Redacted<String> {
        guard let path = self.passphraseFile else { return Redacted("") }
        let text = try InputFile.text(of: path, what: "passphrase file", bytesMax: 4096)
        // CR LF is one Character, and not equal to LF.
        return Redacted(String(text.prefix { !$0.isNewline }))
    }
}
