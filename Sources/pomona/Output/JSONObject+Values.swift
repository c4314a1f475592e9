//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON

extension JSONObject {
    /// Texts by name, in the order of the names.
    init(_ values: [String: String]) {
        self.init(values.sorted { $0.key < $1.key }.map { (name: $0.key, value: .string($0.value)) })
    }
}
