//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Time

/// Which events of the outbox, newest first: by their ids, backwards. An id begins with the millisecond in which the event
/// was made, and what follows puts the events of one millisecond into an order that never changes.
public struct OutboxQuery: Hashable, Sendable {
    public var merchantID: MerchantID?
    public var state: OutboxEvent.State?
    public var paymentID: PaymentID?
    public var dialect: DialectName?
    public var kind: OutboxEvent.Kind?
    /// Made at or after.
    public var from: Timestamp?
    /// Made before.
    public var to: Timestamp?
    /// Only what comes after that event in the order: the next page, however many have been made meanwhile.
    public var after: EventID?
    public var offset: Int
    public var limit: Int
    /// The newest come first, unless this is set.
    public var oldestFirst = false

    public init(
        merchantID: MerchantID? = nil, state: OutboxEvent.State? = nil, paymentID: PaymentID? = nil,
        after: EventID? = nil,
        offset: Int = 0, limit: Int = 100
    ) {
        self.merchantID = merchantID
        self.state = state
        self.paymentID = paymentID
        self.after = after
        self.offset = offset
        self.limit = limit
    }
}
