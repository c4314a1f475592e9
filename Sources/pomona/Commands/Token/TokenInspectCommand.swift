//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import ArgumentParser
import StrictJSON
import Time

/// `pomona token inspect`: what can be said about a token without keys. Where verify stops at the first thing that is
/// wrong, this goes on.
struct TokenInspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Explain a token without keys, and what is wrong with it.",
        usage: "pomona token inspect --token <file> [<options>]",
        discussion: """
            Exit code 0 when the token could be read, whatever is found; 1 when it is no token at all. For a verdict, \
            use pomona token verify.
            """)

    @OptionGroup var options: TokenOptions

    func run() async throws {
        try await CommandRunner.run(json: self.options.json) { console in
            let bytes = try InputFile.bytes(
                of: self.options.token, what: "token", bytesMax: InputFile.tokenBytesMax)
            let inspection = TokenInspection(
                parsing: bytes, with: try self.options.verifier(), at: self.options.moment().date,
                expecting: self.options.expectations)
            let formatError = inspection.findings.first { $0.check == .tokenFormat }?.error
            // What is no token cannot be explained, only refused.
            if let formatError { throw formatError }
            if self.options.json {
                console.line(inspection.json.text(pretty: true))
            } else {
                InspectionReport(inspection, console: console).write()
            }
        }
    }
}

/// An inspection for people.
struct InspectionReport {
    private let inspection: TokenInspection
    private let console: Console

    init(_ inspection: TokenInspection, console: Console) {
        self.inspection = inspection
        self.console = console
    }

    func write() {
        if !self.inspection.parts.isEmpty {
            var fields = Fields()
            for part in self.inspection.parts { fields.add(part.name, part.value) }
            self.section("Parts", fields.lines())
        }
        if !self.inspection.certificates.isEmpty {
            self.section("Certificates", self.inspection.certificates.flatMap(self.lines))
        }
        self.section("Checks", self.inspection.findings.flatMap(self.lines))
        if self.inspection.isSound {
            self.console.line(
                self.console.styled(
                    "Nothing is wrong with it; \(self.inspection.anchor?.label ?? "a root") vouches for it.", .good))
        } else {
            let count = self.inspection.findings.count { $0.outcome == .failed }
            let verb = count == 1 ? "fails" : "fail"
            self.console.line(
                self.console.styled("It would be refused: \(Text.count(count, "check")) \(verb).", .bad))
        }
    }

    private func section(_ title: String, _ lines: [String]) {
        self.console.line(self.console.styled(title, .title))
        for line in lines { self.console.line(line) }
        self.console.line()
    }

    private func lines(_ certificate: TokenInspection.CertificateSummary) -> [String] {
        var fields = Fields()
        fields.add("subject", certificate.subject)
        fields.add("issuer", certificate.issuer)
        fields.add("serial number", certificate.serialNumber)
        fields.add(
            "valid",
            "\(Timestamp(certificate.notBefore).rfc3339Seconds) to \(Timestamp(certificate.notAfter).rfc3339Seconds)")
        fields.add("key", certificate.keyAlgorithm)
        fields.add("Apple's marker", certificate.markers.isEmpty ? "none" : certificate.markers.joined(separator: ", "))
        return ["  " + self.console.styled(certificate.role.rawValue, .strong)] + fields.lines(indentation: 4)
    }

    private func lines(_ finding: TokenInspection.Finding) -> [String] {
        let (mark, style): (String, Console.Style) =
            switch finding.outcome {
            case .passed: ("ok  ", .good)
            case .failed: ("BAD ", .bad)
            case .skipped: ("–   ", .faint)
            }
        // Two blanks after the longest name.
        let column = 6 + (TokenCheck.allCases.map(\.rawValue.count).max() ?? 0)
        let sentence = finding.sentence + (finding.error.map { " [\($0.code)]" } ?? "")
        return Text.wrapped(sentence, width: 100 - column - 6).enumerated().map { index, line in
            index == 0
                ? "  " + self.console.styled(mark, style) + Text.padded(finding.check.rawValue, to: column - 4) + line
                : String(repeating: " ", count: column + 2) + line
        }
    }
}
