//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import TestShop

/// An order of a shop, with what its answers have given.
struct GrowthOrder: Sendable {
    /// An amount for which the simulated acquirer does nothing special.
    private static let minorUnits: Int64 = 1200

    enum Step {
        /// What has to be asked for before the payment.
        case preparation
        case authorization
        case capture
        case refund
        case inquiry
    }

    let name: String
    let language: ShopLanguage
    private var charge: ChargeFields
    private var handle: [String: String] = [:]

    init(_ name: String, _ language: ShopLanguage) throws {
        (self.name, self.language) = (name, language)
        self.charge = try language.charge(name, minorUnits: Self.minorUnits)
    }

    func with(_ answer: ShopAnswer) -> GrowthOrder {
        var order = self
        order.charge.take(answer.reading)
        order.handle.merge(order.charge.handle) { $1 }
        order.handle.merge(answer.reading.handle) { $1 }
        return order
    }

    /// - Returns: `nil` where the dialect has no such call, or needs none.
    func call(_ step: Step) throws -> ShopCall? {
        let (language, handle) = (self.language, self.handle)
        let isSale = language.captures == .withAuthorization
        switch step {
        case .preparation: return try language.preparation(of: self.charge)
        case .authorization: return try language.authorize(self.charge)
        case .capture:
            guard !isSale else { return nil }
            return try language.capture(self.name, 1, minorUnits: Self.minorUnits, handle: handle)
        case .refund:
            // What is captured with its authorization is refunded by the authorization's name.
            return try language.refund(
                self.name, 2, ofCapture: isSale ? 0 : 1, minorUnits: Self.minorUnits / 3, handle: handle)
        case .inquiry:
            // Where nothing asks, the authorization is sent again.
            return try language.inquire(self.name, minorUnits: Self.minorUnits, handle: handle)
                ?? language.authorize(self.charge)
        }
    }
}
