//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What a stand-in has booked: its own book, against which the gateway's is held.
///
/// Amounts are in the currency's smallest unit, as the Server API counts them.
struct StandInProcess: Sendable {
    struct Booking: Sendable {
        enum Kind: Sendable {
            case authorization
            case sale
            case capture
            case refund
            /// A capture of nothing that is the last one.
            case release
        }

        enum State: Sendable {
            /// Answered PENDING.
            case open
            case booked
            case failed
        }

        let number: Int
        let kind: Kind
        let amount: Int64
        var state = State.booked
        /// In the PAYONE Merchant Interface, and so not by the gateway.
        var isByHand = false
    }

    let txid: String
    let reference: String
    let currency: String
    let param: String
    var bookings: [Booking] = []
    var lastNumber = 0
    /// "No further capture is allowed."
    var isCompleted = false
    var chargedBack: Int64 = 0

    private func sum(_ kinds: Set<Booking.Kind>, _ states: Set<Booking.State> = [.booked]) -> Int64 {
        self.bookings.filter { kinds.contains($0.kind) && states.contains($0.state) && !$0.isByHand }
            .reduce(0) { $0 + $1.amount }
    }

    var authorized: Int64 { self.sum([.authorization, .sale]) }
    var captured: Int64 { self.sum([.capture, .sale]) }
    var refunded: Int64 { self.sum([.refund]) }
    var isReleased: Bool { self.bookings.contains { $0.kind == .release && $0.state == .booked } }

    /// What may still be captured. What is open counts as done.
    var capturable: Int64 {
        self.isCompleted ? 0 : self.sum([.authorization]) - self.sum([.capture], [.booked, .open])
    }

    var refundable: Int64 { self.captured - self.sum([.refund], [.booked, .open]) }
}
