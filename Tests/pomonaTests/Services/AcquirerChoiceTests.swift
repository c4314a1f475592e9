//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Testing

@testable import pomona

@Suite struct AcquirerChoiceTests {
    @Test(arguments: [
        ("tcp://127.0.0.1:8600", "127.0.0.1", 8600), ("tcp://acquirer.example:1", "acquirer.example", 1),
        ("tcp://[::1]:65535", "::1", 65_535), ("tcp://acquirer_1:8600", "acquirer_1", 8600),
    ])
    func readsAnAddress(text: String, host: String, port: Int) throws {
        let address = try LinkAddress(text: text)
        #expect(address.endpoints.map(\.host) == [host])
        #expect(address.endpoints.map(\.port) == [port])
    }

    @Test func readsSeveralInTheirOrder() throws {
        let address = try LinkAddress(text: "tcp://b:2, tcp://a:1,tcp://a:2")
        #expect(address.endpoints.map { "\($0.host) \($0.port)" } == ["b 2", "a 1", "a 2"])
    }

    @Test(arguments: [
        "", "tcp://", "tcp://h", "tcp://h:", "tcp://:1", "tcp://h:0", "tcp://h:65536", "http://h:1", "h:1",
        "tcp://::1:1",
        "tcp://h:1,", ",tcp://h:1", "tcp://h:1,,tcp://g:1", "tcp://h:1;tcp://g:1", "tcp://h:1,g:1",
        "tcp://h:1, tcp://h:1",
        (1...9).map { "tcp://h:\($0)" }.joined(separator: ","),
    ])
    func refusesWhatIsNoAddress(text: String) throws {
        let failure = try #require(throws: CommandFailure.self) { try LinkAddress(text: text) }
        #expect(failure.code == "acquirer_malformed")
    }

    @Test func secretIsMadeOnceAndForItsOwnerAlone() throws {
        let folder = try CliFolder()
        let directory = DataDirectory(path: folder.file("data"))
        try directory.create()
        _ = try directory.loadOrCreateLinkSecret { [UInt8](repeating: 7, count: $0) }
        _ = try directory.loadOrCreateLinkSecret { [UInt8](repeating: 8, count: $0) }
        let text = try FileSystem.readPrivateText(directory.linkSecretPath)
        #expect(text == String(repeating: "07", count: 32) + "\n")
    }

    @Test(arguments: ["", "07", "xyz"])
    func refusesAMalformedSecret(text: String) throws {
        let folder = try CliFolder()
        let directory = DataDirectory(path: folder.file("data"))
        try directory.create()
        try FileSystem.writePrivate(text, to: directory.linkSecretPath)
        let failure = try #require(throws: CommandFailure.self) { try directory.linkSecret(at: nil) }
        #expect(failure.code == "file_malformed")
    }
}
