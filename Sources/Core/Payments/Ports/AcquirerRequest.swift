//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money
public import Time

/// What an acquirer is asked to do. The same operation always makes the same request.
public struct AcquirerRequest: Sendable {
    public enum Action: Sendable {
        case authorize(Charge)
        /// Asks whether the card is good, for no amount.
        case verify(Charge)
        /// - Parameter isFinal: whether the rest of the authorization is given back.
        case capture(of: OriginalOperation, isFinal: Bool)
        /// - Parameter capture: the capture that is given back, where one was named.
        case refund(of: OriginalOperation, capture: OriginalOperation?)
        /// Sets the total of an authorization anew: the request's amount.
        case adjust(OriginalOperation)
        /// The merchant takes back what is known to be approved: an authorization, a sale, a capture or a refund.
        case void(OriginalOperation)
        /// Takes back an operation whose outcome never became known, or cannot stand.
        case reverse(OriginalOperation)
    }

    public let operationID: OperationID
    public let paymentID: PaymentID
    public let merchantID: MerchantID
    public let amount: Money
    public let begunAt: Timestamp
    public let action: Action
    /// Its number among the payment's operations that stood or were open when it began, from 1: what had failed by then
    /// is not counted, nor are reversals, the capture that a sale is, and what acquirers report by themselves. For
    /// upstreams that count requests.
    public let ordinal: Int
    /// What the connector has noted on the operation before.
    public let memo: AcquirerMemo
    /// What the customer's statement is to say of a capture, where the merchant says so of it by itself; what he says of
    /// the payment is in its charge.
    public let statementDescriptor: String?

    public init(
        operationID: OperationID, paymentID: PaymentID, merchantID: MerchantID, amount: Money, begunAt: Timestamp,
        action: Action, ordinal: Int = 1, memo: AcquirerMemo = AcquirerMemo(), statementDescriptor: String? = nil
    ) {
        self.operationID = operationID
        self.paymentID = paymentID
        self.merchantID = merchantID
        self.amount = amount
        self.begunAt = begunAt
        self.action = action
        self.ordinal = ordinal
        self.memo = memo
        self.statementDescriptor = statementDescriptor
    }

    /// The request with what a connector has noted.
    public func with(_ memo: AcquirerMemo) -> AcquirerRequest {
        AcquirerRequest(
            operationID: self.operationID, paymentID: self.paymentID, merchantID: self.merchantID,
            amount: self.amount, begunAt: self.begunAt, action: self.action, ordinal: self.ordinal, memo: memo,
            statementDescriptor: self.statementDescriptor)
    }

    /// The operation that it follows or takes back.
    public var original: OriginalOperation? {
        switch self.action {
        case .authorize, .verify: nil
        case .capture(let original, _), .refund(let original, _), .adjust(let original), .void(let original),
            .reverse(let original):
            original
        }
    }
}

/// What an acquirer needs to recognise an earlier operation of the payment.
public struct OriginalOperation: Hashable, Sendable {
    public let id: OperationID
    public let kind: Operation.Kind
    /// For an authorization: whether it captured at once.
    public let isSale: Bool
    /// For a capture: whether the rest of the authorization is given back.
    public let isFinal: Bool
    /// What was approved; what was asked for, while that is not known.
    public let amount: Money
    public let begunAt: Timestamp
    public let resolvedAt: Timestamp?
    /// What the acquirer said to it.
    @Boxed public private(set) var answer: AcquirerAnswer
    /// Its number among the payment's operations, from 1, in the order begun.
    public let ordinal: Int
    /// What the payment's authorization holds or held, before the operation that refers to this one.
    public let authorizedTotal: Money
    /// What of it is captured, before that operation.
    public let capturedTotal: Money
    /// What the connector has noted on it.
    public let memo: AcquirerMemo

    public init(
        id: OperationID, kind: Operation.Kind, isSale: Bool = false, isFinal: Bool = false, amount: Money,
        begunAt: Timestamp, resolvedAt: Timestamp? = nil, answer: AcquirerAnswer = AcquirerAnswer(), ordinal: Int = 1,
        authorizedTotal: Money, capturedTotal: Money, memo: AcquirerMemo = AcquirerMemo()
    ) {
        self.id = id
        self.kind = kind
        self.isSale = isSale
        self.isFinal = isFinal
        self.amount = amount
        self.begunAt = begunAt
        self.resolvedAt = resolvedAt
        self.answer = answer
        self.ordinal = ordinal
        self.authorizedTotal = authorizedTotal
        self.capturedTotal = capturedTotal
        self.memo = memo
    }
}

/// Asks what became of an operation.
public struct AcquirerQuery: Hashable, Sendable {
    public let paymentID: PaymentID
    public let merchantID: MerchantID
    /// The operation that is asked about.
    public let original: OriginalOperation
    public let at: Timestamp

    public init(paymentID: PaymentID, merchantID: MerchantID, original: OriginalOperation, at: Timestamp) {
        self.paymentID = paymentID
        self.merchantID = merchantID
        self.original = original
        self.at = at
    }
}

extension Identifier {
    /// The id in sixteen characters, for acquirers that take no more than twenty: its random half, 80 bits that no other
    /// id has. Never a prefix, which all ids of an hour share.
    public var shortName: String { String(self.text.suffix(Base32ID.shortNameCount)) }

    /// Whether an id may have that short name.
    public static func mayBeShortName(_ text: String) -> Bool { Base32ID.mayBeShortName(text) }
}
