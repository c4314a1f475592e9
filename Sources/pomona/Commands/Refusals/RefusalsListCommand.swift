//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import BaseEncoding
import Money
import Payments
import StrictJSON
import Time

/// `pomona refusals list`: the newest refused calls.
struct RefusalsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List refused calls, newest first, with what to do about each.",
        usage: """
            pomona refusals list [--merchant <name>] [--code <code>] [--stage <stage>] [--since <time>]
            pomona refusals list [--key <hash>] [--request <id>] [--before <id>] [--limit <count>]
            """,
        discussion: """
            A refused call has begun nothing. Its code is the gateway's own (key_unknown), or the dialect's where only the \
            dialect knows; docs/refusals.md explains the gateway's. Nothing of a card, a token's contents or a credential is kept.
            """)

    @OptionGroup var directory: DataOptions

    @Option(help: ArgumentHelp("Only calls that name this merchant's account.", valueName: "name"))
    var merchant: String?

    @Option(help: ArgumentHelp("Only those with this code: the gateway's or the dialect's.", valueName: "code"))
    var code: String?

    @Option(help: "Only those that came this far: http, credentials, fields, signature, key_selection …")
    var stage: RefusalStageOption?

    @Option(
        help: ArgumentHelp(
            "Only tokens for this key: the SHA-256 of the public key, hexadecimal or base64.", valueName: "hash"))
    var key: String?

    @Option(help: ArgumentHelp("Only this call: what its answer has as X-Request-Id.", valueName: "id"))
    var request: String?

    @Option(
        help: ArgumentHelp(
            "Only those since then: a time (2026-11-23T08:00:00Z), or so long ago (90s, 15m, 6h, 7d).",
            valueName: "time"))
    var since: String?

    @Option(help: ArgumentHelp("Only those older than this one (rfs_…): the next page.", valueName: "id"))
    var before: String?

    @OptionGroup var page: LimitOption

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func validate() throws {
        if let key = self.key, Self.hash(key) == nil {
            throw ValidationError("--key must be 32 bytes, as 64 hexadecimal digits or as base64.")
        }
        if let since = self.since, Self.moment(since, at: Timestamp.now()) == nil {
            throw ValidationError("--since must be a time (2026-11-23T08:00:00Z) or a span (90s, 15m, 6h, 7d).")
        }
        if let before = self.before, RefusedCallID(before) == nil {
            throw ValidationError("\(before) is no refused call's id: rfs_ and 26 characters.")
        }
    }

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let store = try await DirectoryAccess.readOnly(self.directory.directory)
            let (name, limit) = (self.merchant, self.page.limit)
            let asked = RefusedCallQuery(
                code: self.code, stage: self.stage?.stage, publicKeyHash: self.key.flatMap(Self.hash),
                requestID: self.request, from: self.since.flatMap { Self.moment($0, at: Timestamp.now()) },
                before: self.before.flatMap { RefusedCallID($0) }, limit: limit + 1)
            let page = try await store.read { reader in
                var query = asked
                if let name { query.merchantID = try Administration.merchant(named: name, in: reader).id }
                let calls = try reader.refusedCalls(query)
                return RefusalPage(
                    calls: Array(calls.prefix(limit)), hasMore: calls.count > limit,
                    merchantNames: try Administration.merchantNames(in: reader))
            }
            if self.json {
                console.line(page.json.text(pretty: true))
            } else {
                page.write(to: console)
            }
        }
    }

    /// A hash of a key as tokens have it (base64) or as the store does (hexadecimal), as the latter.
    static func hash(_ text: String) -> String? {
        guard let bytes = Hex.decode(text.lowercased()) ?? Base64.decode(text), bytes.count == 32 else { return nil }
        return Hex.encode(bytes)
    }

    /// A time, or a span before now.
    static func moment(_ text: String, at now: Timestamp) -> Timestamp? {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        if let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()), (1...100_000) ~= count {
            return now.adding(seconds: -count * unit)
        }
        return Timestamp(rfc3339: text)
    }
}

/// The stages of a refusal, as an option's values.
struct RefusalStageOption: ExpressibleByArgument, Sendable {
    let stage: RefusedCall.Stage

    init?(argument: String) {
        guard let stage = RefusedCall.Stage(rawValue: argument) else { return nil }
        self.stage = stage
    }

    static var allValueStrings: [String] { RefusedCall.Stage.allCases.map(\.rawValue) }
}

/// Refused calls, as they are shown.
struct RefusalPage: Sendable {
    let calls: [RefusedCall]
    let hasMore: Bool
    let merchantNames: [MerchantID: String]

    private func name(of call: RefusedCall) -> String? {
        call.merchantID.map { self.merchantNames[$0] ?? $0.text }
    }

    var json: JSON {
        var object = JSONObject()
        object["refusals"] = .array(self.calls.map { .object($0.view(merchant: self.name(of: $0))) })
        // Where the next page begins.
        if self.hasMore { object["next"] = self.calls.last.map { .string($0.id.text) } }
        return .object(object)
    }

    func write(to console: Console) {
        guard !self.calls.isEmpty else { return console.line("No such call was refused.") }
        for call in self.calls {
            let whose = self.name(of: call).map { " \($0)" } ?? ""
            console.line(
                console.styled("\(call.at.rfc3339Seconds)  \(call.code)", .strong)
                    + "  \(call.dialect)\(whose), \(call.operation), answered \(call.wireCode)")
            var fields = Fields()
            fields.add("stage", call.stage.rawValue)
            fields.add("what to do", call.text)
            fields.add("amount", call.amount?.description)
            fields.add("sealed for key", call.publicKeyHash)
            fields.add("of", call.merchantIdentifier)
            fields.add("request", call.requestID)
            for line in fields.lines() { console.line(line) }
        }
        if self.hasMore, let last = self.calls.last {
            console.line()
            console.line("There are more: --before \(last.id.text)")
        }
    }
}
