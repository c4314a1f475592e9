//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// An order in the stand-in's book. Amounts are in cents.
struct StandInOrder: Sendable {
    enum Standing: Hashable, Sendable {
        /// The issuer holds the amount.
        case held
        /// The issuer has not answered.
        case unanswered
        case declined
        case canceled
    }

    /// A debit or a credit.
    struct Settlement: Sendable {
        enum State: Hashable, Sendable {
            case requested
            case settled
            case refused
        }

        let isDebit: Bool
        let cents: Int64
        let isFinal: Bool
        let context: String
        var state = State.requested
    }

    let id: String
    let cents: Int64
    let account: String
    let tender = "VC"
    var standing: Standing
    var settlements: [Settlement] = []
    /// Cancellations that have been asked for and not decided.
    var cancellationsCount = 0

    private func sum(isDebit: Bool, _ states: Set<Settlement.State>) -> Int64 {
        self.settlements.filter { $0.isDebit == isDebit && states.contains($0.state) }.reduce(0) { $0 + $1.cents }
    }

    var captured: Int64 { self.sum(isDebit: true, [.settled]) }
    var refunded: Int64 { self.sum(isDebit: false, [.settled]) }

    /// What is still held on the card.
    var held: Int64 {
        let isClosed = self.settlements.contains { $0.isFinal && $0.state == .settled }
        return self.standing == .held && !isClosed ? self.cents - self.captured : 0
    }

    /// What another debit may take.
    var available: Int64 {
        let isClosed = self.settlements.contains { $0.isFinal && $0.state != .refused }
        guard self.standing == .held, !isClosed else { return 0 }
        return self.cents - self.sum(isDebit: true, [.requested, .settled])
    }

    var creditable: Int64 { self.captured - self.sum(isDebit: false, [.requested, .settled]) }
}
