//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import AppleSessions
import ArgumentParser
import ConnectorKit
import Gateway
import Logging
import Payments
import Probes
import StrictJSON

/// `pomona doctor`: what keeps payments from being taken, and what soon will.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Look for what keeps payments from being taken, and for what soon will.",
        usage: """
            pomona doctor [--data <dir>] [--merchant <name>] [--all] [--json]
            pomona doctor [--data <dir>] [--offline] [--trust <file>] [--config <file>]
            """,
        discussion: """
            Looks at the data directory, its disk, its store and their clocks; at merchants' certificates, domains, accounts, \
            routes and webhooks; at the keys of tokens that were refused; at operations without an end; and asks acquirers and \
            Apple whether they can be reached and know the merchants. It changes nothing and moves no money. Exits with 0 when there is nothing to do now, with 2 for warnings, with 3 for failures, and with 1 when \
            it could not look.
            """)

    @OptionGroup var directory: DataOptions

    @Option(help: ArgumentHelp("Only this merchant, by its name in the store.", valueName: "name"))
    var merchant: String?

    @Flag(help: "Ask neither acquirers nor Apple nor domains: look at what is on this machine alone.")
    var offline = false

    @Option(
        help: ArgumentHelp(
            "An authority that is trusted for the domains beside the system's, PEM.", valueName: "file"))
    var trust: String?

    @Flag(help: "Show what is as it should be, too.")
    var all = false

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let report = DoctorReport(
                findings: try await self.findings(), directory: self.directory.directory, showsGood: self.all)
            report.write(to: console, json: self.json)
            switch report.worst {
            case .good, .notice: break
            case .warning: throw ExitCode(2)
            case .failure: throw ExitCode(3)
            }
        }
    }

    /// The directory, with the configuration unless that is refused: what is refused is found, and says nothing but where the
    /// store is.
    private func examinedDirectory() throws -> DataDirectory {
        let directory = self.directory.directory
        guard let path = directory.configurationPath,
            ConfigurationExamination(text: try FileSystem.readText(path)).configuration == nil
        else {
            try directory.requireStore()
            return directory
        }
        var own = directory.withoutConfiguration
        do throws(CommandFailure) {
            own.namedStore = try directory.storeLocation()
        } catch {
            // It may have named another directory.
            guard (try? own.requireStore()) != nil else { throw error }
        }
        try own.requireStore()
        return own
    }

    func findings() async throws -> [Finding] {
        let directory = try self.examinedDirectory()
        var examination = DirectoryExamination(directory: directory)
        var findings: [Finding] = []
        var acquirer: ConnectedAcquirer?
        var settings = GatewaySettings()
        // As the gateway connects, where its configuration is known.
        var reach = UpstreamReach.anywhere
        defer { try? acquirer?.close() }
        if let config = self.directory.config {
            let text = try FileSystem.readText(FileSystem.absolutePath(config))
            findings += await ConfigurationExamination(text: text).findings()
            if !self.offline { findings += await ProvidersExamination(text: text).findings() }
            if let configuration = ConfigurationExamination(text: text).configuration {
                examination.store = configuration.store
                acquirer = self.link(configuration, directory)
                settings = configuration.settings
                reach = Connectors.reach(settings)
            }
        }
        findings = examination.findings() + findings
        // What others may read is not opened by any command.
        guard Finding.worst(of: findings.filter { $0.area == .directory }) != .failure else { return findings }
        let store = await StoreExamination(directory: directory).finding()
        findings.append(store)
        // A store that cannot be opened has nothing to look at.
        guard store.severity != .failure else { return findings }
        var examiner = Examiner(directory: directory, apple: AppleSessionSettings(), surroundings: .system)
        examiner.domains.authorityPEM = try self.trust.map { try FileSystem.readText($0) }
        return findings
            + (try await DirectoryAccess.withReadingAdministration(
                directory,
                connectors: acquirer.map { Connectors.all(simulator: $0.connector, Surroundings.system, reach: reach) }
                    ?? Connectors.forCommands(reach: reach),
                settings: settings
            ) { [examiner] administration in
                var merchant: Merchant?
                if let name = self.merchant { merchant = try await administration.merchant(named: name) }
                return try await examiner.findings(administration, merchant, isOffline: self.offline)
            })
    }

    /// The acquirer's process that the gateway's payments go to. What keeps the link from being opened, a secret that is not
    /// there, is the configuration's finding.
    private func link(_ configuration: ApplicationConfiguration, _ directory: DataDirectory) -> ConnectedAcquirer? {
        guard case .link(let address) = configuration.acquirer else { return nil }
        let surroundings = Surroundings.system
        return try? ConnectedAcquirer(
            .link(address), directory, surroundings, surroundings.logger("pomona", level: .critical),
            keepsBook: false)
    }
}

/// What was found, the worst first.
struct DoctorReport: Sendable {
    let findings: [Finding]
    let directory: DataDirectory
    let showsGood: Bool

    var worst: Finding.Severity { Finding.worst(of: self.findings) }

    private var sorted: [Finding] {
        Finding.Severity.allCases.reversed().flatMap { severity in self.findings.filter { $0.severity == severity } }
    }

    var json: JSON {
        [
            "worst": .string(self.worst.rawValue),
            "findings": .array(self.sorted.filter { self.showsGood || $0.severity != .good }.map(self.json)),
        ]
    }

    private func json(_ finding: Finding) -> JSON {
        var object = finding.view
        object["command"] = self.command(finding).map(JSON.string)
        return .object(object)
    }

    /// As it can be pasted.
    private func command(_ finding: Finding) -> String? {
        finding.command.map { self.directory.command($0) }
    }

    func write(to console: Console, json: Bool) {
        if json { return console.line(self.json.text(pretty: true)) }
        let shown = self.sorted.filter { self.showsGood || $0.severity != .good }
        for finding in shown {
            let whose = finding.merchant.map { "\($0): " } ?? ""
            console.line("\(self.mark(finding.severity, console))  \(whose)\(finding.text)")
            guard finding.severity != .good else { continue }
            console.line("         \(finding.reason)")
            if let advice = finding.advice { console.line("         \(advice)") }
            if let command = self.command(finding) { console.line("           \(command)") }
        }
        let goodCount = self.findings.count - shown.count
        if shown.isEmpty {
            console.line(console.styled("Nothing is wrong, and nothing is about to be.", .good))
        } else if goodCount > 0 {
            console.line("\(goodCount) other things are as they should be (--all shows them).")
        }
    }

    private func mark(_ severity: Finding.Severity, _ console: Console) -> String {
        switch severity {
        case .good: console.styled("good   ", .good)
        case .notice: console.styled("notice ", .faint)
        case .warning: console.styled("warning", .strong)
        case .failure: console.styled("failure", .bad)
        }
    }
}
