//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A shop's API and the payment service that its money goes through (docs/connectors/README.md, "Pairs").
public struct ServicePair: Sendable {
    public let shop: any ShopDialect.Type
    /// `nil` for the simulated acquirer, which takes everything.
    public let service: PaidService?

    public init(_ shop: any ShopDialect.Type, over service: PaidService?) {
        self.shop = shop
        self.service = service
    }

    /// - Parameters:
    ///   - dialect: of the merchant.
    ///   - service: of the connector.
    /// - Throws: ``ShopTrouble`` for a dialect or a service that there is not.
    public init(dialect: String, service: String) throws {
        self.init(try ShopDialects.required(dialect), over: try PaidService.required(service))
    }

    /// The first that both take; `nil` where there is none.
    public var currency: String? {
        self.shop.currencies.first { self.service?.currencies?.contains($0) ?? true }
    }

    /// How the shop captures: as its own API does, and no otherwise than the service can.
    public var captures: CaptureStyle { max(self.shop.captures, self.service?.captures ?? .inParts) }

    /// Why the money cannot be taken with one request of the shop's API; `nil` where it can.
    public var saleObstacle: String? {
        self.shop.sells ? nil : "\(self.shop.name)'s API only reserves money; a capture is another request"
    }

    /// Why nothing can be paid; `nil` where something can.
    public var obstacle: String? {
        guard let service = self.service else { return nil }
        if self.currency == nil {
            let wanted = self.shop.currencies.joined(separator: ", ")
            return "\(self.shop.name) merchants are paid in \(wanted), which \(service.name) does not take"
        }
        if service.captures == .withAuthorization, !self.shop.sells {
            return "\(service.name) takes money at once, \(self.shop.name) only reserves it"
        }
        return nil
    }
}
