//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments

/// How often a merchant may ask, as a token bucket: so many requests a second in the long run, so many at once.
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

    /// Whose calls they are: those of the merchant's server, and those of its customers, each with a bucket of its own.
    enum Caller: Hashable, Sendable {
        case merchant
        case customers
    }

    private let settings: Settings
    private let report: @Sendable (CallerEvent) -> Void
    private let buckets: RateBuckets

    /// - Parameter now: nanoseconds of a clock that never goes back.
    public init(
        settings: Settings, now: @escaping @Sendable () -> Int64,
        report: @escaping @Sendable (CallerEvent) -> Void = { _ in }
    ) {
        self.settings = settings
        self.report = report
        self.buckets = RateBuckets(now: now)
    }

    func take(_ merchant: MerchantContext, _ caller: Caller = .merchant) -> Int? {
        let ownRate = merchant.settings[Self.rateSetting].flatMap { Int($0) }
        let rate = Int64(Swift.min(ownRate ?? self.settings.requestsPerSecond, Self.rateMax))
        guard rate > 0 else { return nil }
        let ownBurst = merchant.settings[Self.burstSetting].flatMap { Int($0) }
        let burst = ownBurst ?? (ownRate == nil ? self.settings.burst : nil) ?? Int(rate) * 2
        let wait = self.take(merchant.merchant.id, caller, rate: rate, burst: Int64(Swift.max(1, burst)))
        guard let wait else { return nil }
        self.report(.rateExceeded(dialect: merchant.dialect.text, merchant: "\(merchant.merchant.id)"))
        return RateBuckets.seconds(wait)
    }

    /// - Returns: the nanoseconds until there is one to take.
    func take(_ merchant: MerchantID, _ caller: Caller = .merchant, rate: Int64, burst: Int64) -> Int64? {
        self.buckets.take(hashedKey(merchant, caller), rate: rate, burst: burst)
    }
}
