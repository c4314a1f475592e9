//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import PassKit
import StrictJSON
import Testing
import WalletSimulator

@testable import TPDirect

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The SDK from the button to the result, on the wallet simulator's sheet.
@MainActor @Suite struct ApplePayTests {
    @Test func paysFromTheSheetToTheResult() async throws {
        let counter = try Counter(ScriptedGateway(.prime("p1")))
        counter.recorder.showsResult = true
        let (applePay, sheet) = try await counter.started()
        try sheet.authorize()
        #expect(await sheet.result() == .success)
        sheet.finishShowing()
        #expect(
            counter.recorder.events == [
                .started, .choseCard("Visa 1234"), .askedToAuthorize(email: nil), .prime("p1"), .finished,
                .succeeded(amount: "100"),
            ])
        #expect(counter.recorder.result?.status == 0)
        #expect(counter.recorder.result?.message == "Success")
        #expect(counter.recorder.result?.paymentMethod.network == .visa)
        #expect(counter.recorder.expiryMillis == 1_800_000_000_000)
        #expect(counter.recorder.cardInfo?.lastFour == "4242")
        #expect(counter.recorder.reference["affiliateCodes"] as? [String] == ["GOLD1", "GOLD2"])
        #expect(counter.consumer.clientIP == "192.0.2.1")
        #expect(counter.consumer.paymentMethod.displayName == "Visa 1234")
        #expect(sheet.state == .dismissed)
        #expect(applePay.session.flow.phase == .finished)
    }

    @Test func sendsWhatTheGatewayReads() async throws {
        let counter = try Counter(ScriptedGateway(.prime("p1")))
        counter.cart.isAmountPending = true
        let (_, sheet) = try await counter.started()
        try sheet.authorize()
        await counter.recorder.heard(.prime("p1"))
        let request = try #require(counter.gateway.requests.first)
        #expect(request.url?.absoluteString == "https://sandbox.tappaysdk.com/tpc/applepay/getprime")
        #expect(request.httpMethod == "POST")
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
        #expect(request.value(forHTTPHeaderField: "x-api-key") == "app_key")
        let body = try JSON.parse(try #require(request.httpBody))
        #expect(
            body.object?.names == [
                "app_id", "app_key", "app_name", "platform_type", "pay_token_data", "apple_merchant_id", "fraud_id",
                "is_amount_pending", "tappay_sdk_version",
            ])
        #expect(body["app_id"]?.integer == 12345)
        #expect(body["app_key"]?.string == "app_key")
        #expect(body["app_name"]?.string == "tech.example.shop")
        #expect(body["platform_type"]?.string == "1")
        #expect(body["apple_merchant_id"]?.string == Counter.merchantIdentifier)
        #expect(body["is_amount_pending"]?.bool == true)
        #expect(body["tappay_sdk_version"]?.string == TPDSetup.version())
        #expect(body["pay_token_data"]?.object?.names == ["version", "data", "signature", "header"])
    }

    @Test func optionalMethodsMayBeAbsent() async throws {
        let counter = try Counter(ScriptedGateway(.prime("p1")))
        let delegate = Laconic()
        let applePay = counter.applePay(delegate: delegate)
        await counter.wallet.inHand { applePay.startPayment() }
        let sheet = try #require(counter.wallet.sheet)
        try sheet.choose(.visaDebit)
        try sheet.authorize()
        #expect(await sheet.result() == .success)
        sheet.finishShowing()
        #expect(delegate.hasSucceeded)
    }

    @Test func anAppOfThePublishedFrameworkIsCalledWithItsLabel() async throws {
        let counter = try Counter(ScriptedGateway(.prime("p1")))
        let delegate = FrameworkDelegate()
        let applePay = counter.applePay(delegate: delegate)
        await counter.wallet.inHand { applePay.startPayment() }
        let sheet = try #require(counter.wallet.sheet)
        try sheet.authorize()
        #expect(await sheet.result() == .success)
        sheet.finishShowing()
        #expect(delegate.primes == ["p1"])
        #expect(delegate.lastFour == "4242")
        #expect(delegate.results == [0])
    }

    @Test func aDelegateWithBothLabelsIsCalledOnce() async throws {
        let counter = try Counter(ScriptedGateway(.prime("p1")))
        let delegate = Bilingual()
        let applePay = counter.applePay(delegate: delegate)
        await counter.wallet.inHand { applePay.startPayment() }
        let sheet = try #require(counter.wallet.sheet)
        try sheet.authorize()
        #expect(await sheet.result() == .success)
        #expect(delegate.labels == ["withCardInfo"])
    }

    @Test func aPrimeThatNobodyTakesIsAFailure() async throws {
        let counter = try Counter(ScriptedGateway(.prime("p1")))
        let delegate = Primeless()
        let applePay = counter.applePay(delegate: delegate)
        await counter.wallet.inHand { applePay.startPayment() }
        let sheet = try #require(counter.wallet.sheet)
        try sheet.authorize()
        #expect(await sheet.result() == .failure)
        sheet.cancel()
        #expect(delegate.status == -1)
    }

    @Test func affiliateCodesAreAnEmptyListForOtherCards() async throws {
        let counter = try Counter(ScriptedGateway(.plainPrime("p1")))
        let delegate = FrameworkDelegate()
        let applePay = counter.applePay(delegate: delegate)
        await counter.wallet.inHand { applePay.startPayment() }
        let sheet = try #require(counter.wallet.sheet)
        try sheet.authorize()
        #expect(await sheet.result() == .success)
        #expect(delegate.affiliateCodes == [])
    }

    // MARK: What stands against a sheet

    enum Obstacle: CaseIterable, Sendable {
        case noSetup, noApplePay, noMerchant, noConsumer, noCart, noName, noIdentifier, noCountry, noCurrency
        case noNetworks, emptyCart, unshowable, wrongCodeOfUnitedKingdom
    }

    @Test(arguments: [
        (Obstacle.noSetup, 88001), (.noApplePay, 30), (.noMerchant, 88003), (.noConsumer, 88003), (.noCart, 88003),
        (.noName, 88003), (.noIdentifier, 88003), (.noCountry, 88003), (.noCurrency, 88003), (.noNetworks, 88003),
        (.emptyCart, 88016), (.unshowable, 30), (.wrongCodeOfUnitedKingdom, 88003),
    ])
    func reportsAtOnceWhatStandsAgainstASheet(_ obstacle: Obstacle, _ status: Int) async throws {
        var counter = try Counter()
        switch obstacle {
        case .noSetup: counter.surroundings.setup = TPDSetup(appId: 0, appKey: "", serverType: .sandBox)
        case .noApplePay: counter.wallet.canMakePayments = false
        case .noName: counter.merchant.merchantName = nil
        case .noIdentifier: counter.merchant.applePayMerchantIdentifier = ""
        case .noCountry: counter.merchant.countryCode = nil
        case .noCurrency: counter.merchant.currencyCode = nil
        case .noNetworks: counter.merchant.supportedNetworks = []
        case .emptyCart: counter.cart.remove(try #require(counter.cart.fetchAllPaymentItems().first))
        // PassKit itself does not show a sheet of no country.
        case .unshowable: counter.merchant.countryCode = "TWN"
        case .wrongCodeOfUnitedKingdom: counter.merchant.countryCode = "UK"
        case .noMerchant, .noConsumer, .noCart: break
        }
        let applePay = counter.applePay()
        if obstacle == .noMerchant { applePay.merchant = nil }
        if obstacle == .noConsumer { applePay.consumer = nil }
        if obstacle == .noCart { applePay.cart = nil }
        await counter.wallet.inHand { applePay.startPayment() }
        #expect(counter.recorder.events == [.failed(status)])
        #expect(counter.wallet.sheet == nil)
        #expect(counter.gateway.requests.isEmpty)
    }

    /// What is two letters and no country's is refused by PassKit alone.
    @Test(arguments: [("GB", true), ("TW", true), ("XX", false), ("EU", false), ("gb", false)])
    func sheetIsOfACountry(_ code: String, _ isShown: Bool) async throws {
        let counter = try Counter()
        counter.merchant.countryCode = code
        let applePay = counter.applePay()
        await counter.wallet.inHand { applePay.startPayment() }
        #expect((counter.wallet.sheet != nil) == isShown)
        #expect(counter.recorder.events.contains(.failed(30)) != isShown)
    }

    @Test func withoutADelegateNothingHappens() async throws {
        let counter = try Counter()
        let applePay = counter.applePay()
        applePay.delegate = nil
        await counter.wallet.inHand { applePay.startPayment() }
        #expect(counter.wallet.sheet == nil)
        #expect(applePay.session.flow.phase == .idle)
    }

    @Test(arguments: [(false, 88009), (true, 88010)])
    func reportsATokenWithoutDataFromApplesSimulators(_ isSimulator: Bool, _ status: Int) async throws {
        var counter = try Counter()
        counter.surroundings.isSimulator = isSimulator
        counter.wallet.mintsEmptyTokens = true
        let (_, sheet) = try await counter.started()
        try sheet.authorize()
        #expect(sheet.state == .showing(.failure))
        sheet.cancel()
        #expect(counter.recorder.events.suffix(2) == [.finished, .failed(status)])
        #expect(counter.gateway.requests.isEmpty)
    }

    // MARK: What the sheet shows

    @Test func showsItemsAndTheMerchantsTotal() async throws {
        let counter = try Counter()
        counter.cart.add(TPDPaymentItem(itemName: "Fee", withAmount: 5, withIsVisible: false))
        counter.cart.add(TPDPaymentItem(itemName: "Discount", withAmount: NSDecimalNumber(string: "-1.00")))
        let (_, sheet) = try await counter.started()
        #expect(sheet.items.map(\.label) == ["Book", "Discount", "TapPay!"])
        #expect(sheet.total?.amount == 104)
        #expect(sheet.total?.type == .final)
        #expect(sheet.request.countryCode == "TW")
        #expect(sheet.request.currencyCode == "TWD")
        #expect(sheet.request.merchantCapabilities == .capability3DS)
        #expect(sheet.request.shippingType == .shipping)
    }

    @Test(arguments: [(17, 0), (12, 1)])
    func showsPendingItemsAsPending(_ system: Int, _ total: Int) async throws {
        var counter = try Counter()
        counter.surroundings.systemMajorVersion = system
        counter.cart.isAmountPending = true
        counter.cart.isShowTotalAmount = false
        counter.cart.updateCart(TPDPaymentItem.pendingPaymentItem(withItemName: "NT$5 per miles"), with: 0)
        let (_, sheet) = try await counter.started()
        #expect(sheet.items.map(\.type) == [.pending, .pending])
        #expect(sheet.total?.amount == NSDecimalNumber(value: total))
    }

    @Test func theCardChosenMayChangeTheCart() async throws {
        let counter = try Counter(ScriptedGateway(.prime("p1")))
        counter.recorder.onCard = { method, cart in
            if method.type == .debit { cart.add(TPDPaymentItem(itemName: "Discount", withAmount: -1)) }
            return cart
        }
        let (applePay, sheet) = try await counter.started()
        try sheet.choose(.visaDebit)
        #expect(sheet.total?.amount == 99)
        #expect(counter.consumer.paymentMethod.type == .debit)
        try sheet.authorize()
        await counter.recorder.heard(.prime("p1"))
        #expect(applePay.cart.totalAmount == 99)
    }

    @Test func anotherCartMayTakeThePlace() async throws {
        let counter = try Counter()
        let other = TPDCart()
        other.add(TPDPaymentItem(itemName: "Pen", withAmount: 7))
        counter.recorder.onCard = { _, _ in other }
        let (applePay, sheet) = try await counter.started()
        #expect(sheet.total?.amount == 7)
        #expect(applePay.cart === other)
    }

    @Test func aCartSpoiltMeanwhilePaysNothing() async throws {
        let counter = try Counter()
        counter.recorder.onCard = { method, cart in
            if method.type == .debit { cart.add(TPDPaymentItem(itemName: "Discount", withAmount: -100)) }
            return cart
        }
        let (_, sheet) = try await counter.started()
        try sheet.choose(.visaDebit)
        #expect(sheet.total?.amount == 100)
        try sheet.authorize()
        #expect(sheet.state == .showing(.failure))
        sheet.cancel()
        #expect(counter.recorder.events.last == .failed(88016))
        #expect(counter.gateway.requests.isEmpty)
    }

    private static func shipping(_ identifier: String, _ price: String) -> PKShippingMethod {
        let method = PKShippingMethod(label: identifier, amount: NSDecimalNumber(string: price))
        method.identifier = identifier
        method.detail = "2 days"
        return method
    }

    @Test func shippingBeginsWithTheFirstAndFollowsTheChoice() async throws {
        let counter = try Counter(ScriptedGateway(.prime("p1")))
        counter.merchant.shippingMethods = [Self.shipping("post", "60"), Self.shipping("courier", "120")]
        let (applePay, sheet) = try await counter.started()
        #expect(applePay.cart.shippingMethod.identifier == "post")
        #expect(sheet.items.map(\.label) == ["Book", "post", "TapPay!"])
        #expect(sheet.total?.amount == 160)
        try sheet.chooseShipping("courier")
        #expect(counter.recorder.events.last == .choseShipping("courier"))
        #expect(sheet.total?.amount == 220)
        try sheet.authorize()
        await counter.recorder.heard(.prime("p1"))
        #expect(applePay.cart.shippingMethod.identifier == "courier")
        #expect(applePay.cart.totalAmount == 220)
    }

    @Test func aChoiceOfShippingThatSpoilsTheCartKeepsTheLines() async throws {
        let counter = try Counter()
        counter.merchant.shippingMethods = [Self.shipping("post", "60"), Self.shipping("courier", "120")]
        let cart = counter.cart
        counter.recorder.onShipping = { cart.isShowTotalAmount = false }
        let (_, sheet) = try await counter.started()
        try sheet.chooseShipping("courier")
        #expect(sheet.total?.amount == 160)
    }

    @Test func handsOverTheContactsThatWereAskedFor() async throws {
        let counter = try Counter(ScriptedGateway(.prime("p1")))
        counter.consumer.requiredShippingAddressFields = [.email, .name, .phone]
        counter.consumer.requiredBillingAddressFields = [.postalAddress]
        counter.wallet.contact.phoneNumber = CNPhoneNumber(stringValue: "+886900000000")
        counter.wallet.contact.postalAddress = CNPostalAddress(
            street: "1 Road", city: "Taipei", postalCode: "100", isoCountryCode: "TW")
        let (_, sheet) = try await counter.started()
        try sheet.authorize()
        await counter.recorder.heard(.prime("p1"))
        #expect(counter.recorder.events.contains(.askedToAuthorize(email: "customer@example.com")))
        #expect(counter.consumer.shippingContact?.phoneNumber?.stringValue == "+886900000000")
        #expect(counter.consumer.shippingContact?.postalAddress == nil)
        #expect(counter.consumer.billingContact?.postalAddress?.city == "Taipei")
        #expect(counter.consumer.billingContact?.emailAddress == nil)
    }

    @Test func knowsWhichNetworksTheWalletHolds() async throws {
        let counter = try Counter()
        await counter.wallet.inHand {
            #expect(TPDApplePay.canMakePayments())
            #expect(TPDApplePay.canMakePayments(usingNetworks: [.visa]))
            #expect(!TPDApplePay.canMakePayments(usingNetworks: [PKPaymentNetwork("Mir")]))
            #expect(!TPDApplePay.canMakePayments(usingNetworks: nil))
            TPDApplePay.showSetupView()
            counter.wallet.canMakePayments = false
            #expect(!TPDApplePay.canMakePayments())
            #expect(!TPDApplePay.canMakePayments(usingNetworks: [.visa]))
        }
        #expect(counter.wallet.setupsCount == 1)
        #expect(!TPDApplePay.canMakePayments())
    }
}
