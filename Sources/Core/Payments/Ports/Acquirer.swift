//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money
public import Time

/// The other side of the gateway: a bank link, another PSP, or the simulator.
///
/// Nothing here throws. Whatever goes wrong on the way ends as ``AcquirerOutcome/unknown(_:)``, because money may have
/// moved; an adapter answers ``AcquirerOutcome/approved(_:)`` or ``AcquirerOutcome/declined(_:)`` only when the
/// acquirer has said so for this very operation.
///
/// Every request names its operation by an id of ours. An acquirer treats a repeated id as the same request and never
/// books it twice.
public protocol Acquirer: Sendable {
    var name: AcquirerName { get }
    var capabilities: AcquirerCapabilities { get }

    func authorize(_ request: AcquirerAuthorization) async -> AcquirerOutcome
    func capture(_ request: AcquirerFollowUp) async -> AcquirerOutcome
    func refund(_ request: AcquirerFollowUp) async -> AcquirerOutcome
    /// Sets the total of an authorization anew: the request's amount. Asked only of acquirers that can.
    func adjust(_ request: AcquirerFollowUp) async -> AcquirerOutcome
    /// Asks whether a card is good, for no amount. Asked only of acquirers that can.
    func verify(_ request: AcquirerAuthorization) async -> AcquirerOutcome
    /// Takes an operation back: a void by the merchant, or the reversal of an operation whose outcome is unknown.
    ///
    /// Approved means that the operation has no effect any more and never will, also if it was never received and
    /// arrives later.
    func reverse(_ request: AcquirerReversal) async -> AcquirerOutcome
    /// What became of an operation.
    func query(_ request: AcquirerQuery) async -> AcquirerQueryOutcome
}

/// What an acquirer can do, as data.
public struct AcquirerCapabilities: Hashable, Sendable {
    /// Which form of the instrument it takes.
    public enum Instrument: String, Hashable, Sendable, CaseIterable {
        case networkToken
        case sealedApplePayToken
    }

    public var instrument: Instrument
    /// Whether ``Acquirer/query(_:)`` can give a definite answer. If not, recovery reverses at once.
    public var answersQueries: Bool
    public var networks: Set<CardNetwork>
    public var adjustsAuthorizations: Bool
    public var verifiesCards: Bool

    public init(
        instrument: Instrument, answersQueries: Bool, networks: Set<CardNetwork>, adjustsAuthorizations: Bool = false,
        verifiesCards: Bool = false
    ) {
        self.instrument = instrument
        self.answersQueries = answersQueries
        self.networks = networks
        self.adjustsAuthorizations = adjustsAuthorizations
        self.verifiesCards = verifiesCards
    }
}

public struct AcquirerAuthorization: Sendable {
    public let operationID: OperationID
    public let paymentID: PaymentID
    public let merchantID: MerchantID
    public let amount: Money
    /// Whether an approval captures at once.
    public let captures: Bool
    public let instrument: PaymentInstrument
    public let billing: BillingAddress?
    public let at: Timestamp

    public init(
        operationID: OperationID, paymentID: PaymentID, merchantID: MerchantID, amount: Money, captures: Bool,
        instrument: PaymentInstrument, billing: BillingAddress? = nil, at: Timestamp
    ) {
        self.operationID = operationID
        self.paymentID = paymentID
        self.merchantID = merchantID
        self.amount = amount
        self.captures = captures
        self.instrument = instrument
        self.billing = billing
        self.at = at
    }
}

/// A capture, a refund or an adjustment.
public struct AcquirerFollowUp: Hashable, Sendable {
    public let operationID: OperationID
    public let paymentID: PaymentID
    public let merchantID: MerchantID
    /// The authorization that it follows.
    public let authorizationID: OperationID
    /// The acquirer's reference of that authorization.
    public let authorizationReference: String?
    public let amount: Money
    /// For a capture: whether the rest of the authorization is given back.
    public let isFinal: Bool
    public let at: Timestamp

    public init(
        operationID: OperationID, paymentID: PaymentID, merchantID: MerchantID, authorizationID: OperationID,
        authorizationReference: String?, amount: Money, isFinal: Bool, at: Timestamp
    ) {
        self.operationID = operationID
        self.paymentID = paymentID
        self.merchantID = merchantID
        self.authorizationID = authorizationID
        self.authorizationReference = authorizationReference
        self.amount = amount
        self.isFinal = isFinal
        self.at = at
    }
}

public struct AcquirerReversal: Hashable, Sendable {
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The merchant voids what is known to be approved: an authorization, a sale, a capture or a refund.
        case voidedByMerchant
        /// The outcome never became known.
        case outcomeUnknown
    }

    public let operationID: OperationID
    public let paymentID: PaymentID
    public let merchantID: MerchantID
    /// The operation that is taken back.
    public let targetID: OperationID
    public let targetReference: String?
    public let amount: Money
    public let reason: Reason
    public let at: Timestamp

    public init(
        operationID: OperationID, paymentID: PaymentID, merchantID: MerchantID, targetID: OperationID,
        targetReference: String?, amount: Money, reason: Reason, at: Timestamp
    ) {
        self.operationID = operationID
        self.paymentID = paymentID
        self.merchantID = merchantID
        self.targetID = targetID
        self.targetReference = targetReference
        self.amount = amount
        self.reason = reason
        self.at = at
    }
}

public struct AcquirerQuery: Hashable, Sendable {
    /// The operation that is asked about.
    public let operationID: OperationID
    public let paymentID: PaymentID
    public let merchantID: MerchantID
    public let at: Timestamp

    public init(operationID: OperationID, paymentID: PaymentID, merchantID: MerchantID, at: Timestamp) {
        self.operationID = operationID
        self.paymentID = paymentID
        self.merchantID = merchantID
        self.at = at
    }
}

/// How an acquirer call ended.
public enum AcquirerOutcome: Hashable, Sendable {
    case approved(AcquirerApproval)
    case declined(AcquirerDecline)
    /// Nobody knows. The text is a word for the log ("timed_out", "connection_lost"), see ``UnknownReason/init(word:)``.
    case unknown(String)
}

extension UnknownReason {
    /// What the word of an ``AcquirerOutcome/unknown(_:)`` says: an acquirer's, or that of whoever waited for it.
    public init(word: String) {
        self = ["timed_out", "deadline_passed"].contains(word) ? .timedOut : .unclear
    }
}

public struct AcquirerApproval: Hashable, Sendable {
    /// What was approved; less than was asked for in a partial approval.
    public let amount: Money
    public let answer: AcquirerAnswer

    public init(amount: Money, answer: AcquirerAnswer) {
        self.amount = amount
        self.answer = answer
    }
}

public struct AcquirerDecline: Hashable, Sendable {
    public let reason: DeclineReason
    public let answer: AcquirerAnswer

    public init(reason: DeclineReason, answer: AcquirerAnswer) {
        self.reason = reason
        self.answer = answer
    }
}

/// What an acquirer says about an operation it is asked about.
public enum AcquirerQueryOutcome: Hashable, Sendable {
    case approved(AcquirerApproval)
    case declined(AcquirerDecline)
    /// It was taken back.
    case reversed
    /// The acquirer has never heard of it. It may still be on its way, so this alone resolves nothing.
    case notFound
    case unknown(String)
}
