//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import ArgumentParser
import Foundation
import Time

/// The options that verify, open and inspect share.
struct TokenOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The token: paymentData, a PKPaymentToken, or a whole Apple Pay JS payment; - is standard input.",
            valueName: "file"))
    var token: String

    @Option(
        name: .customLong("trust-root"),
        help: ArgumentHelp(
            "A further root certificate to trust, such as a wallet simulator's; may be repeated. Apple's root is "
                + "always trusted.",
            valueName: "pem"))
    var trustRoots: [String] = []

    @Option(
        help: ArgumentHelp(
            "The time of the payment, against which the token's age is held; now if left out.", valueName: "rfc3339"))
    var at: MomentArgument?

    @Option(
        name: .customLong("application-data"),
        help: ArgumentHelp(
            "What the payment request's applicationData was; must be what the token's hash names.", valueName: "text"))
    var applicationData: String?

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func readToken() throws -> UnverifiedToken {
        let bytes = try InputFile.bytes(of: self.token, what: "token", bytesMax: InputFile.tokenBytesMax)
        return try UnverifiedToken(parsing: bytes)
    }

    func verifier() throws -> TokenVerifier {
        TokenVerifier(trustRoots: [.appleRootCAG3] + (try self.trustRoots.map(Self.trustAnchor)), policy: .live)
    }

    var expectations: TokenExpectations {
        TokenExpectations(applicationData: self.applicationData.map { Array($0.utf8) })
    }

    /// The clock of the check.
    func moment() -> Timestamp { self.at?.timestamp ?? .now() }

    private static func trustAnchor(_ path: String) throws -> TrustAnchor {
        let bytes = try InputFile.bytes(of: path, what: "root certificate", bytesMax: InputFile.pemBytesMax)
        if let text = String(validating: bytes, as: UTF8.self) { return try TrustAnchor(certificatePEM: text) }
        return try TrustAnchor(certificateDER: bytes)
    }
}
