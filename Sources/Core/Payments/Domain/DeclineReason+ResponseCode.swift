//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension DeclineReason {
    /// The response code of a decline (ISO 8583:1987, field 39).
    public var responseCode: String {
        switch self {
        case .doNotHonor: "05"
        case .unspecified: "06"
        case .invalidOperation: "12"
        case .invalidCard: "14"
        case .lostOrStolenCard: "41"
        case .insufficientFunds: "51"
        case .expiredCard: "54"
        case .notPermitted: "57"
        case .suspectedFraud: "59"
        case .exceedsLimit: "61"
        case .timedOut: "68"
        case .issuerUnavailable: "91"
        case .systemError: "96"
        }
    }
}
