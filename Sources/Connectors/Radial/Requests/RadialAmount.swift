//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money

extension Currency {
    /// "Positive decimal, up to two decimal places": a currency of more cannot be written.
    var isTakenByRadial: Bool { self.exponent <= 2 }
}
