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

    /// An amount that stands in an element with its currency. Decimals that the currency does not have may stand if they
    /// are zeros: the vendor's clients write two for every currency.
    static func money(_ name: String, in xml: XMLReply) -> Money? {
        guard let currency = xml.attribute("currencyCode", of: name).flatMap({ Currency.alphabetic($0) }),
            let text = xml[name], text.utf8.count <= 24
        else { return nil }
        var digits = text[...]
        if let point = text.firstIndex(of: ".") {
            let decimals = text[point...].dropFirst()
            let kept = decimals.prefix(currency.exponent)
            guard !decimals.isEmpty, decimals.dropFirst(kept.count).allSatisfy({ $0 == "0" }) else { return nil }
            digits = kept.isEmpty ? text[..<point] : text[..<kept.endIndex]
        }
        return try? Money(decimalText: String(digits), currency: currency)
    }

    static func context(order: String, account: String) -> String {
        "<PaymentContext>\(self.element("OrderId", order))\(self.account(account))</PaymentContext>"
    }

    static func account(_ token: String) -> String {
        "<PaymentAccountUniqueId isToken=\"true\">\(XMLReply.escaped(token))</PaymentAccountUniqueId>"
    }

    /// Elements that one request has and others do not; "Features/IncludePaymentAccountInformation" is one in another.
    static func extra(_ fields: [ExtraField]) -> String {
        fields.map { field in
            field.name.split(separator: "/").reversed().reduce(XMLReply.escaped(field.text)) { "<\($1)>\($0)</\($1)>" }
        }.joined()
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
            self.element("ShipToFirstName", charge.shipping?.givenName ?? first),
            self.element("ShipToLastName", charge.shipping?.familyName ?? last),
            self.element("ShipToPhoneNo", charge.shipping?.phone),
            self.address("ShippingAddress", charge.shipping ?? billing),
            self.element("SchemaVersion", "1.2"), self.extra(charge.extra),
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
