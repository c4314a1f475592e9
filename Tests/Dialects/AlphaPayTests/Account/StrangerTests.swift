//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AlphaPay
import DialectKit
import HTTPTypes
import StrictJSON
import Synchronization
import TestGateway
import Testing
import Time

/// Refusals for callers who have not proved who they are: a signature costs the gateway far more than it costs them to
/// ask for one.
@Suite struct StrangerTests {
    private final class Surroundings: Sendable {
        private let nanoseconds = Mutex<Int64>(0)
        private let events = Mutex<[CallerEvent]>([])

        @Sendable func now() -> Int64 { self.nanoseconds.withLock { $0 } }
        @Sendable func report(_ event: CallerEvent) { self.events.withLock { $0.append(event) } }
        func advance(seconds: Int64) { self.nanoseconds.withLock { $0 += seconds * 1_000_000_000 } }
        var refusedCount: Int { self.events.withLock { $0.count { $0 == .refused(dialect: "alphapay") } } }
    }

    private let surroundings = Surroundings()

    private func open(
        burst: Int = 3, ofAll: Int = 0, exempt: [String] = []
    ) async throws -> TestShop {
        let addresses = AddressRates(
            settings: AddressRates.Settings(
                signedRefusalsPerSecond: 1, signedRefusalsBurst: burst, signedRefusalsOfAllPerSecond: ofAll),
            exempt: ClientNetworks(exempt.compactMap(ClientNetwork.init)), now: self.surroundings.now,
            report: self.surroundings.report)
        return try await TestShop.open(
            limits: CallerLimits(throttle: nil, rates: nil, addresses: addresses))
    }

    /// A request that its account's holder has not signed.
    private func stranger(
        _ shop: TestShop, from address: String = "203.0.113.9", change: (inout SignedCall) -> Void = { _ in }
    ) async throws -> Reply {
        try await shop.call("inquiryPayment", ["paymentId": "x"]) { call in
            change(&call)
            let tamper = call.tamper
            call.tamper = {
                tamper(&$0)
                $0.remoteAddress = address
            }
        }
    }

    @Test func beyondTheBoundTheyAreNotSigned() async throws {
        let shop = try await self.open()
        for _ in 0..<3 {
            let reply = try await self.stranger(shop) { $0.signatureHeader = "" }
            #expect(reply.result == "HEADER_MISSING F" && reply.isSigned)
        }
        // Whatever is wrong, and with the same words.
        let changes: [(inout SignedCall) -> Void] = [
            { $0.signatureHeader = "" }, { $0.time = "" }, { $0.signatureHeader = "signature" },
            { $0.tamper = { $0.body.append(UInt8(ascii: " ")) } },
            { $0.time = "2026-06-15T11:00:00Z" }, { $0.nonce = "short" },
        ]
        let results = [
            "HEADER_MISSING F", "HEADER_MISSING F", "SIGNATURE_MALFORMED F", "INVALID_SIGNATURE F", "SIGN_TIMEOUT F",
            "NONCE_MALFORMED F",
        ]
        for (change, result) in zip(changes, results) {
            let reply = try await self.stranger(shop, change: change)
            #expect(reply.result == result && reply.httpStatus == 200 && !reply.isSigned)
            #expect(reply.headers[.known("Signature")] == nil && reply.headers[.known("Nonce")] == nil)
        }
        #expect(self.surroundings.refusedCount == 6)
        self.surroundings.advance(seconds: 1)
        #expect(try await self.stranger(shop) { $0.signatureHeader = "" }.isSigned)
        #expect(try await !self.stranger(shop) { $0.signatureHeader = "" }.isSigned)
    }

    /// A captured request, sent again and again, is a stranger's too.
    @Test func aReplayedRequestIsAStrangers() async throws {
        let shop = try await self.open(burst: 1)
        let nonce = "0123456789abcdef0123456789abcdef"
        #expect(try await self.stranger(shop) { $0.nonce = nonce }.result == "ORDER_NOT_EXIST F")
        let first = try await self.stranger(shop) { $0.nonce = nonce }
        #expect(first.result == "NONCE_REUSED F" && first.isSigned)
        let second = try await self.stranger(shop) { $0.nonce = nonce }
        #expect(second.result == "NONCE_REUSED F" && !second.isSigned)
    }

    @Test func whoeverHasProvedToBeTheMerchantIsAlwaysAnsweredSigned() async throws {
        let shop = try await self.open(burst: 1)
        for _ in 0..<5 { _ = try await self.stranger(shop) { $0.signatureHeader = "" } }
        for _ in 0..<5 {
            let reply = try await self.stranger(shop)
            #expect(reply.result == "ORDER_NOT_EXIST F" && reply.isSigned)
        }
    }

    @Test func whatReachesNoEndpointIsNoWayAround() async throws {
        let shop = try await self.open(burst: 2)
        for isSigned in [true, true, false, false] {
            var request = try SignedCall(
                path: "/api/v2.0/payments/nothing", body: [], time: shop.clock.now.description
            ).request()
            request.remoteAddress = "203.0.113.9"
            let reply = try Reply(await shop.alphaPay.respond(to: request), to: request)
            #expect(reply.result == "INVALID_API F" && reply.httpStatus == 404 && reply.isSigned == isSigned)
        }
    }

    @Test func addressesHaveBoundsOfTheirOwnAndOneOfAll() async throws {
        let shop = try await self.open(burst: 1, ofAll: 2)
        var signedCount = 0
        for index in 0..<8 {
            let reply = try await self.stranger(shop, from: "203.0.113.\(index)") { $0.signatureHeader = "" }
            signedCount += reply.isSigned ? 1 : 0
        }
        #expect(signedCount == 4)
    }

    /// Behind the operator's own proxy everybody has one address: there the bound of all is left.
    @Test func proxiesHaveTheBoundOfAllAlone() async throws {
        let shop = try await self.open(burst: 1, ofAll: 2, exempt: ["203.0.113.9"])
        var signedCount = 0
        for _ in 0..<8 {
            signedCount += try await self.stranger(shop) { $0.signatureHeader = "" }.isSigned ? 1 : 0
        }
        #expect(signedCount == 4)
    }
}
