//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AcquirerLink
import ArgumentParser
import Logging
import ServiceLifecycle
import SimulatorAcquirer
import StrictJSON
import UnixSignals

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

    @Flag(help: "When ready, write one line of JSON to standard output, and nothing else.")
    var json = false

    func validate() throws {
        guard (0...65_535).contains(self.port) else {
            throw ValidationError("--port must be a whole number from 0 to 65535.")
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
            try await self.serve(console)
        }
    }

    private func serve(_ console: Console) async throws {
        let surroundings = Surroundings.system
        let logger = surroundings.logger("pomona", level: .info)
        let directory = DataDirectory(path: self.data)
        try directory.create()
        try directory.checkPermissions()
        let lock = try directory.lock()
        defer { lock.release() }
        let secret = try directory.loadOrCreateLinkSecret(random: surroundings.random)
        let book = try SimulatorBook.open(path: directory.acquirerStorePath)
        let server = AcquirerLinkServer(
            SimulatorConnector(
                book: book, life: SimulatorConnector.Life(now: surroundings.clock, sleep: surroundings.sleep)),
            secret: secret, tls: try self.tls?.server(),
            surroundings: AcquirerLinkSurroundings(sleep: surroundings.sleep, random: surroundings.random),
            logger: logger)
        let bound = try await server.listen(host: self.host, port: self.port)
        // Before it is reported ready: whoever stops it then gets an orderly end.
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        let address = "tcp://\(self.host):\(bound)"
        if self.json {
            let line: JSON = [
                "ready": true, "acquirer": .string(address), "secret": .string(directory.linkSecretPath),
                "book": .string(directory.acquirerStorePath),
            ]
            console.line(line.text())
        } else {
            console.line("The simulated acquirer listens on \(address).")
            console.line("  Secret of the link   \(directory.linkSecretPath)")
            console.line("  Its book             \(directory.acquirerStorePath)")
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await server.run() }
            for await _ in signals { break }
            group.cancelAll()
        }
        await server.stop()
        try book.close()
    }
}
