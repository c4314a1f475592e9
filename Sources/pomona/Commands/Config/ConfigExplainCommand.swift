//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import StrictJSON

/// `pomona config explain`.
struct ConfigExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Say what a configuration's keys mean, what they are now, and who says so.",
        usage: "pomona config explain [<key> ...] [--config <config>] [--json]",
        discussion: """
            Without a key all of them. A key may be a level, too: limits. What the environment sets is named with its variable. \
            Of a key that may hold a secret it is said whether it is set.
            """)

    @Argument(help: "A key, or the beginning of several: http.port, limits.")
    var keys: [String] = []

    @Option(help: "The configuration file: JSON.")
    var config: String?

    @Flag(help: "Write JSON.")
    var json = false

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let values = try ConfigurationValues.ofProcess(file: self.config)
            let explained = try self.chosen(values.keys + Self.templates(values)).map { try Explained($0, values) }
            if self.json {
                console.line(JSON.array(explained.map(\.json)).text())
            } else {
                console.line(explained.map(\.text).joined(separator: "\n\n"))
            }
        }
    }

    private func chosen(_ known: [ConfigurationKey]) throws -> [ConfigurationKey] {
        guard !self.keys.isEmpty else { return known }
        return try self.keys.flatMap { name in
            let known = known + Self.keysOfProvider(in: name, beside: known)
            let found = known.filter { $0.name == name || $0.name.hasPrefix("\(name).") }
            guard !found.isEmpty else {
                throw ConfigurationValues.failure(
                    .configurationKeyUnknown,
                    "\(name) is no key of the configuration."
                        + ConfigurationValues.suggestion(name, among: known.map(\.name)))
            }
            return found
        }
    }

    /// What stands for the keys of a provider of sign-in, as in docs/configuration.md: where there is none, nothing
    /// else says that there could be.
    private static func templates(_ values: ConfigurationValues) -> [ConfigurationKey] {
        values.openIDNames.isEmpty ? OpenIDKeys(of: OpenIDKeys.placeholder).all : []
    }

    /// The keys of the provider that a key names and nothing sets: "company" of admin.openid.company.issuer.
    private static func keysOfProvider(in name: String, beside known: [ConfigurationKey]) -> [ConfigurationKey] {
        let level = "\(OpenIDKeys.level)."
        guard name.hasPrefix(level) else { return [] }
        let provider = String(name.dropFirst(level.count).prefix { $0 != "." })
        guard OpenIDKeys.isName(provider) || provider == OpenIDKeys.placeholder else { return [] }
        let names = Set(known.lazy.map(\.name))
        return OpenIDKeys(of: provider).all.filter { !names.contains($0.name) }
    }

    private struct Explained {
        let key: ConfigurationKey
        /// As it may be shown; `nil` where there is none.
        let value: String?
        /// "the file", "POMONA_HTTP_PORT"; `nil` where the standard one holds.
        let source: String?

        init(_ key: ConfigurationKey, _ values: ConfigurationValues) throws {
            self.key = key
            // A template stands for many keys, and has no value.
            let text = key.name.contains(OpenIDKeys.placeholder) ? nil : try values.text(key)
            self.value = key.mayHoldSecret ? text.map { _ in "(set)" } : text
            self.source = values.source(key)
        }

        var text: String {
            let now = self.value.map { "\($0), by \(self.source ?? "default")" } ?? "not set"
            return """
                \(self.key.name) (\(self.key.environmentName))
                  \(self.key.meaning)
                  allowed   \(self.key.kind.allowed)
                  standard  \(self.key.standard ?? "—")
                  now       \(now)
                """
        }

        /// `{"key","environment","meaning","allowed","standard"?,"value"?,"source"?}`.
        var json: JSON {
            var members: [(name: String, value: JSON)] = [
                ("key", .string(self.key.name)), ("environment", .string(self.key.environmentName)),
                ("meaning", .string(self.key.meaning)), ("allowed", .string(self.key.kind.allowed)),
            ]
            for (name, text) in [("standard", self.key.standard), ("value", self.value), ("source", self.source)] {
                if let text { members.append((name, .string(text))) }
            }
            return .object(JSONObject(members))
        }
    }
}
