//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AcquirerLink
import Foundation
import Gateway
import Logging
import Redaction
import Synchronization
import Testing

@testable import pomona

/// A start that fails on its way closes all that it had opened, in the reverse order.
struct FailedStartTests {
    /// Where a start fails, how it is made to, and what had been opened by then.
    struct Step: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let closed: [String]
        let spoil: @Sendable (inout ApplicationConfiguration, CliFolder) throws -> Void
    }

    private static let all = ["acquirer", "apple", "store", "directory"]

    static let steps = [
        Step(testDescription: "a table", closed: []) { configuration, folder in
            configuration.binTablePath = folder.file("nowhere.csv")
        },
        Step(testDescription: "the master key", closed: ["directory"]) { configuration, folder in
            configuration.masterKeyPath = folder.file("nowhere.key")
            configuration.masterKeyCommand = "echo"
        },
        Step(testDescription: "the store", closed: ["directory"]) { configuration, folder in
            // None is made beside a store.
            _ = try configuration.directory.loadOrCreateMasterKey(random: Surroundings.system.random)
            let path = folder.file("store.sqlite")
            try FileSystem.writePrivate("no database, and long enough", to: path)
            configuration.store = .sqlite(path: path)
        },
        Step(testDescription: "remembering the store", closed: all) { configuration, folder in
            configuration.store = .sqlite(path: folder.file("elsewhere.sqlite"))
            try FileSystem.writePrivate("no store", to: configuration.directory.storeLocationPath)
        },
        Step(testDescription: "the simulated Apple", closed: ["store", "directory"]) { configuration, _ in
            configuration.applePort = 0
            try FileManager.default.createDirectory(
                atPath: configuration.directory.appleRegistrationsPath, withIntermediateDirectories: true)
        },
        Step(testDescription: "the acquirer", closed: ["apple", "store", "directory"]) { configuration, folder in
            configuration.acquirer = .link(
                try LinkAddress(text: "tcp://127.0.0.1:1", secretPath: folder.file("nowhere")))
        },
        Step(testDescription: "the gateway", closed: all) { configuration, folder in
            configuration.masterKeyPath = folder.file("nowhere.key")
        },
        Step(testDescription: "the sandbox's merchants", closed: all) { configuration, _ in
            try FileSystem.write("{", to: configuration.directory.path + "/merchants")
        },
        Step(testDescription: "a listener", closed: all) { configuration, folder in
            configuration.listeners[0].tls = .files(
                certificatePath: folder.file("nowhere.pem"), privateKeyPath: folder.file("nowhere.pem"),
                clientAuthoritiesPath: nil)
        },
        Step(testDescription: "the administration's listener", closed: all) { configuration, folder in
            configuration.adminListener = ApplicationConfiguration.Listener(
                host: "127.0.0.1", port: 0,
                tls: .files(
                    certificatePath: folder.file("nowhere.pem"), privateKeyPath: folder.file("nowhere.pem"),
                    clientAuthoritiesPath: nil))
        },
        Step(testDescription: "the workers", closed: all) { configuration, folder in
            configuration.alarms = ApplicationConfiguration.Alarms(
                url: "https://a.example/", secretPath: folder.file("nowhere"))
        },
    ]

    @Test(arguments: steps) func closesWhatItHadOpened(step: Step) async throws {
        let folder = try CliFolder()
        var configuration = ApplicationConfiguration.sandbox(DataDirectory(path: folder.file("data")))
        configuration.listeners = [
            ApplicationConfiguration.Listener(host: "127.0.0.1", port: 0),
            ApplicationConfiguration.Listener(host: "127.0.0.1", port: 0, tls: .sandboxAuthority),
        ]
        configuration.logLevel = .debug
        try configuration.directory.create()
        try step.spoil(&configuration, folder)
        let lines = Mutex<[String]>([])
        var surroundings = Surroundings.system
        surroundings.writeLogLine = { line in lines.withLock { $0.append(line) } }
        await #expect(throws: (any Error).self) {
            _ = try await Application.build(configuration, surroundings: surroundings)
        }
        let closed = lines.withLock { $0 }.filter { $0.contains("msg=closed") }
            .compactMap { $0.split(separator: "part=").last.map { $0.filter { !$0.isNewline } } }
        #expect(closed == step.closed, "\(lines.withLock { $0 })")
        #expect(Self.openFiles(below: folder.path).isEmpty)
        // Nobody has it any more.
        try configuration.directory.lock().release()
    }

    /// Another installation's store opens, and its secrets do not: the directory keeps its own.
    @Test func storeWithSecretsOfAnotherMasterKeyIsNotRemembered() async throws {
        let folder = try CliFolder()
        let other = try await Application.build(.sandbox(DataDirectory(path: folder.file("other"))))
        await other.close()
        var configuration = ApplicationConfiguration.sandbox(DataDirectory(path: folder.file("data")))
        let own = StoreLocation.sqlite(path: folder.file("own.sqlite"))
        configuration.store = own
        await (try Application.build(configuration)).close()
        #expect(try configuration.directory.rememberedStore() == own)
        configuration.store = .sqlite(path: other.directory.storePath)
        let error = await #expect(throws: VaultError.self) { _ = try await Application.build(configuration) }
        #expect(error?.code == .masterKeyWrong)
        #expect(try configuration.directory.rememberedStore() == own)
    }

    /// What this process has open below a folder (proc(5)).
    private static func openFiles(below folder: String) -> [String] {
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return descriptors.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }
        .filter { $0.hasPrefix(folder) }
    }

    /// What cannot be closed is logged, and keeps nothing else open.
    @Test func whatCannotBeClosedKeepsNothingElseOpen() async {
        struct Stuck: Error {}
        let lines = Mutex<[String]>([])
        var surroundings = Surroundings.system
        surroundings.writeLogLine = { line in lines.withLock { $0.append(line) } }
        let closed = Mutex<[String]>([])
        let parts = OpenParts(logger: surroundings.logger("test", level: .error))
        parts.add("first") { closed.withLock { $0.append("first") } }
        parts.add("second") { throw Stuck() }
        parts.add("third") { closed.withLock { $0.append("third") } }
        await parts.close()
        await parts.close()
        #expect(closed.withLock { $0 } == ["third", "first"])
        let logged = lines.withLock { $0 }
        #expect(logged.count == 1 && logged.first?.contains("part=second") == true, "\(logged)")
    }
}
