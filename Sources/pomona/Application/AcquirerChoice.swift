//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AcquirerLink
import BaseEncoding
import Hosts
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
    /// Where one process listens.
    struct Endpoint: Hashable, Sendable {
        var host: String
        var port: Int

        /// - Parameter text: "tcp://HOST:PORT", an IPv6 address in brackets.
        /// - Returns: `nil` for anything else.
        init?(text: String) {
            let rest = text.hasPrefix("tcp://") ? text.dropFirst(6) : ""
            guard let place = HostAndPort(rest, allowsUnderscores: true), let port = place.port else { return nil }
            self.host = place.host
            self.port = port
        }
    }

    /// More are nobody's deployment: each is tried in turn while nobody answers, and calls wait for it.
    static let endpointsMax = 8

    /// Where the acquirer's process and its standbys are: at least one, each once.
    var endpoints: [Endpoint]
    /// The file of the secret that both ends know; `nil` takes the data directory's.
    var secretPath: String?
    /// The files of TLS; without them the link must stay on this machine or in a tunnel.
    var tls: LinkTLSFiles?

    /// - Parameter text: "tcp://HOST:PORT", or several with commas between them.
    init(text: String, secretPath: String? = nil) throws(CommandFailure) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
        let endpoints = parts.compactMap { Endpoint(text: $0) }
        guard endpoints.count == parts.count else {
            throw CommandFailure(
                .acquirerMalformed, stage: .acquirer,
                "An acquirer's address is written tcp://HOST:PORT, an IPv6 address in brackets; with standbys, several "
                    + "with commas between them.")
        }
        guard Set(endpoints).count == endpoints.count, endpoints.count <= Self.endpointsMax else {
            throw CommandFailure(
                .acquirerMalformed, stage: .acquirer,
                "An acquirer has at most \(Self.endpointsMax) addresses, and each is named once.")
        }
        self.endpoints = endpoints
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

    /// Which book the gateway whose directory it is has met behind its link.
    /// - Parameter keeps: whether the first one that is met is kept: not by whoever only looks.
    /// - Throws: ``CommandFailure`` `file_malformed` where nobody knows.
    func bookRecord(keeps: Bool) throws(CommandFailure) -> AcquirerLinkBookRecord {
        let path = self.acquirerBookPath
        var known: AcquirerBookID?
        if FileSystem.exists(path) {
            known = AcquirerBookID(String(try FileSystem.readText(path).prefix { !$0.isNewline }))
            guard known != nil else {
                throw CommandFailure(
                    .fileMalformed, stage: .acquirer,
                    "The file \(path) must hold the id of the acquirer's book and nothing else: put back what it was.")
            }
        }
        return AcquirerLinkBookRecord(known: known) { book in
            if keeps { try FileSystem.writePrivate("\(book)\n", to: path) }
        }
    }

    /// Whether the acquirer's process whose directory it is has been signed off. Without the file it is signed on.
    /// - Throws: ``CommandFailure`` `file_malformed` where nobody knows.
    func signOffRecord() throws(CommandFailure) -> AcquirerLinkSignOffRecord {
        let (path, on, off) = (self.acquirerSignOnPath, "on\n", "off\n")
        let text = FileSystem.exists(path) ? try FileSystem.readText(path) : on
        guard text == on || text == off else {
            throw CommandFailure(
                .fileMalformed, stage: .acquirer,
                "The file \(path) must hold \"on\" or \"off\" and nothing else: write which of the two the acquirer is."
            )
        }
        return AcquirerLinkSignOffRecord(isSignedOff: text == off) { isSignedOff in
            try FileSystem.writePrivate(isSignedOff ? off : on, to: path)
        }
    }
}

/// An acquirer and what ends it.
struct ConnectedAcquirer: Sendable {
    let connector: any Connector
    let close: @Sendable () throws -> Void
    /// How the link to it stands; begins to connect where there is no connection. `nil` without a link.
    let linkState: (@Sendable () -> AcquirerLinkState)?

    /// - Parameter keepsBook: whether a link's first book is the one that the directory's gateway stays with: not where it
    ///   is only looked at.
    init(
        _ choice: AcquirerChoice, _ directory: DataDirectory, _ surroundings: Surroundings, _ logger: Logger,
        keepsBook: Bool = true
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
                AcquirerLinkDescription(expected),
                at: try address.endpoints.map { endpoint in
                    AcquirerLinkEndpoint(
                        host: endpoint.host, port: endpoint.port, tls: try address.tls?.client(of: endpoint.host))
                },
                secret: try directory.linkSecret(at: address.secretPath),
                book: try directory.bookRecord(keeps: keepsBook), surroundings: linkSurroundings, logger: logger)
            self.connector = AcquirerLinkConnector(expected, over: client, surroundings: linkSurroundings)
            self.close = { client.close() }
            self.linkState = {
                client.beginToConnect()
                return client.state
            }
        }
    }
}
