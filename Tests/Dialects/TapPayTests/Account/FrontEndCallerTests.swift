//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import StrictJSON
import Synchronization
import TestGateway
import Testing
import WalletSimulator

@testable import TapPay

/// Who has to wait at getprime and getsession, which anybody can call who has read an app key out of a page.
@Suite struct FrontEndCallerTests {
    private final class Clock: Sendable {
        private let nanoseconds = Mutex<Int64>(0)
        @Sendable func now() -> Int64 { self.nanoseconds.withLock { $0 } }
        func advance(milliseconds: Int64) { self.nanoseconds.withLock { $0 += milliseconds * 1_000_000 } }
    }

    private let clock = Clock()
    private static let paths = ["/tpc/applepay/getprime", "/tpc/applepay/getsession"]

    private func open(
        failures: Int = 3, deviceCallsPerSecond: Int = 0, settings: [String: String] = [:]
    ) async throws -> FrontEndShop {
        try await FrontEndShop.open(
            settings: settings,
            limits: CallerLimits(
                throttle: CredentialThrottle(
                    settings: CredentialThrottle.Settings(
                        freeFailures: failures, freeFailuresOfAddress: failures * 10),
                    now: self.clock.now),
                rates: MerchantRates(settings: MerchantRates.Settings(), now: self.clock.now),
                addresses: AddressRates(
                    settings: AddressRates.Settings(deviceCallsPerSecond: deviceCallsPerSecond), now: self.clock.now)))
    }

    private func body(_ shop: FrontEndShop, _ changes: [String: JSON?] = [:]) throws -> JSON {
        shop.body(
            try shop.token().paymentData, changing: changes.merging(["merchant_domain": "shop.example"]) { $1 })
    }

    private func hasToWait(_ answer: FrontEndShop.Answer) -> Bool {
        answer.response.status == .tooManyRequests && answer.status == 915
            && answer.response.headers[.retryAfter] != nil
            && answer.response.headers[.accessControlAllowOrigin] == "*"
    }

    /// A wrong app key, an app that there is not, and a wrong header count alike.
    @Test(arguments: paths)
    func whoGuessesWaits(_ path: String) async throws {
        let guesses: [[String: JSON?]] = [["app_key": "app_wrong"], ["app_id": 999], ["app_key": "partner_wrong"]]
        for guess in guesses {
            let shop = try await self.open()
            for _ in 0..<4 {
                let answer = try await shop.call(self.body(shop, guess), path: path)
                #expect(answer.response.status == .ok && (answer.status == 16 || answer.status == 11))
            }
            #expect(self.hasToWait(try await shop.call(self.body(shop, guess), path: path)))
            // The right key, first shown among guesses, is not looked at either.
            #expect(self.hasToWait(try await shop.call(self.body(shop), path: path)))
            #expect(try await shop.call(self.body(shop), from: "192.0.2.8").status == 0)
            self.clock.advance(milliseconds: 1000)
            #expect(try await shop.call(self.body(shop)).status == 0)
        }
    }

    /// Every guess at another app: one count for all of them.
    @Test func idsOfAppsThatThereAreNotAreCountedTogether() async throws {
        let shop = try await self.open()
        for id in 1...4 { #expect(try await shop.call(self.body(shop, ["app_id": JSON(id)])).status == 11) }
        #expect(self.hasToWait(try await shop.call(self.body(shop, ["app_id": 5]))))
    }

    @Test func aWrongKeyInTheHeaderIsCounted() async throws {
        let shop = try await self.open()
        for _ in 0..<4 {
            let answer = try await shop.call(self.body(shop), headers: [.apiKey: "app_wrong"])
            #expect(answer.status == 80)
        }
        #expect(self.hasToWait(try await shop.call(self.body(shop), headers: [.apiKey: "app_wrong"])))
    }

    /// Neither in words nor in what it costs does an answer say that a guess was the partner key.
    @Test func thePartnerKeyIsComparedWithNothing() async throws {
        let shop = try await self.open(failures: 100)
        let right = try await shop.call(self.body(shop, ["app_key": .string(FrontEndShop.partnerKey)]))
        let wrong = try await shop.call(self.body(shop, ["app_key": "partner_wrong"]))
        #expect(right.response.body == wrong.response.body && right.status == 16)
        #expect(right.detail.contains("partner key"))
    }

    /// A customer behind the address of a guesser goes on, where the same app was served before.
    @Test func customersWhoWereServedBeforeGoOn() async throws {
        let shop = try await self.open()
        #expect(try await shop.call(self.body(shop)).status == 0)
        for _ in 0..<6 { _ = try await shop.call(self.body(shop, ["app_key": "app_wrong"])) }
        #expect(self.hasToWait(try await shop.call(self.body(shop, ["app_key": "app_wrong"]))))
        #expect(try await shop.call(self.body(shop)).status == 0)
    }

    @Test func anAddressCallsSoOften() async throws {
        let shop = try await self.open(deviceCallsPerSecond: 2)
        for _ in 0..<4 { #expect(try await shop.call(self.body(shop)).status == 0) }
        let answer = try await shop.call(self.body(shop))
        #expect(self.hasToWait(answer) && answer.response.headers[.retryAfter] == "1")
        // Not even asked whether there is such an app.
        #expect(self.hasToWait(try await shop.call(self.body(shop, ["app_id": 999]))))
        #expect(try await shop.call(self.body(shop), from: "192.0.2.8").status == 0)
        self.clock.advance(milliseconds: 500)
        #expect(try await shop.call(self.body(shop)).status == 0)
    }

    /// As much as the merchant's server may, and nothing of what that may.
    @Test func allDevicesOfAnAppCallSoOften() async throws {
        let shop = try await self.open(settings: ["requestsPerSecond": "1", "requestBurst": "2"])
        for index in 1...2 { #expect(try await shop.call(self.body(shop), from: "192.0.2.\(index)").status == 0) }
        #expect(self.hasToWait(try await shop.call(self.body(shop), from: "192.0.2.3")))
        let context = try await shop.context()
        #expect(shop.tapPay.limits.take(context) == nil)
        self.clock.advance(milliseconds: 1000)
        #expect(try await shop.call(self.body(shop), from: "192.0.2.3").status == 0)
    }
}
