//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import TestPostgres
import TestProcesses

/// The configuration that docs/operations.md gives for several machines (ops/failover), set up on one: each machine has an
/// address of the loopback network, and a directory in the place of its disk.
struct FailoverFiles: Sendable {
    /// The repository's ops/failover.
    let source: URL
    /// Of everything that this run writes.
    let directory: String
    /// In the place of "10.0.0.": free on every machine that is not itself such a run.
    let network: String
    let tools: PostgresTools

    var authorityPath: String { self.directory + "/authority.pem" }

    func address(_ host: Int) -> String { self.network + String(host) }

    // MARK: - Certificates

    /// Makes an authority, as in docs/operations.md.
    func makeAuthority() async throws {
        let key = self.directory + "/authority.key"
        try await self.openssl(["ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", key])
        try await self.openssl([
            "req", "-x509", "-new", "-key", key, "-subj", "/CN=Pomona databases", "-days", "3650", "-out",
            self.authorityPath,
            "-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign,cRLSign",
        ])
        try self.set(self.authorityPath, mode: 0o644)
    }

    /// Makes the certificate of a machine: for its name and address, and for the name by which gateways know the primary.
    func makeCertificate(_ name: String, address: String, in folder: String) async throws {
        let (key, request) = ("\(folder)/\(name).key", "\(folder)/\(name).csr")
        let extensions = "\(folder)/\(name).ext"
        let names = "subjectAltName=DNS:\(name),DNS:pomona-db,IP:\(address)\nextendedKeyUsage=serverAuth,clientAuth\n"
        // The proxies that can cut a standby off are at an address of their own.
        try Data(names.replacing("IP:", with: "IP:127.0.0.1,IP:").utf8).write(to: URL(fileURLWithPath: extensions))
        try await self.openssl(["ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", key])
        try await self.openssl(["req", "-new", "-key", key, "-subj", "/CN=\(name)", "-out", request])
        try await self.openssl([
            "x509", "-req", "-in", request, "-CA", self.authorityPath, "-CAkey", self.directory + "/authority.key",
            "-CAcreateserial", "-days", "3650", "-out", "\(folder)/\(name).pem", "-extfile", extensions,
        ])
        try FileManager.default.copyItem(atPath: self.authorityPath, toPath: folder + "/authority.pem")
        try self.set(key, mode: 0o600)
        for file in [key, "\(folder)/\(name).pem", folder + "/authority.pem"] { try self.tools.giveAway(file) }
    }

    private func openssl(_ arguments: [String]) async throws {
        try await Command(["/usr/bin/openssl"] + arguments).runWell()
    }

    // MARK: - Configuration

    /// A file as a database's machine has it.
    ///
    /// - Parameters:
    ///   - number: 1, 2 or 3; the file is that of 1, and its lines that name all machines are everybody's.
    ///   - folder: in the place of the machine's own directories.
    ///   - replicationPort: where the other machines reach its PostgreSQL on 127.0.0.1.
    func write(_ file: String, ofMachine number: Int, in folder: String, replicationPort: Int) throws -> String {
        let text = try String(contentsOf: self.source.appendingPathComponent(file), encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
            guard !line.contains("10.0.0.12") else { return String(line) }
            return String(line).replacing("10.0.0.11", with: "10.0.0.1\(number)").replacing("db1", with: "db\(number)")
        }
        let places = [
            ("/etc/pomona-db", folder), ("/var/lib/etcd/pomona", folder + "/etcd"),
            ("/var/lib/postgresql/15/pomona", folder + "/data"),
            ("/var/lib/postgresql/pomona.pgpass", folder + "/pgpass"),
            ("/var/run/postgresql", folder), ("/usr/lib/postgresql/15/bin", self.tools.directory),
            ("connect_address: 10.0.0.1\(number):5432", "connect_address: 127.0.0.1:\(replicationPort)"),
            ("10.0.0.0/24", "127.0.0.0/8"),
        ]
        let path = "\(folder)/\(file)"
        try self.write(self.replacing(places, in: lines.joined(separator: "\n")), to: path)
        return path
    }

    /// A balancer's file, as the machine has it that it runs on.
    ///
    /// - Parameters:
    ///   - own: the machine's address.
    ///   - others: what else stands for what in it.
    func write(balancer file: String, at own: String, as name: String, others: [(String, String)] = []) throws -> String
    {
        let text = try String(contentsOf: self.source.appendingPathComponent(file), encoding: .utf8)
        let places = [("/etc/pomona-db", self.directory), ("bind 127.0.0.1:", "bind \(own):")] + others
        let path = "\(self.directory)/\(name).cfg"
        try self.write(self.replacing(places, in: text), to: path)
        return path
    }

    private func replacing(_ places: [(String, String)], in text: String) -> String {
        (places + [("10.0.0.", self.network)]).reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    private func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try self.set(path, mode: 0o600)
        try self.tools.giveAway(path)
    }

    /// What a gateway has beside its own configuration: the password of its database's user.
    /// - Returns: the path of the file.
    func writePassword(_ password: String) throws -> String {
        let path = self.directory + "/gateway.pgpass"
        try Data("pomona-db:*:*:pomona:\(password)\n".utf8).write(to: URL(fileURLWithPath: path))
        try self.set(path, mode: 0o600)
        return path
    }

    private func set(_ path: String, mode: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
}
