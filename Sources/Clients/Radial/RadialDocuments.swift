//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money

/// The elements of Radial's requests, in the order of its tables.
enum RadialDocuments {
    static let namespace = "http://api.gsicommerce.com/schema/checkout/1.0"

    static func element(_ name: String, _ text: String?) -> String {
        text.map { "<\(name)>\(XMLReply.escaped($0))</\(name)>" } ?? ""
    }

    static func amount(_ name: String, _ money: Money) -> String {
        "<\(name) currencyCode=\"\(money.currency.code)\">\(money.decimalText)</\(name)>"
    }

    static func context(order: String, account: String) -> String {
        "<PaymentContext>\(self.element("OrderId", order))<PaymentAccountUniqueId isToken=\"true\">"
            + "\(XMLReply.escaped(account))</PaymentAccountUniqueId></PaymentContext>"
    }

    /// The extra elements of a settlement stand before its amount: `InvoiceId` is the one that there is.
    static func invoice(_ fields: FollowUpFields) -> String {
        fields.extra.map { self.element($0.name, $0.text) }.joined()
    }

    static func authorization(_ charge: ChargeFields) throws(ClientError) -> String {
        guard case .sealed(let token) = charge.instrument else {
            throw ClientError(.instrumentNotTaken, "Radial takes an Apple Pay token as the wallet made it, alone.")
        }
        guard let billing = charge.billing else {
            throw ClientError(.fieldMissing, "Radial demands a billing address.")
        }
        let customer = charge.customer
        let first = customer.givenName ?? ""
        let last = customer.familyName ?? ""
        return [
            "<CreditCardAuthRequest xmlns=\"\(self.namespace)\" requestId=\"\(XMLReply.escaped(charge.key))\">",
            self.wallet(token), self.element("OrderId", charge.order), self.amount("Amount", charge.amount),
            self.element("BillingFirstName", first), self.element("BillingLastName", last),
            self.element("BillingPhoneNo", customer.phone ?? ""), self.address("BillingAddress", billing),
            self.element("CustomerEmail", customer.email ?? ""),
            // A dotted quad is demanded: one of those that nobody has (RFC 5737).
            self.element("CustomerIPAddress", customer.ipAddress ?? "192.0.2.1"),
            self.element("ShipToFirstName", first), self.element("ShipToLastName", last),
            self.address("ShippingAddress", charge.shipping ?? billing),
            self.element("SchemaVersion", "1.2"), charge.extra.map { self.element($0.name, $0.text) }.joined(),
            "</CreditCardAuthRequest>",
        ].joined()
    }

    private static func wallet(_ token: SealedToken) -> String {
        let parts = [
            ("ApplePayTransactionId", "header.transactionId"), ("EphemeralPublicKey", "header.ephemeralPublicKey"),
            ("PublicKeyHash", "header.publicKeyHash"), ("Version", "version"), ("Data", "data"),
            ("Signature", "signature"),
        ].map { self.element($0, token.part($1)) }.joined()
        return "<WalletPaymentInformation>\(parts)</WalletPaymentInformation>"
    }

    private static func address(_ name: String, _ address: AddressFields) -> String {
        let lines = address.lines.prefix(4).enumerated().map { self.element("Line\($0 + 1)", $1) }.joined()
        return "<\(name)>\(lines)\(self.element("City", address.city))"
            + "\(self.element("MainDivision", address.region))\(self.element("CountryCode", address.countryCode))"
            + "\(self.element("PostalCode", address.postalCode))</\(name)>"
    }
}
