//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Time

/// A merchant's contract with an acquirer: under which money moves. A payment stays with its account for life.
public struct AcquirerAccount: Hashable, Sendable, Identifiable {
    public enum State: String, Hashable, Sendable, CaseIterable {
        case active
        /// Takes no new payments; what has begun goes on.
        case suspended
    }

    public let id: AcquirerAccountID
    public let merchantID: MerchantID
    /// Unique among the merchant's; what commands call it ("bank").
    public let name: String
    /// The kind of acquirer: the name of its connector ("mpgs").
    public let connector: AcquirerName
    /// The merchant's. A connector chooses by it what it may talk to.
    public let mode: Mode
    public var acceptor: CardAcceptor
    /// What the connector describes: hosts, versions, numbers. May be read by anybody who may read the store.
    public var settings: [String: String]
    /// Passwords and keys, by name, sealed.
    public var secrets: [String: SealedBytes]
    public var state: State
    public let createdAt: Timestamp

    public init(
        id: AcquirerAccountID, merchantID: MerchantID, name: String, connector: AcquirerName, mode: Mode,
        acceptor: CardAcceptor = CardAcceptor(), settings: [String: String] = [:],
        secrets: [String: SealedBytes] = [:], state: State = .active, createdAt: Timestamp
    ) {
        self.id = id
        self.merchantID = merchantID
        self.name = name
        self.connector = connector
        self.mode = mode
        self.acceptor = acceptor
        self.settings = settings
        self.secrets = secrets
        self.state = state
        self.createdAt = createdAt
    }
}

/// Who takes the card, as the acquirer knows him (ISO 8583, fields 12, 18, 19, 32, 33 and 41 to 43).
public struct CardAcceptor: Hashable, Sendable {
    /// The acquirer's number for the merchant (field 42), up to 40 characters.
    public var merchantNumber: String?
    /// The acquirer's number for the terminal (field 41), up to 16 characters.
    public var terminal: String?
    /// What kind of shop it is: four digits (ISO 18245).
    public var categoryCode: String?
    /// What a cardholder's statement says, unless the payment says something else.
    public var descriptor: String?
    /// The acquiring institution's identification code (field 32), or its name.
    public var institution: String?
    /// The identification code of who forwards messages to it (field 33).
    public var forwarder: String?
    /// The shop's name and place, as cards' issuers are shown them (field 43).
    public var name: String?
    public var street: String?
    public var city: String?
    public var postalCode: String?
    /// State or province.
    public var region: String?
    /// Where the shop is (fields 19 and 43): ISO 3166-1 alpha-2.
    public var country: String?
    /// By whose clock its local time is counted (fields 12 and 13): a name of the IANA's, such as "Europe/Berlin".
    public var timeZone: String?

    public init(
        merchantNumber: String? = nil, terminal: String? = nil, categoryCode: String? = nil,
        descriptor: String? = nil, institution: String? = nil, forwarder: String? = nil, name: String? = nil,
        street: String? = nil, city: String? = nil, postalCode: String? = nil, region: String? = nil,
        country: String? = nil, timeZone: String? = nil
    ) {
        self.merchantNumber = merchantNumber
        self.terminal = terminal
        self.categoryCode = categoryCode
        self.descriptor = descriptor
        self.institution = institution
        self.forwarder = forwarder
        self.name = name
        self.street = street
        self.city = city
        self.postalCode = postalCode
        self.region = region
        self.country = country
        self.timeZone = timeZone
    }
}
