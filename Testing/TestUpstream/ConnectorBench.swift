//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import ConnectorKit
public import Money
public import Payments
public import Time

/// The ids, requests and clients of a connector's tests. Nothing here is anybody's.
public protocol ConnectorBench {
    static var at: Timestamp { get }
    /// What a request is among those of its payment, where nothing is said.
    static var usualOrdinal: Int { get }
}

extension ConnectorBench {
    public static var at: Timestamp { Timestamp(seconds: 1_750_000_000) }
    public static var usualOrdinal: Int { 1 }

    public static func id<Tag: IdentifierTag>(_ number: UInt8) -> Identifier<Tag> {
        Identifier(at: self.at, random: [0, 0, 0, 0, 0, 0, 0, 0, 0, number])
    }

    public static var paymentID: PaymentID { self.id(1) }
    /// Of what opens the payment.
    public static var authorizationID: OperationID { self.id(2) }
    public static var operationID: OperationID { self.id(3) }

    public static func request(
        _ action: AcquirerRequest.Action, _ amount: Money, operation: OperationID? = nil, ordinal: Int? = nil,
        payment: PaymentID? = nil, memo: AcquirerMemo = AcquirerMemo()
    ) -> AcquirerRequest {
        AcquirerRequest(
            operationID: operation ?? self.operationID, paymentID: payment ?? self.paymentID, merchantID: self.id(8),
            amount: amount, begunAt: self.at, action: action, ordinal: ordinal ?? self.usualOrdinal, memo: memo)
    }

    public static func query(_ original: OriginalOperation) -> AcquirerQuery {
        AcquirerQuery(paymentID: self.paymentID, merchantID: self.id(8), original: original, at: self.at)
    }

    /// A client whose calls have a deadline that does not pass.
    public static func client(
        limits: UpstreamLimits = UpstreamLimits(connectMilliseconds: 60_000)
    ) -> UpstreamClient { .withoutDeadline(limits: limits) }
}
