//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import Money
import TestGateway

/// The laws about what is no request at all. Whatever arrives gets an answer in the dialect's shape.
extension DialectProbe {
    /// A good payment request, never sent, to be spoiled.
    private func goodRequest(_ name: String) async throws -> WireRequest {
        var subject = Subject(name: name)
        return try await self.driver.request(
            self.call(try self.charge(self.shop.money(1000)), &subject), in: self.shop)
    }

    private func expectRefused(_ what: String, _ request: WireRequest) async throws {
        let (response, answer) = try await self.send(request, of: nil)
        try self.expect(answer, response, .refused, what)
    }

    /// Sends requests with other bodies, signed as if they were meant.
    private func expectRefused(bodies: [(String, [UInt8])], insteadOf good: WireRequest) async throws {
        try await self.bookingNothing("a body that is none") {
            for (what, body) in bodies {
                var request = good
                request.body = body
                try await self.expectRefused(what, self.driver.renewed(request, in: self.shop))
            }
        }
    }

    static func malformed(_ good: [UInt8]) -> [(String, [UInt8])] {
        var bodies: [(String, [UInt8])] = [
            ("an empty body", []), ("blanks", Array("  \r\n".utf8)), ("a NUL", [0]),
            ("bytes that are no UTF-8", [0xFF, 0xFE, 0x80, 0xC0, 0xAF]), ("null", Array("null".utf8)),
            ("an empty list", Array("[]".utf8)), ("an empty object", Array("{}".utf8)),
            ("a number", Array("1e999999".utf8)), ("an open string", Array("{\"a\":\"".utf8)),
            ("an empty element", Array("<a/>".utf8)), ("an open element", Array("<a".utf8)),
            ("a field without a value", Array("a".utf8)), ("ampersands", Array(repeating: 0x26, count: 5000)),
            ("a broken percent-encoding", Array("a=%zz".utf8)),
            ("an entity", Array("<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>".utf8)),
            ("a body twice", good + good), ("a byte order mark and nothing", [0xEF, 0xBB, 0xBF]),
            ("a body backwards", good.reversed()), ("a NUL in the middle", Self.with(0, in: good)),
        ]
        for eighth in 1...7 {
            bodies.append(("a body cut at \(eighth)/8", Array(good.prefix(good.count * eighth / 8))))
        }
        bodies.append(("a body without its last byte", good.dropLast()))
        return bodies
    }

    private static func with(_ byte: UInt8, in body: [UInt8]) -> [UInt8] {
        Array(body.prefix(body.count / 2)) + [byte] + Array(body.dropFirst(body.count / 2 + 1))
    }

    func refusesMalformedBodies() async throws {
        let good = try await self.goodRequest("p1")
        try await self.expectRefused(bodies: Self.malformed(good.body), insteadOf: good)
        try self.expect(try await self.test.payments().isEmpty, "no payment for a malformed body")
        guard self.driver.has(.refund) else { return }
        var subject = try await self.paid(1000, "p2")
        let refund = try await self.driver.request(
            self.call(.refund(self.shop.money(100)), &subject), in: self.shop)
        // A follow-up may mean something without its last field; that is not for this law to say.
        let bodies = Self.malformed(refund.body).filter { !$0.0.hasPrefix("a body ") }
        try await self.expectRefused(bodies: bodies, insteadOf: refund)
    }

    func refusesOversizedBodies() async throws {
        let good = try await self.goodRequest("p1")
        guard case .route(let route, _) = self.shop.dialect.match(method: good.method, path: good.path) else {
            throw self.broken("a route for a payment", "none")
        }
        try self.expect(
            route.bodyBytesMax <= 1 << 20, "a bound on bodies of at most 1 MiB", found: "\(route.bodyBytesMax)")
        let (more, excess) = (route.bodyBytesMax + 1 - good.body.count, 8 << 20)
        try await self.expectRefused(
            bodies: [
                ("a body one byte too long", good.body + Array(repeating: 0x20, count: max(more, 1))),
                ("a body of 8 MiB", Array(repeating: 0x61, count: excess)),
                ("the longest body, of one letter", Array(repeating: 0x61, count: route.bodyBytesMax)),
                (
                    "the longest body, of one field",
                    Array("a=".utf8) + Array(repeating: 0x25, count: route.bodyBytesMax - 2)
                ),
            ], insteadOf: good)
    }

    func refusesDeeplyNestedBodies() async throws {
        let good = try await self.goodRequest("p1")
        guard case .route(let route, _) = self.shop.dialect.match(method: good.method, path: good.path) else {
            throw self.broken("a route for a payment", "none")
        }
        let bodies = ["[", "{\"a\":", "<a>", "<a b='", "a[", "[{\"a\":"].flatMap { opening in
            [100, route.bodyBytesMax / opening.utf8.count].map { depth in
                ("\(depth) times \(opening)", Array(String(repeating: opening, count: depth).utf8))
            }
        }
        let closed = [("[", "]"), ("<a>", "</a>"), ("{\"a\":[", "]}")].flatMap { opening, closing in
            [100, route.bodyBytesMax / (opening + closing).utf8.count].map { depth in
                let text = String(repeating: opening, count: depth) + String(repeating: closing, count: depth)
                return ("\(depth) times \(opening) \(closing)", Array(text.utf8))
            }
        }
        try await self.expectRefused(bodies: bodies + closed, insteadOf: good)
    }

    func refusesUnknownPathsAndMethods() async throws {
        let good = try await self.goodRequest("p1")
        try self.expect(!self.driver.unknownPaths.isEmpty, "an unknown path from the driver", found: "none")
        try await self.bookingNothing("a request that reaches nothing") {
            for path in self.driver.unknownPaths {
                var request = good
                request.path = path
                guard case .pathUnknown = self.shop.dialect.match(method: request.method, path: path) else {
                    throw self.broken("no route for the path \(path)", "one")
                }
                try self.expect(self.shop.dialect.owns(path), "the path \(path) below the dialect's prefixes")
                try await self.expectRefused("the path \(path)", self.driver.renewed(request, in: self.shop))
            }
            for method in self.driver.unknownMethods {
                var request = good
                request.method = method
                try await self.expectRefused(
                    "the method \(method.rawValue)", self.driver.renewed(request, in: self.shop))
            }
        }
    }

    func answersWireFailuresInItsShape() async throws {
        let good = try await self.goodRequest("p1")
        var cut = good
        cut.body = []
        let failures: [WireFailure] = [
            .pathUnknown, .methodNotAllowed(allowed: [.post]), .bodyTooLarge(bytesMax: 100), .bodyIncomplete,
            .timedOut, .overloaded,
        ]
        for failure in failures {
            for request in [good, cut] {
                let response = await self.shop.dialect.answer(to: failure, request: request)
                let answer = try self.driver.read(response, to: request, of: nil, in: self.shop)
                // What was given up midway may have an outcome.
                if answer.verdict == .refused { try self.expectRefusalNamed(response, answer) }
                try self.expect(response.refusal != nil, "\(failure): a refusal to count", found: "none")
                let isFitting = answer.verdict == .refused || (failure == .timedOut && answer.verdict == .pending)
                try self.expect(isFitting, "\(failure): refused", found: "\(answer.verdict)")
            }
        }
    }
}
