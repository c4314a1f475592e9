//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser

/// `pomona certificate`: the merchants' certificates at Apple.
struct CertificateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certificate",
        abstract: "Make signing requests, import, activate and look at a merchant's Apple certificates.",
        discussion: """
            A merchant needs a Payment Processing Certificate, to whose key tokens are encrypted, and for Apple Pay on \
            the web a Merchant Identity Certificate. Make a signing request with csr, upload it at Apple, import what \
            Apple gives back, and activate it. retire takes one out of use.
            """,
        subcommands: [
            CertificateSigningRequestCommand.self, CertificateRequestCommand.self, CertificateImportCommand.self,
            CertificateActivateCommand.self, CertificateRetireCommand.self, CertificateListCommand.self,
            CertificateInspectCommand.self, PKCS12UnpackCommand.self,
        ])
}
