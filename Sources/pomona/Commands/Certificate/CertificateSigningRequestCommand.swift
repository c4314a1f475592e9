//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ApplePayToken
import ArgumentParser
import Gateway
import Payments

/// `pomona certificate csr`: a key pair and the request to upload at Apple. The private key is sealed in the store and
/// never leaves it.
struct CertificateSigningRequestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "csr", abstract: "Make a key pair and the signing request to upload at Apple.",
        usage: """
            pomona certificate csr --merchant <name> --purpose <purpose> \
            --merchant-identifier <id> ...
            """,
        discussion: """
            The private key stays in the store, sealed. Nothing else of the merchant changes until the certificate is \
            imported, so this may be done well before the old certificate ends.
            """)

    enum Purpose: String, ExpressibleByArgument, CaseIterable {
        case paymentProcessing = "payment-processing"
        case merchantIdentity = "merchant-identity"
    }

    enum Algorithm: String, ExpressibleByArgument, CaseIterable {
        case p256
        case rsa2048
    }

    @OptionGroup var directory: DataOptions

    @Option(help: ArgumentHelp("The merchant's name in the store.", valueName: "name"))
    var merchant: String

    @Option(help: "Which certificate it is for.")
    var purpose: Purpose

    @Option(help: ArgumentHelp("The merchant identifier at Apple, e.g. merchant.com.example.shop.", valueName: "id"))
    var merchantIdentifier: String

    @Option(
        help: "The key: p256 for payment processing, rsa2048 there for China mainland and always for merchant identity."
    )
    var algorithm: Algorithm?

    @Option(help: ArgumentHelp("Where the request is written; standard output if left out.", valueName: "file"))
    var out: String?

    @Flag(help: "Write failures as JSON.")
    var json = false

    func validate() throws {
        let isPlain = self.merchantIdentifier.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard (1...255).contains(self.merchantIdentifier.utf8.count), isPlain else {
            throw ValidationError("--merchant-identifier must be 1 to 255 visible ASCII characters.")
        }
        guard self.purpose != .merchantIdentity || self.algorithm != .p256 else {
            throw ValidationError("A Merchant Identity Certificate has an RSA-2048 key: leave --algorithm out.")
        }
    }

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let name = self.merchant
            let (request, mode) = try await DirectoryAccess.withAdministration(self.directory.directory) {
                administration in
                let merchant = try await administration.merchant(named: name)
                let request = try await administration.createSigningRequest(
                    merchant: merchant.id,
                    purpose: self.purpose == .paymentProcessing ? .paymentProcessing : .merchantIdentity,
                    merchantIdentifier: self.merchantIdentifier,
                    algorithm: self.algorithm == .rsa2048 ? .rsa2048 : .p256)
                return (request, merchant.mode)
            }
            guard let out = self.out else {
                console.line(request.hasSuffix("\n") ? String(request.dropLast()) : request)
                return
            }
            try FileSystem.write(request, to: out)
            console.errorLine(
                "Wrote \(out). Upload it at Apple, then: pomona certificate import "
                    + "--data \(self.directory.directory.path.shellQuoted) --merchant \(name) FILE")
            if mode == .sandbox {
                console.errorLine(
                    "That is for devices with test cards in Apple's own sandbox. For simulated wallets there is nothing to upload: "
                        + "pomona setup makes the key of a sandbox merchant and its certificate.")
            }
        }
    }
}
