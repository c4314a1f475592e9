//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AdminAPI
import Administration
import AppleSessions
import ArgumentParser
import DialectKit
import Gateway
import Logging
import Metrics
import OpenIDConnect
import Payments
import Probes
import Redaction
import Server
import StrictJSON
import Time
import WebFiles
import Webhooks

/// The administration over HTTP, on a listener and a server of its own.
extension Application {
    /// `nil` where nobody is to administer over HTTP.
    static func adminServer(
        _ blueprint: Blueprint, _ gateway: Gateway, _ dialects: [any Dialect], _ files: WebFiles,
        _ apple: AppleSessionClient, limits: CallerLimits, readiness: Readiness
    ) throws -> HTTPServer? {
        let (configuration, surroundings, logger) = (blueprint.configuration, blueprint.surroundings, blueprint.logger)
        guard let listener = configuration.adminListener else { return nil }
        let site = AdminSite(
            mode: configuration.kind == .sandbox ? .sandbox : .live, version: Pomona.configuration.version,
            hasTLS: listener.tls != nil, url: configuration.adminURL,
            providers: configuration.openID.map { SignInProvider(name: $0.name, label: $0.label, issuer: $0.issuer) })
        let people = Self.people(configuration, gateway.administration, surroundings, blueprint.registry)
        let service = AdminService(
            people, site: site, plans: DialectModule.all.map(\.plan), tools: AccountTools(surroundings),
            limits: limits, logger: logger, dialects: dialects,
            examine: try Self.examine(configuration, apple, surroundings),
            examineDomain: { await configuration.domainExamination(surroundings).findings([$0]) }, registrar: apple)
        var bounds = configuration.limits
        // A few people and programs, not customers.
        bounds.connectionsMax = min(bounds.connectionsMax, 256)
        bounds.connectionsPerAddressMax = min(bounds.connectionsPerAddressMax, 64)
        // Most routes allow less.
        bounds.bodyBytesMax = max(bounds.bodyBytesMax, AdminService.bodyBytesMax)
        return HTTPServer(
            listeners: [try self.listener(listener, .services, configuration, surroundings)],
            // The first that owns a path takes it.
            services: [try Self.openIDService(configuration, people, site, surroundings, logger)].compactMap(\.self)
                + [service, try PortalService(files: files)],
            readiness: readiness, registry: blueprint.registry, limits: bounds, random: surroundings.random,
            startTimeSeconds: surroundings.clock().seconds, logger: logger)
    }
}

extension ApplicationConfiguration {
    /// How a process that serves looks at domains, which merchants' own people register.
    func domainExamination(_ surroundings: Surroundings) -> DomainExamination {
        DomainExamination(
            reach: self.allowsPrivateDomains ? .anywhere() : .publicInternet(.system), clock: surroundings.clock)
    }
}

extension Application {
    /// All that `pomona doctor` looks at, as it looks from within the process that serves.
    private static func examine(
        _ configuration: ApplicationConfiguration, _ apple: AppleSessionClient, _ surroundings: Surroundings
    ) throws -> Examine {
        var examiner = Examiner(
            directory: configuration.directory, apple: apple.settings, surroundings: surroundings)
        examiner.domains = configuration.domainExamination(surroundings)
        examiner.asksSimulator = configuration.kind == .sandbox
        let certificates = try Self.certificateFiles(configuration)
        return { [examiner] administration, merchant, isOffline in
            var findings = try await examiner.findings(administration, merchant, isOffline: isOffline)
            // What is of no merchant is not for who asks of one.
            guard merchant == nil else { return findings }
            findings += DirectoryExamination(
                directory: configuration.directory, store: configuration.store
            ).findings()
            findings.append(await administration.examineWriting())
            findings += Finding.ofServerCertificates(certificates, at: surroundings.clock())
            if !isOffline, let url = configuration.adminURL {
                findings += await ProvidersExamination.findings(configuration.openID, siteURL: url, surroundings)
            }
            return findings
        }
    }

    /// Who signs in, as the configuration says.
    static func people(
        _ configuration: ApplicationConfiguration, _ administration: Administration, _ surroundings: Surroundings,
        _ registry: PrometheusRegistry
    ) -> People {
        var settings = configuration.people
        settings.exemptAddresses = configuration.limits.proxyAddresses
        return People(administration, settings: settings, steadyNanoseconds: surroundings.steadyNanoseconds) { event in
            Counter(label: "pomona_sign_ins", dimensions: [("result", event.rawValue)], factory: registry).increment()
        }
    }

    /// The providers that are configured; `nil` where none is.
    private static func openIDService(
        _ configuration: ApplicationConfiguration, _ people: People, _ site: AdminSite, _ surroundings: Surroundings,
        _ logger: Logger
    ) throws -> OpenIDService? {
        guard let siteURL = configuration.adminURL, !configuration.openID.isEmpty else { return nil }
        let signIns = try configuration.openID.map { configured in
            OpenIDSignIn(
                try OpenIDProvider(try configured.settings(siteURL: siteURL), surroundings.ofProviders),
                provesSecondFactor: configured.provesSecondFactor, linksByEmail: configured.linksByEmail)
        }
        return OpenIDService(people: people, site: site, signIns: signIns, logger: logger)
    }

    /// `nil` where the administration does not listen.
    func adminAnnouncement() async throws -> AdminAnnouncement? {
        guard let url = try await self.adminURL() else { return nil }
        return try await AdminAnnouncement.make(
            url, self.directory, People(self.gateway.administration, settings: self.configuration.people))
    }
}

/// What a sandbox announces of its administration.
struct AdminAnnouncement: Sendable {
    let url: String
    /// Of an owner.
    let token: Redacted<String>
    /// Who signs in to the portal, and the password; `nil` once somebody has changed it there.
    let owner: (userName: String, password: Redacted<String>)?

    private static let userName = "owner"

    /// For programs.
    var json: JSON {
        var object = JSONObject()
        object["url"] = .string(self.url)
        object["token"] = .string(self.token.reveal())
        if let owner = self.owner {
            object["user"] = .string(owner.userName)
            object["password"] = .string(owner.password.reveal())
        }
        return .object(object)
    }

    /// The directory's token and owner; made at the first start, the token again when it has come to its end.
    static func make(
        _ url: String, _ directory: DataDirectory, _ people: People
    ) async throws -> AdminAnnouncement {
        AdminAnnouncement(
            url: url, token: try await self.token(directory, people.administration),
            owner: try await self.owner(directory, people))
    }

    private static func token(
        _ directory: DataDirectory, _ administration: Administration
    ) async throws -> Redacted<String> {
        if FileSystem.exists(directory.adminTokenPath) {
            let kept = Redacted(try FileSystem.readPrivateText(directory.adminTokenPath).filter { !$0.isNewline })
            if try await administration.authenticate(accessToken: kept) != nil { return kept }
        }
        let made = try await administration.makeAccessToken(
            AccessTokenDraft(name: "sandbox", access: Access(.owner), days: Administration.accessTokenDaysMax),
            by: Access(.owner), madeBy: "pomona sandbox")
        try FileSystem.writePrivate(made.secret.reveal() + "\n", to: directory.adminTokenPath)
        return made.secret
    }

    /// The password is chosen with an invitation, as a person would: one that somebody else has made would have to be
    /// changed before anything else.
    private static func owner(
        _ directory: DataDirectory, _ people: People
    ) async throws -> (userName: String, password: Redacted<String>)? {
        let known = try await people.all()
        let owner = known.first { $0.userName == self.userName }
        if owner?.passwordVerifier != nil {
            guard FileSystem.exists(directory.adminPasswordPath) else { return nil }
            let kept = try FileSystem.readPrivateText(directory.adminPasswordPath).filter { !$0.isNewline }
            return (self.userName, Redacted(kept))
        }
        guard known.isEmpty || owner != nil else { return nil }
        let made =
            if let owner {
                // The first start was interrupted.
                try await people.resetPassword(of: owner.id, by: Access(.owner))
            } else {
                try await people.create(
                    PersonDraft(userName: self.userName, displayName: "Sandbox owner", role: .owner), by: Access(.owner)
                )
            }
        guard let invitation = made.secret else { return nil }
        let password = Redacted(Self.groups(of: invitation.reveal().suffix(20)))
        try FileSystem.writePrivate(password.reveal() + "\n", to: directory.adminPasswordPath)
        try await people.acceptInvitation(invitation, password: password)
        return (self.userName, password)
    }

    /// 119 random bits, such as can be typed: a part of a secret that is used up at once.
    private static func groups(of text: Substring) -> String {
        stride(from: 0, to: text.count, by: 5).map { String(text.dropFirst($0).prefix(5)) }.joined(separator: "-")
    }
}
