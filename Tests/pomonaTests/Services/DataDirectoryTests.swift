//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Redaction
import StrictJSON
import Testing
import WalletSimulator

@testable import pomona

@Suite struct DataDirectoryTests {
    private func mode(of path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test(arguments: [
        ("/a/b", "/a/b"), ("/a/./b/../c", "/a/c"), ("/a/b/", "/a/b"), ("/", "/"),
    ])
    func makesPathsAbsolute(path: String, absolute: String) {
        #expect(DataDirectory(path: path).path == absolute)
    }

    @Test func relativePathBeginsAtTheWorkingDirectory() {
        let working = FileManager.default.currentDirectoryPath
        #expect(DataDirectory(path: ".pomona").path == (working == "/" ? "" : working) + "/.pomona")
    }

    @Test func masterKeyIsMadeOnceForTheOwnerAlone() throws {
        let folder = try CliFolder()
        let directory = DataDirectory(path: folder.file("data"))
        try directory.create()
        #expect(try self.mode(of: directory.path) == 0o700)
        let made = try directory.loadOrCreateMasterKey { Array(repeating: 7, count: $0) }
        #expect(try self.mode(of: directory.masterKeyPath) == 0o600)
        let loaded = try directory.loadOrCreateMasterKey { Array(repeating: 8, count: $0) }
        #expect(made.reveal() == Array(repeating: 7, count: 32))
        #expect(loaded == made)
        #expect(try directory.loadMasterKey() == made)
    }

    @Test func refusesMasterKeyThatOthersMayRead() throws {
        let folder = try CliFolder()
        let path = try folder.write("master.key", String(repeating: "0a", count: 32))
        for mode in [0o640, 0o604, 0o660] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            let error = #expect(throws: CommandFailure.self) { try DataDirectory.masterKey(at: path) }
            #expect(error?.code == "file_too_open")
            #expect(error?.message.contains("chmod 600 \(path)") == true)
        }
    }

    @Test(arguments: [
        "", "00", String(repeating: "0", count: 63), String(repeating: "0", count: 65),
        String(repeating: "g", count: 64),
        String(repeating: "+f", count: 32), String(repeating: "00 ", count: 32),
    ])
    func refusesMasterKeyThatIsNoHex(text: String) throws {
        let folder = try CliFolder()
        let path = folder.file("master.key")
        try FileSystem.writePrivate(text, to: path)
        let error = #expect(throws: CommandFailure.self) { try DataDirectory.masterKey(at: path) }
        #expect(error?.code == "file_malformed")
    }

    /// As an editor on another system ends it; CR LF is one Character.
    @Test(arguments: ["", "\n", "\r\n"])
    func masterKeyMayEndWithALine(end: String) throws {
        let folder = try CliFolder()
        let path = folder.file("master.key")
        try FileSystem.writePrivate(String(repeating: "0a", count: 32) + end, to: path)
        #expect(try DataDirectory.masterKey(at: path).reveal() == Array(repeating: 10, count: 32))
    }

    @Test func refusesStoreWithoutItsMasterKey() throws {
        let folder = try CliFolder()
        try folder.write("pomona.sqlite", "")
        let directory = DataDirectory(path: folder.path)
        let error = #expect(throws: CommandFailure.self) {
            try directory.loadOrCreateMasterKey { Array(repeating: 1, count: $0) }
        }
        #expect(error?.code == "file_missing")
        #expect(!FileSystem.exists(directory.masterKeyPath))
    }

    /// Wherever the store lies: a new key would open nothing.
    @Test func makesNoMasterKeyForAStoreThatLiesElsewhere() throws {
        let folder = try CliFolder()
        let directory = DataDirectory(path: folder.file("data"))
        try directory.create()
        let store = StoreLocation.sqlite(path: try folder.write("elsewhere.sqlite", ""))
        try directory.remember(store)
        for given in [store, nil] {
            let error = #expect(throws: CommandFailure.self) {
                try directory.loadOrCreateMasterKey(store: given) { Array(repeating: 1, count: $0) }
            }
            #expect(error?.code == "file_missing" && error?.message.contains("--config") == true)
        }
        #expect(!FileSystem.exists(directory.masterKeyPath))
        try directory.remember(.sqlite(path: folder.file("gone.sqlite")))
        let gone = #expect(throws: CommandFailure.self) { try directory.requireStore() }
        #expect(gone?.message.contains(folder.file("gone.sqlite")) == true)
    }

    @Test func keepsTheAuthority() throws {
        let folder = try CliFolder()
        let directory = DataDirectory(path: folder.path)
        let missing = #expect(throws: CommandFailure.self) { try directory.loadAuthority() }
        #expect(missing?.code == "file_missing")
        let made = try directory.loadOrCreateAuthority(now: .now())
        let loaded = try directory.loadOrCreateAuthority(now: .now())
        #expect(loaded.rootCertificatePEM == made.rootCertificatePEM)
        #expect(loaded.leafCertificate == made.leafCertificate)
        #expect(try self.mode(of: directory.authorityPath) == 0o700)
        #expect(try self.mode(of: directory.authorityPath + "/root-key.pem") == 0o600)
        _ = try loaded.rsaLeafCertificate()
        try directory.save(loaded)
        #expect(try directory.loadAuthority().rsaLeafCertificate() == loaded.rsaLeafCertificate())
    }

    @Test func keepsMerchantsCardsAndMayBeMoved() throws {
        let folder = try CliFolder()
        let directory = DataDirectory(path: folder.file("before"))
        let merchant = directory.merchant("shop")
        try merchant.create()
        let card = MerchantCard(
            name: "shop", merchantIdentifier: "merchant.x", mode: "sandbox", currency: "CAD", countryCode: "CA",
            processingCertificatePath: merchant.processingCertificatePath,
            values: [.init(name: "merchantCode", value: "CODE")],
            files: [.init(name: "privateKey", value: merchant.file("private-key.pem"))], keyHolder: .payone)
        try merchant.save(card)
        #expect(try directory.loadMerchant("shop") == card)
        try FileManager.default.moveItem(atPath: directory.path, toPath: folder.file("after"))
        let moved = try DataDirectory(path: folder.file("after")).loadMerchant("shop")
        #expect(try moved.path("privateKey") == folder.file("after") + "/merchants/shop/private-key.pem")
        #expect(try moved.value("merchantCode") == "CODE")
        #expect(throws: CommandFailure.self) { try moved.value("password") }
        #expect(throws: CommandFailure.self) { try moved.path("merchantCode") }
    }

    /// Its tokens would be minted for the wrong key.
    @Test func refusesACardWhoseTokensNobodyKnownOpens() throws {
        let folder = try CliFolder()
        let merchant = DataDirectory(path: folder.path).merchant("shop")
        try merchant.create()
        let card = MerchantCard(
            name: "shop", merchantIdentifier: "merchant.x", mode: "sandbox", currency: "CAD", countryCode: "CA",
            processingCertificatePath: merchant.processingCertificatePath, values: [], files: [], keyHolder: .tappay)
        let text = card.json.text().replacingOccurrences(of: "tappay", with: "stripe")
        try FileSystem.writePrivate(text, to: merchant.cardPath)
        let error = #expect(throws: CommandFailure.self) { try merchant.loadCard() }
        #expect(error?.code == "file_malformed")
    }

    @Test func namesTheMerchantsThatThereAre() throws {
        let folder = try CliFolder()
        let directory = DataDirectory(path: folder.path)
        let none = #expect(throws: CommandFailure.self) { try directory.loadMerchant("shop") }
        #expect(none?.message.contains("start pomona sandbox") == true)
        for name in ["b", "a"] {
            try directory.merchant(name).create()
            try FileSystem.write("{}", to: directory.merchant(name).cardPath)
        }
        let error = #expect(throws: CommandFailure.self) { try directory.loadMerchant("shop") }
        #expect(error?.code == "merchant_unknown")
        #expect(error?.message.contains("a, b") == true)
        let malformed = #expect(throws: CommandFailure.self) { try directory.loadMerchant("a") }
        #expect(malformed?.code == "file_malformed")
    }

    @Test func lockIsHeldByOneAtATime() throws {
        let folder = try CliFolder()
        let directory = DataDirectory(path: folder.path)
        let first = try directory.lock()
        let error = #expect(throws: CommandFailure.self) { try directory.lock() }
        #expect(error?.code == "directory_in_use")
        first.release()
        try directory.lock().release()
    }

    @Test func writesWholeFilesOverOldOnes() throws {
        let folder = try CliFolder()
        try FileSystem.write("one", to: folder.file("x"))
        try FileSystem.write("two", to: folder.file("x"))
        #expect(try FileSystem.readText(folder.file("x")) == "two")
        #expect(FileSystem.names(in: folder.path) == ["x"])
        let error = #expect(throws: CommandFailure.self) {
            try FileSystem.write("x", to: folder.file("no/such/folder"))
        }
        #expect(error?.code == "file_not_writable")
    }

    @Test func refusesTextThatIsNotUTF8() throws {
        let folder = try CliFolder()
        let path = try folder.write("x", bytes: [0xFF, 0xFE])
        let error = #expect(throws: CommandFailure.self) { try FileSystem.readText(path) }
        #expect(error?.code == "file_malformed")
        let missing = #expect(throws: CommandFailure.self) { try FileSystem.readText(folder.file("nothing")) }
        #expect(missing?.code == "file_missing")
    }
}
