//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments

/// The amounts that bring something about, in minor units or whole major ones: those of the CommWeb gateway's Apple Pay
/// test page, and one more.
enum TestAmount: Int64 {
    case approved = 5656
    case declined = 5757
    case timedOut = 5858
    case unspecifiedFailure = 5959
    case partiallyApproved = 6161
    case systemError = 6262
    case unknown = 6363
    /// Not of the page: an authorization that is approved, and cannot be voided.
    case voidDeclined = 6464

    /// "56.56" and "5656.00" are the same test, and so is "5656.000" of a currency in thousandths.
    init?(_ amount: Money) {
        let unit = (0..<amount.currency.exponent).reduce(Int64(1)) { unit, _ in unit * 10 }
        let whole = amount.minorUnits.isMultiple(of: unit) ? Self(rawValue: amount.minorUnits / unit) : nil
        guard let known = Self(rawValue: amount.minorUnits) ?? whole else { return nil }
        self = known
    }
}

/// What the acquirer decides about a request that no rule refuses.
enum Verdict {
    /// Approved, for an amount that may be less than was asked for.
    case approve(Money)
    /// Approved and booked, but the answer is lost.
    case approveUnheard(Money)
    case decline(DeclineReason)
    /// Declined, because the authorization that it follows is held no longer.
    case declineAsLapsed
    /// Nobody will ever know.
    case unclear

    /// The verdict for an amount.
    init(on amount: Money, kind: SimulatorEntry.Kind) {
        switch TestAmount(amount) {
        case nil, .approved, .voidDeclined: self = .approve(amount)
        case .declined: self = .decline(.doNotHonor)
        case .timedOut: self = .approveUnheard(amount)
        case .unspecifiedFailure: self = .decline(.unspecified)
        case .partiallyApproved where kind == .authorization:
            self = .approve(Money(minorUnits: amount.minorUnits / 2, currency: amount.currency))
        case .partiallyApproved: self = .approve(amount)
        case .systemError: self = .decline(.systemError)
        case .unknown: self = .unclear
        }
    }
}
