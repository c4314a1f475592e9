//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
import Payments
import Redaction

/// A CreditCardAuthRequest.
struct AuthorizationRequest: Sendable {
    enum Instrument: Sendable {
        case wallet(WalletToken)
        case card(CardAccount)
    }

    let requestID: String
    let orderID: String
    let instrument: Instrument
    let amount: Money?
    /// What the acquirer is sent beside the amount.
    @Boxed private(set) var details: ChargeDetails
    let schemaVersion: SchemaVersion?
    let includesAccountInformation: Bool
    /// Whether the customer has corrected his address or his card's security code.
    let isCorrection: Bool
    let digest: [UInt8]

    /// - Parameters:
    ///   - message: one that its rules have let through.
    ///   - tender: the path's, `nil` for a digital wallet.
    init(_ message: XMLElement, tender: TenderType?) throws(RadialFault) {
        self.requestID = message.attributes["requestId"] ?? ""
        self.amount = message.child("Amount").flatMap(WireAmount.money)
        self.schemaVersion = message.child("SchemaVersion").flatMap { SchemaVersion($0.text) }
        let flag = message.descendant("Features/IncludePaymentAccountInformation")
        self.includesAccountInformation = flag.flatMap { XMLText.boolean($0.text) } ?? false
        let correction = message.child("isRequestToCorrectCVVOrAVSError")
        self.isCorrection = correction.flatMap { XMLText.boolean($0.text) } ?? false
        self.digest = RequestContents.digest(message, path: tender?.rawValue ?? TenderType.digitalWallet)
        if let tender {
            let account = try PaymentAccount(message, in: "PaymentContext")
            self.orderID = account.orderID
            self.instrument = .card(try CardAccount(message, account, tender: tender))
        } else {
            self.orderID = message.child("OrderId")?.text ?? ""
            self.instrument = .wallet(WalletToken(message.child("WalletPaymentInformation")))
        }
        let text = { (name: String) in Self.text(message, name) }
        self.details = ChargeDetails(
            orderReference: self.orderID,
            authentication: message.child("SecureVerificationData").map { PayerAuthentication($0) },
            customer: Customer(
                firstName: text("BillingFirstName"), lastName: text("BillingLastName"), email: text("CustomerEmail"),
                phone: text("BillingPhoneNo"), ipAddress: text("CustomerIPAddress")),
            billing: PostalAddress(message.child("BillingAddress")).filled, shipping: Self.shipping(message))
    }

    private static func shipping(_ message: XMLElement) -> PostalAddress? {
        var address = PostalAddress(message.child("ShippingAddress"))
        address.firstName = Self.text(message, "ShipToFirstName")
        address.lastName = Self.text(message, "ShipToLastName")
        address.phone = Self.text(message, "ShipToPhoneNo")
        return address.filled
    }

    /// What an element says, if that is something.
    private static func text(_ message: XMLElement, _ name: String) -> String? {
        message.child(name).map(\.text).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The claim's operation, and so the kind of the reference by which an authorization is found by its request
    /// (``IdempotencyKey/reference``), without a row of its own.
    static let referenceKind = "auth"
    /// The label of the request's id: a claim may be deleted, what was asked for stays known. The label's reference is the
    /// order, which every later call and event is held against.
    static let requestIDField = "requestId"

    var idempotency: CallContext.Idempotency {
        CallContext.Idempotency(operation: Self.referenceKind, key: self.requestID, digest: self.digest)
    }
}

/// WalletPaymentInformation, or what a DecryptBlobRequest has of it.
struct WalletToken: Sendable {
    let version: String
    let transactionID: String
    let ephemeralPublicKey: String
    let publicKeyHash: String
    let data: Redacted<String>
    let signature: Redacted<String>

    init(_ element: XMLElement?) {
        self.init(element, header: element, transactionID: "ApplePayTransactionId")
    }

    /// - Parameters:
    ///   - header: the element that has the token's header.
    ///   - transactionID: what it calls the transaction's identifier.
    init(_ element: XMLElement?, header: XMLElement?, transactionID: String) {
        let text = { (parent: XMLElement?, name: String) in XMLText.unwrapped(parent?.child(name)?.text ?? "") }
        self.version = text(element, "Version")
        self.data = Redacted(text(element, "Data"))
        self.signature = Redacted(text(element, "Signature"))
        self.transactionID = text(header, transactionID)
        self.ephemeralPublicKey = text(header, "EphemeralPublicKey")
        self.publicKeyHash = text(header, "PublicKeyHash")
    }

    func instrument() throws(RadialFault) -> AuthorizationInstrument {
        do throws(GatewayRefusal) {
            return try .applePay(
                version: self.version, data: self.data.reveal(), signature: self.signature.reveal(),
                ephemeralPublicKey: self.ephemeralPublicKey, publicKeyHash: self.publicKeyHash,
                transactionID: self.transactionID)
        } catch {
            throw RadialFault(refusal: error)
        }
    }
}

extension PayerAuthentication {
    /// SecureVerificationData, but for what proves it, which is the card's.
    fileprivate init(_ element: XMLElement) {
        let text = { (name: String) in element.child(name).map(\.text).flatMap { $0.isEmpty ? nil : $0 } }
        let status: Status? =
            switch text("AuthenticationStatus") {
            case "Y": .authenticated
            case "A": .attempted
            case "U": .unavailable
            case "N": .failed
            // "N" of AuthenticationAvailable: the card takes part in none.
            default: text("AuthenticationAvailable") == "N" ? .unavailable : nil
            }
        self.init(status: status, transactionID: text("TransactionId"))
    }
}

extension PostalAddress {
    /// A BillingAddress or ShippingAddress.
    init(_ element: XMLElement?) {
        let text = { (name: String) in element?.child(name).map(\.text).flatMap { $0.isEmpty ? nil : $0 } }
        self.init(
            lines: ["Line1", "Line2", "Line3", "Line4"].compactMap(text), city: text("City"),
            mainDivision: text("MainDivision") ?? text("MainDivisionCode"), postalCode: text("PostalCode"),
            countryCode: text("CountryCode"))
    }
}
