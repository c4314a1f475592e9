//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Countries

extension Country {
    /// Those for which the vendor's plugins send `state`.
    static let withStates: Set = ["US", "CA", "CN", "JP", "MX", "BR", "AR", "ID", "TH", "IN"]
}
