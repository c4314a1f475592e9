//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
import HTTPTypes
import Money
public import Redaction
public import StrictJSON

/// A shop that speaks Radial: XML over POST, an API key (docs/dialects/radial.md).
public struct RadialClient: PaymentClient {
    public struct Credentials: Sendable {
        public var storeID: String
        public var apiKey: Redacted<String>

        public init(storeID: String, apiKey: Redacted<String>) {
            self.storeID = storeID
            self.apiKey = apiKey
        }
    }

    public let name = "radial"
    public let capturesAtOnce = false
    private let credentials: Credentials

    static let namespace = "http://api.gsicommerce.com/schema/checkout/1.0"

    public init(_ credentials: Credentials) {
        self.credentials = credentials
    }

    public var secrets: [Redacted<String>] { [self.credentials.apiKey] }

    /// Posts a document to an operation: "creditcard/auth/DW.xml".
    public func call(_ operation: String, _ xml: String, on wire: ShopWire) async throws(ShopWireError) -> ShopReply {
        try await wire.call(
            ShopRequest(
                .post, "/v1.0/stores/\(PercentCoding.encoded(self.credentials.storeID))/payments/\(operation)",
                headers: [("Content-Type", "text/xml"), ("apikey", self.credentials.apiKey.reveal())],
                body: Array(xml.utf8)))
    }
}

// MARK: - A shop's payment

extension RadialClient {
    private static let account = "PaymentAccountUniqueId"
    private static let tenderType = "TenderType"

    public func authorize(
        _ purchase: inout Purchase, with instrument: PurchaseInstrument, on wire: ShopWire
    ) async throws(ShopWireError) -> PaymentStep {
        guard case .token(let token) = instrument else { return .needsToken }
        purchase.attempts += 1
        let reply = try await self.call(
            "creditcard/auth/DW.xml", Self.authorization(purchase, token["paymentData"] ?? .null), on: wire)
        let text = reply.text
        guard let code = XMLText.element("ResponseCode", of: text) else { return Self.fault(reply) }
        if let account = XMLText.element(Self.account, of: text) { purchase.memory[Self.account] = account }
        if let tender = XMLText.element(Self.tenderType, of: text) { purchase.memory[Self.tenderType] = tender }
        let status: PaymentStep.Status =
            switch code {
            case "APPROVED": .approved
            // With NR01 the issuer was not reached, and nothing was charged.
            case "TIMEOUT": XMLText.element("AuthorizationResponseCode", of: text) == "NR01" ? .declined : .unknown
            default: .declined
            }
        return PaymentStep(
            status, code, reference: purchase.memory[Self.account], codes: RadialCodes.notes(text))
    }

    public func capture(_ purchase: inout Purchase, on wire: ShopWire) async throws(ShopWireError) -> PaymentStep {
        try await self.settle("Debit", purchase, wire)
    }

    public func refund(_ purchase: inout Purchase, on wire: ShopWire) async throws(ShopWireError) -> PaymentStep {
        try await self.settle("Credit", purchase, wire)
    }

    public func void(_ purchase: inout Purchase, on wire: ShopWire) async throws(ShopWireError) -> PaymentStep {
        guard let (context, tender) = Self.context(of: purchase) else { return Self.noAccount }
        return Self.acknowledgement(
            try await self.call(
                "auth/cancel/\(tender).xml",
                """
                <PaymentAuthCancelRequest xmlns="\(Self.namespace)" requestId="cancel-\(purchase.reference)">\
                \(context)\(Self.amount("Amount", purchase))</PaymentAuthCancelRequest>
                """, on: wire))
    }

    private func settle(
        _ type: String, _ purchase: Purchase, _ wire: ShopWire
    ) async throws(ShopWireError) -> PaymentStep {
        guard let (context, tender) = Self.context(of: purchase) else { return Self.noAccount }
        let final = type == "Debit" ? "<FinalDebit>1</FinalDebit>" : ""
        return Self.acknowledgement(
            try await self.call(
                "settlement/create/\(tender).xml",
                """
                <PaymentSettlementRequest xmlns="\(Self.namespace)" requestId="\(type)-\(purchase.reference)">\
                \(context)\(Self.amount("Amount", purchase))\
                <TaxAmount currencyCode="\(purchase.amount.currency.code)">0.00</TaxAmount>\
                <SettlementType>\(type)</SettlementType>\(final)</PaymentSettlementRequest>
                """, on: wire))
    }

    public func merchantSession(
        domain: String, validationURL: String, on wire: ShopWire
    ) async throws(ShopWireError) -> JSON? { nil }

    public func facts(of purchase: Purchase) -> [OrderFact] {
        [
            OrderFact("OrderId", purchase.reference),
            OrderFact("PaymentAccountUniqueId", purchase.memory[Self.account]),
            OrderFact("TenderType", purchase.memory[Self.tenderType]),
            OrderFact("Amount", purchase.amount.decimalText),
            OrderFact("currencyCode", purchase.amount.currency.code),
        ].compactMap { $0 }
    }

    public func read(_ notification: WireRequest) -> NotificationReading {
        let text = String(decoding: notification.body, as: UTF8.self)
        let words = [
            text.contains("PaymentAuthCancelReply") ? "cancellation" : "settlement",
            XMLText.element("SettlementType", of: text),
            XMLText.element("SettlementStatus", of: text) ?? XMLText.element("ResponseCode", of: text),
        ]
        return NotificationReading(
            title: words.compactMap { $0 }.joined(separator: " "), reference: XMLText.element("OrderId", of: text),
            isGenuine: nil, acknowledgement: WireResponse(status: .ok), codes: RadialCodes.notes(text))
    }
}

// MARK: - Its documents

extension RadialClient {
    private static func authorization(_ purchase: Purchase, _ token: JSON) -> String {
        func text(_ json: JSON?) -> String { XMLText.escaped(json?.string ?? "") }
        let contact = purchase.contact
        let name = (first: XMLText.escaped(contact.givenName), last: XMLText.escaped(contact.familyName))
        let address =
            "<Line1>\(XMLText.escaped(contact.line))</Line1><City>\(XMLText.escaped(contact.city))</City>"
            + "<MainDivision>\(XMLText.escaped(contact.region))</MainDivision>"
            + "<CountryCode>\(contact.countryCode ?? purchase.countryCode)</CountryCode>"
            + "<PostalCode>\(XMLText.escaped(contact.postalCode))</PostalCode>"
        let id = "auth-\(purchase.attempts)-\(purchase.reference)"
        return """
            <CreditCardAuthRequest xmlns="\(Self.namespace)" requestId="\(id)">\
            <WalletPaymentInformation>\
            <ApplePayTransactionId>\(text(token["header"]?["transactionId"]))</ApplePayTransactionId>\
            <EphemeralPublicKey>\(text(token["header"]?["ephemeralPublicKey"]))</EphemeralPublicKey>\
            <PublicKeyHash>\(text(token["header"]?["publicKeyHash"]))</PublicKeyHash>\
            <Version>\(text(token["version"]))</Version><Data>\(text(token["data"]))</Data>\
            <Signature>\(text(token["signature"]))</Signature></WalletPaymentInformation>\
            <OrderId>\(purchase.reference)</OrderId>\(Self.amount("Amount", purchase))\
            <BillingFirstName>\(name.first)</BillingFirstName><BillingLastName>\(name.last)</BillingLastName>\
            <BillingPhoneNo>\(XMLText.escaped(contact.phone))</BillingPhoneNo>\
            <BillingAddress>\(address)</BillingAddress><CustomerEmail>\(XMLText.escaped(contact.email))</CustomerEmail>\
            <CustomerIPAddress>192.0.2.1</CustomerIPAddress><ShipToFirstName>\(name.first)</ShipToFirstName>\
            <ShipToLastName>\(name.last)</ShipToLastName><ShippingAddress>\(address)</ShippingAddress>\
            <SchemaVersion>1.2</SchemaVersion></CreditCardAuthRequest>
            """
    }

    private static func context(of purchase: Purchase) -> (xml: String, tender: String)? {
        guard let account = purchase.memory[self.account], let tender = purchase.memory[self.tenderType] else {
            return nil
        }
        return (
            "<PaymentContext><OrderId>\(purchase.reference)</OrderId>"
                + "<PaymentAccountUniqueId isToken=\"true\">\(XMLText.escaped(account))</PaymentAccountUniqueId>"
                + "</PaymentContext>", PercentCoding.encoded(tender)
        )
    }

    private static func amount(_ name: String, _ purchase: Purchase) -> String {
        "<\(name) currencyCode=\"\(purchase.amount.currency.code)\">\(purchase.amount.decimalText)</\(name)>"
    }

    private static let noAccount = PaymentStep(
        .error, "Radial has returned no account token for this payment, and nothing can follow without it.")

    private static func acknowledgement(_ reply: ShopReply) -> PaymentStep {
        guard let code = XMLText.element("ResponseCode", of: reply.text), reply.status / 100 == 2 else {
            return self.fault(reply)
        }
        let status: PaymentStep.Status =
            switch code {
            case "Success": .approved
            case "Timeout": .unknown
            default: .declined
            }
        return PaymentStep(
            status, code, reference: XMLText.element("OrderId", of: reply.text), codes: RadialCodes.notes(reply.text))
    }

    private static func fault(_ reply: ShopReply) -> PaymentStep {
        let words = [XMLText.element("Code", of: reply.text), XMLText.element("Description", of: reply.text)]
            .compactMap { $0 }
        return PaymentStep(.error, words.isEmpty ? "HTTP \(reply.status)" : words.joined(separator: ": "))
    }
}
