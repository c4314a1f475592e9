//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Verifies a token and opens it: OpenToken TOKEN.json PRIVATE-KEY.pem CERTIFICATE.cer [ROOT.pem]
// The root is that of a wallet simulator; Apple's is trusted without being named.

import ApplePayToken
import Foundation
import Redaction

let arguments = CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) }
guard (3...4).contains(arguments.count) else {
    print("OpenToken TOKEN.json PRIVATE-KEY.pem CERTIFICATE.cer [ROOT.pem]")
    exit(64)
}
do {
    let certificate = try AppleCertificate(try Data(contentsOf: arguments[2]))
    let key = try PaymentProcessingKey(
        privateKeyPEM: Redacted(try String(contentsOf: arguments[1], encoding: .utf8)), certificate: certificate)
    let roots = try arguments.dropFirst(3).map {
        try TrustAnchor(certificatePEM: try String(contentsOf: $0, encoding: .utf8))
    }

    // Keep these two for as long as the shop is open: the verifier remembers chains of certificates.
    let verifier = TokenVerifier(trustRoots: [.appleRootCAG3] + roots)
    let keyring = TokenKeyring([key])

    let token = try UnverifiedToken(parsing: [UInt8](try Data(contentsOf: arguments[0])))
    let verified = try verifier.verify(token, at: Date())
    let payload = try verified.decrypt(with: keyring).payload
    print("signed at \(verified.signingTime), vouched for by \(verified.anchor.label)")
    print("\(payload.transactionAmount) in currency \(payload.currencyCode) from \(payload)")
    // payload.applicationPrimaryAccountNumber.reveal() is for the acquirer, and never for a log.
} catch let error as TokenError {
    print("refused at \(error.stage): \(error.code): \(error.message)")
    exit(1)
}
