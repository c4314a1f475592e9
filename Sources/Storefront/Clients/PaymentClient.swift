//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Clients
public import DialectKit
public import Money
public import Redaction
public import StrictJSON

/// A wire language as the demo shop speaks it: what its page shows beside the payment.
public protocol PaymentClient: WireClient {
    /// The parts of an order under the service's own names, as far as they are known: for people to find it again.
    func facts(of purchase: Purchase) -> [OrderFact]
    /// The codes of a message, explained.
    func notes(_ body: ReplyBody) -> [CodeNote]
    /// The service's own SDK for pages, which opens the sheet in the place of the page; `nil` where the page does.
    var pageSDK: PageSDK? { get }
}

extension PaymentClient {
    public var pageSDK: PageSDK? { nil }
}

/// An SDK for pages, and what it is set up with. Everybody who reads the page reads it.
public struct PageSDK: Hashable, Sendable {
    /// "TPDirect".
    public let name: String
    public let appID: Int
    public let appKey: String

    var json: JSON { ["name": .string(self.name), "appId": JSON(self.appID), "appKey": .string(self.appKey)] }
}

/// What the customer pays with.
public enum PurchaseInstrument: Sendable {
    /// `ApplePayPayment.token`: paymentData, paymentMethod, transactionIdentifier.
    case token(JSON)
    /// TapPay's: what its SDK got for the token in the browser.
    case prime(Redacted<String>)

    var wire: WireInstrument {
        switch self {
        case .token(let token): .sealed(SealedToken(token: token))
        case .prime(let prime): .prime(prime)
        }
    }

    /// What must not be seen of it.
    var secrets: [Redacted<String>] { self.wire.secrets }
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
    /// What earlier answers have given.
    public internal(set) var handle: [String: String] = [:]
    /// Every call has a name of its own: the order's and a number.
    private(set) var callsCount = 0
    /// What has followed the authorization and succeeded.
    private(set) var followUpsCount = 0

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

    /// The name of the newest call; `nil` before there is one.
    var newestKey: String? { self.callsCount > 0 ? self.key : nil }

    private var key: String { "\(self.reference)-\(self.callsCount)" }

    /// The order that a call's name belongs to.
    static func reference(ofKey key: String) -> String {
        key.lastIndex(of: "-").map { String(key[..<$0]) } ?? key
    }

    mutating func charge(with instrument: PurchaseInstrument) -> ChargeFields {
        self.callsCount += 1
        var charge = ChargeFields(
            order: self.reference, key: self.key, amount: self.amount, instrument: instrument.wire)
        charge.description = self.summary
        charge.customer.givenName = self.contact.givenName
        charge.customer.familyName = self.contact.familyName
        charge.customer.email = self.contact.email
        charge.customer.phone = self.contact.phone
        var address = AddressFields()
        address.lines = [self.contact.line]
        address.city = self.contact.city
        address.region = self.contact.region
        address.postalCode = self.contact.postalCode
        address.countryCode = self.contact.countryCode ?? self.countryCode
        charge.billing = address
        charge.notifyURL = self.notifyURL
        charge.handle = self.handle
        return charge
    }

    mutating func followUp() -> FollowUpFields {
        self.callsCount += 1
        var followUp = FollowUpFields(
            order: self.reference, key: self.key, ordinal: self.followUpsCount + 1, amount: self.amount,
            handle: self.handle)
        followUp.isWhole = true
        followUp.isFinal = true
        followUp.description = self.summary
        followUp.notifyURL = self.notifyURL
        return followUp
    }

    mutating func take(_ reading: Reading, isFollowUp: Bool) {
        self.handle.merge(reading.handle) { $1 }
        if isFollowUp, reading.isDone { self.followUpsCount += 1 }
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

    init(_ reading: Reading, codes: [CodeNote]) {
        let status: Status =
            switch reading.outcome {
            case .approved, .accepted: .approved
            case .declined: .declined
            case .pending, .unknown: .unknown
            case .refused: .error
            }
        self.init(status, reading.text, reference: reading.reference, codes: codes)
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
}
