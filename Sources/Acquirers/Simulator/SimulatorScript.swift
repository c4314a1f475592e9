//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
import Synchronization

/// The calls of an acquirer, by name.
public enum SimulatorCall: String, Hashable, Sendable, CaseIterable {
    case authorize
    case capture
    case refund
    case adjust
    case verify
    case reverse
    case query

    public init(_ action: AcquirerRequest.Action) {
        switch action {
        case .authorize: self = .authorize
        case .verify: self = .verify
        case .capture: self = .capture
        case .refund: self = .refund
        case .adjust: self = .adjust
        case .void, .reverse: self = .reverse
        }
    }
}

/// What goes wrong with a call, or is made to.
public enum SimulatorFault: Hashable, Sendable {
    /// The request never arrives: unknown, `connection_lost`, and nothing is booked.
    case dropBeforeBooking
    /// The answer never arrives: unknown, `timed_out`, but it is booked.
    case dropAfterBooking
    /// The request is delayed beyond all patience: unknown, `timed_out`, and it is booked by
    /// ``SimulatorAcquirer/deliverLate()``, unless it has been taken back by then.
    case arriveLate
    /// The acquirer declines it for a reason of the test's choice. What the rules of the book refuse stays refused for
    /// their reason.
    case decline(DeclineReason)
    /// The request arrives twice.
    case duplicate
    /// The answer can't be read: unknown, `garbled_answer`, but it is booked.
    case garbage
    /// It is booked at once and answered by "accepted": only a query says how it ended.
    case accept
    /// The acquirer does nothing with it, and never will.
    case refuse(NotProcessedReason)
}

/// The faults that a ``SimulatorAcquirer`` plays. It may be changed while the acquirer is at work.
public final class SimulatorScript: Sendable {
    /// One direction: for which calls, and what happens to them.
    public struct Rule: Sendable {
        /// Which calls of the kind, counted from 1 since the script was made or last cleared.
        public enum Occurrence: Hashable, Sendable {
            case every
            case nth(Int)
            case first(Int)

            func includes(_ ordinal: Int) -> Bool {
                switch self {
                case .every: true
                case .nth(let number): ordinal == number
                case .first(let count): ordinal <= count
                }
            }
        }

        let call: SimulatorCall?
        let occurrence: Occurrence
        let directions: Directions

        /// - Parameters:
        ///   - call: the kind of call; `nil` for all kinds, counted together.
        ///   - fault: what goes wrong; `nil` for nothing, where only a delay is wanted.
        ///   - beforeBooking: awaited while the request is on its way.
        ///   - beforeAnswer: awaited while the answer is on its way.
        public init(
            _ call: SimulatorCall?, _ occurrence: Occurrence = .every, fault: SimulatorFault? = nil,
            beforeBooking: (@Sendable () async -> Void)? = nil, beforeAnswer: (@Sendable () async -> Void)? = nil
        ) {
            self.call = call
            self.occurrence = occurrence
            self.directions = Directions(fault: fault, beforeBooking: beforeBooking, beforeAnswer: beforeAnswer)
        }
    }

    struct Directions: Sendable {
        var fault: SimulatorFault?
        var beforeBooking: (@Sendable () async -> Void)?
        var beforeAnswer: (@Sendable () async -> Void)?
    }

    private struct State {
        var rules: [Rule]
        var counts: [SimulatorCall: Int] = [:]
        var callsCount = 0
    }

    private let state: Mutex<State>

    public init(_ rules: [Rule] = []) {
        self.state = Mutex(State(rules: rules))
    }

    /// Adds a rule after those that are there; the first that fits a call directs it.
    public func append(_ rule: Rule) {
        self.state.withLock { $0.rules.append(rule) }
    }

    /// Forgets every rule and count: from here on nothing goes wrong.
    public func clear() {
        self.state.withLock { $0 = State(rules: []) }
    }

    /// How many calls of a kind have been made.
    public func count(of call: SimulatorCall) -> Int {
        self.state.withLock { $0.counts[call] ?? 0 }
    }

    func directions(for call: SimulatorCall) -> Directions {
        self.state.withLock { state in
            state.callsCount += 1
            let ordinal = (state.counts[call] ?? 0) + 1
            state.counts[call] = ordinal
            let rule = state.rules.first { rule in
                guard let wanted = rule.call else { return rule.occurrence.includes(state.callsCount) }
                return wanted == call && rule.occurrence.includes(ordinal)
            }
            return rule?.directions ?? Directions()
        }
    }
}
