//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser

/// `pomona certificate request`: the signing request of a key that waits for its certificate, once more.
struct CertificateRequestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request",
        abstract: "Write the signing request of a key that waits for its certificate once more.",
        usage: "pomona certificate request <id> --merchant <name> [--out <file>] [<options>]",
        discussion: """
            For whoever has lost what csr has written. The request is for the same key and the same merchant identifier; \
            only its signature is another. What Apple gives for the first one, or for this one, is imported alike.
            """)

    @OptionGroup var directory: DataOptions

    @OptionGroup var certificate: CertificateName

    @Option(help: ArgumentHelp("Where the request is written; standard output if left out.", valueName: "file"))
    var out: String?

    @Flag(help: "Write failures as JSON.")
    var json = false

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let certificate = self.certificate
            let request = try await DirectoryAccess.withAdministration(self.directory.directory) { administration in
                let (id, merchant) = try await certificate.found(in: administration)
                return try await administration.signingRequest(id, of: merchant)
            }
            guard let out = self.out else {
                console.line(request.hasSuffix("\n") ? String(request.dropLast()) : request)
                return
            }
            try FileSystem.write(request, to: out)
            console.errorLine("Wrote \(out).")
        }
    }
}
