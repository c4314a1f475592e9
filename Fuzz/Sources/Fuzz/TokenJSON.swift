//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken

/// The token's JSON: it is read or refused, and what was read is written and read again alike.
func fuzzTokenJSON(_ bytes: [UInt8]) {
    guard let token = try? UnverifiedToken(parsing: bytes) else { return }
    let again = try? UnverifiedToken(json: token.paymentDataJSON)
    precondition(again?.paymentDataJSON == token.paymentDataJSON, "a token changed by being written")
}
