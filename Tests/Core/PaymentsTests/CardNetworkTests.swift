//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Redaction
import Testing

@Suite("Card networks")
struct CardNetworkTests {
    /// The ends of every range, and their neighbours.
    @Test(arguments: [
        ("399999", CardNetwork.discover), ("400000", .visa), ("499999", .visa), ("500000", .other),
        ("509999", .other), ("510000", .mastercard), ("559999", .mastercard), ("560000", .other),
        ("222099", .other), ("222100", .mastercard), ("272099", .mastercard), ("272100", .other),
        ("339999", .other), ("340000", .amex), ("349999", .amex), ("350000", .other), ("369999", .discover),
        ("370000", .amex), ("379999", .amex), ("380000", .discover), ("352799", .other), ("352800", .jcb),
        ("358999", .jcb), ("359000", .other), ("619999", .other), ("620000", .unionPay), ("629999", .unionPay),
        ("630000", .other), ("809999", .other), ("810000", .unionPay), ("817199", .unionPay), ("817200", .other),
        ("601099", .other), ("601100", .discover), ("601199", .discover), ("601200", .other), ("643999", .other),
        ("644000", .discover), ("659999", .discover), ("660000", .other), ("299999", .other), ("300000", .discover),
        ("305999", .discover), ("306000", .other), ("359999", .other), ("360000", .discover), ("672599", .other),
        ("000000", .other), ("999999", .other),
    ])
    func readsIssuerIdentificationNumber(_ iin: String, _ network: CardNetwork) {
        #expect(CardNetwork(pan: Redacted(iin + "0000000000")) == network)
        // Six digits are enough.
        #expect(CardNetwork(pan: Redacted(iin)) == network)
    }

    @Test(arguments: ["", "4", "41111", "4111x1", "x11111", "٤١١١١١", " 411111", "４１１１１１"])
    func whatIsNoNumberIsOther(_ pan: String) {
        #expect(CardNetwork(pan: Redacted(pan)) == .other)
    }

    @Test(arguments: [
        ("Visa", CardNetwork.visa), ("VISA", .visa), ("visa", .visa), ("vPay", .visa), ("Electron", .visa),
        ("MasterCard", .mastercard), ("Mastercard", .mastercard), ("Maestro", .mastercard), ("AmEx", .amex),
        ("JCB", .jcb), ("Discover", .discover), ("ChinaUnionPay", .unionPay), ("girocard", .girocard),
        ("Girocard", .girocard),
    ])
    func readsNameThatPassKitGives(_ name: String, _ network: CardNetwork) {
        #expect(CardNetwork(passKitName: name) == network)
    }

    @Test(arguments: ["", "visa ", "American Express", "UnionPay", "Diners", "Interac", "other"])
    func refusesAnotherName(_ name: String) {
        #expect(CardNetwork(passKitName: name) == nil)
    }
}
