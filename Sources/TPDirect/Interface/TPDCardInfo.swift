//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Foundation

/// What the gateway knows of the card.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class TPDCardInfo: NSObject {
    /// The first six digits.
    public var bincode: String?
    /// The last four digits.
    public var lastFour: String?
    public var issuer: String?
    /// The issuer's Chinese name.
    public var issuerZhTw: String?
    public var bankId: String?
    /// -1 unknown, 0 credit, 1 debit, 2 prepaid.
    public var funding = -1
    /// -1 unknown, 1 Visa, 2 Mastercard, 3 JCB, 4 UnionPay, 5 American Express.
    public var cardType = -1
    public var level: String?
    /// The issuer's country.
    public var country: String?
    public var countryCode: String?

    public override init() {
        super.init()
    }
}
