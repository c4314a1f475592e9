//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// PayInApp HOST APP-ID APP-KEY MERCHANT-IDENTIFIER CERTIFICATE.pem AUTHORITY-FOLDER, as `pomona sandbox` prints and keeps them.

import Foundation
import PassKit
import TPDirect
import WalletSimulator
import X509

let arguments = CommandLine.arguments
guard arguments.count == 7, let host = URL(string: arguments[1]), let appID = Int32(arguments[2]) else {
    print("PayInApp HOST APP-ID APP-KEY MERCHANT-IDENTIFIER CERTIFICATE.pem AUTHORITY-FOLDER")
    exit(64)
}
let checkout = try Checkout(host: host, appID: appID, appKey: arguments[3], merchantIdentifier: arguments[4])

// The phone: its authority is the sandbox's, since no other is trusted there.
var archive = TestAuthority.Archive(texts: [:])
for name in TestAuthority.Archive.Name.allCases {
    archive.texts[name] = try? String(contentsOfFile: "\(arguments[6])/\(name.rawValue)", encoding: .utf8)
}
let certificate = try Certificate(pemEncoded: try String(contentsOfFile: arguments[5], encoding: .utf8))
let wallet = SimulatedWallet(
    device: SimulatedDevice(authority: try TestAuthority(archive: archive)),
    recipients: [arguments[4]: try ProcessingPublicKey(certificate: certificate)], now: { Date() })

await wallet.inHand { checkout.pay() }
if let sheet = wallet.sheet {
    try sheet.choose(.mastercard)
    try sheet.authorize()
    _ = await sheet.result()
    sheet.finishShowing()
}
print(checkout.end)
