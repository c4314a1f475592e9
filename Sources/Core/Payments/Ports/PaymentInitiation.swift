//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Who asks for a payment. Networks want to be shown the difference, and issuers decide by it.
public enum PaymentInitiator: Hashable, Sendable {
    /// Whoever pays, who takes part in it.
    /// - Parameter agreement: what is agreed with this payment; `nil` for one that stands alone.
    case customer(agreement: PaymentAgreement? = nil)
    /// The merchant, without the customer, under what was agreed with an earlier payment.
    case merchant(PaymentAgreement)

    public var agreement: PaymentAgreement? {
        switch self {
        case .customer(let agreement): agreement
        case .merchant(let agreement): agreement
        }
    }
}

/// What a customer has agreed to with a first payment, and a merchant asks for later payments under.
public struct PaymentAgreement: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// At fixed intervals: a subscription.
        case recurring
        /// One price in parts.
        case installment
        /// When something happens: an account is topped up.
        case unscheduled
        /// By the custom of a trade: a room that was not taken, a charge that came late.
        case other
    }

    /// `nil` where the merchant does not say.
    public var kind: Kind?
    /// The merchant's name for it.
    public var id: String?
    /// What the network called the payment with which it was made (``AcquirerAnswer/networkReference``); of a payment by
    /// the merchant alone, where it is known.
    public var networkReference: String?

    public init(kind: Kind? = nil, id: String? = nil, networkReference: String? = nil) {
        self.kind = kind
        self.id = id
        self.networkReference = networkReference
    }
}

/// By what way a payment came to the merchant.
public enum PaymentSource: String, Hashable, Sendable, CaseIterable {
    case internet
    case callCentre
    case mailOrder
    case telephoneOrder
    /// One of the two, and the merchant does not say which.
    case mailOrTelephoneOrder
    /// A machine that asked the customer on the telephone.
    case voiceResponse
}

/// What became of an authentication of the payer that the merchant has had made (3-D Secure). The proof itself and the
/// electronic commerce indicator are the instrument's (``NetworkToken``).
public struct PayerAuthentication: Hashable, Sendable {
    /// The transaction status (EMV 3-D Secure Protocol and Core Functions Specification, "transStatus").
    public enum Status: String, Hashable, Sendable, CaseIterable {
        /// Y.
        case authenticated
        /// A: there was nobody to authenticate with.
        case attempted
        /// U: it could not be made.
        case unavailable
        /// N.
        case failed
    }

    public var status: Status?
    /// What the directory server, or the issuer's, calls it (XID).
    public var transactionID: String?

    public init(status: Status? = nil, transactionID: String? = nil) {
        self.status = status
        self.transactionID = transactionID
    }
}
