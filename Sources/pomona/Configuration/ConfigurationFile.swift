//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON

/// The configuration file: a JSON object of objects, read strictly. `{"http": {"port": 8080}}` gives "http.port" =
/// "8080".
enum ConfigurationFile {
    static func values(
        of text: String, known: [String: ConfigurationKey]
    ) throws(CommandFailure) -> [String: String] {
        let json: JSON
        do {
            json = try JSON.parse(text)
        } catch {
            throw ConfigurationValues.failure(
                .configurationFileMalformed, "The configuration file is not JSON: \(error).")
        }
        guard let object = json.object else {
            throw ConfigurationValues.failure(
                .configurationFileMalformed, "The configuration file must hold a JSON object.")
        }
        var values: [String: String] = [:]
        try self.collect(object, prefix: "", known: known, into: &values)
        return values
    }

    private static func collect(
        _ object: JSONObject, prefix: String, known: [String: ConfigurationKey], into values: inout [String: String]
    ) throws(CommandFailure) {
        for (member, value) in object.members {
            let name = prefix + member
            // "http.port" beside {"http": {"port": …}} would be the same key twice.
            guard !member.utf8.contains(UInt8(ascii: ".")) else {
                throw ConfigurationValues.failure(
                    .configurationKeyUnknown,
                    "\(name) is no key of the configuration: the file is an object of objects, {\"http\": {\"port\": 8080}}."
                )
            }
            if let key = known[name] {
                values[name] = try self.text(of: value, key)
            } else if let inner = value.object, known.keys.contains(where: { $0.hasPrefix(name + ".") }) {
                try self.collect(inner, prefix: name + ".", known: known, into: &values)
            } else {
                throw ConfigurationValues.failure(
                    .configurationKeyUnknown,
                    "\(name) is no key of the configuration." + ConfigurationValues.suggestion(name, among: known.keys))
            }
        }
    }

    /// The value as text, if JSON has it as the key's kind: `"8080"` is no port in a file.
    private static func text(of value: JSON, _ key: ConfigurationKey) throws(CommandFailure) -> String {
        let text: String? =
            switch key.kind {
            case .text, .path, .choice: value.string
            case .integer: value.integer.map { String($0) }
            case .flag: value.bool.map { $0 ? "true" : "false" }
            }
        guard let text else {
            throw ConfigurationValues.failure(
                .configurationValueInvalid,
                "\(key.name) must be \(key.kind.allowed), but the file has \(value.kind).")
        }
        return text
    }
}
