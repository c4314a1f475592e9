//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

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

    typealias Reply = AlphaPayClient.Reply

    func order(_ reference: String, _ amount: Money) async throws -> Reply {
        try await self.client.preOrder(
            reference, amount, description: "One apple, organic", notifyURL: self.notifyURL, on: self.wire)
    }

    func pay(_ orderID: String, token: JSON) async throws -> Reply {
        try await self.client.pay(orderID, token: token, on: self.wire)
    }

    func inquire(_ orderID: String) async throws -> Reply {
        try await self.client.inquire(orderID, on: self.wire)
    }

    func refund(_ orderID: String, _ amount: Money, requestID: String) async throws -> Reply {
        try await self.client.refund(
            orderID, amount, requestID: requestID, description: "returned", notifyURL: self.notifyURL, on: self.wire)
    }

    /// Whether a notification that came to the shop was signed by the gateway.
    func isGenuine(_ notification: WireRequest) -> Bool { self.client.isGenuine(notification) }
}
