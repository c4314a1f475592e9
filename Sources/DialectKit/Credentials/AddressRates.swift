//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments

/// How much an address may ask that shows no secret: a customer's device, which shows an app key that anybody can read,
/// and whoever has not proved yet who it is.
public final class AddressRates: Sendable {
    public struct Settings: Hashable, Sendable {
        /// Calls of customers' devices from one address; as many as in two seconds may come at once. 0 for no bound.
        public var deviceCallsPerSecond: Int
        /// Refusals that are signed for callers who have not proved who they are, to one address and to all of them.
        /// A signature costs far more than the request.
        public var signedRefusalsPerSecond: Int
        public var signedRefusalsBurst: Int
        public var signedRefusalsOfAllPerSecond: Int

        public init(
            deviceCallsPerSecond: Int = 100, signedRefusalsPerSecond: Int = 5, signedRefusalsBurst: Int = 20,
            signedRefusalsOfAllPerSecond: Int = 100
        ) {
            self.deviceCallsPerSecond = deviceCallsPerSecond
            self.signedRefusalsPerSecond = signedRefusalsPerSecond
            self.signedRefusalsBurst = signedRefusalsBurst
            self.signedRefusalsOfAllPerSecond = signedRefusalsOfAllPerSecond
        }
    }

    private enum Bucket: Hashable, Sendable {
        case deviceCalls
        case signedRefusals
        case signedRefusalsOfAll
    }

    private let settings: Settings
    private let exempt: ClientNetworks
    private let report: @Sendable (CallerEvent) -> Void
    private let buckets: RateBuckets

    /// - Parameters:
    ///   - exempt: addresses of the operator's own proxies, where every client is everybody.
    ///   - now: nanoseconds of a clock that never goes back.
    public init(
        settings: Settings = Settings(), exempt: ClientNetworks = ClientNetworks(),
        now: @escaping @Sendable () -> Int64,
        report: @escaping @Sendable (CallerEvent) -> Void = { _ in }
    ) {
        self.settings = settings
        self.exempt = exempt
        self.report = report
        self.buckets = RateBuckets(now: now)
    }

    /// - Returns: after how many seconds a device there may call again; `nil` when it may call now.
    func takeDeviceCall(_ dialect: DialectName, from address: ClientNetwork) -> Int? {
        let rate = Int64(self.settings.deviceCallsPerSecond)
        guard rate > 0, !self.exempt.contains(address) else { return nil }
        let wait = self.buckets.take(hashedKey(Bucket.deviceCalls, address), rate: rate, burst: rate * 2)
        guard let wait else { return nil }
        self.report(.refused(dialect: dialect.text))
        return RateBuckets.seconds(wait)
    }

    func maySignRefusal(_ dialect: DialectName, for address: ClientNetwork) -> Bool {
        let ofAddress =
            self.exempt.contains(address)
            || self.has(
                .signedRefusals, address, rate: self.settings.signedRefusalsPerSecond,
                burst: self.settings.signedRefusalsBurst)
        // The address first: what one of them is denied takes nothing from all.
        let ofAll = self.settings.signedRefusalsOfAllPerSecond
        if ofAddress, self.has(.signedRefusalsOfAll, nil, rate: ofAll, burst: ofAll * 2) { return true }
        self.report(.refused(dialect: dialect.text))
        return false
    }

    private func has(_ bucket: Bucket, _ address: ClientNetwork?, rate: Int, burst: Int) -> Bool {
        rate <= 0
            || self.buckets.take(hashedKey(bucket, address), rate: Int64(rate), burst: Int64(burst)) == nil
    }
}
