//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments

/// Adds entries up, by currency.
struct PositionSums {
    private struct Authorization {
        var approved: Money
        var captured: Money
        /// Whether nothing more is taken of it.
        var isFinal: Bool
        var isVoided = false
    }

    private var sums: [Currency: SimulatorPosition] = [:]
    /// Those that hold something or did, for what final captures release.
    private var authorizations: [OperationID: Authorization] = [:]

    /// Entries come in the order booked, so an authorization before what follows it.
    mutating func add(_ entry: SimulatorEntry) {
        let currency = entry.amount.currency
        let nothing = Money.zero(currency)
        var sum =
            self.sums[currency]
            ?? SimulatorPosition(
                authorized: nothing, captured: nothing, refunded: nothing, voided: nothing, released: nothing)
        switch (entry.kind, entry.state, entry.approvedAmount) {
        case (.authorization, .approved, let amount?):
            sum.authorized = sum.authorized + amount
            if entry.captures { sum.captured = sum.captured + amount }
            self.authorizations[entry.operationID] = Authorization(
                approved: amount, captured: entry.captures ? amount : nothing, isFinal: false)
        case (.authorization, .voided, let amount?):
            sum.authorized = sum.authorized + amount
            sum.voided = sum.voided + amount
            self.authorizations[entry.operationID] = Authorization(
                approved: amount, captured: nothing, isFinal: false, isVoided: true)
        case (.adjustment, .approved, let total?):
            guard let authorizationID = entry.targetID, var authorization = self.authorizations[authorizationID]
            else { break }
            let difference = total - authorization.approved
            sum.authorized = sum.authorized + difference
            if authorization.isVoided { sum.voided = sum.voided + difference }
            authorization.approved = total
            self.authorizations[authorizationID] = authorization
        case (.capture, .approved, let amount?):
            sum.captured = sum.captured + amount
            if let authorizationID = entry.targetID, var authorization = self.authorizations[authorizationID] {
                authorization.captured = authorization.captured + amount
                authorization.isFinal = authorization.isFinal || entry.isFinal
                self.authorizations[authorizationID] = authorization
            }
        case (.refund, .approved, let amount?):
            sum.refunded = sum.refunded + amount
        case (_, .declined, _) where entry.cameAfterHold:
            if let authorizationID = entry.targetID { self.authorizations[authorizationID]?.isFinal = true }
        default:
            break
        }
        self.sums[currency] = sum
    }

    func positions() -> [Currency: SimulatorPosition] {
        var positions = self.sums
        // What was voided is counted as that.
        for authorization in self.authorizations.values where authorization.isFinal && !authorization.isVoided {
            let rest = authorization.approved - authorization.captured
            guard var sum = positions[rest.currency] else { continue }
            sum.released = sum.released + rest
            positions[rest.currency] = sum
        }
        return positions
    }
}
