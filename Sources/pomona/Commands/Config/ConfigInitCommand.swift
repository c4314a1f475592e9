//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import StrictJSON

/// `pomona config init`.
struct ConfigInitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Write a configuration to begin with, JSON.",
        usage: "pomona config init [--data <data>] [--store <store>] [--port <port>] > pomona.json",
        discussion: "It holds what most gateways set. pomona config explain lists everything else.")

    @Option(help: "data.directory")
    var data = "/var/lib/pomona"

    @Option(help: "store.url")
    var store: String?

    @Option(help: "http.port")
    var port: String?

    func run() async throws {
        try await CommandRunner.run(json: false) { console in
            var given: [ConfigurationKey: String] = [.dataDirectory: self.data]
            given[.storeURL] = self.store
            given[.httpPort] = self.port
            let values = try ConfigurationValues(flags: given, environment: [:], fileText: "{}")
            var file = JSONObject()
            for key in [ConfigurationKey.dataDirectory, .storeURL, .httpHost, .httpPort, .logLevel] {
                guard let text = try values.text(key) else { continue }
                let names = key.name.split(separator: ".").map(String.init)
                var level = file[names[0]]?.object ?? JSONObject()
                level[names[1]] = key.json(text)
                file[names[0]] = .object(level)
            }
            console.line(JSON.object(file).text(pretty: true))
        }
    }
}

extension ConfigurationKey {
    /// A value as it stands in the file.
    func json(_ text: String) -> JSON {
        switch self.kind {
        case .integer: .number(text)
        case .flag: .bool(text == "true")
        case .text, .path, .choice: .string(text)
        }
    }
}
