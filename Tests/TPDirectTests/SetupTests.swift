//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import PassKit
import Testing

@testable import TPDirect

@Suite struct GatewayHostTests {
    @Test(arguments: [
        "https://pay.example.com", "https://pay.example.com:8443", "https://pay.example.com/",
        "HTTPS://pay.example.com",
        "http://localhost:8080", "http://127.0.0.1:8080", "http://127.1.2.3", "http://[::1]:8080", "https://192.0.2.1",
    ])
    func takesHTTPSAndThisMachine(_ text: String) throws {
        let url = try #require(URL(string: text))
        #expect(try GatewayHost.checked(url) == url)
    }

    @Test(arguments: [
        "http://pay.example.com", "http://10.0.0.1", "http://localhost.example.com", "http://127.0.0.1.example.com",
        "http://127.0.0", "http://128.0.0.1", "ftp://127.0.0.1", "file:///tmp", "pay.example.com",
        "https://user@pay.example.com", "https://pay.example.com/tpc", "https://pay.example.com/?a=b",
        "https://pay.example.com#a", "https://",
    ])
    func refusesWhatWouldSendTokensElsewhere(_ text: String) throws {
        let url = try #require(URL(string: text))
        #expect(throws: TPDHostError.self) { _ = try GatewayHost.checked(url) }
    }

    @Test func knowsTapPaysOwn() {
        #expect(GatewayHost.tapPay(.sandBox) == "https://sandbox.tappaysdk.com")
        #expect(GatewayHost.tapPay(.production) == "https://prod.tappaysdk.com")
    }
}

@Suite struct MerchantAndConsumerTests {
    @Test func merchantHasTheDocumentedDefaults() {
        let merchant = TPDMerchant()
        #expect(merchant.countryCode == "TW")
        #expect(merchant.currencyCode == "TWD")
        #expect(merchant.merchantCapability == .capability3DS)
        #expect(merchant.acquirerMerchantID == nil)
        #expect(merchant.shippingMethods == nil)
    }

    @Test(arguments: [(8, false), (9, false), (10, true), (17, true)])
    func networksFollowTheSystem(_ version: Int, _ hasJCB: Bool) {
        let networks = TPDMerchant.availableNetworks(systemMajorVersion: version)
        #expect(networks == (hasJCB ? [.amex, .masterCard, .visa, .JCB] : [.amex, .masterCard, .visa]))
        #expect(TPDMerchant.availableNetworks() == [.amex, .masterCard, .visa, .JCB])
    }

    @Test func consumerAsksForNothingByDefault() {
        let consumer = TPDConsumer()
        #expect(consumer.requiredBillingAddressFields == [])
        #expect(consumer.requiredShippingAddressFields == [])
        #expect(consumer.paymentMethod == nil)
        #expect(consumer.billingContact == nil)
        #expect(consumer.shippingContact == nil)
        #expect(consumer.clientIP == nil)
    }

    @Test(
        arguments: [
            ([], []), ([.email], [.emailAddress]), ([.name], [.name]), ([.phone], [.phoneNumber]),
            ([.postalAddress], [.postalAddress]), (.all, [.emailAddress, .name, .phoneNumber, .postalAddress]),
        ] as [(PKAddressField, Set<PKContactField>)])
    func oldFieldsBecomeNewOnes(_ fields: PKAddressField, _ contactFields: Set<PKContactField>) {
        #expect(SheetRequest.fields(fields) == contactFields)
    }

    /// The values that Apple's headers give them.
    @Test func passKitsNumbersAreApples() {
        #expect(PKMerchantCapability.capability3DS.rawValue == 1)
        #expect([.postalAddress, .phone, .email, .name].map(\PKAddressField.rawValue) == [1, 2, 4, 8])
        #expect([.unknown, .debit, .credit, .prepaid, .store].map(\PKPaymentMethodType.rawValue) == [0, 1, 2, 3, 4])
        #expect([.shipping, .delivery, .storePickup, .servicePickup].map(\PKShippingType.rawValue) == [0, 1, 2, 3])
        #expect(
            [.visa, .masterCard, .amex, .JCB].map(\PKPaymentNetwork.rawValue) == ["Visa", "MasterCard", "AmEx", "JCB"])
    }
}
