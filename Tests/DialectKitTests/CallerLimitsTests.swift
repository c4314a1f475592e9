//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes
import Payments
import Synchronization
import Testing
import Time

@testable import DialectKit

@Suite struct CallerLimitsTests {
    /// A clock that goes on when the test says so, and what has been reported.
    final class Surroundings: Sendable {
        private let nanoseconds = Mutex<Int64>(0)
        private let reported = Mutex<[CallerEvent]>([])

        @Sendable func now() -> Int64 { self.nanoseconds.withLock { $0 } }

        func advance(milliseconds: Int64) { self.nanoseconds.withLock { $0 += milliseconds * 1_000_000 } }

        @Sendable func report(_ event: CallerEvent) { self.reported.withLock { $0.append(event) } }

        var events: [CallerEvent] { self.reported.withLock { $0 } }
    }

    let surroundings = Surroundings()

    private func limits(
        _ settings: CredentialThrottle.Settings = CredentialThrottle.Settings(
            freeFailures: 3, freeFailuresOfAddress: 8),
        exempt: [String] = []
    ) -> CallerLimits {
        CallerLimits(
            throttle: CredentialThrottle(
                settings: settings, exempt: ClientNetworks(exempt.compactMap(ClientNetwork.init)),
                now: self.surroundings.now,
                report: self.surroundings.report), rates: nil)
    }

    private func request(_ address: String?) -> WireRequest {
        WireRequest(method: .post, path: "/", remoteAddress: address)
    }

    /// Shows a credential, which is right or wrong.
    ///
    /// - Returns: how long the caller has to wait, if it was not looked at.
    @discardableResult
    private func show(
        _ credential: String, isRight: Bool = false, _ limits: CallerLimits, account: String = "shop",
        from address: String? = "192.0.2.1"
    ) -> Int? {
        let attempt = limits.attempt(
            DialectName("test"), account: account, credential: credential, from: self.request(address))
        guard attempt.waitSeconds == nil else { return attempt.waitSeconds }
        if isRight { attempt.succeeded() } else { attempt.failed() }
        return nil
    }

    @Test func doublesTheWaitWithEveryFailureBeyondTheFree() {
        let limits = self.limits()
        for _ in 0..<3 { #expect(self.show("guess", limits) == nil) }
        #expect(self.show("guess", limits) == nil)
        for seconds in [1, 2, 4, 8] as [Int64] {
            #expect(self.show("guess", limits) == Int(seconds))
            self.surroundings.advance(milliseconds: seconds * 1000 - 1)
            #expect(self.show("guess", limits) == 1)
            self.surroundings.advance(milliseconds: 1)
            #expect(self.show("guess", limits) == nil)
        }
    }

    @Test func theWaitHasAnEnd() {
        let limits = self.limits(CredentialThrottle.Settings(freeFailures: 1, waitSecondsMax: 60))
        for _ in 0..<80 {
            self.show("guess", limits)
            self.surroundings.advance(milliseconds: 60_000)
        }
        self.show("guess", limits)
        #expect(self.show("guess", limits) == 60)
    }

    @Test func anotherAddressIsAlwaysServed() {
        let limits = self.limits()
        for _ in 0..<20 { self.show("guess", limits) }
        #expect(self.show("guess", limits) != nil)
        #expect(self.show("right", isRight: true, limits, from: "192.0.2.2") == nil)
        #expect(self.show("guess", limits, from: "2001:db8::1") == nil)
    }

    @Test func credentialsThatWereRightFromTheAddressAreServedWhileOthersWait() {
        let limits = self.limits()
        self.show("right", isRight: true, limits)
        for _ in 0..<20 { self.show("guess", limits) }
        #expect(self.show("guess", limits) != nil)
        #expect(self.show("right", isRight: true, limits) == nil)
        // Its being right does not help the guesser.
        #expect(self.show("guess", limits) != nil)
        // Nor does it let in what has not been right from there.
        #expect(self.show("other", isRight: true, limits) != nil)
    }

    @Test func addressesOfOneSmallNetworkAreOne() {
        let limits = self.limits()
        for index in 0..<20 { self.show("guess", limits, from: "2001:db8::\(index)") }
        #expect(self.show("guess", limits, from: "2001:db8::ffff") != nil)
        #expect(self.show("guess", limits, from: "2001:db8:0:1::1") == nil)
    }

    @Test func guessesAtManyAccountsAreCountedTogether() {
        let limits = self.limits()
        for index in 0..<9 { #expect(self.show("guess", limits, account: "shop\(index)") == nil) }
        #expect(self.show("guess", limits, account: "shop100") != nil)
        #expect(self.show("guess", limits, account: "shop100", from: "192.0.2.2") == nil)
    }

    @Test func aRightCredentialForgivesTheFailuresBeforeIt() {
        let limits = self.limits()
        for _ in 0..<3 { self.show("typo", limits) }
        self.show("right", isRight: true, limits)
        for _ in 0..<3 { #expect(self.show("typo", limits) == nil) }
    }

    @Test func failuresAreForgottenInTime() {
        let limits = self.limits()
        for _ in 0..<4 { self.show("guess", limits) }
        #expect(self.show("guess", limits) == 1)
        self.surroundings.advance(milliseconds: 3_600_001)
        for _ in 0..<4 { #expect(self.show("guess", limits) == nil) }
    }

    @Test func proxiesAndUnknownAddressesAreNotCounted() {
        let limits = self.limits(exempt: ["192.0.2.1"])
        for _ in 0..<100 { #expect(self.show("guess", limits) == nil) }
        for _ in 0..<100 { #expect(self.show("guess", limits, from: nil) == nil) }
        for _ in 0..<100 { #expect(self.show("guess", .none) == nil) }
    }

    @Test func rememberedAddressesOfAnAccountAreBounded() {
        let settings = CredentialThrottle.Settings(freeFailures: 1, knownAddressesMax: 2)
        let limits = self.limits(settings)
        let addresses = ["192.0.2.1", "192.0.2.2", "192.0.2.3"]
        for address in addresses { self.show("right", isRight: true, limits, from: address) }
        for address in addresses { for _ in 0..<3 { self.show("guess", limits, from: address) } }
        #expect(addresses.map { self.show("right", isRight: true, limits, from: $0) == nil } == [false, true, true])
    }

    @Test func reportsEveryEnd() {
        let limits = self.limits()
        for _ in 0..<5 { self.show("guess", limits) }
        let wrong = CallerEvent.credentialsWrong(dialect: "test")
        #expect(
            self.surroundings.events
                == [wrong, wrong, wrong, wrong, .lockedOut(dialect: "test"), .refused(dialect: "test")])
    }

    @Test func twoGenerationsStayBoundedAndKeepWhatIsAskedFor() {
        var table = TwoGenerations<Int>(max: 100)
        table[0] = 0
        for key in 1...10_000 as ClosedRange<UInt64> {
            table[key] = Int(key)
            #expect(table[0] == 0)
            #expect(table.count <= 100)
        }
        #expect(table[1] == nil)
        #expect(table[10_000] == 10_000)
        table[0] = nil
        #expect(table[0] == nil)
    }

    // MARK: Rates

    private func rates() -> MerchantRates {
        MerchantRates(settings: MerchantRates.Settings(), now: self.surroundings.now, report: self.surroundings.report)
    }

    private func merchant(_ byte: UInt8) -> MerchantID {
        MerchantID(at: Timestamp(seconds: 0), random: Array(repeating: byte, count: 10))
    }

    @Test func aBucketGivesItsBurstAndThenItsRate() {
        let (rates, merchant) = (self.rates(), self.merchant(1))
        for _ in 0..<5 { #expect(rates.take(merchant, rate: 10, burst: 5) == nil) }
        #expect(rates.take(merchant, rate: 10, burst: 5) == 100_000_000)
        self.surroundings.advance(milliseconds: 99)
        #expect(rates.take(merchant, rate: 10, burst: 5) == 1_000_000)
        self.surroundings.advance(milliseconds: 1)
        #expect(rates.take(merchant, rate: 10, burst: 5) == nil)
        #expect(rates.take(merchant, rate: 10, burst: 5) != nil)
        self.surroundings.advance(milliseconds: 10_000)
        for _ in 0..<5 { #expect(rates.take(merchant, rate: 10, burst: 5) == nil) }
        #expect(rates.take(merchant, rate: 10, burst: 5) != nil)
    }

    @Test func merchantsHaveBucketsOfTheirOwn() {
        let rates = self.rates()
        #expect(rates.take(self.merchant(1), rate: 1, burst: 1) == nil)
        #expect(rates.take(self.merchant(1), rate: 1, burst: 1) != nil)
        #expect(rates.take(self.merchant(2), rate: 1, burst: 1) == nil)
    }

    @Test func aRefusalTakesNothing() {
        let (rates, merchant) = (self.rates(), self.merchant(1))
        #expect(rates.take(merchant, rate: 1, burst: 1) == nil)
        for _ in 0..<100 { #expect(rates.take(merchant, rate: 1, burst: 1) != nil) }
        self.surroundings.advance(milliseconds: 1000)
        #expect(rates.take(merchant, rate: 1, burst: 1) == nil)
    }

    /// A merchant's server and its customers' devices have a bucket each.
    @Test func devicesTakeNothingOfTheirMerchants() {
        let (rates, merchant) = (self.rates(), self.merchant(1))
        #expect(rates.take(merchant, .customers, rate: 1, burst: 1) == nil)
        #expect(rates.take(merchant, .customers, rate: 1, burst: 1) != nil)
        #expect(rates.take(merchant, .merchant, rate: 1, burst: 1) == nil)
    }

    @Test func anAddressCallsAsADeviceSoOften() {
        let addresses = AddressRates(
            settings: AddressRates.Settings(deviceCallsPerSecond: 3),
            exempt: ClientNetworks(["192.0.2.9"].compactMap(ClientNetwork.init)), now: self.surroundings.now,
            report: self.surroundings.report)
        let limits = CallerLimits(throttle: nil, rates: nil, addresses: addresses)
        func call(_ address: String?) -> Int? {
            limits.takeDeviceCall(DialectName("test"), from: self.request(address))
        }
        for _ in 0..<6 { #expect(call("192.0.2.1") == nil) }
        #expect(call("192.0.2.1") == 1 && call("192.0.2.2") == nil)
        #expect(self.surroundings.events == [.refused(dialect: "test")])
        // All of an IPv6 network are one; proxies, and callers without an address, are nobody.
        for _ in 0..<6 { #expect(call("2001:db8::1") == nil) }
        #expect(call("2001:db8::2") == 1)
        for _ in 0..<20 { #expect(call("192.0.2.9") == nil && call(nil) == nil) }
        self.surroundings.advance(milliseconds: 334)
        #expect(call("192.0.2.1") == nil)
        #expect(call("192.0.2.1") == 1)
    }

    @Test func whereNothingIsBoundNobodyWaits() {
        let settings = AddressRates.Settings(
            deviceCallsPerSecond: 0, signedRefusalsPerSecond: 0, signedRefusalsOfAllPerSecond: 0)
        for limits in [
            .none,
            CallerLimits(
                throttle: nil, rates: nil, addresses: AddressRates(settings: settings, now: self.surroundings.now)),
        ] {
            for _ in 0..<1000 {
                #expect(limits.takeDeviceCall(DialectName("test"), from: self.request("192.0.2.1")) == nil)
                #expect(limits.maySignRefusal(DialectName("test"), to: self.request("192.0.2.1")))
            }
        }
    }

    @Test func theGreatestRateAndBurstDoNotOverflow() {
        #expect(self.rates().take(self.merchant(1), rate: 1, burst: .max) == nil)
        #expect(self.rates().take(self.merchant(1), rate: 1_000_000, burst: 1_000_000) == nil)
    }
}
