//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Payments
import StrictJSON
import Time

/// `pomona home`: what an operator looks at first.
struct HomeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "home", abstract: "Volumes, approvals, declines, latencies, and what waits now.",
        usage: """
            pomona home [--merchant <name>] [--from <day>] [--through <day>] [--bucket <bucket>]
                [--data <dir>] [--json]
            """,
        discussion: """
            Of the last 24 hours if no day is named. --json has each hour or day, and the refusals and declines in each; \
            up to three days by the hour, up to \(HomeWindow.daysMax) by the day.
            """)

    @OptionGroup var directory: DataOptions

    @Option(help: ArgumentHelp("Only this merchant's; in the days of its zone.", valueName: "name"))
    var merchant: String?

    @Option(help: ArgumentHelp("The first day: 2026-11-22.", valueName: "day"))
    var from: CalendarDay?

    @Option(help: ArgumentHelp("The last day; up to now if left out.", valueName: "day"))
    var through: CalendarDay?

    @Option(
        help: ArgumentHelp("hour or day; by the length if left out.", valueName: "bucket"),
        transform: {
            guard let bucket = HomeWindow.Bucket(rawValue: $0) else { throw ValidationError("It is hour or day.") }
            return bucket
        })
    var bucket: HomeWindow.Bucket?

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let view = try await DirectoryAccess.withReadingAdministration(self.directory.directory) { administration in
                var merchant: Merchant?
                if let name = self.merchant { merchant = try await administration.merchant(named: name) }
                return try await self.view(of: merchant, administration)
            }
            if self.json { return console.line(JSON.object(view).text(pretty: true)) }
            HomeText(view: .object(view)).write(to: console)
        }
    }

    private func view(of merchant: Merchant?, _ administration: Administration) async throws -> JSONObject {
        let zone = merchant?.reportZone ?? .utc
        let window = HomeWindow(
            from: self.from.map(zone.start), to: self.through.map { zone.start(of: $0.next) }, bucket: self.bucket,
            zone: zone, now: administration.now())
        guard let window else {
            throw CommandFailure(
                .argumentMalformed, stage: .input,
                "--from and --through must be a window of at most \(HomeWindow.daysMax) days, or of three by the hour.")
        }
        let home = try await administration.home(
            HomeQuery(window: window, merchant: merchant, hasCertificates: true, hasAlarms: true))
        let waiting = try await administration.waitingApprovalsCount(of: merchant.map { [$0.id] })
        return home.view(ofOne: merchant != nil, waitingApprovalsCount: waiting)
    }
}

/// The view, as sentences and tables.
struct HomeText {
    let view: JSON

    func write(to console: Console) {
        let window = self.view["window"]
        console.line(
            console.styled(
                "\(window?["from"]?.string ?? "") to \(window?["to"]?.string ?? "")", .strong))
        if window?["cut"] == true { console.line("More happened than is counted here: only the newest was read.") }
        self.volumes(console)
        self.answers(console)
        self.latencies(console)
        self.present(console)
    }

    private func rows(_ name: String) -> [JSON] { self.view[name]?.array ?? [] }

    private func volumes(_ console: Console) {
        let names = ["authorized", "captured", "refunded", "chargedBack"]
        guard !self.rows("totals").isEmpty else { return console.line("No payments.") }
        var table = Table([("currency", .left)] + names.map { ($0, .right) })
        for row in self.rows("totals") {
            table.add(
                [row["currency"]?.string ?? ""]
                    + names.map { name in
                        "\(row[name]?["amount"]?.string ?? "") (\(row[name]?["count"]?.integer ?? 0))"
                    })
        }
        for line in table.lines() { console.line(line) }
    }

    private func answers(_ console: Console) {
        var fields = Fields()
        for network in self.rows("networks") {
            func count(_ name: String) -> Int64 { network[name]?.integer ?? 0 }
            fields.add(
                network["network"]?.string ?? "",
                "\(count("approved")) approved, \(count("declined")) declined, \(count("failed")) failed")
        }
        for name in ["declines", "refusals"] {
            let counts = self.rows(name).map { row in
                "\(row["reason"]?.string ?? row["code"]?.string ?? "") \(row["count"]?.integer ?? 0)"
            }
            fields.add(name, counts.isEmpty ? nil : counts.joined(separator: ", "))
        }
        for line in fields.lines() { console.line(line) }
    }

    private func latencies(_ console: Console) {
        guard !self.rows("latencies").isEmpty else { return }
        let names = ["count", "p50", "p95", "p99"]
        var table = Table([("operation (milliseconds)", .left)] + names.map { ($0, .right) })
        for row in self.rows("latencies") {
            table.add([row["operation"]?.string ?? ""] + names.map { "\(row[$0]?.integer ?? 0)" })
        }
        for line in table.lines() { console.line(line) }
    }

    private func present(_ console: Console) {
        func count(_ json: JSON?) -> String {
            "\(json?["count"]?.integer ?? 0)" + (json?["atLeast"] == true ? " or more" : "")
        }
        let work = self.view["work"]
        var fields = Fields()
        fields.add("unknown outcomes", count(work?["unknownOperations"]))
        fields.add("webhooks waiting", count(work?["pendingEvents"]))
        fields.add("webhooks dead", count(work?["deadEvents"]))
        fields.add("approvals waiting", "\(self.view["approvals"]?["waiting"]?.integer ?? 0)")
        for certificate in self.rows("certificates") {
            fields.add(
                "certificate",
                "\(certificate["merchant"]?.string ?? ""), \(certificate["purpose"]?.string ?? ""): "
                    + "\(certificate["daysLeft"]?.integer.map { "\($0) days left" } ?? "no end")")
        }
        for alarm in self.rows("alarms") { fields.add("alarm", alarm["text"]?.string) }
        for line in fields.lines() { console.line(line) }
    }
}
