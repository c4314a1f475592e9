//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser

/// The command line.
@main
struct Pomona: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pomona",
        abstract: "A self-hosted Apple Pay gateway.",
        version: Version.text,
        subcommands: [
            DemoCommand.self, SandboxCommand.self, SetupCommand.self, ServeCommand.self, HealthCommand.self,
            ConfigCommand.self, TokenCommand.self,
            CertificateCommand.self,
            DomainCommand.self, StoreCommand.self, AcquirerCommand.self, LedgerCommand.self,
            PaymentsCommand.self, ReportCommand.self, WebhooksCommand.self, MerchantCommand.self, AccountCommand.self,
            RouteCommand.self,
            KeysCommand.self, AuditCommand.self, DoctorCommand.self, PersonCommand.self, AccessCommand.self,
            ApprovalCommand.self,
            HomeCommand.self, SearchCommand.self, RefusalsCommand.self, AlarmsCommand.self, MetricsCommand.self,
            UpgradeCommand.self, SupportCommand.self,
        ])

    static func main() async {
        // Before there is another thread: it changes the environment.
        _ = MasterKeyVariable.taken
        if let problem = CommandNames.problem(in: Array(CommandLine.arguments.dropFirst())) {
            Self.exit(withError: ValidationError(problem))
        }
        await Self.main(nil)
    }
}
