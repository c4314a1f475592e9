//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AcquirerLink
import BaseEncoding
import Logging
import Payments
import Redaction
import SimulatorAcquirer

/// Which acquirer a gateway talks to.
enum AcquirerChoice: Hashable, Sendable {
    /// The simulator, within this process, with its book in the data directory.
    case simulator
    /// The simulator of `pomona acquirer`, in another process.
    case link(LinkAddress)
}

/// The other end of a link to an acquirer.
struct LinkAddress: Hashable, Sendable {
    var host: String
    var port: Int
    /// The file of the secret that both ends know; `nil` takes the data directory's.
    var secretPath: String?
    /// The files of TLS; without them the link must stay on this machine or in a tunnel.
    var tls: LinkTLSFiles?

    /// - Parameter text: "tcp://HOST:PORT".
    init(text: String, secretPath: String? = nil) throws(CommandFailure) {
        let rest = text.hasPrefix("tcp://") ? text.dropFirst(6) : ""
        guard let colon = rest.lastIndex(of: ":"), colon != rest.startIndex,
            let port = Int(rest[rest.index(after: colon)...]), (1...65_535).contains(port)
        else {
            throw CommandFailure(
                .acquirerMalformed, stage: .acquirer, "An acquirer's address is written tcp://HOST:PORT.")
        }
        self.host = String(rest[..<colon])
        self.port = port
        self.secretPath = secretPath
    }
}

/// The certificates of one end of a link (TLS 1.3, both ends show one).
struct LinkTLSFiles: Hashable, Sendable {
    /// Who has signed the other end's certificate.
    var authorityPath: String
    var certificatePath: String
    var privateKeyPath: String

    func client(of host: String) throws -> AcquirerLinkTLS {
        // A name is checked as a name, an address as an address.
        let isName = host.contains { $0.isLetter } && !host.contains(":")
        return try .client(
            authorityPEM: try FileSystem.readText(self.authorityPath),
            certificatesPEM: try FileSystem.readText(self.certificatePath),
            privateKeyPEM: Redacted(try FileSystem.readPrivateText(self.privateKeyPath)),
            serverName: isName ? host : nil)
    }

    func server() throws -> AcquirerLinkTLS {
        try .server(
            authorityPEM: try FileSystem.readText(self.authorityPath),
            certificatesPEM: try FileSystem.readText(self.certificatePath),
            privateKeyPEM: Redacted(try FileSystem.readPrivateText(self.privateKeyPath)))
    }
}

extension DataDirectory {
    /// The secret of the link to an acquirer: 64 hexadecimal digits in a file that its owner alone may read.
    func linkSecret(at path: String?) throws -> AcquirerLinkSecret {
        let path = path ?? self.linkSecretPath
        guard let key = try Self.key(at: path) else {
            throw CommandFailure(
                .fileMalformed, stage: .acquirer,
                "The secret file \(path) must hold 64 hexadecimal digits and nothing else.")
        }
        return try AcquirerLinkSecret(key)
    }

    func loadOrCreateLinkSecret(random: (Int) -> [UInt8]) throws -> AcquirerLinkSecret {
        if !FileSystem.exists(self.linkSecretPath) {
            try FileSystem.writePrivate(Hex.encode(random(32)) + "\n", to: self.linkSecretPath)
        }
        return try self.linkSecret(at: nil)
    }
}

/// An acquirer and what ends it.
struct OpenAcquirer: Sendable {
    let connector: any Connector
    let close: @Sendable () throws -> Void
    /// How the link to it stands; begins to connect where there is no connection. `nil` without a link.
    let linkState: (@Sendable () -> AcquirerLinkState)?

    init(
        _ choice: AcquirerChoice, _ directory: DataDirectory, _ surroundings: Surroundings, _ logger: Logger
    ) throws {
        switch choice {
        case .simulator:
            let book = try SimulatorBook.open(path: directory.acquirerStorePath)
            self.connector = SimulatorConnector(
                book: book, life: SimulatorConnector.Life(now: surroundings.clock, sleep: surroundings.sleep))
            self.close = { try book.close() }
            self.linkState = nil
        case .link(let address):
            // What is expected at the other end: a gateway starts without its acquirer.
            let expected = SimulatorConnector(
                book: try SimulatorBook.inMemory(),
                life: SimulatorConnector.Life(now: surroundings.clock, sleep: surroundings.sleep))
            let linkSurroundings = AcquirerLinkSurroundings(sleep: surroundings.sleep, random: surroundings.random)
            let client = AcquirerLinkClient(
                AcquirerLinkDescription(expected), host: address.host, port: address.port,
                secret: try directory.linkSecret(at: address.secretPath),
                tls: try address.tls?.client(of: address.host),
                surroundings: linkSurroundings, logger: logger)
            self.connector = AcquirerLinkConnector(expected, over: client, surroundings: linkSurroundings)
            self.close = { client.close() }
            self.linkState = {
                client.beginToConnect()
                return client.state
            }
        }
    }
}
