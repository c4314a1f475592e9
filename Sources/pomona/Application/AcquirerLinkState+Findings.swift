//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AcquirerLink
import Administration
import Workers

extension AcquirerLinkState {
    /// What an operator has to know of.
    var findings: [Finding] {
        let reason = "While the link is down nothing is authorized, captured or refunded through it."
        switch self {
        case .unreachable:
            return [
                Finding(
                    .acquirer, "acquirer_link_unreachable", .failure, subject: "link",
                    "The acquirer behind acquirer.address cannot be reached.", because: reason,
                    advice: "See that its process or its standby runs and that the way to it is open.")
            ]
        case .refused:
            return [
                Finding(
                    .acquirer, "acquirer_link_refused", .failure, subject: "link",
                    "The acquirer behind acquirer.address refuses the link.", because: reason,
                    advice:
                        "See why in the log (other_book: docs/operations.md); compare the secrets and the versions of both ends."
                )
            ]
        case .signedOff:
            return [
                Finding(
                    .acquirer, "acquirer_link_signed_off", .warning, subject: "link",
                    "The acquirer behind acquirer.address is signed off: somebody has it take no operations.",
                    because:
                        "Payments take their next route; captures, refunds and voids of what it has are not processed.",
                    advice: "Have it sign on when it may take operations again: pomona acquirer do … sign-on.")
            ]
        case .connected, .connecting: return []
        }
    }

    var measurement: LinkMeasurement {
        LinkMeasurement(
            state: self.rawValue, states: Self.allCases.map(\.rawValue), isConnecting: self == .connecting)
    }
}
