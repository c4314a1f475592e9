//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser

/// `pomona acquirer`: the simulated acquirer as a process of its own, for several gateways.
struct AcquirerServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the simulated acquirer as a process of its own.",
        usage: "pomona acquirer serve [<options>]",
        discussion: """
            Gateways reach it with: pomona sandbox --acquirer tcp://HOST:PORT --acquirer-secret FILE, or the keys acquirer.* of \
            pomona serve. Its book and the secret of the link lie in the data directory. Requests hold card numbers: give it an \
            address of this machine, or TLS.

            One process has the data directory. A second one with --standby waits until the first has ended, however it ends, and \
            takes over: gateways are given both addresses, tcp://HOST:PORT,tcp://HOST:PORT.
            """)

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 takes a free one.")
    var port = 8600

    @Option(name: .customLong("data"), help: "The directory of the book and the secret; made if it is not there.")
    var data = ".pomona-acquirer"

    @Option(name: .customLong("tls-authority"), help: "Who signs the gateways' certificates, PEM.")
    var tlsAuthority: String?

    @Option(name: .customLong("tls-certificate"), help: "The acquirer's certificate, PEM.")
    var tlsCertificate: String?

    @Option(name: .customLong("tls-private-key"), help: "Its private key, PEM, readable by its owner alone.")
    var tlsPrivateKey: String?

    @Flag(help: "While another process has the data directory, wait, and take over when it ends.")
    var standby = false

    @Flag(
        help: "When ready, write one line of JSON to standard output, and nothing else; so does a standby that waits."
    )
    var json = false

    func validate() throws {
        guard (0...65_535).contains(self.port) else {
            throw ValidationError("--port must be a whole number from 0 to 65535.")
        }
        guard !self.standby || self.port != 0 else {
            throw ValidationError("--standby needs a port that gateways can be given: --port.")
        }
        let given = [self.tlsAuthority, self.tlsCertificate, self.tlsPrivateKey].compactMap(\.self).count
        guard given == 0 || given == 3 else {
            throw ValidationError("--tls-authority, --tls-certificate and --tls-private-key go together.")
        }
    }

    private var tls: LinkTLSFiles? {
        guard let tlsAuthority, let tlsCertificate, let tlsPrivateKey else { return nil }
        return LinkTLSFiles(
            authorityPath: FileSystem.absolutePath(tlsAuthority),
            certificatePath: FileSystem.absolutePath(tlsCertificate),
            privateKeyPath: FileSystem.absolutePath(tlsPrivateKey))
    }

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let process = AcquirerProcess(
                host: self.host, port: self.port, directory: DataDirectory(path: self.data), tls: self.tls,
                isStandby: self.standby, isJSON: self.json)
            try await process.run(console)
        }
    }
}
