//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money
public import Payments
import Synchronization

/// What becomes known of a call while it is worked on, for the record of refused calls: whose it is, what it would
/// pay with, and why the gateway refuses it. Nothing of a card, a token's contents or a credential.
///
/// Whoever answers calls makes one for each and lets the call run with it (``during(_:)``); who finds something out
/// notes it, and knows neither the call nor its answer. Without one nothing is noted.
public final class CallNotes: Sendable {
    @TaskLocal private static var current: CallNotes?

    /// How far the caller came with proving who it is.
    public enum Caller: Hashable, Sendable {
        /// No credentials were looked at.
        case unknown
        /// Some were looked at.
        case claimed
        case proven
        /// It is proven, and has asked too often.
        case waiting
    }

    /// What is known so far.
    public struct Content: Sendable {
        /// Whose account the call names.
        public internal(set) var merchantID: MerchantID?
        public internal(set) var caller = Caller.unknown
        public internal(set) var refusal: GatewayRefusal?
        /// SHA-256 of the public key that the call's token is sealed for.
        public internal(set) var publicKeyHash: [UInt8]?
        /// What the call asks for.
        public internal(set) var amount: Money?
    }

    private let state = Mutex(Content())

    public init() {}

    public var content: Content { self.state.withLock { $0 } }

    /// Runs a call, of which is noted here.
    public func during<Value: Sendable>(_ call: () async -> Value) async -> Value {
        await Self.$current.withValue(self) { await call() }
    }

    static func change(_ change: (inout Content) -> Void) {
        Self.current?.state.withLock { change(&$0) }
    }

    /// The gateway's refusal that a call is answered with. A dialect notes it where it finds its own word for it.
    public static func note(_ refusal: GatewayRefusal) {
        self.change { $0.refusal = refusal }
    }

    /// How far the caller came.
    public static func note(_ caller: Caller) {
        self.change { $0.caller = caller }
    }
}
