//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import PassKit

/// What PassKit is asked to show.
struct SheetRequest {
    private let merchant: TPDMerchant
    private let consumer: TPDConsumer
    private let cart: TPDCart
    private let plan: CartContents.Plan

    /// - Throws: 88003 for what is missing and for UK as a country, and the codes of ``CartContents/plan(systemMajorVersion:)``.
    init(merchant: TPDMerchant?, consumer: TPDConsumer?, cart: TPDCart?, systemMajorVersion: Int) throws(TPDFailure) {
        guard let merchant, let consumer, let cart, Self.isWhole(merchant) else { throw TPDFailure(.lostParameter) }
        guard merchant.countryCode != "UK" else { throw TPDFailure.unitedKingdomIsGB }
        self.merchant = merchant
        self.consumer = consumer
        self.cart = cart
        self.plan = try cart.contents.plan(systemMajorVersion: systemMajorVersion)
    }

    private static func isWhole(_ merchant: TPDMerchant) -> Bool {
        let texts = [
            merchant.merchantName, merchant.applePayMerchantIdentifier, merchant.countryCode, merchant.currencyCode,
        ]
        return texts.allSatisfy { $0?.isEmpty == false } && merchant.supportedNetworks?.isEmpty == false
    }

    /// The visible lines, and the total under the merchant's name.
    var summaryItems: [PKPaymentSummaryItem] {
        let lines = self.plan.lines.map { line in
            PKPaymentSummaryItem(
                label: line.name, amount: NSDecimalNumber(decimal: line.amount ?? 0),
                type: line.amount == nil ? .pending : .final)
        }
        let total = PKPaymentSummaryItem(
            label: self.merchant.merchantName ?? "", amount: NSDecimalNumber(decimal: self.plan.total),
            type: self.plan.isTotalPending ? .pending : .final)
        return lines + [total]
    }

    var passKit: PKPaymentRequest {
        let request = PKPaymentRequest()
        request.merchantIdentifier = self.merchant.applePayMerchantIdentifier ?? ""
        request.countryCode = self.merchant.countryCode ?? ""
        request.currencyCode = self.merchant.currencyCode ?? ""
        request.merchantCapabilities = self.merchant.merchantCapability
        request.supportedNetworks = self.merchant.supportedNetworks ?? []
        request.shippingMethods = self.merchant.shippingMethods
        request.shippingType = self.cart.shippingType
        request.billingContact = self.consumer.billingContact
        request.shippingContact = self.consumer.shippingContact
        request.requiredBillingContactFields = Self.fields(self.consumer.requiredBillingAddressFields)
        request.requiredShippingContactFields = Self.fields(self.consumer.requiredShippingAddressFields)
        request.paymentSummaryItems = self.summaryItems
        return request
    }

    /// The newer way to say the same.
    static func fields(_ fields: PKAddressField) -> Set<PKContactField> {
        var contactFields: Set<PKContactField> = []
        if fields.contains(.postalAddress) { contactFields.insert(.postalAddress) }
        if fields.contains(.phone) { contactFields.insert(.phoneNumber) }
        if fields.contains(.email) { contactFields.insert(.emailAddress) }
        if fields.contains(.name) { contactFields.insert(.name) }
        return contactFields
    }
}
