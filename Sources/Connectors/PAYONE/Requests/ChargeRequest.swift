//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Clients
import ConnectorKit
import Countries
import Money
import Payments
import Redaction
import StrictJSON

/// Why a charge cannot be asked for: nothing is sent.
struct ChargeRefused: Error {
    /// For the log: "lastname_missing".
    let word: String
}

extension ChargeFields {
    /// A charge as PAYONE's (pre)authorization has fields for it.
    ///
    /// - Parameter reference: at most 20 of `0-9A-Za-z.-_/`, unique for ever (error 911).
    /// - Throws: ``ChargeRefused`` for a token in another form or of another version, and where a name or a country is
    ///   missing that PAYONE demands and the account has no default for.
    init(
        _ charge: Charge, _ amount: Money, reference: String, _ account: PAYONEAccount
    ) throws(ChargeRefused) {
        self.init(
            order: reference, key: reference, amount: amount,
            instrument: .sealed(try SealedToken(charge.instrument, charge.network)))
        self.capturesAtOnce = charge.captures
        let details = charge.details
        self.description = FieldText.plain(
            details.statementDescriptor ?? details.description ?? account.descriptor, max: 81)
        self.billing = try AddressFields(details.billing, account)
        self.customer = try CustomerFields(details.customer, isCompany: self.billing?.company != nil, account)
        self.shipping = details.shipping.map { AddressFields($0) }
        // TransactionStatus and the PAYONE Merchant Interface show it.
        if let order = FieldText.plain(details.orderReference, max: 255) {
            self.extra = [ExtraField("param", .string(order))]
        }
    }
}

extension CustomerFields {
    /// - Parameter isCompany: whether the customer is a company, which PAYONE takes without a name.
    fileprivate init(
        _ customer: Customer, isCompany: Bool, _ account: PAYONEAccount
    ) throws(ChargeRefused) {
        self.init()
        self.id = customer.id
        self.givenName = FieldText.plain(customer.firstName, max: 50)
        // "CHAR(2..50)": PAYONE's Apple Pay page, "lastname".
        let lastName = FieldText.plain(customer.lastName, max: 50).flatMap { $0.unicodeScalars.count < 2 ? nil : $0 }
        self.familyName = lastName ?? (isCompany ? nil : account.defaultLastName)
        guard self.familyName != nil || isCompany else { throw ChargeRefused(word: "lastname_missing") }
        self.email = customer.email
        self.phone = FieldText.plain(customer.phone, max: 50)
        self.ipAddress = customer.ipAddress
    }
}

extension AddressFields {
    fileprivate init(_ billing: PostalAddress?, _ account: PAYONEAccount) throws(ChargeRefused) {
        self.init(billing ?? PostalAddress())
        self.countryCode = self.countryCode ?? account.defaultCountry
        guard self.countryCode != nil else { throw ChargeRefused(word: "country_missing") }
    }

    /// What there are fields for, and what is known of the country.
    fileprivate init(_ address: PostalAddress) {
        self.init()
        self.givenName = FieldText.plain(address.firstName, max: 50)
        self.familyName = FieldText.plain(address.lastName, max: 50)
        // "CHAR(2..50)".
        self.company = FieldText.plain(address.company, max: 50).flatMap { $0.unicodeScalars.count < 2 ? nil : $0 }
        self.lines = FieldText.lines(address.lines, 2, max: 50)
        self.city = FieldText.plain(address.city, max: 50)
        self.region = FieldText.plain(address.mainDivision, max: 50)
        self.postalCode = address.postalCode
        self.countryCode = address.countryCode.flatMap(Self.alpha2)
    }

    /// A country in two letters (ISO 3166-1 alpha-2), given in two or in three.
    private static func alpha2(_ text: String) -> String? {
        Country.alpha3(ofAlpha2: text) == nil ? Country.alpha2(ofAlpha3: text) : text
    }
}

extension SealedToken {
    /// The parts that PAYONE has parameters for.
    ///
    /// RSA_v1 has a wrapped key and a payment with application data has their hash, and for neither there is one: such a
    /// token could not be opened.
    fileprivate init(_ instrument: PaymentInstrument, _ network: CardNetwork) throws(ChargeRefused) {
        guard case .sealedApplePayToken(let token) = instrument else {
            throw ChargeRefused(word: "instrument_not_taken")
        }
        guard let paymentData = try? JSON.parse(token.paymentData.reveal()) else {
            throw ChargeRefused(word: "token_unreadable")
        }
        guard paymentData["version"]?.string == "EC_v1" else { throw ChargeRefused(word: "token_version_not_taken") }
        if let applicationData = paymentData[path: "header.applicationData"], !applicationData.isNull {
            throw ChargeRefused(word: "application_data_not_taken")
        }
        let parts = [
            "data", "signature", "header.ephemeralPublicKey", "header.publicKeyHash", "header.transactionId",
        ]
        guard parts.allSatisfy({ paymentData[path: $0]?.string?.isEmpty == false }) else {
            throw ChargeRefused(word: "token_incomplete")
        }
        var method = JSONObject()
        method["network"] = network.passKitName.map { .string($0) }
        self.init(
            paymentData: paymentData, paymentMethod: .object(method), transactionIdentifier: token.transactionIdentifier
        )
    }
}

extension CardNetwork {
    /// As PassKit writes it, from which the parameter `cardtype` follows.
    fileprivate var passKitName: String? {
        switch self {
        case .visa: "Visa"
        case .mastercard: "MasterCard"
        case .amex: "AmEx"
        case .jcb: "JCB"
        case .discover: "Discover"
        case .unionPay: "ChinaUnionPay"
        case .girocard: "girocard"
        case .other: nil
        }
    }
}
