//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Configuration
import Foundation
import StrictJSON

/// The values of a configuration: from the command line, else from the environment, else from the file, else the
/// standard ones.
///
/// A key of the file that nobody knows is refused by name: a misspelled one would otherwise be a setting that silently
/// does nothing. The environment is not the operator's alone: what is foreign there is warned of.
struct ConfigurationValues {
    private let reader: ConfigReader
    /// What is said of variables that begin with POMONA_ and set nothing, for the log.
    let warnings: [String]
    /// The OpenID Connect providers that are named anywhere.
    let openIDNames: [String]
    /// Every key that there is, with those of the providers.
    let keys: [ConfigurationKey]
    /// Who sets a key, by its name: of several the one that counts.
    private let sources: [String: String]

    /// - Parameters:
    ///   - flags: by the key's name, of those that were given.
    ///   - environment: the process's variables; those that begin with POMONA_ are looked at.
    ///   - fileText: the file: a JSON object of objects.
    init(flags: [ConfigurationKey: String], environment: [String: String], fileText: String) throws(CommandFailure) {
        self.openIDNames = try OpenIDKeys.names(fileText: fileText, environment: environment.keys)
        let keys = ConfigurationKey.plain + self.openIDNames.flatMap { OpenIDKeys(of: $0).all }
        self.keys = keys
        let known = Dictionary(uniqueKeysWithValues: keys.map { ($0.name, $0) })
        var file: [AbsoluteConfigKey: ConfigValue] = [:]
        for (name, text) in try ConfigurationFile.values(of: fileText, known: known) {
            file[Self.absolute(name)] = ConfigValue(stringLiteral: text)
        }
        let variables = environment.filter { $0.key.hasPrefix("POMONA_") && $0.key != MasterKeyVariable.name }
        let names = Set(keys.map(\.environmentName))
        let foreign = variables.filter { name, value in
            !names.contains(name)
                || (Self.isOfKubernetes(value) && name != ConfigurationKey.acquirerAddress.environmentName)
        }
        self.warnings = foreign.keys.sorted().map { name in
            names.contains(name)
                ? "The environment variable \(name) was made by Kubernetes for a service, and sets nothing."
                : "The environment variable \(name) is no key of the configuration, and sets nothing."
                    + Self.suggestion(name, among: names)
        }
        self.sources = keys.reduce(into: [:]) { sources, key in
            if flags[key] != nil {
                sources[key.name] = "a flag"
            } else if variables[key.environmentName] != nil, foreign[key.environmentName] == nil {
                sources[key.name] = key.environmentName
            } else if file[Self.absolute(key.name)] != nil {
                sources[key.name] = "the file"
            }
        }
        var fromFlags: [AbsoluteConfigKey: ConfigValue] = [:]
        for (key, text) in flags { fromFlags[Self.absolute(key.name)] = ConfigValue(stringLiteral: text) }
        self.reader = ConfigReader(providers: [
            InMemoryProvider(name: "flags", values: fromFlags),
            EnvironmentVariablesProvider(
                environmentVariables: variables.filter { foreign[$0.key] == nil }
            ).prefixKeys(with: "pomona"),
            InMemoryProvider(name: "file", values: file),
        ])
    }

    /// With this process's environment.
    /// - Parameter file: the file's path; without one, flags and the environment say everything.
    static func ofProcess(flags: [ConfigurationKey: String] = [:], file: String?) throws -> ConfigurationValues {
        try ConfigurationValues(
            flags: flags, environment: ProcessInfo.processInfo.environment,
            fileText: try file.map { try FileSystem.readText(FileSystem.absolutePath($0)) } ?? "{}")
    }

    /// Kubernetes gives a pod NAME_PORT=tcp://ADDRESS:PORT for each service (kubernetes.io, "Accessing the Service"): for
    /// one named pomona-http that is POMONA_HTTP_PORT. Of all keys the acquirer's address alone takes such a value.
    private static func isOfKubernetes(_ value: String) -> Bool {
        ["tcp://", "udp://", "sctp://"].contains { value.hasPrefix($0) }
    }

    private static func absolute(_ name: String) -> AbsoluteConfigKey {
        AbsoluteConfigKey(name.split(separator: ".").map(String.init), context: [:])
    }

    static func failure(_ code: CommandFailure.Code, _ message: String) -> CommandFailure {
        CommandFailure(code, stage: .configuration, message)
    }

    /// The known name that is nearest, if one is near.
    static func suggestion(_ name: String, among names: some Collection<String>) -> String {
        let nearest = names.sorted().min { self.distance($0, name) < self.distance($1, name) }
        guard let nearest, self.distance(nearest, name) <= 4 else { return " All keys are in docs/configuration.md." }
        return " Did you mean \(nearest)?"
    }

    /// Levenshtein's.
    private static func distance(_ first: String, _ second: String) -> Int {
        let other = Array(second.utf8)
        var row = Array(0...other.count)
        for (index, byte) in first.utf8.enumerated() {
            var next = [index + 1]
            for (column, otherByte) in other.enumerated() {
                next.append(min(row[column + 1] + 1, next[column] + 1, row[column] + (byte == otherByte ? 0 : 1)))
            }
            row = next
        }
        return row[other.count]
    }
}

// MARK: - Reading

extension ConfigurationValues {
    /// The value as it was given, or the standard one.
    func text(_ key: ConfigurationKey) throws(CommandFailure) -> String? {
        guard let text = self.reader.string(forKey: ConfigKey(key.name)) ?? key.standard else { return nil }
        guard Self.fits(text, key.kind) else {
            throw Self.failure(
                .configurationValueInvalid,
                "\(key.name) (or \(key.environmentName)) must be \(key.kind.allowed).")
        }
        return text
    }

    /// Who sets it: "a flag", "POMONA_HTTP_PORT", "the file"; `nil` where nobody does.
    func source(_ key: ConfigurationKey) -> String? { self.sources[key.name] }

    func required(_ key: ConfigurationKey) throws(CommandFailure) -> String {
        guard let text = try self.text(key) else {
            throw Self.failure(
                .configurationKeyMissing,
                "\(key.name) (or \(key.environmentName)) is missing. It must be \(key.kind.allowed): \(key.meaning)")
        }
        return text
    }

    func integer(_ key: ConfigurationKey) throws(CommandFailure) -> Int64? {
        try self.text(key).flatMap { Int64($0) }
    }

    func requiredInteger(_ key: ConfigurationKey) throws(CommandFailure) -> Int64 {
        // A text that `fits` an integer key is an integer.
        Int64(try self.required(key)) ?? 0
    }

    func flag(_ key: ConfigurationKey) throws(CommandFailure) -> Bool {
        try self.required(key) == "true"
    }

    private static func fits(_ text: String, _ kind: ConfigurationKey.Kind) -> Bool {
        switch kind {
        case .text, .path: !text.isEmpty
        case .integer(let range): Int64(text).map { range.contains($0) && String($0) == text } ?? false
        case .flag: text == "true" || text == "false"
        case .choice(let choices): choices.contains(text)
        }
    }
}
