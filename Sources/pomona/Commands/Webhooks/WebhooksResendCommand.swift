//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Gateway
import Payments
import StrictJSON

/// `pomona webhooks resend`: events go out once more.
struct WebhooksResendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resend", abstract: "Have notifications sent again: dead ones, or any that a merchant has lost.",
        usage: "pomona webhooks resend (<event> ... | --dead) [--merchant <name>] [<options>]",
        discussion: """
            Each begins anew, with all the tries of its dialect's schedule; one that is still pending is only sent \
            sooner, by a try that does not count. One that is delivered with not_told is refused: its dialect has no \
            message for it. A gateway that runs on the store sends them within seconds, else the next one that is started.
            """)

    @OptionGroup var directory: DataOptions

    @Argument(help: ArgumentHelp("Which: ids (evt_…) from pomona webhooks list.", valueName: "event"))
    var events: [String] = []

    @Flag(help: "All that are dead.")
    var dead = false

    @Option(help: ArgumentHelp("With --dead, only this merchant's.", valueName: "name"))
    var merchant: String?

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func validate() throws {
        guard self.events.isEmpty == self.dead else {
            throw ValidationError("Name the events, or give --dead for all that are dead.")
        }
        guard self.merchant == nil || self.dead else { throw ValidationError("--merchant goes with --dead.") }
        for text in self.events where EventID(text) == nil {
            throw ValidationError("\(text) is no event's id: it begins with evt_ and has 26 characters after that.")
        }
    }

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let ids = try await DirectoryAccess.withAdministration(self.directory.directory) { administration in
                guard self.dead else { return try await self.resendNamed(by: administration) }
                return try await self.resendDead(by: administration)
            }
            if self.json {
                let report: JSON = ["resent": .array(ids.map { .string($0.text) })]
                console.line(report.text(pretty: true))
            } else if ids.isEmpty {
                console.line("There are no dead notifications.")
            } else {
                for id in ids { console.line("\(id.text) is sent again.") }
            }
        }
    }

    /// All are looked up before any is changed.
    ///
    /// - Throws: ``CommandFailure`` `event_unknown`; ``AdministrationError`` `message_not_sent`.
    private func resendNamed(by administration: Administration) async throws -> [EventID] {
        let ids = self.events.compactMap { EventID($0) }
        try await administration.read { reader in
            let events = try ids.map { id in
                guard let event = try reader.event(id) else {
                    throw CommandFailure(
                        .eventUnknown, stage: .store, "The store has no event with the id \(id.text).")
                }
                return event
            }
            for event in events where event.hasNoMessage { throw Administration.noMessage(for: event) }
        }
        for id in ids { try await administration.resend(id) }
        return ids
    }

    /// Page by page, the oldest first, and each once: what is dead again when the next page is read was sent before.
    ///
    /// - Throws: ``CommandFailure`` `merchant_unknown`.
    private func resendDead(by administration: Administration) async throws -> [EventID] {
        let name = self.merchant
        var ids: [EventID] = []
        var query = OutboxQuery(state: .dead, limit: Administration.resendsMax)
        query.oldestFirst = true
        query.merchantID = try await administration.read { reader in
            try name.map { try Administration.merchant(named: $0, in: reader).id }
        }
        while true {
            let asked = query
            let page = try await administration.read { try $0.events(asked).map(\.id) }
            for id in page { try await administration.resend(id) }
            ids += page
            query.after = page.last
            guard page.count == asked.limit else { return ids }
        }
    }
}
