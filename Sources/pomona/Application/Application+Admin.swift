//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AdminAPI
import Administration
import DialectKit
import Gateway
import Logging
import Payments
import Redaction
import Server
import Time

/// The administration over HTTP, on a listener and a server of its own.
extension Application {
    /// `nil` where nobody is to administer over HTTP.
    static func adminServer(
        _ configuration: ApplicationConfiguration, _ gateway: Gateway, limits: CallerLimits, readiness: Readiness,
        registry: PrometheusRegistry, surroundings: Surroundings, logger: Logger
    ) throws -> HTTPServer? {
        guard let listener = configuration.adminListener else { return nil }
        let service = AdminService(
            gateway.administration, plans: DialectModule.all.map(\.plan), tools: AccountTools(surroundings),
            limits: limits, logger: logger)
        var bounds = configuration.limits
        // A few people and programs, not customers.
        bounds.connectionsMax = min(bounds.connectionsMax, 256)
        return HTTPServer(
            listeners: [try self.listener(listener, .services, configuration, surroundings)], services: [service],
            readiness: readiness, registry: registry, limits: bounds, random: surroundings.random,
            startTimeSeconds: surroundings.clock().seconds, logger: logger)
    }
}

extension Application {
    /// `nil` where the administration does not listen.
    func adminAnnouncement() async throws -> AdminAnnouncement? {
        guard let url = try await self.adminURL() else { return nil }
        return try await AdminAnnouncement.make(url, self.directory, self.gateway.administration)
    }
}

/// What a sandbox announces of its administration.
struct AdminAnnouncement: Sendable {
    let url: String
    /// Of an owner.
    let token: Redacted<String>

    /// The directory's token; made at the first start, and when it has come to its end.
    static func make(
        _ url: String, _ directory: DataDirectory, _ administration: Administration
    ) async throws -> AdminAnnouncement {
        if FileSystem.exists(directory.adminTokenPath) {
            let kept = Redacted(try FileSystem.readPrivateText(directory.adminTokenPath).filter { !$0.isNewline })
            if try await administration.authenticate(accessToken: kept) != nil {
                return AdminAnnouncement(url: url, token: kept)
            }
        }
        let made = try await administration.makeAccessToken(
            AccessTokenDraft(name: "sandbox", access: Access(.owner), days: Administration.accessTokenDaysMax),
            by: Access(.owner), madeBy: "pomona sandbox")
        try FileSystem.writePrivate(made.secret.reveal() + "\n", to: directory.adminTokenPath)
        return AdminAnnouncement(url: url, token: made.secret)
    }
}
