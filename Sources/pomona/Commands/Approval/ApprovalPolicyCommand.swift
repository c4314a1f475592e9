//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import Payments
import StrictJSON

/// `pomona approval policy`: what needs a second person.
struct ApprovalPolicyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy", abstract: "Show or set what needs a second person.",
        usage: """
            pomona approval policy [--merchant <name>] [--refunds-above <code=decimal> ...]
                [--above-own-limit] [--live-credentials] [--routes] [--nothing] [--override <reason>]
            """,
        discussion: """
            Without options it shows the policies. With any of them it sets the house's, which counts for all merchants, or a merchant's \
            own beside it; what is not named needs nobody then, and --nothing names nothing. Once a policy stands, a change needs a second \
            person too: over the API or the portal, or here with --override.
            """)

    @OptionGroup var directory: DataOptions

    @Option(help: ArgumentHelp("This merchant's; the house's if left out.", valueName: "name"))
    var merchant: String?

    @Option(
        name: .customLong("refunds-above"),
        help: ArgumentHelp(
            "Refunds above it, such as CAD=100.00; every refund in a currency that is not named.",
            valueName: "code=decimal"))
    var refundsAbove: [String] = []

    @Flag(help: "Refunds above a person's own limit wait for somebody else, and are not refused.")
    var aboveOwnLimit = false

    @Flag(help: "Accounts and credentials of live merchants.")
    var liveCredentials = false

    @Flag(help: "Routes of live merchants.")
    var routes = false

    @Flag(help: "Nothing.")
    var nothing = false

    @OptionGroup var overriding: OverrideOption

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    private var isChange: Bool {
        !self.refundsAbove.isEmpty || self.aboveOwnLimit || self.liveCredentials || self.routes || self.nothing
    }

    func validate() throws {
        guard
            !self.nothing || (self.refundsAbove.isEmpty && !self.aboveOwnLimit && !self.liveCredentials && !self.routes)
        else { throw ValidationError("--nothing goes with none of the others.") }
    }

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let directory = self.directory.directory
            if self.isChange {
                let limits = try PersonArguments.limits(self.refundsAbove)
                try await DirectoryAccess.withAdministration(directory) { administration in
                    var merchant: MerchantID?
                    if let name = self.merchant { merchant = try await administration.merchant(named: name).id }
                    try await self.overriding.applied(to: administration).setApprovalPolicy(
                        ApprovalPolicy(
                            merchantID: merchant, refundsAbove: limits, aboveOwnLimit: self.aboveOwnLimit,
                            liveCredentials: self.liveCredentials, routes: self.routes))
                }
            }
            let views = try await DirectoryAccess.withReadingAdministration(directory) { administration in
                try await administration.read { reader in
                    let names = Dictionary(
                        try reader.merchants().map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
                    return try reader.approvalPolicies().map { $0.view(names) }
                }
            }
            if self.json {
                let object: JSON = ["policies": .array(views.map { .object($0) })]
                return console.line(object.text(pretty: true))
            }
            guard !views.isEmpty else { return console.line("Nothing needs a second person.") }
            for view in views { console.line(Self.line(view)) }
        }
    }

    private static func line(_ view: JSONObject) -> String {
        var parts: [String] = []
        if let limits = view["refundsAbove"]?.object {
            let texts = limits.members.map { "\($0.value.string ?? "") \($0.name)" }
            parts.append(texts.isEmpty ? "every refund" : "refunds above \(texts.joined(separator: ", "))")
        }
        if view["aboveOwnLimit"]?.bool == true { parts.append("refunds above one's own limit") }
        if view["liveCredentials"]?.bool == true { parts.append("live credentials") }
        if view["routes"]?.bool == true { parts.append("live routes") }
        let what = parts.isEmpty ? "nothing" : parts.joined(separator: "; ")
        return "\(view["policy"]?.string ?? ""): \(what)"
    }
}
