//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import OpenIDConnect
import StrictJSON

/// The keys of OpenID Connect providers: each provider has them under a name that the operator chooses.
struct OpenIDKeys {
    static let level = "admin.openid"
    /// What stands for the name in documents.
    static let placeholder = "{name}"

    let issuer: ConfigurationKey
    let label: ConfigurationKey
    let clientID: ConfigurationKey
    let clientSecretFile: ConfigurationKey
    let clientAuthentication: ConfigurationKey
    let secondFactor: ConfigurationKey
    let linkByEmail: ConfigurationKey
    let authorityFile: ConfigurationKey

    /// - Parameter name: one that ``isName(_:)``, or the placeholder.
    init(of name: String) {
        func key(
            _ part: String, _ kind: ConfigurationKey.Kind, standard: String? = nil, _ meaning: String
        ) -> ConfigurationKey {
            ConfigurationKey("\(Self.level).\(name).\(part)", kind, standard: standard, meaning)
        }
        self.issuer = key(
            "issuer", .text,
            "An OpenID Connect provider at which people sign in: its issuer, exactly as its discovery document has it "
                + "(docs/people.md). It takes admin.url. {name} is yours: letters and digits, all small.")
        self.label = key("label", .text, "What people are shown the provider as; without it, its name.")
        self.clientID = key("clientId", .text, "Under which client id the provider knows this Pomona.")
        self.clientSecretFile = key(
            "clientSecretFile", .path,
            "The client's secret, readable by the owner alone. Without it the client has none (PKCE alone).")
        self.clientAuthentication = key(
            "clientAuthentication", .choice(OpenIDProviderSettings.ClientAuthentication.allCases.map(\.rawValue)),
            "How the client proves itself at the token endpoint. Without it, the first that the provider offers.")
        self.secondFactor = key(
            "secondFactor", .choice(["local", "provider"]), standard: "local",
            "Who asks for the second factor: Pomona, after the provider's sign-in, or the provider, whose sign-in is then enough."
        )
        self.linkByEmail = key(
            "linkByEmail", .flag, standard: "false",
            "Whether somebody whom no identity is known of is known by a verified e-mail address the first time.")
        self.authorityFile = key(
            "authorityFile", .path, "The authorities of the provider's certificate, PEM. Without it: the system's.")
    }

    var all: [ConfigurationKey] {
        [
            self.issuer, self.label, self.clientID, self.clientSecretFile, self.clientAuthentication, self.secondFactor,
            self.linkByEmail, self.authorityFile,
        ]
    }

    /// As it may stand in an address and in the name of an environment variable alike.
    static func isName(_ text: String) -> Bool {
        let isPlain = text.utf8.allSatisfy { ASCII.isSmallLetter($0) || ASCII.isDigit($0) }
        return isPlain && (1...32).contains(text.utf8.count)
    }

    /// The names that a file and the environment use, in alphabetical order.
    ///
    /// - Throws: ``CommandFailure`` `configuration_key_unknown` for a name that is none.
    static func names(
        fileText: String, environment: some Sequence<String>
    ) throws(CommandFailure) -> [String] {
        // A file that is no JSON is refused where it is read.
        let json = try? JSON.parse(fileText)
        let inFile = json?["admin"]?["openid"]?.object?.names ?? []
        if let wrong = inFile.first(where: { !Self.isName($0) }) {
            throw ConfigurationValues.failure(
                .configurationKeyUnknown,
                "\(Self.level).\(wrong): a provider's name has 1 to 32 small letters and digits.")
        }
        return Set(inFile + environment.compactMap(Self.name)).sorted()
    }

    /// The name in POMONA_ADMIN_OPENID_GOOGLE_CLIENT_ID.
    private static func name(ofVariable variable: String) -> String? {
        for key in OpenIDKeys(of: self.placeholder).all {
            let parts = key.environmentName.split(separator: self.placeholder.uppercased(), maxSplits: 1)
            guard parts.count == 2, variable.hasPrefix(parts[0]), variable.hasSuffix(parts[1]),
                variable.count > parts[0].count + parts[1].count
            else { continue }
            let name = variable.dropFirst(parts[0].count).dropLast(parts[1].count).lowercased()
            if self.isName(name) { return name }
        }
        return nil
    }
}
