//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// Base64 for headers that tests compare.
enum Base64Text {
    static func encode(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
}
