//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import Gateway
import Money
import Payments
import Redaction
import Synchronization

/// What the customers of a history pay with: tokens of the pool, cards that the merchant has opened himself, and again
/// what has been paid with before.
final class Wallet: Sendable {
    static let keptKind = "prime"
    private static let amounts: [Int64] = [
        100_00, 100_00, 100_00, 100_00, 200_00, 200_00, 150_00, 150_00, 75_00, 75_00, 250_00, 120_00, 90_00, 7, 58_58,
        61_61, 63_63, 57_57, 62_62,
    ]

    private struct State {
        var tokens: [(amount: Money, token: UnverifiedToken)] = []
        var spent: [(AuthorizationInstrument, Money)] = []
        var proofsCount: UInt64 = 0
        var keptCount = 0
    }

    private let state: Mutex<State>

    init(tokens: [(amount: Money, token: UnverifiedToken)]) {
        self.state = Mutex(State(tokens: tokens))
    }

    func next(_ world: World) -> (AuthorizationInstrument, Money)? {
        let choice = world.draw { Int.random(in: 0..<100, using: &$0) }
        let amount = cad(world.draw { Self.amounts.randomElement(using: &$0) } ?? 1)
        let index = Int(world.number(in: 0...1_000_000))
        return self.state.withLock { state in
            if choice < 12, !state.spent.isEmpty { return state.spent[index % state.spent.count] }
            if choice < 45, let (amount, token) = state.tokens.popLast() {
                state.spent.append((.applePay(token), amount))
                return (.applePay(token), amount)
            }
            state.proofsCount += 1
            let instrument = AuthorizationInstrument.opened(Self.card(state.proofsCount))
            state.spent.append((instrument, amount))
            return (instrument, amount)
        }
    }

    /// A token to keep, and what it will be called. To pay with it is among what can be paid with from now on, and so is
    /// the token itself.
    func keep(_ world: World) -> (UnverifiedToken, String)? {
        self.state.withLock { state in
            guard let (amount, token) = state.tokens.popLast() else { return nil }
            state.keptCount += 1
            let id = "kept-\(state.keptCount)"
            state.spent.append((.kept(kind: Self.keptKind, id: id), amount))
            state.spent.append((.kept(kind: Self.keptKind, id: id), amount))
            state.spent.append((.applePay(token), amount))
            return (token, id)
        }
    }

    private static func card(_ number: UInt64) -> NetworkToken {
        let bytes = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt64($0)) }
        return NetworkToken(
            pan: Redacted("4895370012345671"), expiryYearMonth: "2812",
            proof: .cryptogram(Redacted([UInt8](repeating: 0xC0, count: 12) + bytes)), eci: "05")
    }
}
