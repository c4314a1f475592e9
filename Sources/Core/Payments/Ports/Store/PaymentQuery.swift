//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money
public import Time

/// Which payments.
///
/// What a page costs depends on what is asked for. ``orderReference`` and ``orderID`` lead to the few payments of one
/// order, ``operationName`` to those with an operation of that name, and ``cardSuffix`` to those of the cards that end so.
/// Else a store walks payments in the order of their time, between ``from`` and ``to`` and from ``after`` on: those
/// in ``state``, the merchant's, or all. All other fields are asked of each payment that the walk comes by, until the page
/// is full. An order by amount may look at all payments that fit.
///
/// Most payments end as ``PaymentState/captured``, and a store does not walk those apart from the others: nearly every
/// payment that a walk comes by is one.
public struct PaymentQuery: Hashable, Sendable {
    public var merchantID: MerchantID?
    public var dialect: DialectName?
    public var orderID: OrderID?
    /// What the merchant calls the order that is paid, in any dialect in which he has an account.
    public var orderReference: String?
    /// Created at or after.
    public var from: Timestamp?
    /// Created before.
    public var to: Timestamp?
    public var state: PaymentState?
    /// In one of these; in any if empty. Unlike ``state`` it leads nowhere: it is asked of what the walk comes by.
    public var states: Set<PaymentState> = []
    /// Only those of which an operation, whatever it is, has an unknown outcome.
    public var hasUnknownOutcome = false
    /// Under this account with an acquirer.
    public var accountID: AcquirerAccountID?
    /// Under an account with an acquirer of this kind.
    public var acquirer: AcquirerName?
    public var network: CardNetwork?
    public var operationName: OperationName?
    public var currency: Currency?
    /// What the payment was opened with, in minor units.
    public var minorUnits: ClosedRange<Int64>?
    /// The last digits of the number that was charged, as the payment keeps them, four of a whole number; or the last four of
    /// what the customer's wallet calls the card ("Visa 1234"), which is all that he knows of it.
    public var cardSuffix: String?
    public var order: Order
    /// Only what comes after that place in the order: the next page, however many payments have been made meanwhile.
    public var after: Cursor?
    /// Only what comes no later than that place in the order.
    public var until: Cursor?
    /// How many are passed over, for callers whose own protocol counts pages. Each costs as much as one that is given.
    public var offset: Int
    public var limit: Int

    /// Ties are ordered by the payments' ids, the same way.
    public enum Order: Hashable, Sendable, CaseIterable {
        case newestFirst, oldestFirst, largestFirst, smallestFirst
    }

    /// What an operation of the payment is called, and by whom.
    public enum OperationName: Hashable, Sendable {
        /// By the merchant.
        case merchant(String)
        /// By the acquirer.
        case acquirer(String)
        /// By the issuer, who does not promise to call no other so.
        case authorizationCode(String)
        /// In a dialect's words: by one of these references (``PaymentReading/operation(_:)``), whichever merchant's.
        /// A text that somebody has in hand may be one of each kind that there is: all are looked up at once.
        case dialects([DialectReference])
    }

    /// A reference as ``Reference``, of any merchant's.
    public struct DialectReference: Hashable, Sendable {
        public let dialect: DialectName
        public let kind: String
        public let value: String

        public init(_ dialect: DialectName, kind: String, value: String) {
            self.dialect = dialect
            self.kind = kind
            self.value = value
        }
    }

    /// A payment's place in an order.
    public struct Cursor: Hashable, Sendable {
        /// What the order goes by: the milliseconds of the payment's creation, or its minor units.
        public let key: Int64
        public let id: PaymentID

        public init(key: Int64, id: PaymentID) {
            self.key = key
            self.id = id
        }
    }

    public init(
        merchantID: MerchantID? = nil, dialect: DialectName? = nil, orderID: OrderID? = nil,
        orderReference: String? = nil, from: Timestamp? = nil, to: Timestamp? = nil, state: PaymentState? = nil,
        currency: Currency? = nil, minorUnits: ClosedRange<Int64>? = nil, cardSuffix: String? = nil,
        order: Order = .newestFirst, after: Cursor? = nil, offset: Int = 0, limit: Int = 100
    ) {
        self.merchantID = merchantID
        self.dialect = dialect
        self.orderID = orderID
        self.orderReference = orderReference
        self.from = from
        self.to = to
        self.state = state
        self.currency = currency
        self.minorUnits = minorUnits
        self.cardSuffix = cardSuffix
        self.order = order
        self.after = after
        self.offset = offset
        self.limit = limit
    }
}

extension PaymentQuery.Order {
    /// The payment's place, for the page after it.
    public func cursor(of payment: Payment) -> PaymentQuery.Cursor {
        switch self {
        case .newestFirst, .oldestFirst: PaymentQuery.Cursor(key: payment.createdAt.milliseconds, id: payment.id)
        case .largestFirst, .smallestFirst: PaymentQuery.Cursor(key: payment.amount.minorUnits, id: payment.id)
        }
    }

    /// Whether what comes first has the larger key.
    public var isDescending: Bool {
        switch self {
        case .newestFirst, .largestFirst: true
        case .oldestFirst, .smallestFirst: false
        }
    }
}

extension PaymentQuery {
    /// What a store walks for it: that without all that is asked of each payment that the walk comes by. Of a payment
    /// in a million a page is then a walk over all of them, unless it is bounded: by a place on it (``until``), or to
    /// so many payments (``ReportReading/paymentsTally(_:)``).
    ///
    /// - Returns: `nil` where what is asked for leads to few payments, or is all that the walk comes by; and for an order by
    ///   the amounts of all merchants, which is no walk.
    public var walk: PaymentQuery? {
        guard self.operationName == nil, self.cardSuffix == nil, self.orderID == nil, self.orderReference == nil,
            !self.hasUnknownOutcome, self.offset == 0
        else { return nil }
        var walk = PaymentQuery(order: self.order, after: self.after, limit: self.limit)
        walk.until = self.until
        switch self.order {
        case .newestFirst, .oldestFirst:
            (walk.from, walk.to) = (self.from, self.to)
            // Those in a state are walked whosever they are.
            if let state = self.state, state != .captured {
                walk.state = state
            } else {
                walk.merchantID = self.merchantID
            }
        case .largestFirst, .smallestFirst:
            guard let merchantID = self.merchantID else { return nil }
            walk.merchantID = merchantID
            walk.minorUnits = self.minorUnits
        }
        return walk == self ? nil : walk
    }
}
