//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money
public import Time

/// The name where Foundation, which has an `Operation` too, is imported.
public typealias PaymentOperation = Operation

/// One thing that was asked of the acquirer for a payment.
public struct Operation: Hashable, Sendable, Identifiable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case authorization
        case capture
        case void
        case refund
        /// Sets the authorization's total anew.
        case adjustment
        /// Asks the issuer whether the card is good, for no amount. It is the only operation of its payment.
        case verification
        /// Takes back an operation whose outcome could not be known. Ours, never the merchant's.
        case reversal
        /// The acquirer has reported that an operation which it had approved came to nothing. Never the merchant's.
        case lateFailure
        /// The cardholder's bank has taken captured money back. Never the merchant's.
        case chargeback

        /// Whether the acquirer reports it by itself: then it is done when it begins, and nothing is sent for it.
        public var isReported: Bool { self == .lateFailure || self == .chargeback }
    }

    /// Where the operation stands. ``unknown`` is no failure: money may have moved.
    public enum State: Hashable, Sendable {
        case pending
        case unknown
        /// The acquirer has it and has not decided yet. It counts as done for every limit, and is not taken back for
        /// being slow.
        case accepted
        case succeeded
        case failed(OperationFailure)

        public var isResolved: Bool {
            switch self {
            case .pending, .unknown, .accepted: false
            case .succeeded, .failed: true
            }
        }
    }

    public let id: OperationID
    public let kind: Kind
    /// What was asked for. For an adjustment the new total, for a verification nothing.
    public let amount: Money
    /// For an authorization: the id under which its capture is booked when the approval captures at once (a sale).
    public let saleCaptureID: OperationID?
    /// For a capture: whether the rest of the authorization is given back.
    public let isFinalCapture: Bool
    /// For a reversal: the operation that it takes back. For a void the same, where that is not the authorization (and
    /// with it a sale's capture). For a refund: the capture that it gives back, where one was named. For a late failure:
    /// the operation that came to nothing.
    public let target: OperationID?
    /// For an authorization: whether an approval of less than ``amount`` is taken.
    public let acceptsPartialApproval: Bool
    @Boxed public private(set) var labels: OperationLabels
    /// For a late failure: why.
    public let lateFailureReason: DeclineReason?
    public let begunAt: Timestamp
    public let begunInVersion: Int

    public internal(set) var state: State
    /// Why the outcome is not known, as far as that was kept; an operation that was taken back for it keeps it.
    public internal(set) var unknownReason: UnknownReason?
    /// In which version of the payment its outcome first stayed open, unknown or accepted, or its end was found out in
    /// another way than by its answer; `nil` of one that was answered with its end.
    public internal(set) var leftOpenInVersion: Int?
    /// What was approved: less than ``amount`` for a partial approval. `nil` until it succeeded.
    public internal(set) var approvedAmount: Money?
    /// What the acquirer said, as far as it may be kept.
    @Boxed public internal(set) var answer: AcquirerAnswer
    public internal(set) var resolvedAt: Timestamp?
    public internal(set) var resolvedInVersion: Int?
    /// How often the acquirer had been asked what became of it when its end was known; `nil` where nobody had to ask.
    public internal(set) var inquiries: Inquiries?

    /// An operation as a store read it back.
    public init(
        id: OperationID, kind: Kind, amount: Money, saleCaptureID: OperationID? = nil, isFinalCapture: Bool = false,
        target: OperationID? = nil, acceptsPartialApproval: Bool = false, labels: OperationLabels = OperationLabels(),
        begunAt: Timestamp, begunInVersion: Int,
        state: State = .pending, approvedAmount: Money? = nil, answer: AcquirerAnswer = AcquirerAnswer(),
        resolvedAt: Timestamp? = nil, resolvedInVersion: Int? = nil, unknownReason: UnknownReason? = nil,
        leftOpenInVersion: Int? = nil, lateFailureReason: DeclineReason? = nil, inquiries: Inquiries? = nil
    ) {
        self.id = id
        self.kind = kind
        self.amount = amount
        self.saleCaptureID = saleCaptureID
        self.isFinalCapture = isFinalCapture
        self.target = target
        self.acceptsPartialApproval = acceptsPartialApproval
        self.labels = labels
        self.begunAt = begunAt
        self.begunInVersion = begunInVersion
        self.state = state
        self.approvedAmount = approvedAmount
        self.answer = answer
        self.resolvedAt = resolvedAt
        self.resolvedInVersion = resolvedInVersion
        self.unknownReason = unknownReason
        self.leftOpenInVersion = leftOpenInVersion
        self.lateFailureReason = lateFailureReason
        self.inquiries = inquiries
    }

    public var isSale: Bool { self.saleCaptureID != nil }

    /// Why an approval of that amount cannot be booked; `nil` where it can.
    public func refusal(ofApproval approved: Money) -> PaymentRefusal? {
        // A verification, and what takes one back, is approved for what it asks for: nothing.
        guard approved.currency == self.amount.currency, approved.isPositive || approved == self.amount,
            !(approved > self.amount)
        else { return .approvalExceedsRequest }
        return self.amount > approved && !self.acceptsPartialApproval ? .partialApprovalNotAccepted : nil
    }

    /// Whether its end is known, and was its answer.
    public var wasResolvedAtOnce: Bool { self.resolvedInVersion != nil && self.leftOpenInVersion == nil }

    /// The merchant's own name for it. What the acquirer reports by itself has none.
    public var merchantReference: String? { self.kind.isReported ? nil : self.labels.reference }

    /// The acquirer's name for it: what its answer has, or else the name of its report.
    public var acquirerReference: String? { self.answer.reference ?? self.reportReference }

    /// The acquirer's name for what it reported by itself.
    public var reportReference: String? { self.kind.isReported ? self.labels.reference : nil }
}

/// How often the gateway has tried to find out how an operation ended.
public struct Inquiries: Hashable, Sendable {
    /// At least one.
    public let count: Int
    public let latestAt: Timestamp

    public init(count: Int, latestAt: Timestamp) {
        self.count = count
        self.latestAt = latestAt
    }

    /// As far as a job of the kind ``Job/Kind/recover`` has come; `nil` where it has not been taken.
    public init?(_ job: Job?) {
        guard let job, job.attemptsCount > 0, let takenAt = job.takenAt else { return nil }
        self.init(count: job.attemptsCount, latestAt: takenAt)
    }
}

/// What is written on an operation when it begins. The rules of a payment, ``Payment/transition(on:at:)``, look at nothing
/// of it but the name of a report; beside them each decides something.
public struct OperationLabels: Hashable, Sendable {
    /// The merchant's own name for the operation, a refund request id: by it payments are found, and in some dialects a
    /// request that comes again. Of what the acquirer reports by itself it is the acquirer's name for the report, by which a
    /// repeated one is refused and the end of a chargeback finds it: ``Operation/merchantReference``,
    /// ``Operation/reportReference``.
    public var reference: String?
    /// The merchant's description. In Radial's dialect an invoice, by which a settlement that comes again is known.
    public var memo: String?
    /// Where the merchant is notified of the outcome, as its request has named it. Where none was named the account's
    /// address is it, by ``notifySettings``.
    public var notifyURL: String?
    /// What the dialect wrote on the operation to answer from it again, and to know a request that comes again: wire ids,
    /// digests, echoed fields; also whether an operator asked for it. Never a secret.
    public var fields: [String: String]

    public init(
        reference: String? = nil, memo: String? = nil, notifyURL: String? = nil, notifySettings: [String] = [],
        fields: [String: String] = [:]
    ) {
        self.reference = reference
        self.memo = memo
        self.notifyURL = notifyURL
        self.fields = fields
        if !notifySettings.isEmpty { self.notifySettings = notifySettings }
    }

    private static let notifySettingsField = "notifySettings"

    /// By which settings of its account the merchant is notified of the outcome where no request has named an address: the
    /// first that is set counts, as it is when there is something to report. Kept among the fields.
    public var notifySettings: [String] {
        get { self.fields[Self.notifySettingsField].map { $0.split(separator: " ").map(String.init) } ?? [] }
        set { self.fields[Self.notifySettingsField] = newValue.isEmpty ? nil : newValue.joined(separator: " ") }
    }

    /// Whether its outcome may be reported: to an address, or to the account's, if there is one.
    public var isReportable: Bool { self.notifyURL != nil || !self.notifySettings.isEmpty }

    /// Where the merchant is notified of the outcome: of an operation without an address, nobody is.
    ///
    /// - Parameter settings: the account's, as they are now.
    public func notifyURL(in settings: [String: String]) -> String? {
        self.notifyURL ?? self.notifySettings.lazy.compactMap { settings[$0] }.first { !$0.isEmpty }
    }

    private static let statementDescriptorField = "statementDescriptor"

    /// What the customer's statement is to say of the operation, where the merchant says so of it by itself. Kept among
    /// the fields, so that it is the same whenever the operation is sent.
    public var statementDescriptor: String? {
        get { self.fields[Self.statementDescriptorField] }
        set { self.fields[Self.statementDescriptorField] = newValue }
    }
}

/// Why nobody can say how an operation ended.
public enum UnknownReason: String, Hashable, Sendable, CaseIterable {
    /// The acquirer's answer did not come in time.
    case timedOut
    /// The connection broke, or the answer said nothing that could be understood.
    case unclear
}

/// Why an operation failed. Closed: a dialect maps each.
public enum OperationFailure: Hashable, Sendable {
    case declined(DeclineReason)
    /// The outcome could not be known, or was an approval of less than the merchant takes; it was taken back, and the
    /// acquirer has acknowledged that.
    case reversed
    /// Nothing was done, and nothing will be: nobody's decline.
    case notProcessed(NotProcessedReason)
}

/// Why an acquirer has done nothing. Closed: a dialect says "try again", "not configured" or "the token is not taken",
/// never "declined".
public enum NotProcessedReason: String, Hashable, Sendable, CaseIterable {
    /// Nothing could be sent: no address, no connection, no TLS.
    case notSent
    /// The acquirer has no room for the request now, or has said to come later.
    case busy
    /// It has no memory of a request that was sent long enough ago.
    case neverArrived
    /// It does not take the credentials, or they may not do this: the operator's business.
    case notAuthorized
    /// It does not take the request as it stands: the operator's business, or ours.
    case requestRefused
    /// It does not take the sealed token, or not for this amount: another key's, too old, used before, or approved for
    /// something else. The customer has to pay again.
    case tokenRefused

    /// Whether the same may succeed in a moment, with nothing changed.
    public var isRetryable: Bool {
        switch self {
        case .notSent, .busy, .neverArrived: true
        case .notAuthorized, .requestRefused, .tokenRefused: false
        }
    }
}

/// The reasons for a decline, as far as dialects distinguish them. Closed; what an acquirer says beyond them is
/// ``unspecified``.
public enum DeclineReason: String, Hashable, Sendable, CaseIterable {
    case doNotHonor
    case insufficientFunds
    case expiredCard
    case invalidCard
    case lostOrStolenCard
    case suspectedFraud
    case exceedsLimit
    case notPermitted
    case issuerUnavailable
    case timedOut
    case systemError
    /// The acquirer does not know the operation that this one refers to, or it is in no state for it.
    case invalidOperation
    case unspecified
}
