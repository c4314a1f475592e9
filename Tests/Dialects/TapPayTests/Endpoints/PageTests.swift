//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import StrictJSON
import TestGateway
import Testing

@testable import TapPay

/// Pages of other origins call (Fetch, section 4.8 and 4.9).
@Suite struct PageTests {
    private static let paths = ["/tpc/applepay/getprime", "/tpc/applepay/pay", "/tpc/applepay/getsession"]

    private func expectOpen(_ response: WireResponse) {
        #expect(response.headers[.accessControlAllowOrigin] == "*")
        #expect(response.headers[.accessControlAllowHeaders] == "content-type, x-api-key")
        #expect(response.headers[.accessControlAllowMethods] == "POST")
        #expect(response.headers[.accessControlMaxAge] == "600")
        #expect(response.headers[.accessControlAllowCredentials] == nil)
    }

    @Test(arguments: paths)
    func answersWhatABrowserAsksFirst(_ path: String) async throws {
        let shop = try await FrontEndShop.open()
        var headers = HTTPFields()
        headers[.origin] = "https://shop.example"
        headers[.accessControlRequestMethod] = "POST"
        let response = await shop.tapPay.respond(to: WireRequest(method: .options, path: path, headers: headers))
        #expect(response.status == .noContent && response.body.isEmpty)
        self.expectOpen(response)
    }

    @Test(arguments: paths)
    func pagesMayReadEveryAnswer(_ path: String) async throws {
        let shop = try await FrontEndShop.open()
        let refused = try await shop.call(bytes: [], path: path)
        #expect(refused.status == 5)
        self.expectOpen(refused.response)
    }

    @Test func pagesMayReadAPrime() async throws {
        let shop = try await FrontEndShop.open()
        self.expectOpen(try await shop.getPrime(try shop.token()).response)
    }

    @Test(arguments: [
        WireFailure.timedOut, .overloaded, .bodyIncomplete, .bodyTooLarge(bytesMax: 1), .pathUnknown,
        .methodNotAllowed(allowed: [.post]),
    ])
    func pagesMayReadWhatTheServerSaysForItself(_ failure: WireFailure) async throws {
        let shop = try await FrontEndShop.open()
        let request = WireRequest(method: .post, path: "/tpc/applepay/getprime")
        let response = await shop.tapPay.answer(to: failure, request: request)
        self.expectOpen(response)
        #expect(try JSON.parse(response.body)["status"]?.integer != 0)
    }

    @Test func theBackEndIsNotForPages() async throws {
        let shop = try await FrontEndShop.open()
        let response = await shop.tapPay.respond(
            to: WireRequest(method: .options, path: "/tpc/payment/pay-by-prime"))
        #expect(response.status == .methodNotAllowed)
        #expect(response.headers[.accessControlAllowOrigin] == nil)
    }
}
