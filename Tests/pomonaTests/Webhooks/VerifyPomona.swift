//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The snippet of docs/webhooks.md, to the letter: a test compares them.

import Crypto
import Foundation

func verifyPomona(
    body: Data, eventID: String, signature: String, secret: String, now: Int = Int(Date.now.timeIntervalSince1970)
) -> Bool {
    let fields = signature.split(separator: ",").map { $0.filter { $0 != " " } }
    let times = fields.filter { $0.hasPrefix("t=") }.map { $0.dropFirst(2) }
    let codes = fields.filter { $0.hasPrefix("v1=") }.map { $0.dropFirst(3) }
    guard times.count == 1, times[0].wholeMatch(of: /[0-9]{1,12}/) != nil, let seconds = Int(times[0]),
        eventID.wholeMatch(of: /[A-Za-z0-9_-]{1,64}/) != nil, abs(now - seconds) <= 300
    else { return false }
    let signed = Data("\(times[0]).\(eventID).".utf8) + body
    let code = HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: Data(secret.utf8)))
    // Digests are compared in constant time.
    let expected = SHA256.hash(data: Data(code.map { String(format: "%02x", $0) }.joined().utf8))
    return codes.contains { SHA256.hash(data: Data($0.utf8)) == expected }
}
