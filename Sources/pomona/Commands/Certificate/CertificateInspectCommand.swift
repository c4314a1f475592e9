//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import ArgumentParser
import Redaction
import StrictJSON
import Time

/// `pomona certificate inspect`: which certificate it is, whom it belongs to, when it ends, and whether a key fits.
/// Needs no data directory.
struct CertificateInspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Say which certificate a file holds, and whether a private key fits it.",
        discussion: "Exit code 1 when the file is no certificate, or when the key that is given does not fit.")

    @Argument(help: ArgumentHelp("A certificate: .cer (DER) or PEM; - is standard input.", valueName: "file"))
    var file: String

    @Option(help: ArgumentHelp("The private key that may fit.", valueName: "pem"))
    var key: String?

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let certificate = try AppleCertificate(
                try InputFile.bytes(of: self.file, what: "certificate", bytesMax: InputFile.pemBytesMax))
            let key = try self.key.map { path in
                try MerchantPrivateKey(pem: Redacted(try InputFile.text(of: path, what: "private key")))
            }
            let report = CertificateReport(certificate: certificate, at: .now(), keyFits: key.map(certificate.fits))
            if report.keyFits == false {
                // The certificate's own facts help to find the key that fits, so they are printed with the failure.
                if !self.json { for line in report.fields.lines() { console.line(line) } }
                throw CommandFailure(
                    .privateKeyMismatch, stage: .certificate,
                    "The private key does not belong to the certificate of "
                        + "\(certificate.merchantIdentifier ?? "this subject")."
                )
            }
            if self.json {
                console.line(report.json.text(pretty: true))
            } else {
                for line in report.fields.lines() { console.line(line) }
            }
        }
    }
}
