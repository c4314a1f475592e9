//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import Gateway
import Hosts
import Logging
import PAYONE
import Server
import Time

/// What `pomona serve` runs: its configuration, checked as a whole before anything is opened.
enum ServeConfiguration {
    /// - Throws: ``CommandFailure`` of the stage `configuration`, which names the key and what is allowed.
    static func make(_ values: ConfigurationValues) throws(CommandFailure) -> ApplicationConfiguration {
        _ = try values.required(.acquirerName)
        var configuration = ApplicationConfiguration(
            kind: .serve, directory: DataDirectory(path: try values.required(.dataDirectory)))
        configuration.masterKeyPath = try values.text(.masterKeyFile).map(FileSystem.absolutePath)
        configuration.masterKeyCommand = try values.text(.masterKeyCommand)
        configuration.store = try values.text(.storeURL).map { text throws(CommandFailure) in
            try StoreLocation(text: text)
        }
        configuration.acquirer = try self.acquirer(values)
        configuration.listeners = try self.listeners(values)
        configuration.metricsListener = try values.integer(.metricsPort).map { port throws(CommandFailure) in
            ApplicationConfiguration.Listener(host: try values.required(.metricsHost), port: Int(port))
        }
        configuration.adminListener = try self.adminListener(values)
        try self.checkPlaces(values)
        configuration.adminURL = try self.adminURL(values)
        configuration.people = try self.people(values)
        configuration.limits = try self.limits(values)
        configuration.callers = try self.callers(values)
        configuration.settings = try self.settings(values)
        configuration.allowsPrivateWebhookTargets = try values.flag(.webhooksAllowPrivateTargets)
        configuration.allowsPrivateDomains = try values.flag(.domainsAllowPrivateTargets)
        configuration.webhookTimeoutSeconds = try values.requiredInteger(.webhooksTimeoutSeconds)
        configuration.binTablePath = try values.text(.tappayBINTableFile).map(FileSystem.absolutePath)
        configuration.drainDelayMilliseconds = try values.requiredInteger(.drainSeconds) * 1000
        configuration.shutdownTimeoutSeconds = try values.requiredInteger(.shutdownTimeoutSeconds)
        configuration.logLevel = Logger.Level(rawValue: try values.required(.logLevel)) ?? .info
        configuration.alarms = try self.alarms(values)
        configuration.openID = try self.openID(values, siteURL: configuration.adminURL)
        try self.checkTimes(values)
        guard configuration.limits.unfinishedBodyBytesMax >= configuration.limits.bodyBytesMax else {
            throw ConfigurationValues.failure(
                .configurationValueInvalid,
                "limits.unfinishedBodyBytes must be no less than limits.bodyBytes (\(configuration.limits.bodyBytesMax))."
            )
        }
        return configuration
    }

    private static func settings(_ values: ConfigurationValues) throws(CommandFailure) -> GatewaySettings {
        var settings = GatewaySettings(
            acquirerDeadlineSeconds: try values.requiredInteger(.acquirerDeadlineSeconds),
            recoveryGraceSeconds: try values.integer(.recoveryGraceSeconds),
            jobLeaseSeconds: try values.integer(.recoveryLeaseSeconds),
            deliveryLeaseSeconds: try values.requiredInteger(.webhooksLeaseSeconds),
            liveTokenAgeSecondsMax: try values.requiredInteger(.tokensLiveAgeSeconds),
            sandboxTokenAgeSecondsMax: try values.requiredInteger(.tokensSandboxAgeSeconds),
            notificationDelaysSeconds: [
                PAYONE.dialectName: try values.requiredInteger(.webhooksPayoneDelaySeconds)
            ],
            eventsKeptSeconds: try values.requiredInteger(.webhooksKeptDays) * 86_400,
            refusalsKeptSeconds: try values.requiredInteger(.refusalsKeptDays) * 86_400,
            refusalsKeptMax: Int(try values.requiredInteger(.refusalsKept)),
            claimsKeptSeconds: try values.integer(.idempotencyKeptDays).map { $0 * 86_400 },
            approvalSeconds: try values.requiredInteger(.approvalsSeconds),
            platformMerchant: try values.text(.applePlatformMerchant),
            allowsPrivateAcquirers: try values.flag(.acquirerAllowPrivateTargets))
        settings.answerSecondsMax = try values.requiredInteger(.answerTimeoutSeconds)
        return settings
    }

    private static func listeners(
        _ values: ConfigurationValues
    ) throws(CommandFailure) -> [ApplicationConfiguration.Listener] {
        var listeners: [ApplicationConfiguration.Listener] = []
        if try values.flag(.httpEnabled) {
            listeners.append(
                ApplicationConfiguration.Listener(
                    host: try values.required(.httpHost), port: Int(try values.requiredInteger(.httpPort))))
        }
        let certificate = try values.text(.tlsCertificateFile).map(FileSystem.absolutePath)
        let key = try values.text(.tlsPrivateKeyFile).map(FileSystem.absolutePath)
        let clientAuthorities = try values.text(.tlsClientAuthoritiesFile).map(FileSystem.absolutePath)
        if let port = try values.integer(.httpsPort) {
            guard let certificate, let key else {
                throw ConfigurationValues.failure(
                    .configurationKeyMissing,
                    "https.port is set: tls.certificateFile and tls.privateKeyFile must be set too.")
            }
            listeners.append(
                ApplicationConfiguration.Listener(
                    host: try values.required(.httpsHost), port: Int(port),
                    tls: .files(
                        certificatePath: certificate, privateKeyPath: key, clientAuthoritiesPath: clientAuthorities),
                    strictTransportSeconds: try values.requiredInteger(.httpsStrictTransportSeconds)))
        } else if certificate != nil || key != nil || clientAuthorities != nil {
            throw ConfigurationValues.failure(
                .configurationKeyMissing,
                "tls.certificateFile, tls.privateKeyFile and tls.clientAuthoritiesFile do nothing without https.port.")
        }
        guard !listeners.isEmpty else {
            throw ConfigurationValues.failure(
                .configurationValueInvalid,
                "http.enabled is false and https.port is not set: nothing would be listened on.")
        }
        return listeners
    }

    /// What administers is never readable on the way, nor changed there.
    private static func adminListener(
        _ values: ConfigurationValues
    ) throws(CommandFailure) -> ApplicationConfiguration.Listener? {
        let certificate = try values.text(.adminCertificateFile).map(FileSystem.absolutePath)
        let key = try values.text(.adminPrivateKeyFile).map(FileSystem.absolutePath)
        guard let port = try values.integer(.adminPort) else {
            guard certificate == nil, key == nil else {
                throw ConfigurationValues.failure(
                    .configurationKeyMissing,
                    "admin.certificateFile and admin.privateKeyFile do nothing without admin.port.")
            }
            return nil
        }
        let host = try values.required(.adminHost)
        if let certificate, let key {
            return ApplicationConfiguration.Listener(
                host: host, port: Int(port),
                tls: .files(certificatePath: certificate, privateKeyPath: key, clientAuthoritiesPath: nil),
                strictTransportSeconds: try values.requiredInteger(.httpsStrictTransportSeconds))
        }
        guard certificate == nil, key == nil else {
            throw ConfigurationValues.failure(
                .configurationKeyMissing, "admin.certificateFile and admin.privateKeyFile go together.")
        }
        guard LoopbackHost.isHost(host) else {
            throw ConfigurationValues.failure(
                .configurationKeyMissing,
                "admin.host \(host) is no loopback address: set admin.certificateFile and admin.privateKeyFile, or listen on "
                    + "127.0.0.1.")
        }
        return ApplicationConfiguration.Listener(host: host, port: Int(port))
    }

    private static func acquirer(_ values: ConfigurationValues) throws(CommandFailure) -> AcquirerChoice {
        let secretPath = try values.text(.acquirerSecretFile).map(FileSystem.absolutePath)
        let authority = try values.text(.acquirerAuthorityFile).map(FileSystem.absolutePath)
        let certificate = try values.text(.acquirerCertificateFile).map(FileSystem.absolutePath)
        let key = try values.text(.acquirerPrivateKeyFile).map(FileSystem.absolutePath)
        let files = [authority, certificate, key].compactMap(\.self)
        guard let text = try values.text(.acquirerAddress) else {
            guard files.isEmpty, secretPath == nil else {
                throw ConfigurationValues.failure(
                    .configurationKeyMissing,
                    "acquirer.secretFile and the link's TLS files do nothing without acquirer.address.")
            }
            return .simulator
        }
        var address = try LinkAddress(text: text, secretPath: secretPath)
        if let authority, let certificate, let key {
            address.tls = LinkTLSFiles(authorityPath: authority, certificatePath: certificate, privateKeyPath: key)
        } else if !files.isEmpty {
            throw ConfigurationValues.failure(
                .configurationKeyMissing,
                "acquirer.authorityFile, acquirer.certificateFile and acquirer.privateKeyFile go together.")
        }
        return .link(address)
    }

    private static func alarms(
        _ values: ConfigurationValues
    ) throws(CommandFailure) -> ApplicationConfiguration.Alarms? {
        let secretPath = try values.text(.alarmsSecretFile).map(FileSystem.absolutePath)
        guard let url = try values.text(.alarmsURL) else {
            guard secretPath == nil else {
                throw ConfigurationValues.failure(
                    .configurationKeyMissing, "alarms.secretFile does nothing without alarms.url.")
            }
            return nil
        }
        guard NotificationTarget(url) != nil else {
            throw ConfigurationValues.failure(
                .configurationValueInvalid, "alarms.url must be an address that begins with https:// or http://.")
        }
        guard let secretPath else {
            throw ConfigurationValues.failure(
                .configurationKeyMissing, "alarms.url is set: alarms.secretFile must be set too.")
        }
        return ApplicationConfiguration.Alarms(
            url: url, secretPath: secretPath, allowsPrivateTargets: try values.flag(.alarmsAllowPrivateTargets))
    }

    private static func limits(_ values: ConfigurationValues) throws(CommandFailure) -> ServerLimits {
        ServerLimits(
            bodyBytesMax: Int(try values.requiredInteger(.bodyBytes)),
            headerBytesMax: Int(try values.requiredInteger(.headerBytes)),
            receiveTimeoutMilliseconds: try values.requiredInteger(.receiveTimeoutSeconds) * 1000,
            answerTimeoutMilliseconds: try values.requiredInteger(.answerTimeoutSeconds) * 1000,
            sendTimeoutMilliseconds: try values.requiredInteger(.sendTimeoutSeconds) * 1000,
            idleTimeoutMilliseconds: try values.requiredInteger(.idleTimeoutSeconds) * 1000,
            connectionsMax: Int(try values.requiredInteger(.connections)),
            connectionsPerAddressMax: Int(try values.requiredInteger(.connectionsPerAddress)),
            unfinishedBodyBytesMax: Int(try values.requiredInteger(.unfinishedBodyBytes)),
            proxyAddresses: try self.proxyAddresses(values),
            requestsMax: Int(try values.requiredInteger(.requests)),
            storeWaitMillisecondsMax: try self.storeWaitMilliseconds(values))
    }

    private static func storeWaitMilliseconds(_ values: ConfigurationValues) throws(CommandFailure) -> Int64 {
        if let seconds = try values.integer(.storeWaitSeconds) { return seconds * 1000 }
        return min(5000, try values.requiredInteger(.answerTimeoutSeconds) * 500)
    }

    private static func proxyAddresses(_ values: ConfigurationValues) throws(CommandFailure) -> ClientNetworks {
        let text = try values.text(.proxyAddresses) ?? ""
        do throws(ClientNetworks.Malformed) {
            return try ClientNetworks(parsing: text)
        } catch {
            throw ConfigurationValues.failure(
                .configurationValueInvalid,
                "limits.proxyAddresses must be IP addresses and ranges of them, separated by commas: \(error).")
        }
    }

    private static func callers(_ values: ConfigurationValues) throws(CommandFailure) -> CallerSettings {
        CallerSettings(
            credentialFailures: Int(try values.requiredInteger(.credentialFailures)),
            rates: MerchantRates.Settings(
                requestsPerSecond: Int(try values.requiredInteger(.merchantRequestsPerSecond)),
                burst: try values.integer(.merchantBurst).map { Int($0) }),
            addresses: AddressRates.Settings(
                deviceCallsPerSecond: Int(try values.requiredInteger(.deviceCallsPerSecond))))
    }

    private static func checkTimes(_ values: ConfigurationValues) throws(CommandFailure) {
        let deadline = try values.requiredInteger(.acquirerDeadlineSeconds)
        guard try values.requiredInteger(.answerTimeoutSeconds) > deadline else {
            throw ConfigurationValues.failure(
                .configurationValueInvalid,
                "limits.answerTimeoutSeconds must be more than acquirer.deadlineSeconds (\(deadline)).")
        }
        for key in [ConfigurationKey.recoveryGraceSeconds, .recoveryLeaseSeconds] {
            guard let seconds = try values.integer(key), seconds <= deadline else { continue }
            throw ConfigurationValues.failure(
                .configurationValueInvalid, "\(key.name) must be more than acquirer.deadlineSeconds (\(deadline)).")
        }
        let attempt = try values.requiredInteger(.webhooksTimeoutSeconds)
        guard try values.requiredInteger(.webhooksLeaseSeconds) > attempt else {
            throw ConfigurationValues.failure(
                .configurationValueInvalid,
                "webhooks.leaseSeconds must be more than webhooks.timeoutSeconds (\(attempt)).")
        }
        guard try values.integer(.storeWaitSeconds) ?? 0 < values.requiredInteger(.answerTimeoutSeconds) else {
            throw ConfigurationValues.failure(
                .configurationValueInvalid,
                "limits.storeWaitSeconds must be less than limits.answerTimeoutSeconds.")
        }
        let drain = try values.requiredInteger(.drainSeconds)
        guard try values.requiredInteger(.shutdownTimeoutSeconds) > drain else {
            throw ConfigurationValues.failure(
                .configurationValueInvalid,
                "shutdown.timeoutSeconds must be more than shutdown.drainSeconds (\(drain)).")
        }
    }
}

extension ServeConfiguration {
    /// That what a configuration names is there, and the master key right.
    static func check(_ configuration: ApplicationConfiguration) async throws {
        try self.checkFiles(configuration)
        try await self.checkMasterKey(configuration)
    }

    /// The same for a person, with what a start would not refuse and nobody wants: certificates that have ended, end soon or
    /// cannot be read.
    ///
    /// - Returns: the worst of it.
    static func check(
        _ configuration: ApplicationConfiguration, to console: Console, at now: Timestamp = Surroundings.system.clock()
    ) async throws -> Finding.Severity {
        try await self.check(configuration)
        let findings = Finding.ofServerCertificates(try Application.certificateFiles(configuration), at: now)
        for finding in findings {
            console.errorLine("\(finding.severity.rawValue): \(finding.text) (\(finding.code))")
            if let advice = finding.advice { console.errorLine("  \(advice)") }
        }
        console.line(
            findings.isEmpty
                ? "The configuration is in order."
                : "A start would take the configuration, but not all that it names is in order.")
        return Finding.worst(of: findings)
    }

    /// Reads the files that a configuration names, and opens nothing.
    ///
    /// - Throws: ``CommandFailure``, `ListenerError`.
    static func checkFiles(_ configuration: ApplicationConfiguration) throws {
        try configuration.directory.checkPermissions(store: configuration.store)
        let standardPath = configuration.directory.masterKeyPath
        // One that is not there is made at the start, if no other was named.
        if case .file(let path) = try self.masterKey(configuration), path != standardPath || FileSystem.exists(path) {
            _ = try DataDirectory.masterKey(at: path)
        }
        if case .link(let address) = configuration.acquirer {
            _ = try configuration.directory.linkSecret(at: address.secretPath)
            for endpoint in address.endpoints { _ = try address.tls?.client(of: endpoint.host) }
        }
        _ = try DialectOptions(configuration)
        _ = try configuration.alarms?.target()
        if let url = configuration.adminURL {
            for provider in configuration.openID { _ = try provider.settings(siteURL: url) }
        }
        for listener in configuration.listeners + (configuration.adminListener.map { [$0] } ?? []) {
            guard case .files(let certificatePath, let privateKeyPath, let clientAuthoritiesPath) = listener.tls else {
                continue
            }
            _ = try ServerIdentity(
                certificatePEM: try FileSystem.readText(certificatePath),
                privateKeyPEM: try FileSystem.readPrivateText(privateKeyPath),
                clientAuthoritiesPEM: try clientAuthoritiesPath.map(FileSystem.readText))
        }
    }

    /// Reads the master key, if it comes from the environment or a command.
    static func checkMasterKey(_ configuration: ApplicationConfiguration) async throws {
        let masterKey = try self.masterKey(configuration)
        if case .file = masterKey { return }
        _ = try await masterKey.read()
    }

    private static func masterKey(
        _ configuration: ApplicationConfiguration
    ) throws(CommandFailure) -> MasterKeyChoice {
        try MasterKeyChoice(
            configuration.directory, filePath: configuration.masterKeyPath, command: configuration.masterKeyCommand,
            variable: MasterKeyVariable.taken)
    }
}
