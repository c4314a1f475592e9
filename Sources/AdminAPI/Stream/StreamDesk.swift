//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import Payments
import Synchronization
import Time

/// Who listens: a bounded number, together and of each caller.
final class StreamDesk: Sendable {
    /// Of a person, in all browsers, or of a token.
    static let perCallerMax = 24
    static let allMax = 256

    let feed = StreamFeed()
    /// Passes milliseconds.
    let sleep: @Sendable (Int64) async throws -> Void
    private let places = Mutex<[String: Int]>([:])

    init(sleep: @escaping @Sendable (Int64) async throws -> Void) {
        self.sleep = sleep
    }

    /// - Returns: `nil` where there is none left.
    func place(of holder: String) -> StreamPlace? {
        let isTaken = self.places.withLock { places in
            guard places[holder, default: 0] < Self.perCallerMax, places.values.reduce(0, +) < Self.allMax else {
                return false
            }
            places[holder, default: 0] += 1
            return true
        }
        return isTaken ? StreamPlace(self, holder) : nil
    }

    fileprivate func leave(_ holder: String) {
        self.places.withLock { places in
            let left = places[holder, default: 1] - 1
            places[holder] = left > 0 ? left : nil
        }
    }

    /// How many listen.
    var count: Int { self.places.withLock { $0.values.reduce(0, +) } }
}

/// A place, as long as somebody holds it.
final class StreamPlace: Sendable {
    private let desk: StreamDesk
    private let holder: String

    init(_ desk: StreamDesk, _ holder: String) {
        self.desk = desk
        self.holder = holder
    }

    deinit { self.desk.leave(self.holder) }
}

/// One who listens. The parts are drawn one after the other.
actor StreamListener {
    static let heartbeatMilliseconds: Int64 = 15_000
    /// How often it is asked anew who listens, and what that one may see.
    static let authorizationMilliseconds: Int64 = 30_000

    private let place: StreamPlace
    private let desk: StreamDesk
    private let administration: Administration
    private let identify: @Sendable (_ isUse: Bool) async throws -> Caller
    private let merchant: MerchantID?
    private var access: Access
    private var position: Int64
    private var beatenAt: Timestamp?
    private var authorizedAt: Timestamp
    private var isAtEnd = false
    private let waiting = StreamWait()

    init(_ place: StreamPlace, _ desk: StreamDesk, _ call: Call, merchant: MerchantID?) {
        self.place = place
        self.desk = desk
        self.administration = call.house.administration
        self.identify = call.identify
        self.merchant = merchant
        self.access = call.caller.access
        self.position = desk.feed.end
        self.authorizedAt = call.house.administration.now()
    }

    nonisolated var stream: WireStream {
        WireStream(
            next: { try await self.next() }, stop: { self.waiting.end() }, end: { self.waiting.end() })
    }

    private func next() async throws -> [UInt8]? {
        while !self.isAtEnd {
            if self.waiting.isEnded { return self.last(.drain) }
            let now = self.administration.now()
            if let reason = await self.authorize(at: now) { return self.last(reason) }
            // A store that cannot be reached is asked again; heartbeats go on meanwhile.
            try? await self.desk.feed.refresh(self.administration)
            guard let (events, end) = self.desk.feed.events(from: self.position) else { return self.last(.behind) }
            self.position = end
            var text = events.filter { $0.isFor(self.access, self.merchant) }.map(\.text).joined()
            if self.beatenAt.map({ now.milliseconds(since: $0) >= Self.heartbeatMilliseconds }) ?? true {
                self.beatenAt = now
                text += StreamEvent.heartbeat(at: now).text
            }
            if !text.isEmpty { return Array(text.utf8) }
            try Task.checkCancellation()
            await self.waiting.pass(StreamFeed.intervalMilliseconds, self.desk.sleep)
        }
        return nil
    }

    private func last(_ reason: StreamEvent.End) -> [UInt8] {
        self.isAtEnd = true
        return Array(StreamEvent.end(reason).text.utf8)
    }

    /// - Returns: why no more may be sent.
    private func authorize(at now: Timestamp) async -> StreamEvent.End? {
        let age = now.milliseconds(since: self.authorizedAt)
        guard !(0..<Self.authorizationMilliseconds).contains(age) else { return nil }
        do {
            let access = try await self.identify(false).access
            let mayListen =
                access.allows(.paymentsRead)
                && (self.merchant.map { merchant in access.merchants?.contains(merchant) ?? true } ?? true)
            guard mayListen else { return .sessionEnded }
            self.access = access
            self.authorizedAt = now
            return nil
        } catch is StoreError {
            // Who cannot be asked for is not let on for longer than another minute.
            return age < 2 * Self.authorizationMilliseconds ? nil : .sessionEnded
        } catch {
            return .sessionEnded
        }
    }
}

/// A wait that somebody else may end.
private final class StreamWait: Sendable {
    private struct State {
        var isEnded = false
        var sleeper: Task<Void, Never>?
    }

    private let state = Mutex(State())

    var isEnded: Bool { self.state.withLock { $0.isEnded } }

    func end() {
        let sleeper = self.state.withLock { state in
            state.isEnded = true
            return state.sleeper
        }
        sleeper?.cancel()
    }

    func pass(_ milliseconds: Int64, _ sleep: @escaping @Sendable (Int64) async throws -> Void) async {
        let sleeper = Task<Void, Never> { try? await sleep(milliseconds) }
        let isEnded = self.state.withLock { state in
            state.sleeper = sleeper
            return state.isEnded
        }
        if isEnded { sleeper.cancel() }
        await withTaskCancellationHandler {
            await sleeper.value
        } onCancel: {
            sleeper.cancel()
        }
    }
}
