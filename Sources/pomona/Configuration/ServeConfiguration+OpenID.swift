//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AdminAPI
import OpenIDConnect
import Redaction

/// A provider at which people sign in, as it is configured.
struct OpenIDConfiguration: Hashable, Sendable {
    /// Of the keys and of addresses.
    var name: String
    var label: String
    var issuer: String
    var clientID: String
    var clientSecretPath: String?
    var authentication: OpenIDProviderSettings.ClientAuthentication?
    /// Whether the provider's sign-in counts for two factors.
    var provesSecondFactor = false
    var linksByEmail = false
    var authorityPath: String?

    /// With the secret and the authorities, read.
    ///
    /// - Parameter siteURL: what browsers call the administration.
    /// - Throws: ``CommandFailure``.
    func settings(siteURL: String) throws(CommandFailure) -> OpenIDProviderSettings {
        var secret: Redacted<String>?
        if let clientSecretPath {
            let text = try FileSystem.readPrivateText(clientSecretPath).filter { !$0.isNewline }
            guard !text.isEmpty else {
                throw CommandFailure(
                    .fileMalformed, stage: .configuration, "\(clientSecretPath) must hold the client's secret.")
            }
            secret = Redacted(text)
        }
        let site = siteURL.hasSuffix("/") ? String(siteURL.dropLast()) : siteURL
        var settings = OpenIDProviderSettings(
            name: self.name, issuer: self.issuer, clientID: self.clientID, clientSecret: secret,
            redirectURL: "\(site)\(OpenIDService.root)/\(self.name)/callback")
        settings.authentication = self.authentication
        settings.asksEmail = self.linksByEmail
        settings.authoritiesPEM = try self.authorityPath.map(FileSystem.readText)
        return settings
    }
}

extension ServeConfiguration {
    /// - Parameter siteURL: what browsers call the administration.
    static func openID(
        _ values: ConfigurationValues, siteURL: String?
    ) throws(CommandFailure) -> [OpenIDConfiguration] {
        guard !values.openIDNames.isEmpty else { return [] }
        guard try values.text(.adminPort) != nil, siteURL != nil else {
            throw ConfigurationValues.failure(
                .configurationKeyMissing,
                "\(OpenIDKeys.level) does nothing without admin.port, and takes admin.url: what browsers call the administration, "
                    + "which is where a provider sends them back.")
        }
        var all: [OpenIDConfiguration] = []
        for name in values.openIDNames { all.append(try self.openID(values, name)) }
        return all
    }

    private static func openID(_ values: ConfigurationValues, _ name: String) throws(CommandFailure)
        -> OpenIDConfiguration
    {
        let keys = OpenIDKeys(of: name)
        let issuer = try values.required(keys.issuer)
        guard ProviderURL.isIssuer(issuer) else {
            throw ConfigurationValues.failure(
                .configurationValueInvalid,
                "\(keys.issuer.name) must be an https address without a query or fragment; http is for this machine alone."
            )
        }
        let secretPath = try values.text(keys.clientSecretFile).map(FileSystem.absolutePath)
        let authentication = try values.text(keys.clientAuthentication).flatMap(
            OpenIDProviderSettings.ClientAuthentication.init)
        if let authentication, (authentication == .none) != (secretPath == nil) {
            throw ConfigurationValues.failure(
                .configurationValueInvalid,
                "\(keys.clientAuthentication.name) and \(keys.clientSecretFile.name) do not go together: none is for a client without "
                    + "a secret, the others take one.")
        }
        return OpenIDConfiguration(
            name: name, label: try values.text(keys.label) ?? name, issuer: issuer,
            clientID: try values.required(keys.clientID), clientSecretPath: secretPath, authentication: authentication,
            provesSecondFactor: try values.required(keys.secondFactor) == "provider",
            linksByEmail: try values.flag(keys.linkByEmail),
            authorityPath: try values.text(keys.authorityFile).map(FileSystem.absolutePath))
    }
}
