//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Countries
import DialectKit
import Gateway
import Money
import Payments

/// Everything that a request or a session may say about a payment, each field checked where it is given. What is
/// required depends on the operation.
struct PaymentFields: Sendable {
    let currency: Currency?
    let amount: Money?
    let wallet: WalletProvider?
    let certainty: OrderCertainty?
    /// Left out, it is what the seed's test amount 6161 needs in the sandbox, and what cannot surprise a live merchant.
    let acceptsPartialAmount: Bool
    let orderReference: String?
    let description: String?
    let notifyURL: String?
    let source: TransactionSource?
    let agreement: AgreementFields
    let transactionReference: String?
    let location: TerminalLocation?
    let device: DeviceFields
    let customer: Customer
    let billing: BillingAddress?
    let card: CardFields

    /// Of order.reference and transaction.reference.
    static let referenceCharactersMax = 40

    init(reading fields: RequestFields, for merchant: MerchantContext) throws(CommWebError) {
        self.currency = try fields.currency("order.currency")
        // Without its currency an amount is only looked at; three decimals are the most that any has.
        let amountCurrency = self.currency ?? Currency.alphabetic("KWD")
        let amount = try amountCurrency.map { currency throws(CommWebError) in
            try fields.amount("order.amount", in: currency)
        }
        self.amount = self.currency == nil ? nil : amount ?? nil
        self.wallet = try fields.choice("order.walletProvider", of: WalletProvider.self)
        self.certainty = try fields.choice("order.certainty", of: OrderCertainty.self)
        self.acceptsPartialAmount =
            try fields.flag("order.acceptPartialAmount") ?? (merchant.merchant.mode == .sandbox)
        self.orderReference = try fields.text("order.reference", max: Self.referenceCharactersMax)
        self.description = try fields.text("order.description", max: 127)
        self.notifyURL = try fields.notificationURL(for: merchant)
        self.source = try fields.choice("transaction.source", of: TransactionSource.self)
        self.agreement = try AgreementFields(reading: fields)
        self.transactionReference = try fields.text("transaction.reference", max: Self.referenceCharactersMax)
        self.location = try fields.choice("posTerminal.location", of: TerminalLocation.self)
        self.device = try DeviceFields(reading: fields)
        self.customer = try Customer(reading: fields, self.device)
        self.billing = try fields.billingAddress()
        self.card = try CardFields(reading: fields)
    }
}

extension PaymentFields {
    /// What the acquirer is sent beside the amount.
    var details: ChargeDetails {
        ChargeDetails(
            orderReference: self.orderReference, description: self.description,
            certainty: self.certainty.map { $0 == .final ? .final : .estimated },
            initiator: self.agreement.initiator(self.source), source: self.source?.way, customer: self.customer,
            billing: self.billing)
    }
}

extension Customer {
    /// `customer.*`, and the address and browser of the device.
    fileprivate init(reading fields: RequestFields, _ device: DeviceFields) throws(CommWebError) {
        self.init(
            firstName: try fields.text("customer.firstName", max: 50),
            lastName: try fields.text("customer.lastName", max: 50), email: try fields.text("customer.email", max: 255),
            ipAddress: device.values["ipAddress"], userAgent: device.values["browser"])
    }
}

extension RequestFields {
    /// `order.notificationUrl`: https; a test merchant may be allowed http, and then gets no secret.
    func notificationURL(for merchant: MerchantContext) throws(CommWebError) -> String? {
        let path = "order.notificationUrl"
        guard let text = try self.text(path, max: 1024) else { return nil }
        guard let target = NotificationTarget(text) else { throw .invalid(path, "must be an absolute https URL") }
        guard target.isSecure || AccountSettings(merchant).allowsInsecureNotify else {
            throw .invalid(path, "must be an https URL")
        }
        return text
    }

    /// `billing.address`, for the acquirer's address check.
    func billingAddress() throws(CommWebError) -> BillingAddress? {
        let prefix = "billing.address."
        let line1 = try self.text(prefix + "street", max: 100)
        _ = try self.text(prefix + "street2", max: 100)
        _ = try self.text(prefix + "company", max: 100)
        let city = try self.text(prefix + "city", max: 100)
        let mainDivision = try self.text(prefix + "stateProvince", max: 20)
        let postalCode = try self.text(prefix + "postcodeZip", max: 10)
        let countryCode = try self.text(prefix + "country", max: 3)
        if let countryCode {
            guard countryCode.utf8.count == 3, countryCode.utf8.allSatisfy(ASCII.isCapital) else {
                throw .invalid(prefix + "country", "must be a three-letter country code of ISO 3166")
            }
        }
        let parts = [line1, city, mainDivision, postalCode, countryCode]
        guard parts.contains(where: { $0 != nil }) else { return nil }
        // The wire has three letters for a country and acquirers two. A code that ISO has not assigned is left out: the
        // check is of street and postal code.
        return BillingAddress(
            line1: line1, city: city, mainDivision: mainDivision, postalCode: postalCode,
            countryCode: countryCode.flatMap(Country.alpha2(ofAlpha3:)))
    }
}
