//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes

extension HTTPField.Name {
    static let merchantCode = HTTPField.Name.known("Merchant-Code")
    static let requestTime = HTTPField.Name.known("Request-Time")
    static let responseTime = HTTPField.Name.known("Response-Time")
    static let nonce = HTTPField.Name.known("Nonce")
    static let signature = HTTPField.Name.known("Signature")
}

/// The content type of everything that this dialect writes.
let jsonContentType = "application/json; charset=UTF-8"
