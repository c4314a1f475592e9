//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// A pretend Apple, a merchant's key and a token for it, written into a folder: MintToken FOLDER
// OpenToken opens it, and so do the programs of examples/c.

import Crypto
import Foundation
import WalletSimulator
import X509

guard CommandLine.arguments.count == 2 else {
    print("MintToken FOLDER")
    exit(64)
}
let folder = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
let now = Date()

// What Apple does when a merchant sends a certificate signing request.
let authority = try TestAuthority.make(now: now)
let key = P256.KeyAgreement.PrivateKey()
let signingKey = try P256.Signing.PublicKey(rawRepresentation: key.publicKey.rawRepresentation)
let certificate = try authority.issue(
    .paymentProcessing, merchantIdentifier: "merchant.com.example.shop",
    publicKey: Certificate.PublicKey(signingKey), now: now)

// What a phone does when its owner looks at it.
let token = try SimulatedDevice(authority: authority).mint(
    PaymentRequest(merchantIdentifier: "merchant.com.example.shop", amountMinorUnits: 1099, currencyCode: "036"),
    card: .visa, recipient: try ProcessingPublicKey(certificate: certificate), signingTime: now)

for (name, text) in [
    "token.json": token.paymentDataText, "private-key.pem": key.pemRepresentation,
    "certificate.pem": try certificate.serializeAsPEM().pemString, "root.pem": authority.rootCertificatePEM,
] {
    try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
}
print("token.json, private-key.pem, certificate.pem and root.pem are in \(folder.path)")
