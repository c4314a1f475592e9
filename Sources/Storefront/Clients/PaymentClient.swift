//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
public import Money
public import Redaction
public import StrictJSON

/// A shop's way to take money through one payment service: what its server sends, in the service's own wire language.
///
/// A client is a value. What later calls need of earlier answers it keeps in ``Purchase/memory``; answers that say no
/// are steps too, and only a service that cannot be understood throws.
public protocol PaymentClient: Sendable {
    /// The dialect's name: "commweb".
    var name: String { get }
    /// What must not be seen of what this client knows.
    var secrets: [Redacted<String>] { get }
    /// Whether a payment is captured with its authorization, and cannot be only reserved.
    var capturesAtOnce: Bool { get }

    func authorize(
        _ purchase: inout Purchase, with instrument: PurchaseInstrument, on wire: ShopWire
    ) async throws(ShopWireError) -> PaymentStep
    /// Captures the whole authorization.
    func capture(_ purchase: inout Purchase, on wire: ShopWire) async throws(ShopWireError) -> PaymentStep
    /// Refunds all that is captured.
    func refund(_ purchase: inout Purchase, on wire: ShopWire) async throws(ShopWireError) -> PaymentStep
    /// Gives the whole authorization back.
    func void(_ purchase: inout Purchase, on wire: ShopWire) async throws(ShopWireError) -> PaymentStep

    /// A merchant session through the service, or `nil` where it has no call for that and the shop asks the simulated
    /// Apple itself, through its gateway.
    func merchantSession(
        domain: String, validationURL: String, on wire: ShopWire
    ) async throws(ShopWireError) -> JSON?

    /// The parts of an order under the service's own names, as far as they are known: for people to find it again.
    func facts(of purchase: Purchase) -> [OrderFact]

    /// What a notification says, and what the service wants to hear.
    func read(_ notification: WireRequest) -> NotificationReading
}

/// What the customer pays with.
public enum PurchaseInstrument: Sendable {
    /// `ApplePayPayment.token`: paymentData, paymentMethod, transactionIdentifier.
    case token(JSON)
    /// TapPay's: what its SDK got for the token in the browser.
    case prime(Redacted<String>)

    /// What must not be seen of it.
    var secrets: [Redacted<String>] {
        switch self {
        case .prime(let prime): return [prime]
        case .token(let token):
            let data = token["paymentData"]
            let header = data?["header"]
            return [
                data?["data"], data?["signature"], header?["ephemeralPublicKey"], header?["wrappedKey"],
                header?["publicKeyHash"],
            ].compactMap { $0?.string.map(Redacted.init) }
        }
    }
}

/// An order as a payment service hears of it.
public struct Purchase: Sendable {
    /// The order's id: at most 20 letters, digits and hyphens, which every service takes.
    public var reference: String
    public var amount: Money
    /// What is bought, in a line.
    public var summary: String
    public var contact: Contact
    /// ISO 3166-1 alpha-2, where the contact names no country.
    public var countryCode: String
    /// Where the service is to send its notifications, for those that take the address with each order.
    public var notifyURL: String?
    /// What the client wrote down of earlier answers.
    public var memory: [String: String] = [:]
    /// How often the customer has tried to pay.
    public var attempts = 0

    public init(
        reference: String, amount: Money, summary: String, contact: Contact = Contact(), countryCode: String,
        notifyURL: String? = nil
    ) {
        self.reference = reference
        self.amount = amount
        self.summary = summary
        self.contact = contact
        self.countryCode = countryCode
        self.notifyURL = notifyURL
    }
}

/// What came of a call.
public struct PaymentStep: Hashable, Sendable {
    public enum Status: String, Hashable, Sendable, CaseIterable {
        case approved
        /// The bank said no.
        case declined
        /// Nobody knows yet.
        case unknown
        /// The service refused the request.
        case error
    }

    public var status: Status
    /// The service's own words.
    public var message: String
    /// What the service calls the payment.
    public var reference: String?
    /// The codes of the answer, explained.
    public var codes: [CodeNote]

    public init(_ status: Status, _ message: String, reference: String? = nil, codes: [CodeNote] = []) {
        self.status = status
        self.message = message
        self.reference = reference
        self.codes = codes
    }
}

/// A notification, as far as the shop uses it.
public struct NotificationReading: Sendable {
    /// "refund succeeded".
    public var title: String
    /// The order's id, where the notification names it.
    public var reference: String?
    /// Whether it proves that it comes from the service: by signature, secret or shared key. `nil` where the service
    /// offers no proof.
    public var isGenuine: Bool?
    /// What acknowledges it.
    public var acknowledgement: WireResponse
    /// The codes of the notification, explained.
    public var codes: [CodeNote]

    public init(
        title: String, reference: String?, isGenuine: Bool?, acknowledgement: WireResponse, codes: [CodeNote] = []
    ) {
        self.codes = codes
        self.title = title
        self.reference = reference
        self.isGenuine = isGenuine
        self.acknowledgement = acknowledgement
    }
}
