//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import Money
import TestGateway

/// The laws about who has to wait: whoever guesses, and a merchant that asks too often. Neither begins anything, and
/// neither is ever another's trouble.
extension DialectProbe {
    private static let guesser = "203.0.113.9"
    private static let merchantAddress = "192.0.2.1"

    private struct Payment {
        let call: DialectCall
        var request: WireRequest
    }

    /// A good payment request from an address, never sent.
    private func payment(_ name: String, from address: String) async throws -> Payment {
        var subject = Subject(name: name)
        let call = self.call(try self.charge(self.shop.money(1000)), &subject)
        var request = try await self.driver.request(call, in: self.shop)
        request.remoteAddress = address
        return Payment(call: call, request: request)
    }

    private func hasToWait(_ response: WireResponse) -> Bool { response.headers[.retryAfter] != nil }

    /// The same request once more, from where it came.
    ///
    /// - Parameter call: what it is; `nil` where it must be refused.
    private func again(_ request: WireRequest, of call: DialectCall? = nil) async throws -> (
        WireResponse, DialectAnswer
    ) {
        var renewed = try self.driver.renewed(request, in: self.shop)
        renewed.remoteAddress = request.remoteAddress
        return try await self.send(renewed, of: call)
    }

    private func expectApproved(_ what: String, _ payment: Payment) async throws {
        let (response, answer) = try await self.again(payment.request, of: payment.call)
        try self.expect(answer, response, .approved, what)
    }

    /// Sends wrong credentials until they are looked at no more.
    ///
    /// - Returns: the answers then, one for each way of being wrong that is counted.
    private func guess(_ good: WireRequest) async throws -> [WireResponse] {
        var refusals: [WireResponse] = []
        for (index, wrong) in try self.driver.withWrongCredentials(good, in: self.shop).enumerated() {
            // Not all of them are guesses: some show nothing, some show the right key and a wrong name.
            guard try await self.repeated(wrong, from: "198.51.100.\(index)") != nil else { continue }
            if let refusal = try await self.repeated(wrong, from: Self.guesser) { refusals.append(refusal) }
        }
        return refusals
    }

    private func repeated(_ wrong: NamedRequest, from address: String) async throws -> WireResponse? {
        var request = wrong.request
        request.remoteAddress = address
        for _ in 0..<5 {
            let (response, answer) = try await self.send(request, of: nil)
            try self.expect(answer, response, .refused, wrong.name)
            if self.hasToWait(response) { return response }
        }
        return nil
    }

    /// A guesser waits, and keeps nobody out but those who have never been right from its address.
    func makesGuessersWait() async throws {
        let good = try await self.payment("p1", from: Self.guesser)
        try await self.bookingNothing("credentials that are wrong") {
            let refusals = try await self.guess(good.request)
            try self.expect(!refusals.isEmpty, "guesses that have to wait", found: "none")
            // It may be an account that there is, or one that there isn't.
            let bodies = Set(refusals.map { "\($0.status.code) \(self.driver.withoutTime($0.body))" })
            try self.expect(bodies.count == 1, "one answer for all who wait", found: "\(bodies.count)")
            let (response, answer) = try await self.again(good.request)
            try self.expect(answer, response, .refused, "right credentials, first shown among guesses")
            try self.expect(self.hasToWait(response), "a wait for all that was never right from there")
        }
        var elsewhere = good
        elsewhere.request.remoteAddress = Self.merchantAddress
        try await self.expectApproved("right credentials from another address", elsewhere)
    }

    /// A merchant that shares its address with a guesser goes on.
    func servesWhoWasRightBefore() async throws {
        try await self.expectApproved(
            "right credentials before any guess", try await self.payment("p1", from: Self.guesser))
        let good = try await self.payment("p2", from: Self.guesser)
        try await self.bookingNothing("credentials that are wrong") {
            let refusals = try await self.guess(good.request)
            let haveToWait = !refusals.isEmpty || self.driver.provesEachRequest
            try self.expect(haveToWait, "guesses that have to wait", found: "none")
        }
        try await self.expectApproved("right credentials that were right from there before", good)
    }

    /// A merchant may make so many requests at once and so many a second; untrusted callers use up nothing of that.
    func limitsRequestsOfAMerchant() async throws {
        let burst = 5
        var requests: [Payment] = []
        for index in 0...burst {
            requests.append(try await self.payment("p\(index)", from: Self.merchantAddress))
            // What a driver has to ask first takes its share too.
            self.shop.clock.advance(seconds: 10)
        }
        for wrong in try self.driver.withWrongCredentials(requests[0].request, in: self.shop) {
            _ = try await self.send(wrong.request, of: nil)
        }
        for request in requests.prefix(burst) { try await self.expectApproved("a request within the burst", request) }
        try await self.bookingNothing("a request too many") {
            let (response, answer) = try await self.again(requests[burst].request)
            try self.expect(answer, response, .refused, "a request too many")
            try self.expect(
                response.headers[.retryAfter] == "1", "Retry-After: 1",
                found: response.headers[.retryAfter] ?? "no Retry-After")
        }
        self.shop.clock.advance(seconds: 1)
        try await self.expectApproved("the same request after the wait", requests[burst])
    }
}
