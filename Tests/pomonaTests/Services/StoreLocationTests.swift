//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Redaction
import Testing

@testable import pomona

@Suite struct StoreLocationTests {
    @Test func readsAFileAndAURL() throws {
        #expect(try StoreLocation(text: "sqlite:/var/lib/p.sqlite") == .sqlite(path: "/var/lib/p.sqlite"))
        for url in ["postgresql://u:secret@h:5432/d?sslmode=verify-full", "postgres:///d"] {
            #expect(try StoreLocation(text: url) == .postgreSQL(Redacted(url)))
        }
    }

    @Test(arguments: ["", "sqlite:", "/var/lib/p.sqlite", "mysql://u:secret@h/d", "POSTGRESQL://h/d"])
    func refusesWhatItDoesNotKnowWithoutRepeatingIt(text: String) throws {
        let failure = try #require(throws: CommandFailure.self) { try StoreLocation(text: text) }
        #expect(failure.code == "store_malformed")
        #expect(!failure.message.contains("secret"))
    }

    @Test func passwordsAreShownToNobody() throws {
        let location = try StoreLocation(text: "postgresql://u:secret@h/d")
        for shown in ["\(location)", String(reflecting: location), location.summary] {
            #expect(!shown.contains("secret"), "\(shown)")
        }
    }

    @Test func onlyADatabaseIsShared() throws {
        #expect(try !StoreLocation(text: "sqlite:x").isShared)
        #expect(try StoreLocation(text: "postgresql:///d").isShared)
    }

    @Test func directoryRemembersItsStoreForItsOwnerAlone() throws {
        let folder = try CliFolder()
        let directory = DataDirectory(path: folder.file("data"))
        try directory.create()
        #expect(try directory.storeLocation() == .sqlite(path: directory.storePath))
        try directory.remember(.sqlite(path: directory.storePath))
        #expect(!FileSystem.exists(directory.storeLocationPath))

        let location = try StoreLocation(text: "postgresql://u:secret@h/d")
        try directory.remember(location)
        #expect(try directory.storeLocation() == location)
        // Refuses a file that others may read.
        #expect(try FileSystem.readPrivateText(directory.storeLocationPath) == "postgresql://u:secret@h/d\n")
        // What is somewhere else is not missed here.
        try directory.requireStore()

        try directory.remember(.sqlite(path: directory.storePath))
        #expect(try directory.storeLocation() == .sqlite(path: directory.storePath))
    }

    @Test func damagedMemoryIsAnError() throws {
        let folder = try CliFolder()
        let directory = DataDirectory(path: folder.file("data"))
        try directory.create()
        try FileSystem.writePrivate("nonsense\n", to: directory.storeLocationPath)
        #expect(throws: CommandFailure.self) { try directory.storeLocation() }
    }
}
