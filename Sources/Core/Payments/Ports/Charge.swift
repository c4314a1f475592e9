//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What is charged, and what is known about who pays for what: as much as the merchant said. An acquirer passes on what
/// it has a field for.
public struct Charge: Sendable {
    public var instrument: PaymentInstrument
    public var network: CardNetwork
    /// Whether an approval captures at once.
    public var captures: Bool
    /// Whether an approval of less than the amount is taken.
    public var acceptsPartialApproval: Bool
    @Boxed public var details: ChargeDetails

    public init(
        instrument: PaymentInstrument, network: CardNetwork, captures: Bool = false,
        acceptsPartialApproval: Bool = false, details: ChargeDetails = ChargeDetails()
    ) {
        self.instrument = instrument
        self.network = network
        self.captures = captures
        self.acceptsPartialApproval = acceptsPartialApproval
        self.details = details
    }
}

/// What a merchant says about a payment beside its amount. It is passed on to the acquirer and not kept.
public struct ChargeDetails: Hashable, Sendable {
    /// Whether the amount may still change.
    public enum Certainty: String, Hashable, Sendable, CaseIterable {
        case final
        case estimated
    }

    /// The merchant's own name for the order.
    public var orderReference: String?
    /// What is bought, in the merchant's words.
    public var description: String?
    /// What the customer's statement is to say.
    public var statementDescriptor: String?
    public var certainty: Certainty?
    /// Who asks for it: the customer, unless the merchant says otherwise.
    public var initiator: PaymentInitiator
    /// By what way it came to the merchant; `nil` where he does not say, and that is over the internet as a rule.
    public var source: PaymentSource?
    /// What became of an authentication of the payer beside the device's own.
    public var authentication: PayerAuthentication?
    public var customer: Customer
    /// What stands on the card, in the customer's words.
    public var cardholderName: String?
    /// Where the cardholder's statements go, for the issuer's check of the address (AVS).
    public var billing: PostalAddress?
    /// Where the goods go, and who takes them.
    public var shipping: PostalAddress?
    /// Where the terminal is on which it is paid; `nil` where the merchant does not say, and then as a rule it is the
    /// customer's own.
    public var terminal: TerminalPlace?
    public var device: PayerDevice

    public init(
        orderReference: String? = nil, description: String? = nil, statementDescriptor: String? = nil,
        certainty: Certainty? = nil, initiator: PaymentInitiator = .customer(), source: PaymentSource? = nil,
        authentication: PayerAuthentication? = nil, customer: Customer = Customer(), cardholderName: String? = nil,
        billing: PostalAddress? = nil, shipping: PostalAddress? = nil, terminal: TerminalPlace? = nil,
        device: PayerDevice = PayerDevice()
    ) {
        self.orderReference = orderReference
        self.description = description
        self.statementDescriptor = statementDescriptor
        self.certainty = certainty
        self.initiator = initiator
        self.source = source
        self.authentication = authentication
        self.customer = customer
        self.cardholderName = cardholderName
        self.billing = billing
        self.shipping = shipping
        self.terminal = terminal
        self.device = device
    }
}

/// Where a terminal is: whose it is, and whether on the merchant's premises.
public enum TerminalPlace: String, Hashable, Sendable, CaseIterable {
    case merchantOnPremises
    case merchantOffPremises
    case payerOnPremises
    case payerOffPremises
    /// The customer pays by voice.
    case noTerminal
}

/// What the customer pays with, as far as the merchant says.
public struct PayerDevice: Hashable, Sendable {
    /// The number that was called from, as the telephone network says it (ANI).
    public var callerNumber: String?
    public var phoneModel: String?

    public init(callerNumber: String? = nil, phoneModel: String? = nil) {
        self.callerNumber = callerNumber
        self.phoneModel = phoneModel
    }
}

/// Who pays, as far as the merchant says.
public struct Customer: Hashable, Sendable {
    /// The merchant's name for the customer.
    public var id: String?
    public var firstName: String?
    public var lastName: String?
    public var email: String?
    public var phone: String?
    public var ipAddress: String?
    public var userAgent: String?

    public init(
        id: String? = nil, firstName: String? = nil, lastName: String? = nil, email: String? = nil,
        phone: String? = nil, ipAddress: String? = nil, userAgent: String? = nil
    ) {
        self.id = id
        self.firstName = firstName
        self.lastName = lastName
        self.email = email
        self.phone = phone
        self.ipAddress = ipAddress
        self.userAgent = userAgent
    }
}
