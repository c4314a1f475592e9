//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What decides about one payment.
public protocol PaymentReading {
    func payment(_ id: PaymentID) throws -> Payment?
    /// The payment that has the operation.
    func paymentID(ofOperation id: OperationID) throws -> PaymentID?
    func order(_ id: OrderID) throws -> Order?
    /// The order that the merchant calls so; unique among the merchant's orders of a dialect.
    func order(of merchant: MerchantID, dialect: DialectName, reference: String) throws -> Order?
    func claim(_ key: IdempotencyKey) throws -> IdempotencyClaim?
    /// Claims in the order of their keys' bytes: merchant, dialect, operation, key.
    ///
    /// - Parameter key: what they come after; `nil` for the first.
    func claims(after key: IdempotencyKey?, limit: Int) throws -> [IdempotencyClaim]
    /// Whether a payment has used an Apple transaction identifier of a mode.
    func isTokenRemembered(transactionIdentifier: [UInt8], mode: Mode) throws -> Bool
    /// What a reference names: one that was written, or an operation's claim whose operation and key are the reference's
    /// kind and value.
    func operation(_ reference: Reference) throws -> OperationID?
    /// What connectors have noted on the payment's operations, in no order.
    func memos(of payment: PaymentID) throws -> [StoredMemo]

    func keptItem(_ name: KeptItemName) throws -> KeptItem?
}
