//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import Foundation
import PassKit
import WalletSimulator

@testable import TPDirect

/// A shop's checkout on a pretend iPhone: merchant, customer, cart, wallet and gateway.
@MainActor struct Counter {
    static let merchantIdentifier = "merchant.test.pomona.app"
    /// One authority and one key for all: they are not what is tested here.
    private static let made = Result {
        (try TestAuthority.make(now: Date()), ProcessingPublicKey(P256.KeyAgreement.PrivateKey().publicKey))
    }

    let wallet: SimulatedWallet
    let gateway: ScriptedGateway
    let recorder = Recorder()
    let merchant = TPDMerchant()
    let consumer = TPDConsumer()
    let cart = TPDCart()
    var surroundings: Surroundings

    init(_ gateway: ScriptedGateway = ScriptedGateway()) throws {
        let (authority, key) = try Self.made.get()
        self.wallet = SimulatedWallet(
            device: SimulatedDevice(authority: authority), recipients: [Self.merchantIdentifier: key], now: { Date() })
        self.gateway = gateway
        self.surroundings = Surroundings(
            setup: TPDSetup(appId: 12345, appKey: "app_key", serverType: .sandBox), client: gateway.client,
            isSimulator: false, systemMajorVersion: 17, appName: "tech.example.shop")
        self.merchant.merchantName = "TapPay!"
        self.merchant.applePayMerchantIdentifier = Self.merchantIdentifier
        self.merchant.supportedNetworks = [.amex, .masterCard, .visa, .JCB]
        self.cart.add(TPDPaymentItem(itemName: "Book", withAmount: NSDecimalNumber(string: "100.00")))
        self.wallet.contact.emailAddress = "customer@example.com"
    }

    func applePay(delegate: (any TPDApplePayDelegate)? = nil) -> TPDApplePay {
        TPDApplePay(
            merchant: self.merchant, consumer: self.consumer, cart: self.cart, delegate: delegate ?? self.recorder,
            surroundings: self.surroundings)
    }

    /// A payment whose sheet is on the screen.
    func started() async throws -> (applePay: TPDApplePay, sheet: SimulatedSheet) {
        let applePay = self.applePay()
        await self.wallet.inHand { applePay.startPayment() }
        guard let sheet = self.wallet.sheet else { throw NoSheet() }
        return (applePay, sheet)
    }

    struct NoSheet: Error {}
}
