//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments
import SimulatorAcquirer
import Synchronization
import TestGateway
import Testing

/// The kinds of operation that a call to the acquirer may be.
enum OperationCase: String, CaseIterable, CustomStringConvertible {
    case authorize, sell, capture, finalCapture, refund, adjust, verify
    case void, voidOfSale, voidOfCapture, voidOfRefund

    var description: String { self.rawValue }

    var isVoid: Bool {
        switch self {
        case .void, .voidOfSale, .voidOfCapture, .voidOfRefund: true
        case .authorize, .sell, .capture, .finalCapture, .refund, .adjust, .verify: false
        }
    }

    private var call: SimulatorCall {
        switch self {
        case .authorize, .sell: .authorize
        case .capture, .finalCapture: .capture
        case .refund: .refund
        case .adjust: .adjust
        case .verify: .verify
        case .void, .voidOfSale, .voidOfCapture, .voidOfRefund: .reverse
        }
    }

    /// Makes what has to be there before it, and then the operation itself, which goes wrong in its own way.
    /// - Parameter before: called before the operation itself is begun.
    func make(
        _ shop: Shop, fault: SimulatorFault?, before: () -> Void = {}
    ) async throws -> OperationOutcome {
        let card = Shop.deviceToken(UInt8(truncatingIfNeeded: shop.nextNumber()))
        let follow = try await self.prepared(shop, card)
        shop.script.clear()
        shop.script.append(.init(self.call, .nth(1), fault: fault))
        before()
        let outcome: OperationOutcome
        switch (self, follow) {
        case (.sell, _): outcome = try await shop.pay(with: card, money(10_00), .sale)
        case (.verify, _): outcome = try await shop.verify(card)
        case (.capture, let first?): outcome = try await shop.capture(money(6_00), of: first.payment.id)
        case (.finalCapture, let first?):
            outcome = try await shop.capture(money(6_00), of: first.payment.id, isFinal: true)
        case (.refund, let first?): outcome = try await shop.refund(money(6_00), of: first.payment.id)
        case (.adjust, let first?): outcome = try await shop.adjust(money(15_00), of: first.payment.id)
        case (.void, let first?): outcome = try await shop.void(first.payment.id)
        case (.voidOfSale, let first?), (.voidOfCapture, let first?), (.voidOfRefund, let first?):
            outcome = try await shop.void(.operation(first.operation.id), of: first.payment.id)
        default: outcome = try await shop.pay(with: card, money(10_00))
        }
        shop.script.clear()
        return outcome
    }

    /// What comes before: the outcome whose payment, or operation, it is about.
    private func prepared(_ shop: Shop, _ card: NetworkToken) async throws -> OperationOutcome? {
        switch self {
        case .authorize, .sell, .verify: return nil
        case .capture, .finalCapture, .adjust, .void: return try await shop.pay(with: card, money(10_00))
        case .refund, .voidOfSale: return try await shop.pay(with: card, money(10_00), .sale)
        case .voidOfCapture:
            let payment = try await shop.pay(with: card, money(10_00)).payment
            return try await shop.capture(money(6_00), of: payment.id)
        case .voidOfRefund:
            let payment = try await shop.pay(with: card, money(10_00), .sale).payment
            return try await shop.refund(money(6_00), of: payment.id)
        }
    }
}

/// How the call itself ends.
enum CallEnding: String, CaseIterable, CustomStringConvertible {
    case approved, declined, twice, unknownButBooked, garbledButBooked, unknownAndNotBooked, late

    var description: String { self.rawValue }

    var fault: SimulatorFault? {
        switch self {
        case .approved: nil
        case .declined: .decline(.suspectedFraud)
        case .twice: .duplicate
        case .unknownButBooked: .dropAfterBooking
        case .garbledButBooked: .garbage
        case .unknownAndNotBooked: .dropBeforeBooking
        case .late: .arriveLate
        }
    }

    var isBooked: Bool {
        switch self {
        case .approved, .twice, .unknownButBooked, .garbledButBooked: true
        case .declined, .unknownAndNotBooked, .late: false
        }
    }

    /// What the caller gets at once.
    var reported: PaymentOperation.State {
        switch self {
        case .approved, .twice: .succeeded
        case .declined: .failed(.declined(.suspectedFraud))
        case .unknownButBooked, .garbledButBooked, .unknownAndNotBooked, .late: .unknown
        }
    }
}

/// What the acquirer says when it is asked.
enum QueryEnding: String, CaseIterable, CustomStringConvertible {
    case honest, silentTwice, silentForEver, findsNothing, saysReversed

    var description: String { self.rawValue }

    /// Whether what was booked is found before patience ends.
    var findsWhatIsBooked: Bool { self == .honest || self == .silentTwice }

    func answer(
        _ count: Int, _ ask: @Sendable () async -> AcquirerQueryOutcome
    ) async -> AcquirerQueryOutcome {
        switch self {
        case .honest: await ask()
        case .silentTwice: count <= 2 ? .unknown(.timedOut()) : await ask()
        case .silentForEver: .unknown(.timedOut())
        case .findsNothing: .notFound
        case .saysReversed: .reversed
        }
    }
}

/// How the first reversals end; those after them are acknowledged. For a void, which is one, how it ends when it is
/// sent again.
enum ReversalEnding: String, CaseIterable, CustomStringConvertible {
    case acknowledged, declinedTwice, lostThreeTimes, unheardThreeTimes, lateTwice

    var description: String { self.rawValue }

    func direct(_ script: SimulatorScript) {
        switch self {
        case .acknowledged: break
        case .declinedTwice: script.append(.init(.reverse, .first(2), fault: .decline(.systemError)))
        case .lostThreeTimes: script.append(.init(.reverse, .first(3), fault: .dropBeforeBooking))
        case .unheardThreeTimes: script.append(.init(.reverse, .first(3), fault: .dropAfterBooking))
        case .lateTwice: script.append(.init(.reverse, .first(2), fault: .arriveLate))
        }
    }
}

/// A shop whose acquirer answers queries as the test says.
struct UnknownOutcomeShop: Sendable {
    let shop: Shop
    let queries: QueryScript

    final class QueryScript: Sendable {
        private let state = Mutex((ending: QueryEnding.honest, count: 0))

        func set(_ ending: QueryEnding) {
            self.state.withLock { $0 = (ending, 0) }
        }

        func answer(_ ask: @Sendable () async -> AcquirerQueryOutcome) async -> AcquirerQueryOutcome {
            let (ending, count) = self.state.withLock { state in
                state.count += 1
                return state
            }
            return await ending.answer(count, ask)
        }
    }

    static func open(_ configure: (inout Shop.Options) -> Void = { _ in }) async throws -> UnknownOutcomeShop {
        let queries = QueryScript()
        let shop = try await Shop.open { options in
            configure(&options)
            options.acquirer = { base in
                InterceptingAcquirer(base) {
                    await $1()
                } queries: {
                    await queries.answer($1)
                }
            }
        }
        return UnknownOutcomeShop(shop: shop, queries: queries)
    }

    /// Lets recovery run, second by second, until nothing is open any more, and looks at each second whether what is
    /// believed of the operation is what the acquirer has booked.
    ///
    /// - Parameter restarts: whether the process starts anew before each pass.
    /// - Returns: how many seconds it took.
    func recover(_ outcome: OperationOutcome, restarts: Bool = false, secondsMax: Int = 200) async throws -> Int {
        for second in 0...secondsMax {
            try await self.expectTruth(of: outcome)
            if try await self.shop.recoveryJobs().isEmpty { return second }
            self.shop.clock.advance(seconds: 1)
            var shop = self.shop
            if restarts {
                shop = try await shop.restarted { $0.settings.ownsStore = true }
                try await shop.gateway.prepareRecovery()
            }
            _ = await shop.gateway.recover(limit: 1000)
        }
        return secondsMax + 1
    }

    private func expectTruth(of outcome: OperationOutcome) async throws {
        let operation = try await self.shop.operation(outcome)
        let entry = try await self.shop.book.entries(of: outcome.payment.id).first { $0.operationID == operation.id }
        switch operation.state {
        case .pending, .unknown, .accepted: break
        case .succeeded: #expect(entry?.state == .approved)
        case .failed(.declined): #expect(entry?.state == .declined)
        case .failed(.notProcessed): #expect(entry == nil)
        case .failed(.reversed): #expect(entry?.state == .reversed || entry?.state == .declined)
        }
    }
}
