//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import TestShop

@testable import pomona

/// A shop's API and the service that its money goes through.
struct MatrixPair: Hashable, Sendable, CustomStringConvertible {
    let dialect: String
    let service: UpstreamService

    var description: String { "\(self.dialect) in, \(self.service.rawValue) out" }

    static let all = UpstreamService.allCases.flatMap { service in
        ShopDialects.all.map { MatrixPair(dialect: $0.name, service: service) }
    }

    /// What a shop can do over it.
    var means: ServicePair {
        do {
            return try ServicePair(dialect: self.dialect, service: self.service.rawValue)
        } catch {
            preconditionFailure("\(error) ShopDialects has a value for each.")
        }
    }

    /// Whether a sale is captured in the evening of its day, by a plan: TapPay's are, here or at the service.
    var sellsInTheEvening: Bool { self.dialect == TapPayShop.name || self.service == .tappay }
}

extension UpstreamService {
    /// A part of the request line of the call that takes or reserves the money. What comes before it moves none: TapPay's
    /// getprime, AlphaPay's preOrder.
    var chargingCall: String {
        switch self {
        case .mpgs: "PUT "
        case .payone: "POST "
        case .radial: "/creditcard/auth/"
        case .tappay: "/pay-by-prime "
        case .alphapay: "/apple-pay/pay "
        }
    }
}

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
    case decline
    /// The service has done it, and its answer never arrives.
    case lostAnswer
    /// The service's acquirer accepts, and decides afterwards.
    case lateResult
    /// What was captured has come to nothing after all.
    case lateFailure

    /// Whether the service's acquirer is one that decides later.
    var isLate: Bool { self == .lateResult || self == .lateFailure }

    /// Why a cell cannot exist; `nil` for one that does.
    func obstacle(_ pair: MatrixPair) -> String? {
        if let obstacle = pair.means.obstacle { return obstacle }
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
        case (.wholeCapture, .withAuthorization), (.captureInParts, .withAuthorization), (.void, .withAuthorization):
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
