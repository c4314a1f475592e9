//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import DialectKit
import Money
import Storefront
import StrictJSON

/// The shop's server: calls the gateway in AlphaPay's wire language, signs its requests and checks the replies'
/// signatures.
///
/// Everything that it knows is in its folder of the data directory, as it would be in a shop of its own.
struct DemoShop: Sendable {
    let client: AlphaPayClient
    let wire: ShopWire
    /// Where the gateway is.
    let gatewayURL: String
    /// Where the shop is notified of what happens.
    let notifyURL: String

    private func send(_ request: ClientRequest) async throws -> Reading {
        self.client.read(try await self.wire.call(request), to: request)
    }

    func order(_ reference: String, _ amount: Money) async throws -> Reading {
        try await self.send(
            try self.client.preOrder(
                reference, amount, description: "One apple, organic", notifyURL: self.notifyURL))
    }

    func pay(_ orderID: String, token: JSON) async throws -> Reading {
        try await self.send(try self.client.pay(orderID, SealedToken(token: token)))
    }

    func inquire(_ orderID: String) async throws -> Reading {
        try await self.send(try self.client.inquire(orderID))
    }

    func refund(_ orderID: String, _ amount: Money, requestID: String) async throws -> Reading {
        try await self.send(
            try self.client.refund(
                orderID, amount, requestID: requestID, description: "returned", notifyURL: self.notifyURL))
    }

    /// Whether a notification that came to the shop was signed by the gateway.
    func isGenuine(_ notification: WireRequest) -> Bool { self.client.read(notification).isGenuine == true }
}

/// AlphaPay's answers, in its own words.
extension Reading {
    var resultCode: String { self["result.resultCode"] ?? "none" }
    /// "S" done, "F" failed, "U" not known yet.
    var resultStatus: String { self["result.resultStatus"] ?? "none" }
    var resultMessage: String { self["result.resultMessage"] ?? "" }

    /// "S SUCCESS".
    var result: String { "\(self.resultStatus) \(self.resultCode)" }

    var isSignatureValid: Bool { self.isGenuine == true }

    func text(_ name: String) -> String { self[name] ?? "" }
}
