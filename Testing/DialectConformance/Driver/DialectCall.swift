//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money
public import WalletSimulator

/// What a merchant does, whatever the words for it on the wire.
public struct DialectCall: Sendable {
    public enum Action: Sendable {
        /// Authorizes and captures.
        case pay(Money, MintedToken)
        case authorize(Money, MintedToken)
        case capture(Money, isFinal: Bool)
        /// Takes the authorization back.
        case void
        case refund(Money)
        /// Asks how the payment stands.
        case query
    }

    public var action: Action
    /// The merchant's name for the payment, of letters, digits and hyphens: "p1". What it becomes on the wire (an order
    /// id, a reference) is the driver's to say; different names must become different ones.
    public var payment: String
    /// The merchant's name for this call: "p1-refund-2". Two calls with the same key are the same request twice.
    public var key: String
    /// What earlier answers about the payment have given: what the client needs, and how far the payment is
    /// (``DialectAnswer/handle``).
    public var handle: [String: String]

    public init(_ action: Action, payment: String, key: String, handle: [String: String] = [:]) {
        self.action = action
        self.payment = payment
        self.key = key
        self.handle = handle
    }
}
