//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Hosts
import Payments

/// How people come to the administration, and sign in there.
extension ServeConfiguration {
    /// - Throws: ``CommandFailure`` `configuration_value_invalid`, `configuration_key_missing`.
    static func adminURL(_ values: ConfigurationValues) throws(CommandFailure) -> String? {
        guard let text = try values.text(.adminURL) else { return nil }
        guard try values.integer(.adminPort) != nil else {
            throw ConfigurationValues.failure(
                .configurationKeyMissing, "admin.url does nothing without admin.port.")
        }
        // No path: sessions are for a host, and so is an origin (RFC 6454).
        let site = text.hasSuffix("/") ? String(text.dropLast()) : text
        let scheme = ["https://", "http://"].first { site.lowercased().hasPrefix($0) }
        guard let scheme, let place = HostAndPort(site.dropFirst(scheme.count), allowsUnderscores: true),
            scheme == "https://" || LoopbackHost.isHost(place.host)
        else {
            throw ConfigurationValues.failure(
                .configurationValueInvalid,
                "admin.url must be https:// and a host, with the port if it is not 443, and nothing after it.")
        }
        return site
    }

    /// - Throws: ``CommandFailure`` `configuration_value_invalid`.
    static func people(_ values: ConfigurationValues) throws(CommandFailure) -> PeopleSettings {
        var settings = PeopleSettings()
        settings.idleSeconds = try values.requiredInteger(.adminIdleSeconds)
        settings.sessionSeconds = try values.requiredInteger(.adminSessionSeconds)
        settings.issuer = try values.required(.adminIssuer)
        guard !settings.issuer.contains(":"), settings.issuer.utf8.count <= 64 else {
            throw ConfigurationValues.failure(
                .configurationValueInvalid, "admin.issuer must be 1 to 64 characters without a colon.")
        }
        guard settings.idleSeconds <= settings.sessionSeconds else {
            throw ConfigurationValues.failure(
                .configurationValueInvalid, "admin.idleSeconds must not be more than admin.sessionSeconds.")
        }
        settings.secondFactorRoles = try self.roles(try values.required(.adminSecondFactorRoles))
        return settings
    }

    private static func roles(_ text: String) throws(CommandFailure) -> Set<Role> {
        guard text != "none" else { return [] }
        var roles: Set<Role> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let role = Role(rawValue: part.filter { $0 != " " }) else {
                throw ConfigurationValues.failure(
                    .configurationValueInvalid,
                    "admin.secondFactorRoles must be none, or of these, separated by commas: "
                        + Role.allCases.map(\.rawValue).joined(separator: ", ") + ".")
            }
            roles.insert(role)
        }
        return roles
    }
}
