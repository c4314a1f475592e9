//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import AppleSessions
import ArgumentParser
import Foundation
import Gateway
import Payments
import StrictJSON

/// As whom Apple is asked, and where.
struct RegistrationOptions: ParsableArguments {
    @OptionGroup var merchant: MerchantOptions

    @Option(
        help: ArgumentHelp(
            "The merchant that has the platform integrator's identity; POMONA_APPLE_PLATFORM_MERCHANT if left out.",
            valueName: "name"))
    var platform: String?

    @Option(help: ArgumentHelp("The simulated Apple of a sandbox, as its line names it.", valueName: "url"))
    var apple: String?

    func validate() throws {
        guard self.apple == nil || self.simulated != nil else {
            throw ValidationError("--apple takes the address of a simulated Apple: https://127.0.0.1:PORT.")
        }
    }

    /// Does something with the merchant's registration, and shows what it is then.
    func run(
        isReadOnly: Bool = false,
        _ body: (Administration, Merchant, AppleSessionClient) async throws -> Void = { _, _, _ in }
    ) async throws {
        try await CommandRunner.run(json: self.merchant.json) { console in
            let directory = self.merchant.directory.directory
            let platform =
                self.platform
                ?? ProcessInfo.processInfo.environment[ConfigurationKey.applePlatformMerchant.environmentName]
            let client = AppleSessionClient(
                settings: try self.settings(of: directory), sleep: Surroundings.system.sleep)
            let outcome: Result<PlatformStanding, any Error>
            do {
                outcome = .success(
                    try await DirectoryAccess.withOpenGateway(
                        directory, isReadOnly: isReadOnly, settings: GatewaySettings(platformMerchant: platform)
                    ) { open in
                        let merchant = try await open.administration.merchant(named: self.merchant.name)
                        try await body(open.administration, merchant, client)
                        return try await open.administration.platformStanding(of: merchant, by: client)
                    })
            } catch {
                outcome = .failure(error)
            }
            await client.shutdown()
            Self.write(try outcome.get(), to: console, json: self.merchant.json)
        }
    }

    /// With the sandbox's own authority, where its simulated Apple is asked.
    private func settings(of directory: DataDirectory) throws -> AppleSessionSettings {
        var settings = AppleSessionSettings()
        guard var endpoint = self.simulated else { return settings }
        endpoint.authoritiesPEM = try FileSystem.readText(directory.caCertificatePath)
        settings.simulator = { [endpoint] in endpoint }
        return settings
    }

    private var simulated: AppleSessionEndpoint? {
        guard let apple, let parts = URLComponents(string: apple), parts.scheme == "https", let host = parts.host,
            let port = parts.port
        else { return nil }
        return AppleSessionEndpoint(host: host, port: port)
    }

    private static func write(_ standing: PlatformStanding, to console: Console, json: Bool) {
        if json { return console.line(JSON.object(standing.view).text(pretty: true)) }
        console.line(
            standing.registration == nil ? "Apple knows the merchant by no registration." : "Registered at Apple:")
        var fields = Fields()
        fields.add("called", standing.registration?.merchantName)
        fields.add("domains", standing.registration?.domainNames.joined(separator: ", "))
        fields.add("tokens for", standing.registration == nil ? nil : standing.recipient)
        fields.add("website", standing.registration?.merchantURL)
        fields.add("identifier", standing.identifier)
        fields.add("integrator", standing.platform)
        fields.add(
            "possible keys", standing.recipients.isEmpty ? "none" : standing.recipients.joined(separator: ", "))
        for line in fields.lines() { console.line(line) }
    }
}

/// `pomona merchant registration`.
struct MerchantRegistrationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "registration", abstract: "Ask Apple what it has registered of a merchant.",
        usage: "pomona merchant registration [--platform <name>] [--apple <url>] <name>",
        discussion: "For platform integrators, who register merchants that have no account at Apple.")

    @OptionGroup var options: RegistrationOptions

    func run() async throws { try await self.options.run(isReadOnly: true) }
}

/// `pomona merchant register`.
struct MerchantRegisterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "register", abstract: "Register a merchant at Apple, or further domains of it.",
        usage: """
            pomona merchant register --domain <host> ... --encrypt-to <identifier> [--as <text>]
                [--url <url>] [--platform <name>] [--apple <url>] <name>
            """,
        discussion: """
            For platform integrators. Apple reads the merchant's file on each domain: add them first with pomona domain add.
            """)

    @OptionGroup var options: RegistrationOptions

    @Option(name: .customLong("domain"), help: ArgumentHelp("One of its domains. Repeatable.", valueName: "host"))
    var domains: [String]

    @Option(help: ArgumentHelp("To whose key tokens are encrypted.", valueName: "identifier"))
    var encryptTo: String

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("What Apple is to call it; its display name if left out.", valueName: "text"))
    var appleName: String?

    @Option(
        name: .customLong("url"),
        help: ArgumentHelp("Its website, where its payment page is the integrator's.", valueName: "url"))
    var website: String?

    func run() async throws {
        try await self.options.run { administration, merchant, apple in
            try await administration.register(
                merchant, as: self.appleName ?? merchant.displayName, domainNames: self.domains,
                encryptTo: self.encryptTo, url: self.website, by: apple)
        }
    }
}

/// `pomona merchant unregister`.
struct MerchantUnregisterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unregister", abstract: "Take domains off a merchant's registration at Apple.",
        usage: """
            pomona merchant unregister --domain <host> ... --reason <text> [--platform <name>]
                [--apple <url>] <name>
            """,
        discussion: "With the last one the merchant is registered no more.")

    @OptionGroup var options: RegistrationOptions

    @Option(name: .customLong("domain"), help: ArgumentHelp("One of its domains. Repeatable.", valueName: "host"))
    var domains: [String]

    @Option(help: ArgumentHelp("Why, for Apple and the audit log.", valueName: "text"))
    var reason: String

    func validate() throws {
        guard (1...MerchantRegistration.reasonCharactersMax).contains(self.reason.unicodeScalars.count) else {
            throw ValidationError(
                "--reason takes 1 to \(MerchantRegistration.reasonCharactersMax) characters.")
        }
    }

    func run() async throws {
        try await self.options.run { administration, merchant, apple in
            try await administration.unregister(self.domains, of: merchant, because: self.reason, by: apple)
        }
    }
}
