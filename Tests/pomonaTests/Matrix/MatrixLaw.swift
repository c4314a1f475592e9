//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import TestShop

@testable import pomona

/// What a cell of the matrix shows.
enum MatrixLaw: String, Hashable, Sendable, CaseIterable {
    /// Taken by one request: CommWeb's PAY, PAYONE's authorization, AlphaPay's pay, TapPay's with a delay of 0.
    case sale
    case refundOfSale
    /// Reserved, and captured whole by another request.
    case wholeCapture
    case captureInParts
    /// Of what a capture of all has taken; of a sale where there are no captures.
    case refund
    case void
    /// The issuer says no and nothing more; each dialect answers what the service can hand on of why.
    case decline
    case declineForFunds
    case declineOfExpired
    /// The service has done it, and its answer never arrives.
    case lostAnswer
    /// The service's acquirer accepts, and decides afterwards.
    case lateResult
    /// What was captured has come to nothing after all.
    case lateFailure
    /// A refund that the service's acquirer accepts, and does afterwards.
    case lateRefund
    /// One that it accepts, and declines afterwards.
    case refundFailsLate
    case lateVoid
    case voidFailsLate

    /// Whether the service's acquirer is one that decides later.
    var isLate: Bool {
        switch self {
        case .lateResult, .lateFailure, .lateRefund, .refundFailsLate, .lateVoid, .voidFailsLate: true
        case .sale, .refundOfSale, .wholeCapture, .captureInParts, .refund, .void, .decline, .declineForFunds,
            .declineOfExpired, .lostAnswer:
            false
        }
    }

    /// Why a cell cannot exist; `nil` for one that does.
    func obstacle(_ pair: MatrixPair) -> String? {
        if let obstacle = pair.means.obstacle { return obstacle }
        if self == .declineOfExpired, pair.service == .tappay || pair.dialect == "tappay" {
            return "TapPay makes no prime of an expired card, so that there is no payment that could be declined"
        }
        if self == .lateVoid || self == .voidFailsLate, pair.service == .payone {
            return "PAYONE reports of no void how it ended: a person has to decide"
        }
        if [.lateRefund, .refundFailsLate, .lateVoid, .voidFailsLate].contains(self), pair.dialect == "commweb",
            pair.service == .tappay
        {
            // See `lateResult`: where everything is decided late, there is nothing left to refund or to void.
            return "to CommWeb a payment that TapPay has not decided at once has failed, and is taken back"
        }
        if self == .lateFailure {
            switch pair.service {
            case .payone, .radial: break
            case .mpgs: return "MPGS notifies nobody of a capture that fails later"
            case .tappay: return "TapPay has it in its reconciliation alone, which is not read"
            case .alphapay: return "AlphaPay has it in its settlements alone, which are not read"
            }
        }
        switch (self, pair.means.captures) {
        case (.sale, _), (.refundOfSale, _): return pair.means.saleObstacle
        case (.wholeCapture, .withAuthorization), (.captureInParts, .withAuthorization), (.void, .withAuthorization),
            (.lateVoid, .withAuthorization), (.voidFailsLate, .withAuthorization):
            return "\(pair) takes the money at once"
        case (.captureInParts, .atOnce): return "\(pair) captures all"
        default: return nil
        }
    }
}

/// One cell.
struct MatrixCell: Hashable, Sendable, CustomStringConvertible {
    let pair: MatrixPair
    let law: MatrixLaw

    var description: String { "\(self.pair): \(self.law.rawValue)" }

    static let all = MatrixPair.all.flatMap { pair in MatrixLaw.allCases.map { MatrixCell(pair: pair, law: $0) } }

    static let possible = Self.all.filter { $0.law.obstacle($0.pair) == nil }
}
