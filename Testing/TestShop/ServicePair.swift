//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A shop's API and the payment service that its money goes through (docs/connectors/README.md, "Pairs").
public struct ServicePair: Hashable, Sendable {
    /// Of the merchant and its dialect.
    public let dialect: String
    /// Of the connector.
    public let service: String

    public static let dialects = ["alphapay", "commweb", "payone", "radial", "tappay"]

    public init(dialect: String, service: String) {
        self.dialect = dialect
        self.service = service
    }

    /// AlphaPay is paid in Canadian dollars and in nothing else, TapPay in four currencies of which PAYONE's usual one is none.
    public var currency: String? {
        switch self.service {
        case "alphapay": "CAD"
        case "tappay" where self.dialect != "alphapay": "USD"
        default: nil
        }
    }

    /// How the shop captures: as its own API does, and no otherwise than the service can.
    public var captures: CaptureStyle {
        if Self.sellsOnly(self.dialect) || Self.sellsOnly(self.service) { return .withAuthorization }
        return self.dialect == "tappay" || self.service == "tappay" ? .atOnce : .inParts
    }

    /// Why the money cannot be taken with one request of the shop's API; `nil` where it can.
    public var saleObstacle: String? {
        Self.canSell(self.dialect) ? nil : "\(self.dialect)'s API only reserves money; a capture is another request"
    }

    /// Why nothing can be paid; `nil` where something can.
    public var obstacle: String? {
        if self.service == "tappay", self.dialect == "alphapay" {
            return "AlphaPay merchants are paid in Canadian dollars, which TapPay does not take"
        }
        if self.service == "alphapay", self.dialect == "tappay" {
            return "AlphaPay pays in Canadian dollars, which TapPay merchants do not take"
        }
        if Self.sellsOnly(self.service), !Self.canSell(self.dialect) {
            return "\(self.service) takes money at once, \(self.dialect) only reserves it"
        }
        return nil
    }

    /// Whether a payment is captured with its authorization, and cannot be only reserved.
    static func sellsOnly(_ name: String) -> Bool { name == "alphapay" }

    /// Whether a shop that speaks it can take the money at once.
    private static func canSell(_ dialect: String) -> Bool { dialect != "radial" }
}
