//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import TestProcesses
import Testing
import WalletSimulator

@Suite struct ArchiveTests {
    @Test func authorityComesBackFromItsArchive() throws {
        let authority = try TestAuthority.make(now: Sandbox.now)
        let withoutRSA = try authority.archive()
        #expect(withoutRSA.texts.count == 8)
        let again = try TestAuthority(archive: withoutRSA)
        #expect(try again.archive() == withoutRSA)

        let rsaLeaf = try authority.rsaLeafCertificate()
        let withRSA = try authority.archive()
        #expect(Set(withRSA.texts.keys) == Set(TestAuthority.Archive.Name.allCases))
        let third = try TestAuthority(archive: withRSA)
        #expect(try third.rsaLeafCertificate() == rsaLeaf)
        #expect(try third.archive() == withRSA)
    }

    @Test(arguments: PaymentRequest.Version.allCases)
    func authorityFromAnArchiveMintsTokensThatItsRootVerifies(version: PaymentRequest.Version) async throws {
        let authority = try Sandbox.authority.get()
        let again = try TestAuthority(archive: try authority.archive())
        let token = try SimulatedDevice(authority: again).mint(
            Sandbox.request(version), card: .visa, recipient: Sandbox.recipient(version), signingTime: Sandbox.now)
        let outcome = try await OpenSSL.verify(
            signature: token.parts.signature, content: token.parts.signedMessage, root: authority.rootCertificatePEM,
            at: Sandbox.now)
        #expect(outcome.status == 0, "\(outcome.errorsText)")
    }

    @Test(arguments: TestAuthority.Archive.Name.allCases.filter { !$0.isOptional })
    func refusesArchiveThatLacksAText(name: TestAuthority.Archive.Name) throws {
        var archive = try Sandbox.authority.get().archive()
        archive.texts[name] = nil
        try self.expect(.archiveIncomplete, from: archive)
    }

    @Test func refusesHalfOfAnRSALeaf() throws {
        var archive = try Sandbox.authority.get().archive()
        archive.texts[.rsaLeafKey] = nil
        try self.expect(.archiveIncomplete, from: archive)
    }

    @Test(arguments: TestAuthority.Archive.Name.allCases)
    func refusesTextThatIsNoPEM(name: TestAuthority.Archive.Name) throws {
        var archive = try Sandbox.authority.get().archive()
        archive.texts[name] = "not PEM"
        try self.expect(.archiveMalformed, from: archive)
    }

    @Test(arguments: TestAuthority.Archive.Name.allCases)
    func refusesTextOfAnotherAuthority(name: TestAuthority.Archive.Name) throws {
        var archive = try Sandbox.authority.get().archive()
        archive.texts[name] = try Sandbox.otherAuthority.get().archive()[name]
        try self.expect(.archiveInconsistent, from: archive)
    }

    @Test func refusesCertificateOfAnotherAuthorityEvenWithItsKey() throws {
        let other = try Sandbox.otherAuthority.get().archive()
        var archive = try Sandbox.authority.get().archive()
        archive.texts[.leafCertificate] = other[.leafCertificate]
        archive.texts[.leafKey] = other[.leafKey]
        try self.expect(.archiveInconsistent, from: archive)
    }

    @Test func showsNoKeyWhenPrinted() throws {
        let archive = try Sandbox.authority.get().archive()
        var dumped = ""
        dump(archive, to: &dumped)
        for text in ["\(archive)", String(reflecting: archive), dumped] { #expect(!text.contains("PRIVATE")) }
    }

    @Test func knowsWhichTextsAreSecret() throws {
        for (name, text) in try Sandbox.authority.get().archive().texts {
            #expect(text.contains("PRIVATE KEY") == name.isSecret)
        }
    }

    private func expect(_ code: SimulatorError.Code, from archive: TestAuthority.Archive) throws {
        let error = #expect(throws: SimulatorError.self) { try TestAuthority(archive: archive) }
        #expect(error?.code == code)
    }
}
