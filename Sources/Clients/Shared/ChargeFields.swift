//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money
public import StrictJSON

/// What is asked for when a payment begins. Every language takes of it what it has fields for; what only one of them has
/// goes into ``extra``.
public struct ChargeFields: Sendable {
    /// The shop's name of the order. At most 20 letters, digits and hyphens fit every language.
    public var order: String
    /// The name of this very attempt: the same key is the same request, as far as the language has a field for it.
    public var key: String
    public var amount: Money
    public var instrument: WireInstrument
    /// Whether the money is taken at once, where the language lets that be chosen.
    public var capturesAtOnce = false
    /// What is bought, in a line.
    public var description: String?
    public var customer = CustomerFields()
    public var billing: AddressFields?
    /// Where it is left out and the language demands one, the billing address.
    public var shipping: AddressFields?
    /// Where notifications go, in languages that take the address with each order.
    public var notifyURL: String?
    /// Where the customer's browser goes, in languages that ask.
    public var returnURL: String?
    /// What the answers before this request have given (``Reading/handle``).
    public var handle: [String: String] = [:]
    public var extra: [ExtraField] = []

    public init(order: String, key: String, amount: Money, instrument: WireInstrument) {
        self.order = order
        self.key = key
        self.amount = amount
        self.instrument = instrument
    }

    /// Takes over what the answer to the preparation has given.
    public mutating func take(_ preparation: Reading) {
        self.handle.merge(preparation.handle) { $1 }
        if let instrument = preparation.instrument { self.instrument = instrument }
    }
}

/// Who pays.
public struct CustomerFields: Hashable, Sendable {
    public var id: String?
    public var givenName: String?
    public var familyName: String?
    public var email: String?
    public var phone: String?
    public var ipAddress: String?
    public var userAgent: String?

    public init() {}

    var fullName: String? {
        let words = [self.givenName, self.familyName].compactMap { $0 }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }
}

/// Where somebody is, and who that is.
public struct AddressFields: Hashable, Sendable {
    /// Of a billing address `nil`: the customer's.
    public var givenName: String?
    public var familyName: String?
    public var company: String?
    public var email: String?
    public var phone: String?
    public var lines: [String] = []
    public var city: String?
    /// "PA".
    public var region: String?
    public var postalCode: String?
    /// ISO 3166-1 alpha-2.
    public var countryCode: String?

    public init() {}
}

/// What is asked for when a payment goes on: capture, refund, void, query.
public struct FollowUpFields: Sendable {
    /// The order's name, as it was authorized.
    public var order: String
    /// The name of this operation: the same key is the same request.
    public var key: String
    /// The how-many-th request of the payment this is, from 1, the authorization not counted and only what succeeded.
    public var ordinal: Int
    /// What is captured or refunded; of a void or a query, what was authorized.
    public var amount: Money
    /// What earlier answers have given.
    public var handle: [String: String]
    /// Whether all that is left is meant, in languages that can say so without an amount.
    public var isWhole = false
    /// Whether no capture will follow this one.
    public var isFinal = false
    /// The name of the operation that this one is about, where a language wants to hear it.
    public var target: String?
    public var description: String?
    /// What the customer's statement is to say of a capture.
    public var statementDescriptor: String?
    public var notifyURL: String?
    public var extra: [ExtraField] = []

    public init(order: String, key: String, ordinal: Int, amount: Money, handle: [String: String]) {
        self.order = order
        self.key = key
        self.ordinal = ordinal
        self.amount = amount
        self.handle = handle
    }

    /// - Throws: `handleMissing`.
    func known(_ name: String) throws(ClientError) -> String {
        guard let value = self.handle[name], !value.isEmpty else {
            throw ClientError(
                .handleMissing, "No answer has given \(name) for this payment, and nothing can follow without it.")
        }
        return value
    }
}

/// A field that one language has and the others do not: by dotted path in JSON, by name in a form, by element in XML.
public struct ExtraField: Sendable {
    public var name: String
    public var value: JSON

    public init(_ name: String, _ value: JSON) {
        self.name = name
        self.value = value
    }

    /// As a form writes it.
    var text: String { self.value.string ?? self.value.text() }
}
