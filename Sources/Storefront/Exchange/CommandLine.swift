//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Clients
import DialectKit
import Foundation
import HTTPTypes
import Redaction

/// Writes a request as a command for curl that can be pasted into a shell. What is secret is a placeholder in double
/// braces, to be filled in: "{{apikey}}".
struct CommandLine: Sendable {
    private let baseURL: String
    private let transcript: Transcript

    /// - Parameter baseURL: "http://127.0.0.1:8080".
    init(baseURL: String, scrubber: Scrubber) {
        self.baseURL = baseURL
        self.transcript = Transcript(scrubber: scrubber) { "{{\($0)}}" }
    }

    func text(_ request: ClientRequest) -> String {
        var parts = ["curl -X \(request.method.rawValue) \(Self.quoted(self.baseURL + request.path))"]
        let contentType = request.headers.first { $0.name.lowercased() == "content-type" }?.value.reveal() ?? ""
        for (name, value) in request.headers { parts.append(self.header(name, value.reveal())) }
        let body = self.transcript.body(request.body.reveal(), contentType: contentType)
        if MediaType.isForm(contentType) {
            parts += body.split(separator: "\n").map { "--data-urlencode \(Self.quoted(String($0)))" }
        } else if !body.isEmpty {
            parts.append("--data-binary \(Self.quoted(body))")
        }
        return self.transcript.scrubber.scrub(parts.joined(separator: " \\\n  "))
    }

    private func header(_ name: String, _ value: String) -> String {
        let lower = name.lowercased()
        if lower == "authorization", let user = Self.basicUser(value) {
            return "-u \(Self.quoted("\(user):{{password}}"))"
        }
        let shown =
            switch lower {
            case "signature":
                String(value.range(of: "signature=").map { value[..<$0.upperBound] } ?? "") + "{{signature}}"
            // A signature covers the nonce: one goes with the other, and neither works twice.
            case "nonce": "{{nonce}}"
            default: BodyText.isSecret(name) ? "{{\(name)}}" : value
            }
        return "-H \(Self.quoted("\(name): \(shown)"))"
    }

    /// The name in "Basic bmFtZTpwYXNzd29yZA==" (RFC 7617).
    private static func basicUser(_ value: String) -> String? {
        guard value.hasPrefix("Basic "), let bytes = Base64.decode(String(value.dropFirst(6))) else { return nil }
        return String(decoding: bytes, as: UTF8.self).split(separator: ":", maxSplits: 1).first.map(String.init)
    }

    /// For a POSIX shell: nothing within single quotes has a meaning but the single quote itself.
    private static func quoted(_ text: String) -> String {
        "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'"
    }
}
