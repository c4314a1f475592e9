//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AlphaPay
import CommWeb
import DialectKit
import Gateway
import PAYONE
import Radial
import Redaction
import TapPay

/// A dialect of this program and the sandbox's merchant for it. A further dialect is one more value here, and a demo
/// account in DemoAccounts.swift.
struct DialectModule: Sendable {
    /// Also the name of its demo merchant.
    let name: String
    let make: @Sendable (Gateway, DialectOptions) -> any Dialect
    let demo: DemoAccount
    /// The kinds of references that the dialect has the store look operations up by.
    var referenceKinds: [String] = []

    static let all: [DialectModule] = [.alphaPay, .commWeb, .payone, .radial, .tapPay]

    static let alphaPay = DialectModule(
        name: "alphapay", make: { gateway, options in AlphaPay(gateway: gateway, limits: options.limits) },
        demo: .alphaPay, referenceKinds: ["refundRequestId"])
    static let commWeb = DialectModule(
        name: "commweb", make: { gateway, options in CommWeb(gateway: gateway, limits: options.limits) }, demo: .commWeb
    )
    static let payone = DialectModule(
        name: "payone", make: { gateway, options in PAYONE(gateway: gateway, limits: options.limits) }, demo: .payone,
        referenceKinds: ["txid"])
    static let radial = DialectModule(
        name: "radial", make: { gateway, options in Radial(gateway: gateway, limits: options.limits) }, demo: .radial)
    static let tapPay = DialectModule(
        name: "tappay",
        make: { gateway, options in TapPay(gateway: gateway, cards: options.cards, limits: options.limits) },
        demo: .tapPay, referenceKinds: ["rec_trade_id", "bank_transaction_id", "refund_id"])
}
