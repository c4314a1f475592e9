//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Testing

/// The sessions with curl that docs/dialects shows, run as they stand there: a shell, curl, jq and the built program.
struct DialectSessionTests {
    struct Session: Sendable, CustomTestStringConvertible {
        let dialect: String
        /// Stands in the output, as often as it stands here.
        let promises: [String]

        var testDescription: String { self.dialect }
    }

    static let sessions = [
        Session(
            dialect: "alphapay",
            promises: [
                "\"resultCode\":\"PAYMENT_IN_PROCESS\"", "\"resultStatus\":\"U\"", "Verified OK",
                "\"resultCode\":\"PAYMENT_IN_PROCESS\"", "\"resultStatus\":\"S\"", "Verified OK",
                "\"paymentStatus\":\"SUCCESS\"", "\"resultCode\":\"SUCCESS\"", "Verified OK",
                "\"paymentStatus\":\"SUCCESS\"", "\"resultCode\":\"SUCCESS\"", "Verified OK",
                "\"paymentRequestId\":\"order-1\"", "\"resultCode\":\"ORDER_PAID\"", "Verified OK",
                "\"refundRequestId\":\"refund-1\"", "Verified OK", "REFUND_AMOUNT_EXCEED", "Verified OK",
                "\"refundStatus\":\"SUCCESS\"", "Verified OK", "\"PARTIAL_REFUND\"", "Verified OK",
                "\"pagination\":", "Verified OK", "\"settlements\":", "Verified OK", "\"paymentId\":",
                "Verified OK", "\"paymentStatus\":\"FAILED\"", "DO_NOT_HONOR", "Verified OK", "\"cancelTime\":",
                "Verified OK",
            ]),
        Session(
            dialect: "commweb",
            promises: [
                "\"status\":\"OPERATING\"", "\"status\":\"AUTHORIZED\"", "\"gatewayCode\":\"APPROVED\"",
                "\"status\":\"AUTHORIZED\"", "\"status\":\"PARTIALLY_CAPTURED\"", "\"status\":\"PARTIALLY_REFUNDED\"",
                "\"type\":\"VOID_REFUND\"", "\"gatewayCode\":\"DECLINED\"", "\"status\":\"AUTHORIZED\"",
                "\"deviceSpecificNumber\":\"5",
            ]),
        Session(
            dialect: "payone",
            // What is paid first goes to standard error, which comes after standard output here.
            promises: [
                "status=APPROVED", "status=APPROVED", "status=APPROVED", "\"ErrorCode\":\"1016\"", "status=APPROVED",
                "txid=",
            ]),
        Session(
            dialect: "radial",
            promises: [
                "<PaymentAccountUniqueId isToken=\"true\">", "<ResponseCode>APPROVED</ResponseCode>",
                "<FundsAvailable>Success</FundsAvailable>", "AlreadyCreditedException",
            ]),
        Session(
            dialect: "tappay",
            promises: [
                "\"status\":0,\"msg\":\"Success\",\"rec_trade_id\":\"D", "\"status\":10024", "\"cap_millis\":",
                "\"refund_amount\":100", "\"status\":2", "\"record_status\":2", "\"trade_history\":[",
                "\"reconciliation_datas\":[", "\"bin_code\":\"424242\"", "\"bin_code\":\"424242\"",
                "\"status\":909", "\"status\":121",
            ]),
    ]

    @Test(arguments: sessions)
    func sessionWorksAsWritten(_ session: Session) async throws {
        let result = try await Self.run(try Self.session(of: session.dialect))
        #expect(result.exitCode == 0, "\(result.stdout)\(result.stderr)")
        var rest = Substring(result.stdout + result.stderr)
        for promise in session.promises {
            let found = try #require(rest.range(of: promise), "missing: \(promise) in \(rest)")
            rest = rest[found.upperBound...]
        }
    }

    /// The README's tour: its commands print what stands below them, but for what is new in every run.
    @Test func tourOfTheReadmeWorksAsWritten() async throws {
        let text = try String(contentsOf: Self.file("README.md"), encoding: .utf8)
        let heading = try #require(text.range(of: "## A tour in one minute\n"))
        let (script, after) = try Self.block("bash", in: text, from: heading.upperBound)
        let (output, _) = try Self.block("", in: text, from: after)
        let result = try await Self.run(script)
        #expect(result.exitCode == 0, "\(result.stdout)\(result.stderr)")
        #expect(Self.words(result.stdout) == Self.words(output), "\(result.stdout)")
    }

    /// Ids, digests and times are new in every run, and what is as long as they are.
    private static func words(_ output: String) -> [String] {
        output.split(separator: "\n").map { line in
            line.split(separator: " ").map { word in
                let isNew = word.contains { $0.isNumber } && (word.count >= 12 || word.contains("…"))
                return isNew ? "#" : String(word)
            }.joined(separator: " ")
        }
    }

    private static func run(_ session: String) async throws -> CliResult {
        let folder = try CliFolder()
        let bin = folder.file("bin")
        try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
        // Only the ports differ from what a reader types: free ones, which the session takes from the ready line.
        let shim = """
            #!/usr/bin/env bash
            if [ "$1" != sandbox ]; then exec '\(CliTool.pomona.path)' "$@"; fi
            '\(CliTool.pomona.path)' "$@" --port 0 --tls-port 0 & child=$!
            trap 'trap - TERM; kill $child; wait $child; exit' TERM
            wait $child || true
            # It has ended by itself, and whoever waits for its ready line would wait for ever.
            kill -TERM $PPID
            """
        let path = try folder.write("bin/pomona", shim)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        let script = """
            set -euo pipefail
            trap 'kill $(jobs -p) 2>/dev/null' EXIT
            export PATH='\(bin)':"$PATH"
            cd '\(folder.path)'
            \(session)
            """
        return try await CliTool.bash(script)
    }

    @Test func everyDialectHasItsDocument() throws {
        for name in Self.sessions.map(\.dialect) {
            #expect(FileManager.default.fileExists(atPath: Self.document(name).path), "\(name)")
        }
    }

    /// The first block of shell under "A session with curl".
    private static func session(of dialect: String) throws -> String {
        let text = try String(contentsOf: self.document(dialect), encoding: .utf8)
        let heading = try #require(text.range(of: "## A session with curl\n"))
        return try self.block("bash", in: text, from: heading.upperBound).text
    }

    /// The first fenced block of a language from a place on, and where it ends.
    private static func block(
        _ language: String, in text: String, from start: String.Index
    ) throws -> (text: String, end: String.Index) {
        let open = try #require(text.range(of: "\n```\(language)\n", range: start..<text.endIndex))
        let close = try #require(text.range(of: "\n```\n", range: open.upperBound..<text.endIndex))
        return (String(text[open.upperBound..<close.lowerBound]), close.upperBound)
    }

    private static func document(_ name: String) -> URL { self.file("docs/dialects/\(name).md") }

    private static func file(_ path: String) -> URL {
        URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../\(path)").standardized
    }
}
