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

    private func make(
        _ folder: CliFolder, host: String = "127.0.0.1", otherNames: [String] = [], now: Timestamp
    ) throws {
        let directory = DataDirectory(path: folder.path)
        _ = try SandboxTLS(directory: directory, host: host, otherNames: otherNames, now: now).identity()
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

    @Test func otherNamesStandInTheCertificateUntilTheyAreLeftOut() async throws {
        let folder = try CliFolder()
        let others = ["api.pay1.de", "sandbox.tappaysdk.com", "192.0.2.9", "localhost"]
        try self.make(folder, otherNames: others, now: self.now)
        let first = try self.certificates(folder).server
        for (option, name) in [
            ("-verify_hostname", "api.pay1.de"), ("-verify_hostname", "sandbox.tappaysdk.com"),
            ("-verify_hostname", "localhost"), ("-verify_ip", "192.0.2.9"),
        ] {
            let verified = try await CliTool.openssl([
                "verify", "-purpose", "sslserver", option, name, "-attime", String(self.now.seconds), "-CAfile",
                DataDirectory(path: folder.path).caCertificatePath,
                DataDirectory(path: folder.path).serverCertificatePath,
            ])
            #expect(verified.exitCode == 0, "\(name): \(verified.stderr)")
        }
        try self.make(folder, otherNames: others, now: self.now)
        #expect(try self.certificates(folder).server == first)
        try self.make(folder, now: self.now)
        let names = try #require(try self.certificates(folder).server.extensions.subjectAlternativeNames)
        #expect(names.count == 3)
    }

    @Test(arguments: [
        ("example.com", true), ("*.example.com", true), ("a", true), ("192.0.2.1", true), ("::1", true), ("*", false),
        ("*.com", false), ("a b", false), ("", false), ("a..b", false), ("-a.com", false), ("a-.com", false),
        ("ä.example", false), ("*.*.com", false), ("a.*.com", false), ("::1\u{0}", false), ("https://a", false),
        (String(repeating: "a", count: 64) + ".com", false),
    ])
    func reportsNamesFromWhatIsNone(_ text: String, _ isName: Bool) {
        #expect(SandboxTLS.isName(text) == isName)
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
