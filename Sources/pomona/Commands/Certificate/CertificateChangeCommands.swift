//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Gateway
import Payments
import StrictJSON
import Time

/// `pomona certificate activate`: from now on the gateway uses an imported certificate.
struct CertificateActivateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "activate", abstract: "Use an imported certificate from now on.",
        usage: "pomona certificate activate --merchant <name> <id> [<options>]",
        discussion: """
            Activate a Payment Processing Certificate before you activate it at Apple: tokens are encrypted to the new key \
            from that moment on. Keys that are in use go on opening tokens until they are retired, also after their \
            certificates' end; a Merchant Identity Certificate is shown to Apple until it ends or is retired.
            """)

    @OptionGroup var change: CertificateChangeOptions

    func run() async throws {
        try await self.change.run("In use now") { try await $0.activateCredential($1, of: $2) }
    }
}

/// `pomona certificate retire`: from now on the gateway uses a certificate no more, or waits for none.
struct CertificateRetireCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retire", abstract: "Use a certificate no more, or withdraw a signing request.",
        usage: "pomona certificate retire --merchant <name> <id> [<options>]",
        discussion: """
            Tokens that were encrypted to its key are refused from now on, and Apple is not shown it. The key stays in the \
            store, sealed: activate undoes this, of a Merchant Identity Certificate until its end. A signing request that Apple has not answered is withdrawn, a mistyped one \
            for instance; importing its certificate undoes that.
            """)

    @OptionGroup var change: CertificateChangeOptions

    func run() async throws {
        try await self.change.run("Not in use any more", ofRequest: "The signing request is withdrawn") {
            try await $0.retireCredential($1, of: $2)
        }
    }
}

/// What both take.
struct CertificateChangeOptions: ParsableArguments {
    @OptionGroup var directory: DataOptions

    @OptionGroup var certificate: CertificateName

    @OptionGroup var overriding: OverrideOption

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    /// - Parameters:
    ///   - done: what is said of a certificate.
    ///   - ofRequest: what is said of a signing request, where the change takes one.
    func run(
        _ done: String, ofRequest: String? = nil,
        _ change: @escaping @Sendable (Administration, _ id: String, MerchantID) async throws -> AppleCredential
    ) async throws {
        try await CommandRunner.run(json: self.json) { console in
            let certificate = self.certificate
            let credential = try await DirectoryAccess.withAdministration(self.directory.directory) { administration in
                let (id, merchant) = try await certificate.found(in: administration)
                return try await change(self.overriding.applied(to: administration), id, merchant)
            }
            let name = certificate.merchant
            if self.json {
                var object = JSONObject()
                object["merchant"] = .string(name)
                object["id"] = .string(credential.id)
                object["state"] = .string(credential.state.rawValue)
                object["heededWithinSeconds"] = JSON(MerchantAccounts.heededWithinSeconds)
                console.line(JSON.object(object).text(pretty: true))
            } else {
                let done = credential.certificatePEM == nil ? ofRequest ?? done : done
                console.line(console.styled("\(done): \(credential.merchantIdentifier) of \(name).", .good))
                console.line(MerchantAccounts.heededSentence)
            }
        }
    }
}
