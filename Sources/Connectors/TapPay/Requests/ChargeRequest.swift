//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Clients
import ConnectorKit
import Payments
import StrictJSON

/// The fields of getprime and pay-by-prime.
enum ChargeRequest {
    /// `details` is required and may be empty; what is longer than these bounds is refused (TapPay, error codes 515, 519
    /// to 524 and 568). The bounds themselves are those of docs/dialects/tappay.md.
    static func fields(
        _ request: AcquirerRequest, _ charge: Charge, _ token: SealedToken, _ account: TapPayAccount
    ) -> ChargeFields {
        let details = charge.details
        var fields = ChargeFields(
            order: FieldText.plain(details.orderReference, max: 50) ?? request.paymentID.shortName,
            key: request.operationID.shortName, amount: request.amount, instrument: .sealed(token))
        fields.capturesAtOnce = charge.captures
        fields.description = FieldText.plain(details.description ?? details.orderReference, max: 100)
        fields.customer = CardholderText.customer(details, account.cardholder)
        fields.notifyURL = account.notificationURL
        fields.extra = CardholderText.extra(details)
        return fields
    }
}

enum CardholderText {
    /// Name, e-mail and phone number, which TapPay requires: the payment's, else the account's, else empty.
    static func customer(_ details: ChargeDetails, _ defaults: CardholderDefaults) -> CustomerFields {
        let customer = details.customer
        let names = [customer.firstName, customer.lastName].compactMap { FieldText.plain($0, max: 100) }
        var fields = CustomerFields()
        // In one field: TapPay has no other.
        fields.familyName =
            FieldText.plain(names.joined(separator: " "), max: 100) ?? FieldText.plain(details.cardholderName, max: 100)
            ?? defaults.name
        fields.email = FieldText.email(customer.email) ?? defaults.email
        fields.phone = self.phone(customer.phone) ?? defaults.phone
        return fields
    }

    /// What else there are fields for.
    static func extra(_ details: ChargeDetails) -> [ExtraField] {
        let address = details.billing
        let lines = (address?.lines ?? []) + [address?.city, address?.mainDivision].compactMap(\.self)
        let texts = [
            ("cardholder.zip_code", FieldText.whole(address?.postalCode, 1...10, where: self.isPostcodeCharacter)),
            ("cardholder.address", FieldText.plain(lines.joined(separator: ", "), max: 100)),
            ("cardholder.member_id", FieldText.whole(details.customer.id, 1...50, where: ASCII.isNameCharacter)),
        ]
        return texts.compactMap { name, text in text.map { ExtraField(name, .string($0)) } }
    }

    static func phone(_ text: String?) -> String? { FieldText.whole(text, 1...30, where: self.isPhoneCharacter) }

    private static func isPhoneCharacter(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || "+-() ".utf8.contains(byte)
    }

    private static func isPostcodeCharacter(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || byte == UInt8(ascii: " ") || byte == UInt8(ascii: "-")
    }
}
