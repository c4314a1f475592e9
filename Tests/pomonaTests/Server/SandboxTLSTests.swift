//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import SwiftASN1
import Testing
import Time
import X509

@testable import pomona

@Suite struct SandboxTLSTests {
    private let now = Timestamp(seconds: 1_800_000_000)

    private func make(_ folder: CliFolder, host: String = "127.0.0.1", now: Timestamp) throws {
        _ = try SandboxTLS(directory: DataDirectory(path: folder.path), host: host, now: now).identity()
    }

    private func certificates(_ folder: CliFolder) throws -> (server: Certificate, authority: Certificate) {
        let directory = DataDirectory(path: folder.path)
        return (
            try Certificate(
                pemDocument: #require(
                    PEMDocument.parseMultiple(pemString: FileSystem.readText(directory.serverCertificatePath)).first)),
            try Certificate(pemEncoded: FileSystem.readText(directory.caCertificatePath))
        )
    }

    @Test func serverCertificateIsSignedByTheAuthorityForThisMachinesNames() async throws {
        let folder = try CliFolder()
        try self.make(folder, host: "192.0.2.7", now: self.now)
        let (server, authority) = try self.certificates(folder)
        #expect(authority.publicKey.isValidSignature(server.signature, for: server))
        #expect(authority.publicKey.isValidSignature(authority.signature, for: authority))
        let names = try #require(try server.extensions.subjectAlternativeNames).map { "\($0)" }
        #expect(names.count == 4)
        let lifetime = server.notValidAfter.timeIntervalSince(server.notValidBefore)
        #expect(lifetime < 825 * 86_400)
        let verified = try await CliTool.openssl([
            "verify", "-purpose", "sslserver", "-verify_hostname", "localhost", "-attime", String(self.now.seconds),
            "-CAfile",
            DataDirectory(path: folder.path).caCertificatePath, DataDirectory(path: folder.path).serverCertificatePath,
        ])
        #expect(verified.exitCode == 0, "\(verified.stdout)\(verified.stderr)")
    }

    @Test func privateKeysAreTheOwnersAlone() throws {
        let folder = try CliFolder()
        try self.make(folder, now: self.now)
        let directory = DataDirectory(path: folder.path)
        for path in [directory.caKeyPath, directory.serverKeyPath] {
            #expect(try FileSystem.readPrivateText(path).hasPrefix("-----BEGIN PRIVATE KEY-----"))
        }
    }

    @Test func secondStartKeepsBoth() throws {
        let folder = try CliFolder()
        try self.make(folder, now: self.now)
        let before = try self.certificates(folder)
        try self.make(folder, now: self.now.adding(seconds: 86_400))
        let after = try self.certificates(folder)
        #expect(before.server == after.server)
        #expect(before.authority == after.authority)
    }

    @Test func serverCertificateThatEndsSoonIsRenewedByTheSameAuthority() throws {
        let folder = try CliFolder()
        try self.make(folder, now: self.now)
        let before = try self.certificates(folder)
        try self.make(folder, now: self.now.adding(seconds: SandboxTLS.serverValiditySeconds - 86_400))
        let after = try self.certificates(folder)
        #expect(before.server != after.server)
        #expect(before.authority == after.authority)
        #expect(before.authority.publicKey.isValidSignature(after.server.signature, for: after.server))
    }

    @Test func anotherHostGetsItsNameIntoTheCertificate() throws {
        let folder = try CliFolder()
        try self.make(folder, now: self.now)
        let before = try self.certificates(folder)
        try self.make(folder, host: "pomona.test", now: self.now)
        let after = try self.certificates(folder)
        #expect(before.server != after.server)
        #expect(before.authority == after.authority)
        let names = try #require(try after.server.extensions.subjectAlternativeNames).map { $0 }
        #expect(names.contains(.dnsName("pomona.test")))
    }
}
