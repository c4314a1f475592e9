//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import StrictJSON
import TestProcesses
import Testing

/// The receivers' code of docs/webhooks.md, as it stands there, on the vectors.
@Suite("Snippets that verify webhooks")
struct SnippetTests {
    @Test(.enabled(if: Program.isThere("python3"), "python3 is not installed: the Python snippet has not been run"))
    func python() async throws {
        let driver = """
            import base64, sys
            for line in sys.stdin.read().splitlines():
                name, secret, event_id, signature, body, now = line.split("\\t")
                print(name, str(verify_pomona(base64.b64decode(body), event_id, signature, secret, int(now))).lower())
            """
        try await Self.expectVerdicts(
            file: "verify.py", try Self.snippet("python") + "\n" + driver, run: "python3 verify.py")
    }

    @Test(.enabled(if: Program.isThere("node"), "node is not installed: the JavaScript snippet has not been run"))
    func javaScript() async throws {
        let driver = """
            for (const line of require('node:fs').readFileSync(0, 'utf8').split('\\n').filter(Boolean)) {
              const [name, secret, eventId, signature, body, now] = line.split('\\t');
              console.log(name, verifyPomona(Buffer.from(body, 'base64'), eventId, signature, secret, Number(now)));
            }
            """
        try await Self.expectVerdicts(
            file: "verify.js", try Self.snippet("javascript") + "\n" + driver, run: "node verify.js")
    }

    @Test(.enabled(if: Program.isThere("php"), "php is not installed: the PHP snippet has not been run"))
    func php() async throws {
        let driver = """
            while (($line = fgets(STDIN)) !== false) {
                [$name, $secret, $id, $signature, $body, $now] = explode("\\t", rtrim($line, "\\n"));
                $is = verify_pomona(base64_decode($body), $id, $signature, $secret, (int) $now);
                echo $name, ' ', $is ? 'true' : 'false', "\\n";
            }
            """
        try await Self.expectVerdicts(
            file: "verify.php", "<?php\n" + (try Self.snippet("php")) + "\n" + driver,
            run: "php -d error_reporting=-1 -d display_errors=stderr verify.php")
    }

    @Test(.enabled(if: Program.isThere("java"), "java is not installed: the Java snippet has not been run"))
    func java() async throws {
        // The class that is run must come first, and what is imported before it.
        let snippet = try Self.snippet("java")
        let start = try #require(snippet.range(of: "final class"))
        let driver = """
            class Driver {
                public static void main(String[] arguments) throws Exception {
                    for (String line : new String(System.in.readAllBytes(), UTF_8).lines().toList()) {
                        String[] f = line.split("\\t", -1);
                        byte[] body = Base64.getDecoder().decode(f[4]);
                        boolean is = PomonaWebhooks.verify(body, f[2], f[3], f[1], Long.parseLong(f[5]));
                        System.out.println(f[0] + " " + is);
                    }
                }
            }

            """
        try await Self.expectVerdicts(
            file: "Driver.java", snippet[..<start.lowerBound] + driver + snippet[start.lowerBound...],
            run: "java -Dfile.encoding=UTF-8 Driver.java")
    }

    @Test func swift() throws {
        for vector in try WebhookVector.all() {
            let verdict = verifyPomona(
                body: Data(vector.body), eventID: vector.eventID, signature: vector.signature, secret: vector.secret,
                now: vector.now)
            #expect(verdict == vector.isValid, "\(vector.name)")
        }
    }

    @Test func swiftIsTheDocuments() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("VerifyPomona.swift")
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.hasSuffix(try Self.snippet("swift")))
    }

    // MARK: -

    /// Runs a program with the vectors on standard input, and reads a line for each from standard output.
    private static func expectVerdicts(file: String, _ text: String, run: String) async throws {
        let vectors = try WebhookVector.all()
        let folder = try CliFolder()
        try folder.write(file, text)
        try folder.write("vectors.tsv", vectors.map { $0.line + "\n" }.joined())
        let result = try await CliTool.bash("cd '\(folder.path)' && \(run) < vectors.tsv")
        #expect(result.exitCode == 0 && result.stderr.isEmpty, "\(result.stderr)")
        #expect(
            result.stdout.split(separator: "\n").map(String.init) == vectors.map { "\($0.name) \($0.isValid)" })
    }

    /// The document's block in a language.
    private static func snippet(_ language: String) throws -> String {
        let document = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../docs/webhooks.md")
        let text = try String(contentsOf: document.standardized, encoding: .utf8)
        let open = try #require(text.range(of: "```\(language)\n"))
        let close = try #require(text.range(of: "```", range: open.upperBound..<text.endIndex))
        return String(text[open.upperBound..<close.lowerBound])
    }
}

/// A webhook and whether a receiver must take it (Vectors/webhook-signature).
struct WebhookVector: Sendable {
    let name: String
    let secret: String
    let eventID: String
    let signature: String
    let body: [UInt8]
    let now: Int
    let isValid: Bool

    /// For programs that read no JSON.
    var line: String {
        [self.name, self.secret, self.eventID, self.signature, Data(self.body).base64EncodedString(), "\(self.now)"]
            .joined(separator: "\t")
    }

    static func all() throws -> [WebhookVector] {
        let file = try Data(contentsOf: URL(fileURLWithPath: CliVectors.path("webhook-signature/vectors.json")))
        let vectors = try #require(try JSON.parse(Array(file))["vectors"]?.array)
        try #require(vectors.count > 30)
        return try vectors.map { vector in
            WebhookVector(
                name: try #require(vector["name"]?.string), secret: try #require(vector["secret"]?.string),
                eventID: try #require(vector["eventId"]?.string),
                signature: try #require(vector["signature"]?.string),
                body: Array(try #require(vector["body"]?.string.flatMap { Data(base64Encoded: $0) })),
                now: Int(try #require(vector["now"]?.integer)), isValid: vector["valid"]?.bool == true)
        }
    }
}

enum Program {
    /// Whether the machine has a program.
    static func isThere(_ name: String) -> Bool { SearchPath.find(name) != nil }
}
