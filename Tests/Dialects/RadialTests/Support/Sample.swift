//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON
import WalletSimulator

/// Requests as clients write them.
enum Sample {
    static let namespace = "http://api.gsicommerce.com/schema/checkout/1.0"

    /// The request example of the vendor's "Credit Card Auth API", line by line, but for the six texts of the token,
    /// the order and the requestId.
    static func walletAuthorization(
        _ token: MintedToken, order: String = "1", request: String = "1234567"
    ) -> String {
        let header = token.paymentData["header"]
        let text = { (json: JSON?, name: String) in json?[name]?.string ?? "" }
        return """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <CreditCardAuthRequest xmlns="http://api.gsicommerce.com/schema/checkout/1.0" requestId="\(request)">
            <WalletPaymentInformation>
            <ApplePayTransactionId>\(text(header, "transactionId"))</ApplePayTransactionId>
            <EphemeralPublicKey>\(text(header, "ephemeralPublicKey"))</EphemeralPublicKey>
            <PublicKeyHash>\(text(header, "publicKeyHash"))</PublicKeyHash>
            <Version>\(text(token.paymentData, "version"))</Version>
            <Data>\(text(token.paymentData, "data"))</Data>
            <Signature>\(text(token.paymentData, "signature"))</Signature>
            </WalletPaymentInformation>
            <OrderId>\(order)</OrderId>
            \(self.customer)
            <Features>
            <IncludePaymentAccountInformation>true</IncludePaymentAccountInformation>
            </Features>
            </CreditCardAuthRequest>
            """
    }

    static let customer = """
        <BillingFirstName>John</BillingFirstName>
        <BillingLastName>Smith</BillingLastName>
        <BillingPhoneNo>6101234567</BillingPhoneNo>
        <BillingAddress>
        <Line1>123 Main St</Line1>
        <Line2>Building 123</Line2>
        <Line3>4th Floor</Line3>
        <Line4>Apt 12</Line4>
        <City>Philadelphia</City>
        <MainDivision>PA</MainDivision>
        <CountryCode>US</CountryCode>
        <PostalCode>19019</PostalCode>
        </BillingAddress>
        <CustomerEmail>customer@sample.com</CustomerEmail>
        <CustomerIPAddress>208.247.73.130</CustomerIPAddress>
        <ShipToFirstName>John</ShipToFirstName>
        <ShipToLastName>Smith</ShipToLastName>
        <ShipToPhoneNo>6101234567</ShipToPhoneNo>
        <ShippingAddress>
        <Line1>123 Main St</Line1>
        <Line2>Building 123</Line2>
        <Line3>4th Floor</Line3>
        <Line4>Apt 12</Line4>
        <City>Philadelphia</City>
        <MainDivision>PA</MainDivision>
        <CountryCode>US</CountryCode>
        <PostalCode>19019</PostalCode>
        </ShippingAddress>
        """

    /// A card number as Radial's SDK for Magento sends it: no declaration, and on one line.
    static func cardAuthorization(
        _ pan: String, isToken: String = "false", code: String? = "737", amount: String = "50.00",
        currency: String = "USD", order: String = "1", request: String = "a1", expiry: String = "2030-03",
        verification: String = "", flags: String = "<SchemaVersion>1.2</SchemaVersion>"
    ) -> String {
        let securityCode = code.map { "<CardSecurityCode>\($0)</CardSecurityCode>" } ?? ""
        return "<CreditCardAuthRequest xmlns=\"\(self.namespace)\" requestId=\"\(request)\">"
            + self.context(pan, isToken: isToken, order: order)
            + "<ExpirationDate>\(expiry)</ExpirationDate>\(securityCode)"
            + "<Amount currencyCode=\"\(currency)\">\(amount)</Amount>"
            + self.customer.filter { $0 != "\n" }
            + "<isRequestToCorrectCVVOrAVSError>false</isRequestToCorrectCVVOrAVSError>"
            + verification + flags + "</CreditCardAuthRequest>"
    }

    static func verification(_ cryptogram: String) -> String {
        "<SecureVerificationData><AuthenticationAvailable>Y</AuthenticationAvailable>"
            + "<AuthenticationStatus>Y</AuthenticationStatus><CavvUcaf>\(cryptogram)</CavvUcaf>"
            + "<TransactionId>1</TransactionId><ECI>7</ECI>"
            + "<PayerAuthenticationResponse>Y</PayerAuthenticationResponse></SecureVerificationData>"
    }

    /// - Parameter invoice: one of the request's own for `nil`; "" leaves the element out.
    static func settlement(
        _ token: String, _ amount: String, _ kind: String = "Debit", currency: String = "USD", order: String = "1",
        request: String, invoice: String? = nil, clientContext: String = "987654321", isFinal: String = "",
        extra: String = ""
    ) -> String {
        let invoice = invoice ?? "I\(request.suffix(19))"
        return "<PaymentSettlementRequest xmlns=\"\(self.namespace)\" requestId=\"\(request)\">"
            + self.context(token, order: order)
            + (invoice.isEmpty ? "" : "<InvoiceId>\(invoice)</InvoiceId>")
            + "<Amount currencyCode=\"\(currency)\">\(amount)</Amount>"
            + "<TaxAmount currencyCode=\"\(currency)\">0.00</TaxAmount>"
            + "<SettlementType>\(kind)</SettlementType><ClientContext>\(clientContext)</ClientContext>"
            + "<FinalDebit>\(isFinal)</FinalDebit>\(extra)</PaymentSettlementRequest>"
    }

    static func cancel(_ token: String, _ amount: String, order: String = "1", request: String) -> String {
        "<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"yes\"?>"
            + "<PaymentAuthCancelRequest requestId=\"\(request)\" xmlns=\"\(self.namespace)\">"
            + self.context(token, order: order)
            + "<Amount currencyCode=\"USD\">\(amount)</Amount></PaymentAuthCancelRequest>"
    }

    static func confirmFunds(_ token: String, _ amount: String, order: String = "1", request: String) -> String {
        "<ConfirmFundsRequest xmlns=\"\(self.namespace)\" requestId=\"\(request)\">"
            + self.context(token, order: order)
            + "<Amount currencyCode=\"USD\">\(amount)</Amount>"
            + "<PerformReauthorization>1</PerformReauthorization></ConfirmFundsRequest>"
    }

    static func context(_ account: String, isToken: String = "true", order: String = "1") -> String {
        "<PaymentContext><OrderId>\(order)</OrderId>"
            + "<PaymentAccountUniqueId isToken=\"\(isToken)\">\(account)</PaymentAccountUniqueId></PaymentContext>"
    }

    /// The vendor's sample of "Decryption API", with base64 over many lines.
    static func decryptBlob(_ token: MintedToken, wraps: Bool = true) -> String {
        let header = token.paymentData["header"]
        let text = { (json: JSON?, name: String) in
            let text = json?[name]?.string ?? ""
            return wraps ? self.wrapped(text) : text
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <DecryptBlobRequest xmlns="\(self.namespace)">
                <AlgorithmVersion>apd</AlgorithmVersion>
                <EncryptionHeader>
                    <EphemeralPublicKey>\(text(header, "ephemeralPublicKey"))</EphemeralPublicKey>
                    <TransactionId>\(text(header, "transactionId"))</TransactionId>
                    <PublicKeyHash>\(text(header, "publicKeyHash"))</PublicKeyHash>
                </EncryptionHeader>
                <Version>\(token.paymentData["version"]?.string ?? "")</Version>
                <Data>\(text(token.paymentData, "data"))</Data>
                <Signature>\(text(token.paymentData, "signature"))</Signature>
            </DecryptBlobRequest>
            """
    }

    /// A text over lines of 60 characters, indented.
    static func wrapped(_ text: String) -> String {
        stride(from: 0, to: text.count, by: 60).map { String(text.dropFirst($0).prefix(60)) }
            .joined(separator: "\r\n        ") + "\n    "
    }

    static func tenderLookup(_ account: String, isToken: String = "false", tenderClass: String = "CreditCard") -> String
    {
        "<TenderTypeLookupRequest xmlns=\"\(self.namespace)\">"
            + "<PaymentAccountUniqueId isToken=\"\(isToken)\">\(account)</PaymentAccountUniqueId>"
            + "<TenderClass>\(tenderClass)</TenderClass><CurrencyCode>USD</CurrencyCode></TenderTypeLookupRequest>"
    }
}
