//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments
import Synchronization

/// How often a merchant may ask, as a token bucket: so many requests a second in the long run, so many at once.
///
/// A merchant's bucket is one number, the moment at which it will be full again (the generic cell rate algorithm, ITU-T
/// I.371); a full one is not kept, so that there are no more numbers than merchants that have just asked.
public final class MerchantRates: Sendable {
    public struct Settings: Hashable, Sendable {
        /// Of merchants whose account says nothing else; 0 for no bound.
        public var requestsPerSecond: Int
        /// How many may come at once; as many as in two seconds, unless it is said.
        public var burst: Int?

        public init(requestsPerSecond: Int = 0, burst: Int? = nil) {
            self.requestsPerSecond = requestsPerSecond
            self.burst = burst
        }
    }

    /// The settings of an account that stand in the place of the gateway's.
    public static let rateSetting = "requestsPerSecond"
    public static let burstSetting = "requestBurst"

    static let rateMax = 1_000_000
    private static let sweepAt = 10_000

    private let settings: Settings
    private let now: @Sendable () -> Int64
    private let report: @Sendable (CallerEvent) -> Void
    /// When each merchant's bucket will be full.
    private let fullAt = Mutex<[MerchantID: Int64]>([:])

    /// - Parameter now: nanoseconds of a clock that never goes back.
    public init(
        settings: Settings, now: @escaping @Sendable () -> Int64,
        report: @escaping @Sendable (CallerEvent) -> Void = { _ in }
    ) {
        self.settings = settings
        self.now = now
        self.report = report
    }

    func take(_ merchant: MerchantContext) -> Int? {
        let ownRate = merchant.settings[Self.rateSetting].flatMap { Int($0) }
        let rate = Int64(Swift.min(ownRate ?? self.settings.requestsPerSecond, Self.rateMax))
        guard rate > 0 else { return nil }
        let ownBurst = merchant.settings[Self.burstSetting].flatMap { Int($0) }
        let burst = ownBurst ?? (ownRate == nil ? self.settings.burst : nil) ?? Int(rate) * 2
        let wait = self.take(merchant.merchant.id, rate: rate, burst: Int64(Swift.max(1, burst)))
        guard let wait else { return nil }
        self.report(.rateExceeded(dialect: merchant.dialect.text, merchant: "\(merchant.merchant.id)"))
        return Int((wait + 999_999_999) / 1_000_000_000)
    }

    /// - Returns: the nanoseconds until there is one to take.
    func take(_ merchant: MerchantID, rate: Int64, burst: Int64) -> Int64? {
        let now = self.now()
        let cost = 1_000_000_000 / rate
        let capacity = cost.multipliedReportingOverflow(by: burst)
        return self.fullAt.withLock { fullAt in
            let full = Swift.max(fullAt[merchant] ?? now, now)
            let wait = full + cost - now - (capacity.overflow ? .max : capacity.partialValue)
            guard wait <= 0 else { return wait }
            if fullAt.count >= Self.sweepAt { fullAt = fullAt.filter { $0.value > now } }
            fullAt[merchant] = full + cost
            return nil
        }
    }
}
