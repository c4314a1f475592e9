//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import Foundation
import PassKit
import StrictJSON
import Testing
import WalletSimulator

@testable import TPDirect

/// The documentation's sample, run: from the click of its button to its last line, over a real connection.
///
/// One after the other, since the sample uses the app's one setup.
@MainActor @Suite(.serialized) struct SampleTests {
    private static func wallet() throws -> SimulatedWallet {
        let wallet = SimulatedWallet(
            device: SimulatedDevice(authority: try TestAuthority.make(now: Date())),
            recipients: ["merchant.apple.pay": ProcessingPublicKey(P256.KeyAgreement.PrivateKey().publicKey)],
            now: { Date() })
        wallet.contact.emailAddress = "customer@example.com"
        wallet.contact.phoneNumber = CNPhoneNumber(stringValue: "+886900000000")
        var name = PersonNameComponents()
        name.givenName = "TapPay"
        name.familyName = "Cherri"
        wallet.contact.name = name
        return wallet
    }

    /// A gateway on this machine, set as an app sets its own.
    private static func gateway(_ answer: String) throws -> LocalServer {
        let server = try LocalServer { _ in .answer(status: 200, headers: [], body: answer) }
        TPDSetup.setWithAppId(12345, withAppKey: "app_key", with: TPDServerType.sandBox)
        try TPDSetup.setHost(server.url)
        return server
    }

    @Test func sampleRunsFromItsButtonToItsLastLine() async throws {
        let server = try Self.gateway(JSON.object(PrimeTests.good).text())
        let wallet = try Self.wallet()
        let controller = ViewController()
        await wallet.inHand {
            controller.setUp()
            #expect(controller.applePayButton.paymentButtonType == .buy)
            controller.didClickBuyButton(sender: controller.applePayButton)
        }
        let sheet = try #require(wallet.sheet)
        #expect(sheet.total?.amount == 100)
        try sheet.choose(.visaDebit)
        #expect(sheet.total?.amount == 99)
        try sheet.authorize()
        #expect(await sheet.result() == .success)
        sheet.finishShowing()
        for line in [
            "Apple Pay On Start", "======> didSelectPaymentMethod: ", "======> canAuthorizePaymentWithShippingContact ",
            "======> didReceivePrime", "Prime : test_prime", "Expiry Millis : 1800000000000", "total Amount :   99",
            "Client IP : 192.0.2.1", #"shippingContact.emailAddress : Optional("customer@example.com")"#,
            #"shippingContact.phoneNumber : Optional("+886900000000")"#,
            #"shippingContact.name : Optional("TapPay") Optional("Cherri")"#, "type : 1", "Network : Visa",
            "Display Name : Visa 5678", "Apple Pay Did Finish", "Apple Pay Did Success ==> Amount : 99",
            "Shipping Method.identifier : nil",
        ] { #expect(controller.lines.contains(line), "missing: \(line)") }
        let request = try #require(server.requests.first)
        #expect(request.hasPrefix("POST /tpc/applepay/getprime HTTP/1.1"))
        #expect(request.lowercased().contains("x-api-key: app_key"))
        #expect(server.requests.count == 1)
    }

    @Test func sampleShowsAFailure() async throws {
        let server = try Self.gateway(#"{"status":16,"msg":"App key mismatch"}"#)
        let wallet = try Self.wallet()
        let controller = ViewController()
        await wallet.inHand {
            controller.setUp()
            controller.didClickBuyButton(sender: controller.applePayButton)
        }
        let sheet = try #require(wallet.sheet)
        try sheet.authorize()
        #expect(await sheet.result() == .failure)
        sheet.cancel()
        #expect(
            controller.lines.contains(
                #"Apple Pay Did Failure ==> Message : Optional("App key mismatch"), ErrorCode : 16"#))
        #expect(server.requests.count == 1)
    }

    @Test func sampleOfADeferredPaymentShowsAmountPending() async throws {
        let server = try Self.gateway(JSON.object(PrimeTests.good).text())
        let wallet = try Self.wallet()
        let controller = ViewController()
        await wallet.inHand {
            controller.setUp()
            controller.deferredCartSetting()
            controller.didClickBuyButton(sender: controller.applePayButton)
        }
        let sheet = try #require(wallet.sheet)
        #expect(sheet.items.map(\.label) == ["Initial Charge", "NT$5 per miles", "TapPay!"])
        #expect(sheet.items.map(\.type) == [.final, .pending, .pending])
        sheet.cancel()
        #expect(controller.lines.contains("Apple Pay Did Cancel"))
        #expect(server.requests.isEmpty)
    }

    @Test func sampleOffersToAddACard() async throws {
        let controller = ViewController()
        let wallet = SimulatedWallet(
            device: SimulatedDevice(authority: try TestAuthority.make(now: Date())), recipients: [:], cards: [],
            now: { Date() })
        await wallet.inHand { controller.setUp() }
        #expect(controller.applePayButton.paymentButtonType == .setUp)
    }

    @Test func sampleOfPAYONERefusesAnAddressAbroad() async throws {
        let wallet = try Self.wallet()
        wallet.contact.postalAddress = CNPostalAddress(
            street: "Weg 1", city: "Kiel", postalCode: "24103", isoCountryCode: "DE")
        let request = PKPaymentRequest()
        request.merchantIdentifier = "merchant.apple.pay"
        request.countryCode = "US"
        request.currencyCode = "USD"
        request.merchantCapabilities = .threeDSecure
        request.supportedNetworks = PaymentHandler.supportedNetworks
        request.requiredShippingContactFields = [.postalAddress]
        request.paymentSummaryItems = [PKPaymentSummaryItem(label: "Shop", amount: 12)]
        let handler = PaymentHandler()
        await wallet.inHand {
            let controller = PKPaymentAuthorizationController(paymentRequest: request)
            controller.delegate = handler
            controller.present()
        }
        let sheet = try #require(wallet.sheet)
        try sheet.authorize()
        #expect(await sheet.result() == .failure)
        #expect(handler.paymentStatus == .failure)
        let errors = sheet.errors.compactMap { $0 as? PKPaymentError }
        #expect(errors.map(\.code) == [.shippingAddressUnserviceableError, .shippingContactInvalidError])
        #expect(errors.map(\.postalAddressKey) == [nil, CNPostalAddressCountryKey])
        #expect(
            errors.map(\.localizedDescription) == [
                "Sample App only picks up in the United States", "Invalid country",
            ])
        let error = try #require(errors.last) as NSError
        #expect(error.domain == "PKPaymentErrorDomain")
        #expect(error.code == 1)
        #expect(error.userInfo["PKPaymentErrorPostalAddressUserInfoKey"] as? String == "country")

        wallet.contact.postalAddress = CNPostalAddress(
            street: "1 Way", city: "Kent", postalCode: "44240", isoCountryCode: "US")
        try sheet.authorize()
        #expect(await sheet.result() == .success)
        #expect(handler.paymentStatus == .success)
        #expect(sheet.errors.isEmpty)
    }

    @Test func aShippingMethodIsMadeEmptyAndFilled() {
        let method = PKShippingMethod()
        #expect(method.label.isEmpty)
        #expect(method.amount == 0)
        #expect(method.type == .final)
        method.identifier = "post"
        #expect(method.identifier == "post")
    }

    @Test func setupIsTheAppsOneAndKeepsItsHost() throws {
        try TPDSetup.setHost(nil)
        let setup = TPDSetup.setWithAppKey("key", withAppId: 7, with: .production)
        #expect(setup === TPDSetup.shareInstance())
        #expect(setup.appId == 7)
        #expect(setup.appKey == "key")
        #expect(setup.serverType == .production)
        #expect(setup.host?.absoluteString == "https://prod.tappaysdk.com")
        let own = try #require(URL(string: "https://pay.example.com"))
        try TPDSetup.setHost(own)
        #expect(throws: TPDHostError.self) { try TPDSetup.setHost(URL(string: "http://pay.example.com")) }
        TPDSetup.setWithAppId(8, withAppKey: "key", with: .sandBox)
        #expect(setup.host == own)
        #expect(setup.serverType == .sandBox)
        try TPDSetup.setHost(nil)
        #expect(setup.host?.absoluteString == "https://sandbox.tappaysdk.com")
        #expect(!setup.getDeviceId().isEmpty)
        #expect(setup.getDeviceId() == setup.getDeviceId())
        #expect(TPDSetup.version() == "2.6.0")
    }

    /// The calls of TapPay's example apps: without effect, and no app that makes them has to be changed.
    @Test func fraudDetectionLearnsNothing() {
        let setup = TPDSetup.setWithAppId(7, withAppKey: "key", with: .sandBox)
        let identifier = setup.getDeviceId()
        setup.setupIDFA("00000000-0000-0000-0000-000000000000")
        setup.setupIDFA(nil)
        setup.serverSync()
        #expect(setup.getFraudID() == "")
        #expect(setup.getDeviceId() == identifier)
        #expect(setup.appId == 7)
    }
}
