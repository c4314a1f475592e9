//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Foundation
import Gateway
import Redaction

/// Where a gateway's master key comes from.
enum MasterKeyChoice: Hashable, Sendable {
    /// A file that its owner alone may read.
    case file(path: String)
    /// POMONA_MASTER_KEY; malformed where there is no key.
    case environment(Redacted<[UInt8]>?)
    /// What a shell command prints.
    case command(String)

    /// The one that was given, else the file in the data directory.
    ///
    /// - Throws: ``CommandFailure`` `master_key_ambiguous` when more than one was given.
    init(
        _ directory: DataDirectory, filePath: String?, command: String?, variable: MasterKeyVariable?
    ) throws(CommandFailure) {
        let given = [
            filePath.map { _ in "data.masterKeyFile" }, command.map { _ in "data.masterKeyCommand" },
            variable.map { _ in MasterKeyVariable.name },
        ].compactMap(\.self)
        guard given.count <= 1 else {
            throw CommandFailure(
                .masterKeyAmbiguous, stage: .configuration,
                "The master key is given more than once: \(given.joined(separator: " and ")). Leave one of them.")
        }
        if let variable {
            self = .environment(variable.key)
        } else if let command {
            self = .command(command)
        } else {
            self = .file(path: filePath ?? directory.masterKeyPath)
        }
    }

    /// How a command is given the key of a gateway that does not take it from the data directory.
    static let places =
        "Where pomona serve takes the key from elsewhere, say so: --config with its configuration, or "
        + "\(ConfigurationKey.masterKeyFile.environmentName), \(ConfigurationKey.masterKeyCommand.environmentName) or "
        + "\(MasterKeyVariable.name) in the environment. A credential of systemd is there for the service alone: name the "
        + "file that it is made of."

    /// For people.
    var summary: String {
        switch self {
        case .file(let path): path
        case .environment: MasterKeyVariable.name
        case .command: "data.masterKeyCommand"
        }
    }

    /// The keys that may be the store's. Of a file, also the one that a rotation has put beside it: until its end
    /// either may be.
    ///
    /// - Throws: ``CommandFailure`` `file_missing`, `file_too_open`, `file_malformed`, `master_key_malformed`,
    ///   `master_key_command_failed`.
    func read() async throws -> [Redacted<[UInt8]>] {
        switch self {
        case .file(let path):
            let files = MasterKeyFiles(path: path)
            if !FileSystem.exists(path), FilePermissions.denial(of: path) == nil {
                throw CommandFailure(
                    .fileMissing, stage: .configuration, "There is no master key \(path). \(Self.places)")
            }
            var keys = [try DataDirectory.masterKey(at: path)]
            if FileSystem.exists(files.newPath) { keys.append(try DataDirectory.masterKey(at: files.newPath)) }
            return keys
        case .environment(let key):
            guard let key else { throw Self.malformed(MasterKeyVariable.name) }
            return [key]
        case .command(let text):
            var output = try await MasterKeyCommand(text).run()
            defer { for index in output.indices { output[index] = 0 } }
            guard let key = Self.key(String(decoding: output, as: UTF8.self)) else {
                throw Self.malformed("what data.masterKeyCommand prints")
            }
            return [key]
        }
    }

    var source: MasterKeySource { MasterKeySource { try await self.read() } }

    /// 64 hexadecimal digits, and white space around them.
    static func key(_ text: String) -> Redacted<[UInt8]>? {
        let digits = text.filter { !$0.isWhitespace }
        guard let key = Hex.decode(digits), key.count == 32 else { return nil }
        return Redacted(key)
    }

    private static func malformed(_ what: String) -> CommandFailure {
        CommandFailure(
            .masterKeyMalformed, stage: .configuration,
            "The master key is malformed: \(what) must be 64 hexadecimal digits and nothing else.")
    }
}

/// The master key in the environment.
struct MasterKeyVariable: Hashable, Sendable {
    static let name = "POMONA_MASTER_KEY"

    /// `nil` when the variable holds no key.
    let key: Redacted<[UInt8]>?

    init(text: String) {
        self.key = MasterKeyChoice.key(text)
    }

    /// What this process was started with. It is read once and taken out of the environment at once, so that no child
    /// gets it; its bytes are overwritten, since /proc/PID/environ shows those that were there at the start (proc(5)).
    static let taken: MasterKeyVariable? = {
        guard let start = getenv(Self.name) else { return nil }
        let variable = MasterKeyVariable(text: String(cString: start))
        memset(start, 0x30, strlen(start))
        unsetenv(Self.name)
        return variable
    }()
}
