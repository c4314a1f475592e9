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
