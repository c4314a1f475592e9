//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Payments
import StrictJSON

/// Speaks Radial's XML.
struct RadialShop: ShopLanguage {
    /// Faults after which the same request is sent again.
    private static let temporaryFaults = ["OperationInProcessException", "AuthorizationInProcessException"]

    let merchant: ShopMerchant

    private func request(
        _ key: String, _ path: String, _ kind: Payments.Operation.Kind, _ minorUnits: Int64?, _ body: String
    ) -> ShopRequest {
        let apiKey = self.merchant["apikey"]
        return ShopRequest(
            key: "radial/" + key, kind: kind, minorUnits: minorUnits, method: "POST",
            path: "/v1.0/stores/\(self.merchant["storeId"])/payments/\(path)",
            headers: { [("Content-Type", "text/xml"), ("apikey", apiKey)] }, body: Array(body.utf8),
            read: Self.read)
    }

    @Sendable private static func read(_ status: UInt, _ body: String) -> ShopAnswer? {
        if (400...499).contains(status), status != 408, status != 429 {
            let isTemporary = self.temporaryFaults.contains { body.contains($0) }
            return isTemporary ? nil : ShopAnswer(answer: .notDone(self.element("Code", of: body) ?? "refused"))
        }
        guard status == 200, let code = self.element("ResponseCode", of: body) else { return nil }
        if body.contains("<AckReply") {
            switch code {
            case "Success": return ShopAnswer(answer: .approved)
            case "Fail": return ShopAnswer(answer: .notDone("Fail"))
            default: return nil
            }
        }
        if code == "APPROVED" {
            return ShopAnswer(answer: .approved, handle: self.element("PaymentAccountUniqueId", of: body) ?? "")
        }
        let isUnknown = self.element("AuthorizationResponseCode", of: body) == "TO01"
        return isUnknown ? nil : ShopAnswer(answer: .notDone(code))
    }

    /// The text of the first element of a name.
    private static func element(_ name: String, of body: String) -> String? {
        guard let start = body.range(of: "<\(name)"),
            let open = body.range(of: ">", range: start.upperBound..<body.endIndex),
            let close = body.range(of: "</\(name)>", range: open.upperBound..<body.endIndex)
        else { return nil }
        return String(body[open.upperBound..<close.lowerBound])
    }

    private static let schema = "xmlns=\"http://api.gsicommerce.com/schema/checkout/1.0\""

    func authorize(_ name: String, minorUnits: Int64, preparation: String) throws -> ShopRequest {
        let token = try self.merchant.token(minorUnits, "840")
        let text = { (json: JSON?) in json?.string ?? "" }
        let address = "<Line1>123 Main St</Line1><City>Philadelphia</City><CountryCode>US</CountryCode>"
        return self.request(
            "\(name)/0", "creditcard/auth/DW.xml", .authorization, minorUnits,
            """
            <CreditCardAuthRequest \(Self.schema) requestId="\(name)-0"><WalletPaymentInformation>\
            <ApplePayTransactionId>\(text(token["header"]?["transactionId"]))</ApplePayTransactionId>\
            <EphemeralPublicKey>\(text(token["header"]?["ephemeralPublicKey"]))</EphemeralPublicKey>\
            <PublicKeyHash>\(text(token["header"]?["publicKeyHash"]))</PublicKeyHash>\
            <Version>\(text(token["version"]))</Version><Data>\(text(token["data"]))</Data>\
            <Signature>\(text(token["signature"]))</Signature></WalletPaymentInformation>\
            <OrderId>\(name)</OrderId><BillingFirstName>John</BillingFirstName>\
            <BillingLastName>Smith</BillingLastName><BillingPhoneNo>6101234567</BillingPhoneNo>\
            <BillingAddress>\(address)</BillingAddress><CustomerEmail>customer@sample.com</CustomerEmail>\
            <CustomerIPAddress>208.247.73.130</CustomerIPAddress><ShipToFirstName>John</ShipToFirstName>\
            <ShipToLastName>Smith</ShipToLastName><ShippingAddress>\(address)</ShippingAddress>\
            <SchemaVersion>1.2</SchemaVersion></CreditCardAuthRequest>
            """)
    }

    private func context(_ name: String, _ handle: String) -> String {
        """
        <PaymentContext><OrderId>\(name)</OrderId>\
        <PaymentAccountUniqueId isToken="true">\(handle)</PaymentAccountUniqueId></PaymentContext>
        """
    }

    private func settle(
        _ name: String, _ number: Int, _ kind: Payments.Operation.Kind, _ minorUnits: Int64, _ handle: String
    ) -> ShopRequest {
        let isCapture = kind == .capture
        let id = "\(name)-\(number)"
        return self.request(
            "\(name)/\(number)", "settlement/create/VC.xml", kind, minorUnits,
            """
            <PaymentSettlementRequest \(Self.schema) requestId="\(id)">\(self.context(name, handle))\
            <InvoiceId>I100</InvoiceId><Amount currencyCode="USD">\(decimalText(minorUnits))</Amount>\
            <TaxAmount currencyCode="USD">0.00</TaxAmount>\
            <SettlementType>\(isCapture ? "Debit" : "Credit")</SettlementType><ClientContext>\(id)</ClientContext>\
            <FinalDebit>\(isCapture ? "false" : "")</FinalDebit></PaymentSettlementRequest>
            """)
    }

    func capture(_ name: String, _ number: Int, minorUnits: Int64, handle: String) -> ShopRequest {
        self.settle(name, number, .capture, minorUnits, handle)
    }

    func refund(_ name: String, _ number: Int, minorUnits: Int64, handle: String) -> ShopRequest {
        self.settle(name, number, .refund, minorUnits, handle)
    }

    func void(_ name: String, _ number: Int, authorized: Int64, handle: String) -> ShopRequest {
        self.request(
            "\(name)/\(number)", "auth/cancel/VC.xml", .void, nil,
            """
            <PaymentAuthCancelRequest requestId="\(name)-\(number)" \(Self.schema)>\(self.context(name, handle))\
            <Amount currencyCode="USD">\(decimalText(authorized))</Amount></PaymentAuthCancelRequest>
            """)
    }
}
