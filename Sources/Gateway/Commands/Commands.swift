//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money
public import Payments
public import Time

/// Asks for an authorization, a sale or a verification.
public struct AuthorizeCommand: Sendable {
    public enum Purpose: String, Hashable, Sendable, CaseIterable {
        case authorization
        /// An authorization whose approval captures at once.
        case sale
        /// No money moves: is the card good? The command's amount is zero.
        case verification
    }

    public var context: CallContext
    public var instrument: AuthorizationInstrument
    /// What the merchant wants paid; it must be what the token says. `nil` takes the token's amount (Radial), or the
    /// order's. An opened instrument needs one.
    public var amount: Money?
    /// The order that is paid.
    public var order: OrderBinding?
    /// Whether the order may have been authorized before.
    public var reauthorization = Reauthorization()
    public var purpose: Purpose
    public var acceptsPartialApproval: Bool
    /// Whether the merchant may name the amount where the customer has left it open; else it is the payment sheet's even
    /// then.
    public var takesPendingAmount: Bool
    /// When a worker captures what is authorized; `nil` leaves it to the merchant. See ``Gateway/scheduleCapture(of:at:merchant:)``.
    public var captureDueAt: Timestamp?
    /// The application data of the merchant's payment request, whose SHA-256 the token must carry; `nil` if it had none
    /// to compare.
    public var applicationData: [UInt8]?
    /// What the merchant says beside the amount, for the acquirer.
    @Boxed public var details: ChargeDetails
    public var labels: OperationLabels
    /// Names of the dialect's for the authorization: kind and value. Each must be free.
    public var references: [ReferenceName]
    /// What the merchant says of the card's network beside the token. It counts for a token that only the acquirer opens
    /// and that does not say it.
    public var statedNetwork: CardNetwork?
    /// The networks that the merchant's account takes; `nil` for all that the acquirer takes.
    public var networks: Set<CardNetwork>?

    public init(
        context: CallContext, instrument: AuthorizationInstrument, amount: Money?, order: OrderBinding? = nil,
        purpose: Purpose, acceptsPartialApproval: Bool = false, takesPendingAmount: Bool = true,
        captureDueAt: Timestamp? = nil,
        applicationData: [UInt8]? = nil, details: ChargeDetails = ChargeDetails(),
        labels: OperationLabels = OperationLabels(),
        references: [ReferenceName] = [], networks: Set<CardNetwork>? = nil
    ) {
        self.context = context
        self.instrument = instrument
        self.amount = amount
        self.order = order
        self.purpose = purpose
        self.acceptsPartialApproval = acceptsPartialApproval
        self.takesPendingAmount = takesPendingAmount
        self.captureDueAt = captureDueAt
        self.applicationData = applicationData
        self.details = details
        self.labels = labels
        self.references = references
        self.networks = networks
    }
}

/// When an order may be authorized that has been authorized before. By itself it may not.
public struct Reauthorization: Sendable {
    /// Whether an order has room for another payment when its newest was voided before anything was captured.
    public var followsVoids = false
    /// Whether the order's newest payment, which is authorized and holds its money, is given back for this one. Asked in the
    /// commit that would begin this one; and only when all else is found to be right is anything given back.
    public var replaces: (@Sendable (Payment) -> Bool)?
    /// Which settings of its account say where the merchant is notified of that, the first that is set, once he asks
    /// for the same himself: ``Gateway/notifyAgain(of:of:merchant:)``.
    public var notifySettings: [String] = []

    public init() {}

    func replaces(_ payment: Payment) -> Bool { payment.state == .authorized && self.replaces?(payment) == true }
}

/// A name of the dialect's: kind and value.
public struct ReferenceName: Hashable, Sendable {
    public let kind: String
    public let value: String

    public init(kind: String, value: String) {
        self.kind = kind
        self.value = value
    }

    /// As a store knows it.
    func reference(of merchant: MerchantID, in dialect: DialectName) -> Reference {
        Reference(merchantID: merchant, dialect: dialect, kind: self.kind, value: self.value)
    }
}

/// How a dialect finds a payment or an operation of the merchant's: never by taking an id apart.
public enum PaymentSelector: Hashable, Sendable {
    case payment(PaymentID)
    case order(OrderID)
    /// The newest payment of the order that the merchant calls so.
    case orderNamed(String)
    case operation(OperationID)
    case reference(ReferenceName)
}

/// Asks for a capture, a void, a refund or an adjustment of a payment.
public struct FollowUpCommand: Sendable {
    public enum Action: Hashable, Sendable {
        /// `nil` captures all that is left, in whole units of the wire and of the acquirer.
        case capture(Money?, isFinal: Bool)
        /// Takes back the authorization, before anything is captured; or the operation named: an authorization, a whole
        /// sale, a capture or a refund.
        case void(PaymentSelector?)
        /// `nil` refunds all that is left, in whole units as above: of the capture named, or of whatever has been
        /// captured.
        case refund(Money?, of: PaymentSelector? = nil)
        /// The authorization's new total.
        case adjust(Money)
    }

    public var context: CallContext
    public var payment: PaymentSelector
    public var action: Action
    public var labels: OperationLabels
    public var references: [ReferenceName]
    /// How many minor units the unit is in which the payment's wire counts its currency: a power of ten. Of what is
    /// left, of which a bank may have taken any part, no more is asked for than the wire can say.
    public var wireUnit: Int64 = 1
    /// The operation that this would only do again, by a rule of the dialect's beside the idempotency key: it is answered, and
    /// nothing is begun. Asked in the commit that would begin it, so that of two calls at once one is the other's repeat.
    public var earlier: (@Sendable (Payment) -> OperationID?)?
    /// Whether the capture is made only if it is still planned in the commit that begins it.
    var requiresPlan = false
    /// What is written beside the operation when an operator begins it; `nil` for what a dialect asks for.
    var operatorAct: OperatorAct?

    public init(
        context: CallContext, payment: PaymentSelector, action: Action, labels: OperationLabels = OperationLabels(),
        references: [ReferenceName] = []
    ) {
        self.context = context
        self.payment = payment
        self.action = action
        self.labels = labels
        self.references = references
    }
}

/// Asks for an order.
public struct CreateOrderCommand: Sendable {
    public var context: CallContext
    public var reference: String
    public var amount: Money
    public var summary: String
    public var notifyURL: String?
    /// Must be one of the merchant's; `nil` takes the newest.
    public var merchantIdentifier: String?
    public var lifetimeSeconds: Int64

    public init(
        context: CallContext, reference: String, amount: Money, summary: String, notifyURL: String?,
        merchantIdentifier: String?, lifetimeSeconds: Int64
    ) {
        self.context = context
        self.reference = reference
        self.amount = amount
        self.summary = summary
        self.notifyURL = notifyURL
        self.merchantIdentifier = merchantIdentifier
        self.lifetimeSeconds = lifetimeSeconds
    }
}
