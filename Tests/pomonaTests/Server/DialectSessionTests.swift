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
                "status=APPROVED", "status=APPROVED", "status=APPROVED", "900314", "status=APPROVED", "txid=",
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
                "\"reconciliation_datas\":[", "\"bin_code\":\"424242\"", "\"status\":909", "\"status\":121",
            ]),
    ]

    @Test(arguments: sessions)
    func sessionWorksAsWritten(_ session: Session) async throws {
        let folder = try CliFolder()
        let bin = folder.file("bin")
        try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
        // Only the ports differ from what a reader types: free ones, which the session takes from the ready line.
        let shim = """
            #!/usr/bin/env bash
            if [ "$1" = sandbox ]; then set -- "$@" --port 0 --tls-port 0; fi
            exec '\(CliTool.pomona.path)' "$@"
            """
        let path = try folder.write("bin/pomona", shim)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        let script = """
            set -euo pipefail
            trap 'kill $(jobs -p) 2>/dev/null' EXIT
            export PATH='\(bin)':"$PATH"
            cd '\(folder.path)'
            \(try Self.session(of: session.dialect))
            """
        let result = try await CliTool.bash(script)
        #expect(result.exitCode == 0, "\(result.stdout)\(result.stderr)")
        var rest = Substring(result.stdout + result.stderr)
        for promise in session.promises {
            let found = try #require(rest.range(of: promise), "missing: \(promise) in \(rest)")
            rest = rest[found.upperBound...]
        }
    }

    @Test func everyDialectHasItsDocument() throws {
        for name in ["alphapay"] + Self.sessions.map(\.dialect) {
            #expect(FileManager.default.fileExists(atPath: Self.document(name).path), "\(name)")
        }
    }

    /// The first block of shell under "A session with curl".
    private static func session(of dialect: String) throws -> String {
        let text = try String(contentsOf: self.document(dialect), encoding: .utf8)
        let heading = try #require(text.range(of: "## A session with curl\n"))
        let open = try #require(text.range(of: "```bash\n", range: heading.upperBound..<text.endIndex))
        let close = try #require(text.range(of: "\n```", range: open.upperBound..<text.endIndex))
        return String(text[open.upperBound..<close.lowerBound])
    }

    private static func document(_ name: String) -> URL {
        URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../docs/dialects/\(name).md").standardized
    }
}
