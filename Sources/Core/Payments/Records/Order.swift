//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money
public import Time

/// What a merchant wants paid, before it is: AlphaPay's preOrder. A payment that succeeds settles it; one that fails
/// leaves it open.
public struct Order: Hashable, Sendable, Identifiable {
    public let id: OrderID
    public let merchantID: MerchantID
    public let dialect: DialectName
    /// The merchant's own name for it (AlphaPay's paymentRequestId).
    public let reference: String
    public let amount: Money
    public let summary: String
    /// Where notifications about it go.
    public let notifyURL: String?
    /// Which of the merchant's Apple merchant identifiers the sheet was given, where the order says.
    public let merchantIdentifier: String?
    public let createdAt: Timestamp
    public let expiresAt: Timestamp
    public var canceledAt: Timestamp?
    /// The payment that is under way, or that has settled it.
    public var paymentID: PaymentID?

    public init(
        id: OrderID, merchantID: MerchantID, dialect: DialectName, reference: String, amount: Money, summary: String,
        notifyURL: String?, merchantIdentifier: String?, createdAt: Timestamp, expiresAt: Timestamp,
        canceledAt: Timestamp? = nil, paymentID: PaymentID? = nil
    ) {
        self.id = id
        self.merchantID = merchantID
        self.dialect = dialect
        self.reference = reference
        self.amount = amount
        self.summary = summary
        self.notifyURL = notifyURL
        self.merchantIdentifier = merchantIdentifier
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.canceledAt = canceledAt
        self.paymentID = paymentID
    }
}
