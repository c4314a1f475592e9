//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import ArgumentParser
import BaseEncoding
import StrictJSON
import Time

/// `pomona token verify`: all of Apple's checks but those that need the merchant's key.
struct TokenVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check a token's signature, certificates and age.",
        usage: "pomona token verify --token <file> [<options>]",
        discussion: """
            Exit code 0 when every check passes, 1 with the reason when one does not, 64 for a wrong command line. \
            No key is needed, and nothing is decrypted.
            """)

    @OptionGroup var options: TokenOptions

    func run() async throws {
        try await CommandRunner.run(json: self.options.json) { console in
            let token = try self.options.readToken()
            let moment = self.options.moment()
            let verified = try self.options.verifier().verify(
                token, at: moment.date, expecting: self.options.expectations)
            let report = VerifiedTokenReport(verified, checkedAt: moment)
            if self.options.json {
                console.line(report.json.text(pretty: true))
            } else {
                console.line(console.styled("The token is genuine.", .good))
                for line in report.fields.lines() { console.line(line) }
            }
        }
    }
}

/// What is known of a token once it has been verified.
struct VerifiedTokenReport {
    let token: VerifiedToken
    let checkedAt: Timestamp

    init(_ token: VerifiedToken, checkedAt: Timestamp) {
        self.token = token
        self.checkedAt = checkedAt
    }

    var json: JSON {
        var object = self.token.json.object ?? JSONObject()
        object["checkedAt"] = .string(self.checkedAt.description)
        return .object(object)
    }

    var fields: Fields {
        var fields = Fields()
        fields.add("version", self.token.version.rawValue)
        fields.add("transaction id", self.token.header.transactionIdentifierText)
        fields.add("signed", "\(Timestamp(self.token.signingTime).rfc3339Seconds), \(self.age) the time of the check")
        fields.add("trust anchor", self.token.anchor.label)
        fields.add("key of the anchor", "SHA-256 \(self.token.anchor.id)")
        fields.add("encrypted to", "the key with the hash \(self.token.header.publicKeyHashText)")
        fields.add(
            "application data",
            self.token.header.applicationDataHash.map { "SHA-256 \(Hex.encode($0))" } ?? "none")
        fields.add("card", self.token.paymentMethod?.summary.map { "\($0) (the device's word, not signed)" })
        return fields
    }

    private var age: String {
        let seconds = self.checkedAt.seconds - Timestamp(self.token.signingTime).seconds
        return Text.count(Int(seconds.magnitude), "second") + (seconds < 0 ? " after" : " before")
    }
}

extension TokenPaymentMethod {
    /// "Visa 1234, credit"; nil when the device said nothing.
    var summary: String? {
        let words = [self.displayName ?? self.network, self.type].compactMap { $0 }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }
}
