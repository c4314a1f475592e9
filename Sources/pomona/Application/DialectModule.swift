//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AlphaPay
import Clients
import CommWeb
import DialectKit
import Gateway
import PAYONE
import Payments
import Radial
import Storefront
import TapPay

/// A dialect of this program: what it says of its accounts, how it is made, and who speaks it for the sandbox's demo
/// shop. A further dialect is one more value here.
struct DialectModule: Sendable {
    /// A merchant's own shop: a client of the dialect, with the credentials on the merchant's card.
    typealias ShopClient = @Sendable (MerchantCard, Surroundings) throws -> any PaymentClient

    let plan: AccountPlan
    let make: @Sendable (Gateway, DialectOptions) -> any Dialect
    /// Its part of the demonstration; `nil` for the dialect in which all the rest of it is spoken.
    let scene: DemoScene?
    let shopClient: ShopClient

    private init<Wire: Dialect>(
        _ make: @escaping @Sendable (Gateway, DialectOptions) -> Wire, scene: DemoScene?,
        shopClient: @escaping ShopClient
    ) {
        self.plan = Wire.accounts
        self.make = { make($0, $1) }
        self.scene = scene
        self.shopClient = shopClient
    }

    /// Also the name of its demo merchant.
    var name: String { self.plan.dialect.text }

    static let alphaPay = DialectModule(
        { AlphaPay(gateway: $0, limits: $1.limits) }, scene: nil,
        shopClient: { card, surroundings in
            try AlphaPayClient(
                AlphaPayClient.Credentials(card.account), clock: surroundings.clock, random: surroundings.random)
        })

    static let commWeb = DialectModule(
        { CommWeb(gateway: $0, limits: $1.limits) },
        scene: DemoScene(
            title: "CommWeb (Mastercard Gateway): authorize and capture, REST and JSON", amount: "42.50",
            authorization: "AUTHORIZE", capture: "CAPTURE", reference: "transaction"),
        shopClient: { card, _ in CommWebClient(try CommWebClient.Credentials(card.account)) })

    static let payone = DialectModule(
        { PAYONE(gateway: $0, limits: $1.limits) },
        scene: DemoScene(
            title: "PAYONE: preauthorization and capture, form fields in and key=value lines out", amount: "10.00",
            authorization: "preauthorization", capture: "capture", reference: "txid"),
        shopClient: { card, _ in PAYONEClient(try PAYONEClient.Credentials(card.account)) })

    static let radial = DialectModule(
        { Radial(gateway: $0, limits: $1.limits) },
        scene: DemoScene(
            title: "Radial: authorization and settlement, XML both ways", amount: "14.99",
            authorization: "creditcard/auth/DW", capture: "settlement/create", reference: "account token"),
        shopClient: { card, _ in RadialClient(try RadialClient.Credentials(card.account)) })

    static let tapPay = DialectModule(
        { TapPay(gateway: $0, cards: $1.cards, limits: $1.limits) },
        scene: DemoScene(
            title: "TapPay: a prime for the token, pay by prime, capture", amount: "350.00",
            authorization: "getprime, pay-by-prime", capture: "transaction/cap", reference: "rec_trade_id"),
        shopClient: { card, _ in TapPayClient(try TapPayClient.Credentials(card.account)) })

    static let all = [Self.alphaPay, .commWeb, .payone, .radial, .tapPay]

    /// `nil` for a dialect that this program does not have.
    static func named(_ name: String) -> DialectModule? { self.all.first { $0.name == name } }

    /// - Throws: ``CommandFailure`` `dialect_unknown`, which names those that there are.
    static func required(_ name: String) throws(CommandFailure) -> DialectModule {
        if let module = self.named(name) { return module }
        let names = self.all.map(\.name).joined(separator: ", ")
        throw CommandFailure(
            .dialectUnknown, stage: .input, "There is no dialect named \(name); there are \(names).")
    }
}
