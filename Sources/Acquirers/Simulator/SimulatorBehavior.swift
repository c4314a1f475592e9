//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments

/// Which kind of upstream the simulator is like. What it does follows from what it says of itself
/// (``SimulatorAcquirer/capabilities``).
public struct SimulatorBehavior: Hashable, Sendable {
    /// `reversal`: queries are not answered. `query`: the reversal of what has not arrived is declined and not remembered,
    /// so that it counts when it arrives. `reports`: both.
    public var recovery: AcquirerCapabilities.Recovery
    /// How long after it was begun an operation is found by a query that came in time: an index that is behind.
    public var findsAfterSeconds: Int64
    /// How long after it was begun an operation is only accepted: a batch that is worked off later, whose end a query finds,
    /// or, with `reports`, the connector hands over by itself (``SimulatorConnector/run(_:)``). 0 for an acquirer that decides
    /// at once.
    public var acceptsForSeconds: Int64
    /// Whether it knows operations by an id of its own, which it gives away before it is asked to do anything: what comes
    /// without that id is refused, and what is asked about without it is not found.
    public var namesOperations: Bool
    /// Whether it refuses what comes under an id that it knows, and does not say what became of the first: it is not done
    /// again, and nobody learns more. What takes something back is always answered again.
    public var refusesRepeats: Bool
    /// For how long after a payment is over it has the connector keep the card's number, which it wants again with all that
    /// follows an authorization: as hosts that speak ISO 8583 do. `nil` for an acquirer that needs no number.
    public var keepsCardForSeconds: Int64?
    /// Whether it takes Apple Pay tokens sealed, too, as an acquirer that holds the payment processing key. It opens none:
    /// the card behind a token follows from the token's transaction identifier.
    public var takesSealedTokens: Bool
    /// For how long it holds an authorization that nobody captures. What comes later is declined, and the hold is gone.
    public var holdsForSeconds: Int64

    /// 32 days: longer than card networks hold most authorizations, so that every plan is kept that a dialect takes.
    /// The latest is TapPay's, at any minute of the thirtieth day after the authorization's; a day is left to try again.
    public static let usualHoldSeconds: Int64 = 32 * 86_400

    public init(
        recovery: AcquirerCapabilities.Recovery = .queryThenReversal, findsAfterSeconds: Int64 = 0,
        acceptsForSeconds: Int64 = 0, namesOperations: Bool = false, refusesRepeats: Bool = false,
        keepsCardForSeconds: Int64? = nil, takesSealedTokens: Bool = false,
        holdsForSeconds: Int64 = SimulatorBehavior.usualHoldSeconds
    ) {
        self.recovery = recovery
        self.findsAfterSeconds = findsAfterSeconds
        self.acceptsForSeconds = acceptsForSeconds
        self.namesOperations = namesOperations
        self.refusesRepeats = refusesRepeats
        self.keepsCardForSeconds = keepsCardForSeconds
        self.takesSealedTokens = takesSealedTokens
        self.holdsForSeconds = holdsForSeconds
    }

    /// Whether what is taken back before it arrives is refused when it does.
    var remembersReversals: Bool { self.recovery.remembersReversals }
}
