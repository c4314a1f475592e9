//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money

extension Currency {
    /// "Positive decimal, up to two decimal places": a currency of more cannot be written.
    var isTakenByRadial: Bool { self.exponent <= 2 }
}

extension Money {
    /// Twelve digits in the minor unit, as authorizations carry to issuers (ISO 8583, field 4).
    var isTakenByRadial: Bool { self.isPositive && self.minorUnits <= 999_999_999_999 }
}
