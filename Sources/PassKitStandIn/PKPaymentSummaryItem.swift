//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Foundation

public enum PKPaymentSummaryItemType: UInt, Sendable {
    case final = 0
    /// The amount is not known yet; the sheet shows that instead of it.
    case pending = 1
}

/// A line of the sheet. The last one is the total.
public class PKPaymentSummaryItem: NSObject {
    public var label: String
    public var amount: NSDecimalNumber
    public var type: PKPaymentSummaryItemType

    public required init(label: String, amount: NSDecimalNumber, type: PKPaymentSummaryItemType) {
        self.label = label
        self.amount = amount
        self.type = type
        super.init()
    }

    public convenience init(label: String, amount: NSDecimalNumber) {
        self.init(label: label, amount: amount, type: .final)
    }

    /// Without a label and a price, which are set afterwards.
    public override convenience init() {
        self.init(label: "", amount: NSDecimalNumber.zero)
    }
}

public enum PKShippingType: UInt, Sendable {
    case shipping = 0
    case delivery = 1
    case storePickup = 2
    case servicePickup = 3
}

/// A way to ship, with its price.
public final class PKShippingMethod: PKPaymentSummaryItem {
    public var identifier: String?
    public var detail: String?
}
