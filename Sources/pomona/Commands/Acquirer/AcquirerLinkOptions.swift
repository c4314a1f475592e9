//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import Logging
import Payments

/// Where a command reaches the acquirer of sandbox merchants that is a process of its own: what the keys `acquirer.*` say to a
/// gateway.
struct AcquirerLinkOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where pomona acquirer serve runs, for a gateway whose simulator is a process of its own; with standbys, several "
                + "with commas between them.", valueName: "tcp://host:port"))
    var acquirer: String?

    @Option(
        name: .customLong("acquirer-secret"),
        help: ArgumentHelp(
            "The file of the secret of the link; acquirer.secret in the data directory if left out.", valueName: "file")
    )
    var acquirerSecret: String?

    @Option(
        name: .customLong("acquirer-authority"),
        help: ArgumentHelp("TLS for the link: who has signed the acquirer's certificate, PEM.", valueName: "file"))
    var authority: String?

    @Option(
        name: .customLong("acquirer-certificate"),
        help: ArgumentHelp("TLS for the link: this end's certificate, PEM.", valueName: "file"))
    var certificate: String?

    @Option(
        name: .customLong("acquirer-private-key"),
        help: ArgumentHelp("TLS for the link: its private key, PEM, readable by its owner alone.", valueName: "file"))
    var privateKey: String?

    private var files: [String] { [self.authority, self.certificate, self.privateKey].compactMap(\.self) }

    func validate() throws {
        guard self.files.isEmpty || self.files.count == 3 else {
            throw ValidationError(
                "--acquirer-authority, --acquirer-certificate and --acquirer-private-key go together.")
        }
        guard self.acquirer != nil || (self.files.isEmpty && self.acquirerSecret == nil) else {
            throw ValidationError("What is said about the link does nothing without --acquirer.")
        }
    }

    /// Opens the link, if there is one, for as long as the body runs.
    ///
    /// - Parameter body: is handed the connectors that an account may be with; `nil` without a link.
    /// - Throws: ``CommandFailure`` `acquirer_malformed`, and what the files of the link are refused for.
    func withConnectors<Value>(
        _ directory: DataDirectory, _ body: ([any Connector]?) async throws -> Value
    ) async throws -> Value {
        guard let acquirer else { return try await body(nil) }
        var address = try LinkAddress(text: acquirer, secretPath: self.acquirerSecret.map(FileSystem.absolutePath))
        if let authority, let certificate, let privateKey {
            address.tls = LinkTLSFiles(
                authorityPath: FileSystem.absolutePath(authority),
                certificatePath: FileSystem.absolutePath(certificate),
                privateKeyPath: FileSystem.absolutePath(privateKey))
        }
        let surroundings = Surroundings.system
        let link = try ConnectedAcquirer(
            .link(address), directory, surroundings, surroundings.logger("pomona", level: .critical),
            keepsBook: false)
        defer { try? link.close() }
        return try await body(Connectors.all(simulator: link.connector, surroundings))
    }
}
