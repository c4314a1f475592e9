//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// Walks over a merchant's payments or movements, for answers that say how many there are and what they come to.
///
/// All walks together read few pages at a time, in turn, so that a merchant with few payments does not wait for one with
/// millions, nor a payment for either. Of one merchant there are few at a time.
actor MerchantWalks {
    /// How many pages are read at a time; SQLite has four connections that read.
    static let pagesMax = 2
    /// How many walks of one merchant there are at a time.
    static let walksMax = 2
    static let waitingMax = 8

    nonisolated let pages = LongReadTurn(places: pagesMax)
    /// How many counts are remembered.
    static let countsMax = 256
    private var counts: [PaymentQuery: PaymentsTally] = [:]
    private var turns: [MerchantID: (turn: LongReadTurn, count: Int)] = [:]

    /// How many of a merchant's are under way or wait.
    func callsCount(of merchant: MerchantID) -> Int { self.turns[merchant]?.count ?? 0 }

    /// - Throws: `StoreError.unavailable` where too many of the merchant's wait; what the walk throws.
    func run<Value: Sendable>(
        of merchant: MerchantID, _ walk: @Sendable () async throws -> Value
    ) async throws -> Value {
        let (turn, count) = self.turns[merchant] ?? (LongReadTurn(places: Self.walksMax), 0)
        guard count < Self.walksMax + Self.waitingMax else {
            throw StoreError.unavailable("a merchant asks for much, and more of his calls wait for it")
        }
        self.turns[merchant] = (turn, count + 1)
        defer { self.leave(merchant) }
        return try await turn.runUnlessCancelled(walk)
    }

    /// What is known of a count: as far as where it ends.
    func counted(_ query: PaymentQuery) -> PaymentsTally? { self.counts[query] }

    func remember(_ tally: PaymentsTally, of query: PaymentQuery) {
        let isNew = self.counts[query] == nil
        if isNew, self.counts.count >= Self.countsMax { self.counts.remove(at: self.counts.startIndex) }
        self.counts[query] = tally
    }

    private func leave(_ merchant: MerchantID) {
        self.turns[merchant]?.count -= 1
        if self.turns[merchant]?.count == 0 { self.turns[merchant] = nil }
    }
}

/// A walk that goes on for as long as somebody may wait for its answer: nobody cancels a call whose answer is late, since
/// money may move with it, and whoever got none asks again.
struct MerchantWalk: Sendable {
    let store: any PaymentStore
    let pages: LongReadTurn
    let now: @Sendable () -> ContinuousClock.Instant
    let endsAt: ContinuousClock.Instant

    /// Reads a page in its turn.
    ///
    /// - Throws: `StoreError`; `CancellationError`.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws -> Value
    ) async throws -> Value {
        try await self.pages.runUnlessCancelled {
            guard self.now() < self.endsAt else {
                throw StoreError.unavailable("a walk over a merchant's payments took longer than its answer may")
            }
            return try await self.store.read(body)
        }
    }
}

extension Gateway {
    /// Walks over what a merchant has, page by page.
    func walk<Value: Sendable>(
        of merchant: MerchantID, _ body: @Sendable (MerchantWalk) async throws -> Value
    ) async throws(GatewayRefusal) -> Value {
        let walk = MerchantWalk(
            store: self.store, pages: self.walks.pages, now: self.steadyClock,
            endsAt: self.steadyClock() + .seconds(self.settings.answerSecondsMax))
        do {
            return try await self.walks.run(of: merchant) { try await body(walk) }
        } catch {
            throw self.refusal(for: error)
        }
    }
}
