//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Payments
import Redaction
import StrictJSON

/// What an authorization sends, as far as it depends on the charge (the vendor's table "Request Elements").
struct ChargeRequest {
    /// Why a charge is not sent. The word is for the log.
    struct Refusal: Error, Hashable {
        let word: String
    }

    let request: AcquirerRequest
    let charge: Charge
    let defaults: PayerDefaults

    /// - Throws: ``Refusal`` for a token that the service has no fields for, and for what it demands and nobody knows.
    func fields() throws(Refusal) -> ChargeFields {
        var fields = ChargeFields(
            order: self.request.paymentID.shortName, key: self.request.operationID.text, amount: self.request.amount,
            instrument: .sealed(try self.token()))
        fields.customer = try self.customer()
        fields.billing = try self.billing()
        fields.shipping = self.shipping()
        // What the card behind the device account ends in.
        fields.extra = [ExtraField("Features/IncludePaymentAccountInformation", "true")]
        return fields
    }

    /// There is no element for the wrapped key of an RSA_v1 token.
    private func token() throws(Refusal) -> SealedToken {
        guard case .sealedApplePayToken(let sealed) = self.charge.instrument else {
            throw Refusal(word: "instrument_not_taken")
        }
        guard let json = try? JSON.parse(sealed.paymentData.reveal()), json["version"]?.string == "EC_v1" else {
            throw Refusal(word: "token_version_not_taken")
        }
        return SealedToken(paymentData: json, transactionIdentifier: sealed.transactionIdentifier)
    }

    // MARK: - Who pays

    private func customer() throws(Refusal) -> CustomerFields {
        let known = self.charge.details.customer
        var fields = CustomerFields()
        fields.givenName = FieldText.plain(known.firstName, max: 64) ?? self.defaults.firstName
        fields.familyName = FieldText.plain(known.lastName, max: 64) ?? self.defaults.lastName
        fields.phone = FieldText.plain(known.phone, max: 40) ?? self.defaults.phone
        fields.email = PayerDefaults.email(known.email) ?? self.defaults.email
        fields.ipAddress = PayerDefaults.ipAddress(known.ipAddress) ?? self.defaults.ipAddress
        guard fields.givenName != nil, fields.familyName != nil else { throw Refusal(word: "customer_name_missing") }
        guard fields.phone != nil else { throw Refusal(word: "customer_phone_missing") }
        guard fields.email != nil else { throw Refusal(word: "customer_email_missing") }
        guard fields.ipAddress != nil else { throw Refusal(word: "customer_ipv4_address_missing") }
        return fields
    }

    // MARK: - Addresses

    /// What is demanded and left out comes from the account; what is not demanded only where nothing at all is known, so
    /// that no postal code of ours is compared with a street of the customer's.
    private func billing() throws(Refusal) -> AddressFields {
        let known = self.charge.details.billing
        let isUnknown = known?.filled == nil
        let lines = Self.lines(known)
        let address = Self.fields(
            PostalAddress(
                lines: lines.isEmpty ? self.defaults.address.lines : lines,
                city: Self.filled(known?.city) ?? self.defaults.address.city,
                mainDivision: isUnknown ? self.defaults.address.mainDivision : known?.mainDivision,
                postalCode: isUnknown ? self.defaults.address.postalCode : known?.postalCode,
                countryCode: PayerDefaults.country(known?.countryCode) ?? self.defaults.address.countryCode))
        guard let address else { throw Refusal(word: "billing_address_missing") }
        return address
    }

    /// "For orders that do not have a shipping address, pass the billing address as the shipping address": the client
    /// does, where there is none that is whole.
    private func shipping() -> AddressFields? { self.charge.details.shipping.flatMap(Self.fields) }

    /// The address within the table's limits; `nil` where a part is missing that it demands.
    private static func fields(_ address: PostalAddress) -> AddressFields? {
        let lines = Self.lines(address)
        guard !lines.isEmpty, let city = FieldText.plain(address.city, max: 40),
            let country = PayerDefaults.country(address.countryCode)
        else { return nil }
        var fields = AddressFields()
        fields.givenName = FieldText.plain(address.firstName, max: 64)
        fields.familyName = FieldText.plain(address.lastName, max: 64)
        fields.phone = FieldText.plain(address.phone, max: 40)
        fields.lines = lines
        fields.city = city
        fields.region = FieldText.plain(address.mainDivision, max: 35)
        fields.postalCode = FieldText.plain(address.postalCode, max: 15)
        fields.countryCode = country
        return fields
    }

    private static func lines(_ address: PostalAddress?) -> [String] {
        FieldText.lines(address?.lines ?? [], 4, max: 70)
    }

    private static func filled(_ text: String?) -> String? { FieldText.plain(text, max: .max) }
}
