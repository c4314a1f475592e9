//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments

/// How often Apple is asked for merchant sessions by callers that show no secret: pages. Each session is a connection to
/// Apple with the merchant's identity, and who asks Apple too often asks in the merchant's name.
public final class SessionRates: Sendable {
    /// A buyer opens a few sheets; a shop's server asks for all of its buyers, and should name a proxy's address.
    public static let ofAddressPerSecond: Int64 = 5
    public static let ofAddressBurst: Int64 = 50
    /// As many sheets as a shop's busiest second opens; fewer than many addresses together could ask for.
    public static let ofMerchantPerSecond: Int64 = 20
    public static let ofMerchantBurst: Int64 = 200

    private let exempt: ClientNetworks
    private let report: @Sendable (CallerEvent) -> Void
    private let addresses: RateBuckets
    private let merchants: RateBuckets

    /// - Parameters:
    ///   - exempt: the addresses of proxies, which are everybody's.
    ///   - now: nanoseconds of a clock that never goes back.
    public init(
        exempt: ClientNetworks = ClientNetworks(), now: @escaping @Sendable () -> Int64,
        report: @escaping @Sendable (CallerEvent) -> Void = { _ in }
    ) {
        self.exempt = exempt
        self.report = report
        self.addresses = RateBuckets(now: now)
        self.merchants = RateBuckets(now: now)
    }

    func take(from address: ClientNetwork) -> Int? {
        guard !self.exempt.contains(address) else { return nil }
        let wait = self.addresses.take(address, rate: Self.ofAddressPerSecond, burst: Self.ofAddressBurst)
        return wait.map(RateBuckets.seconds)
    }

    func take(_ merchant: MerchantID, _ dialect: DialectName) -> Int? {
        let wait = self.merchants.take(merchant, rate: Self.ofMerchantPerSecond, burst: Self.ofMerchantBurst)
        guard let wait else { return nil }
        self.report(.rateExceeded(dialect: dialect.text, merchant: "\(merchant)"))
        return RateBuckets.seconds(wait)
    }
}
