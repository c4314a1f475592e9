//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// Base64 with the standard alphabet (RFC 4648, section 4).
enum Base64 {
    static func decoded(_ text: String) -> [UInt8]? {
        Data(base64Encoded: text).map(Array.init)
    }

    static func encoded(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString()
    }
}
