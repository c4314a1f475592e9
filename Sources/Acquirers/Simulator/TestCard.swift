//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Redaction

/// The cards whose number brings something about, whatever the amount: for people who try a shop out, whose amounts are
/// those of its goods. Device account numbers in ranges of the wallet simulator.
///
/// | number | authorizations and verifications |
/// |---|---|
/// | 4895 3700 0000 0510 | declined `insufficientFunds`, code 51 |
/// | 5204 2400 0000 0500 | declined `doNotHonor`, code 05 |
/// | 4895 3700 0000 0684 | approved, but the answer is lost: `unknown("timed_out")` |
enum TestCard: String {
    case insufficientFunds = "4895370000000510"
    case doNotHonor = "5204240000000500"
    case answerLost = "4895370000000684"

    init?(_ instrument: PaymentInstrument) {
        guard case .networkToken(let token) = instrument else { return nil }
        self.init(rawValue: token.pan.reveal())
    }

    var refusal: DeclineReason? {
        switch self {
        case .insufficientFunds: .insufficientFunds
        case .doNotHonor: .doNotHonor
        case .answerLost: nil
        }
    }
}
