//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Payments
import Redaction
import StrictJSON
import Testing

@testable import pomona

/// Who a sandbox's portal lets in.
@Suite struct SandboxOwnerTests {
    private let directory: DataDirectory
    private let folder: CliFolder

    init() throws {
        self.folder = try CliFolder()
        self.directory = DataDirectory(path: self.folder.path)
    }

    /// The people of the directory, whose passwords take no time.
    private func with(_ body: @escaping (People) async throws -> Void) async throws {
        var settings = PeopleSettings()
        settings.passwordCost = try #require(ScryptCost(logRounds: 4))
        settings.secondFactorRoles = []
        let chosen = settings
        try await DirectoryAccess.withAdministration(self.directory, makesStore: true) { administration in
            try await body(People(administration, settings: chosen))
        }
    }

    private func make(_ people: People) async throws -> AdminAnnouncement {
        try await AdminAnnouncement.make("http://127.0.0.1:1", self.directory, people)
    }

    private func signIn(
        _ owner: (userName: String, password: Redacted<String>)?, _ people: People
    ) async throws -> OpenedSession {
        let owner = try #require(owner)
        return try await people.signIn(
            userName: owner.userName, password: owner.password, from: SignInOrigin(address: "127.0.0.1"))
    }

    @Test func ownerIsMadeAtTheFirstStartAndKept() async throws {
        try await self.with { people in
            let first = try await self.make(people)
            let opened = try await self.signIn(first.owner, people)
            #expect(opened.session.stage == .open && opened.person.role == .owner && opened.person.merchants == nil)
            let second = try await self.make(people)
            #expect(second.owner?.password.reveal() == first.owner?.password.reveal())
            #expect(second.token.reveal() == first.token.reveal())
            #expect(try await people.all().count == 1)
            let json = second.json
            #expect(json["user"]?.string == "owner" && json["password"]?.string == first.owner?.password.reveal())
        }
    }

    @Test func startThatWasInterruptedIsMadeGood() async throws {
        try await self.with { people in
            _ = try await people.create(
                PersonDraft(userName: "owner", displayName: "Sandbox owner", role: .owner), by: Access(.owner))
            _ = try await self.signIn(try await self.make(people).owner, people)
        }
    }

    /// Where others administer nobody is made.
    @Test func nobodyIsMadeBesideOthers() async throws {
        try await self.with { people in
            _ = try await people.create(
                PersonDraft(userName: "alice", displayName: "Alice", role: .owner), by: Access(.owner))
            let announcement = try await self.make(people)
            #expect(announcement.owner == nil && announcement.json["user"] == nil)
            #expect(try await people.all().map(\.userName) == ["alice"])
        }
    }
}
