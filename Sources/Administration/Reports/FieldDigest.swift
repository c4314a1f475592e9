//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto

extension SHA256 {
    /// Each field with its length before it, so that no two lists of fields have the same bytes.
    mutating func update(fields: [String]) {
        for field in fields {
            self.update(data: withUnsafeBytes(of: UInt32(field.utf8.count).bigEndian, Array.init))
            self.update(data: Array(field.utf8))
        }
    }
}
