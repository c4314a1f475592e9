//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Redaction
import StrictJSON

/// With what a provider sends the browser back (RFC 6749, sections 4.1.2 and 4.1.2.1; RFC 9207).
struct CallbackParameters: Sendable {
    /// `nil` with an error alone: some providers forget it there, and an error opens nothing.
    let state: String?
    let issuer: String?
    /// `nil` with an error.
    let code: Redacted<String>?
    let error: String?

    /// - Parameter query: as it was written.
    init(query: String?) throws(OpenIDFailure) {
        guard let query, query.utf8.count <= 8192 else { throw OpenIDFailure(.callbackMalformed) }
        var values: [String: String] = [:]
        for part in query.split(separator: "&", omittingEmptySubsequences: true) {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(pair[0]), let value = Self.decoded(pair.count == 2 ? pair[1] : "") else {
                throw OpenIDFailure(.callbackMalformed)
            }
            // RFC 6749, section 3.1: no parameter twice.
            guard values[name] == nil else { throw OpenIDFailure(.callbackMalformed) }
            values[name] = value
        }
        let state = values["state"].flatMap { $0.isEmpty ? nil : $0 }
        guard state != nil || values["error"] != nil, (values["code"] == nil) != (values["error"] == nil) else {
            throw OpenIDFailure(.callbackMalformed)
        }
        self.state = state
        self.issuer = values["iss"]
        self.code = values["code"].map { Redacted($0) }
        self.error = values["error"]
    }

    /// What the error says: nothing of its own text goes any further.
    var failure: OpenIDFailure { OpenIDFailure(self.error == "access_denied" ? .accessDenied : .providerError) }

    private static func decoded(_ text: Substring) -> String? {
        PercentCoding.decoded(text.replacing("+", with: "%20"))
    }
}
