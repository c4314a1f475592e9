//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// A request, read by another XML reader than the gateway's (libxml2), and held against the vendor's tables.
struct SentDocument: Sendable {
    let root: String
    let requestID: String
    /// The texts of elements that have nothing else, by their paths below the root.
    private var texts: [String: String] = [:]
    private var attributes: [String: String] = [:]
    private var names: [String] = []

    /// `nil` for what is no XML.
    init?(_ body: [UInt8]) {
        guard let document = try? XMLDocument(data: Data(body)), let root = document.rootElement(),
            let name = root.name
        else { return nil }
        self.root = name
        self.requestID = root.attributes?.first { $0.name == "requestId" }?.stringValue ?? ""
        self.names = Self.children(of: root).compactMap(\.name)
        for child in Self.children(of: root) { self.read(child, below: "") }
    }

    private static func children(of element: XMLElement) -> [XMLElement] {
        (element.children ?? []).compactMap { $0 as? XMLElement }
    }

    private mutating func read(_ element: XMLElement, below path: String) {
        let path = path + (element.name ?? "")
        let children = Self.children(of: element)
        for attribute in element.attributes ?? [] {
            self.attributes["\(path)@\(attribute.name ?? "")"] = attribute.stringValue
        }
        if children.isEmpty { self.texts[path] = element.stringValue ?? "" }
        for child in children { self.read(child, below: path + "/") }
    }

    subscript(path: String) -> String? { self.texts[path] }

    /// The element's amount in cents; the vendor takes "up to two decimal places".
    func cents(_ path: String) -> Int64? {
        let parts = (self.texts[path] ?? "").split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = parts.first.flatMap({ Int64($0) }), parts.count <= 2,
            self.attributes[path + "@currencyCode"] == "USD"
        else { return nil }
        let decimals = parts.count == 2 ? String(parts[1]) : ""
        guard decimals.utf8.count <= 2, decimals.allSatisfy(\.isNumber) else { return nil }
        return whole * 100 + (Int64((decimals + "00").prefix(2)) ?? 0)
    }

    // MARK: - The vendor's tables

    private struct Table {
        /// In the order of the schema.
        let names: [String]
        let required: Set<String>
    }

    /// The "Request Elements" of Radial's Apple Pay page; of what follows, the schema that its SDK carries.
    private static let tables: [String: Table] = [
        "CreditCardAuthRequest": Table(
            names: [
                "WalletPaymentInformation", "OrderId", "Amount", "BillingFirstName", "BillingLastName",
                "BillingPhoneNo",
                "BillingAddress", "CustomerEmail", "CustomerIPAddress", "ShipToFirstName", "ShipToLastName",
                "ShipToPhoneNo", "ShippingAddress", "SchemaVersion", "Features",
            ],
            required: [
                "WalletPaymentInformation/ApplePayTransactionId", "WalletPaymentInformation/EphemeralPublicKey",
                "WalletPaymentInformation/PublicKeyHash", "WalletPaymentInformation/Version",
                "WalletPaymentInformation/Data", "WalletPaymentInformation/Signature", "OrderId", "BillingFirstName",
                "BillingLastName", "BillingPhoneNo", "BillingAddress/Line1", "BillingAddress/City",
                "BillingAddress/CountryCode", "CustomerEmail", "CustomerIPAddress", "ShipToFirstName", "ShipToLastName",
                "ShippingAddress/Line1", "ShippingAddress/City", "ShippingAddress/CountryCode", "SchemaVersion",
            ]),
        "ConfirmFundsRequest": Table(
            names: ["PaymentContext", "Amount", "PerformReauthorization"], required: ["Amount"]),
        "PaymentSettlementRequest": Table(
            names: [
                "PaymentContext", "InvoiceId", "Amount", "TaxAmount", "SettlementType", "AuthorizationResponseCode",
                "AuthorizationDate", "ExpirationDate", "ClientContext", "FinalDebit",
            ], required: ["Amount", "TaxAmount", "SettlementType"]),
        "PaymentAuthCancelRequest": Table(names: ["PaymentContext", "Amount"], required: ["Amount"]),
    ]

    /// What the vendor's tables have against it; `nil` for nothing.
    var problem: String? {
        guard let table = Self.tables[self.root] else { return "\(self.root) is no message" }
        guard (1...40).contains(self.requestID.utf8.count) else { return "requestId of \(self.requestID.utf8.count)" }
        if let blank = self.texts.first(where: { $0.value.isEmpty }) { return "\(blank.key) is blank" }
        if let missing = table.required.first(where: { self.texts[$0] == nil }) { return "\(missing) is missing" }
        var rest = table.names[...]
        for name in self.names {
            guard let index = rest.firstIndex(of: name) else { return "\(name) is unknown, or out of its order" }
            rest = rest[(index + 1)...]
        }
        let order = self["OrderId"] ?? self["PaymentContext/OrderId"] ?? ""
        guard (1...20).contains(order.utf8.count) else { return "OrderId of \(order.utf8.count)" }
        guard self.texts["Amount"] == nil || self.cents("Amount") != nil else { return "Amount" }
        let isFollowUp = self.names.contains("PaymentContext")
        guard !isFollowUp || self.attributes["PaymentContext/PaymentAccountUniqueId@isToken"] == "true" else {
            return "not the token, but the card"
        }
        return (self["InvoiceId"]?.utf8.count ?? 0) <= 20 ? nil : "InvoiceId"
    }

    var orderID: String { self["OrderId"] ?? self["PaymentContext/OrderId"] ?? "" }
}
