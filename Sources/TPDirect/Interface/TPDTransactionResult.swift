//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The published interface has these types without a question mark; apps written for it compile against no other.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

public import Foundation
public import PassKit

/// How a payment ended.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class TPDTransactionResult: NSObject {
    /// What happened, in a sentence.
    public var message: String!
    /// 0 for success; else a code of the table "iOS SDK Error Code", or -1 for a failure that the app itself reported.
    public var status: Int
    public var amount: NSDecimalNumber!
    /// The card, if it came to that.
    public var paymentMethod: PKPaymentMethod!

    init(status: Int, message: String, amount: NSDecimalNumber, paymentMethod: PKPaymentMethod?) {
        self.status = status
        self.message = message
        self.amount = amount
        self.paymentMethod = paymentMethod
        super.init()
    }
}
