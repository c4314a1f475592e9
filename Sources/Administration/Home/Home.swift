//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
public import Payments
public import Time

/// What an operator looks at first: what happened in a window, and what is so now.
public struct Home: Sendable {
    public let window: HomeWindow
    public let at: Timestamp
    /// In step with the window's buckets; `nil` for one that was not read.
    var buckets: [HomeCounts?]
    var total = HomeCounts()
    var movementsCount = 0
    var refusals = HomeRefusals()
    var work = HomeWork()
    var certificates: [(merchant: Merchant, credential: AppleCredential)] = []
    var alarms: [Alarm] = []

    /// Whether more happened than is counted.
    public var isCut: Bool { self.buckets.contains { $0 == nil } || self.refusals.isCut }
}

/// Calls that were refused, by code.
struct HomeRefusals: Sendable {
    struct Code: Hashable, Sendable {
        let code: String
        let stage: RefusedCall.Stage
    }

    struct Count: Sendable {
        var total = 0
        var byBucket: [Int]
        let lastAt: Timestamp
    }

    var codes: [Code: Count] = [:]
    /// In step with the window's buckets.
    var byBucket: [Int] = []
    var count = 0
    /// Before that they were not read.
    var readSince: Timestamp?

    var isCut: Bool { self.readSince != nil }
}

/// What waits. Of one merchant it is counted up to a bound.
struct HomeWork: Sendable {
    static let countMax = 1000

    var unknownOperations = 0
    var pendingEvents = 0
    var deadEvents = 0
}

/// What Home is to show, and of whom.
public struct HomeQuery: Sendable {
    public var window: HomeWindow
    /// `nil` for all.
    public var merchant: Merchant?
    /// Whether certificates are wanted.
    public var hasCertificates: Bool
    public var hasAlarms: Bool

    public init(window: HomeWindow, merchant: Merchant?, hasCertificates: Bool, hasAlarms: Bool) {
        self.window = window
        self.merchant = merchant
        self.hasCertificates = hasCertificates
        self.hasAlarms = hasAlarms
    }
}

extension Administration {
    /// How many movements, and how many refused calls, Home reads at most: the newest.
    static let homeRowsMax = 10_000

    /// Reads what Home shows, in several short reads: a busy store is not kept from its payments.
    ///
    /// - Throws: `StoreError`.
    public func home(_ query: HomeQuery) async throws -> Home {
        var home = Home(
            window: query.window, at: self.gateway.now(),
            buckets: Array(repeating: nil, count: query.window.starts.count))
        for index in query.window.starts.indices.reversed() {
            guard let counts = try await self.homeBucket(index, query, &home.movementsCount) else { break }
            home.total.add(counts)
            home.buckets[index] = counts
        }
        home.refusals = try await self.homeRefusals(query)
        try await self.addPresent(query, to: &home)
        return home
    }

    /// How many approvals wait for a second person, up to 1000.
    ///
    /// - Parameter merchants: whose; `nil` for all, and the house's.
    /// - Throws: `StoreError`.
    public func waitingApprovalsCount(of merchants: Set<MerchantID>?) async throws -> Int {
        try await self.read { reader in
            try reader.approvals(ApprovalQuery(states: [.waiting], merchants: merchants, limit: 1000)).count
        }
    }

    /// - Returns: `nil` for a bucket that has more movements than may be read.
    private func homeBucket(_ index: Int, _ query: HomeQuery, _ count: inout Int) async throws -> HomeCounts? {
        var counts = HomeCounts()
        var movements = MovementQuery(
            merchantID: query.merchant?.id, includesFailed: true, from: query.window.starts[index],
            to: query.window.end(of: index), limit: Self.reportPageCount)
        while true {
            let asked = movements
            let page = try await self.search { try $0.movements(asked) }
            for movement in page { counts.add(movement) }
            count += page.count
            movements.after = page.last?.cursor
            guard page.count == Self.reportPageCount else { return counts }
            guard count < Self.homeRowsMax else { return nil }
        }
    }

    private func homeRefusals(_ query: HomeQuery) async throws -> HomeRefusals {
        let window = query.window
        var refusals = HomeRefusals(byBucket: Array(repeating: 0, count: window.starts.count))
        var calls = RefusedCallQuery(
            merchantID: query.merchant?.id, from: window.from, to: window.to, limit: Self.reportPageCount)
        while true {
            let asked = calls
            let page = try await self.refusedCalls(asked)
            for call in page {
                guard let index = window.index(of: call.at) else { continue }
                let code = HomeRefusals.Code(code: call.code, stage: call.stage)
                var count =
                    refusals.codes[code]
                    ?? HomeRefusals.Count(byBucket: Array(repeating: 0, count: window.starts.count), lastAt: call.at)
                count.total += 1
                count.byBucket[index] += 1
                refusals.codes[code] = count
                refusals.byBucket[index] += 1
            }
            refusals.count += page.count
            calls.before = page.last?.id
            guard page.count == Self.reportPageCount else { return refusals }
            guard refusals.count < Self.homeRowsMax else {
                refusals.readSince = page.last?.at
                return refusals
            }
        }
    }

    private func addPresent(_ query: HomeQuery, to home: inout Home) async throws {
        let merchant = query.merchant
        let (work, credentials, merchants, alarms) = try await self.read { reader in
            var work = HomeWork()
            if let id = merchant?.id {
                var unknown = PaymentQuery(merchantID: id)
                unknown.hasUnknownOutcome = true
                work.unknownOperations = try reader.paymentsCount(unknown, max: HomeWork.countMax)
                work.pendingEvents = try reader.events(
                    OutboxQuery(merchantID: id, state: .pending, limit: HomeWork.countMax)
                ).count
                work.deadEvents = try reader.events(OutboxQuery(merchantID: id, state: .dead, limit: HomeWork.countMax))
                    .count
            } else {
                let open = try reader.openWork()
                work.unknownOperations = open.unknownOperationsCount
                work.pendingEvents = open.pendingEventsCount
                work.deadEvents = open.deadEventsCount
            }
            return (
                work, query.hasCertificates ? try reader.appleCredentials(of: merchant?.id) : [],
                try reader.merchants(), query.hasAlarms ? try reader.standingAlarms() : []
            )
        }
        home.work = work
        home.certificates = credentials.filter { $0.state == .active }.compactMap { credential in
            merchants.first { $0.id == credential.merchantID && $0.state != .closed }.map { ($0, credential) }
        }.sorted { ($0.credential.notAfter ?? home.at) < ($1.credential.notAfter ?? home.at) }
        home.alarms = alarms.compactMap { alarm in
            guard let merchant else { return alarm }
            return alarm.merchants.contains(merchant.name) ? alarm.asSeen(by: merchant) : nil
        }
    }
}
