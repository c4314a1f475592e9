//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AlphaPay
import DialectKit
import HTTPTypes
import StrictJSON
import Testing

@Suite struct WireFailureTests {
    @Test func refusesAnUnknownPath() async throws {
        let shop = try await TestShop.open()
        for endpoint in ["pay", "apple-pay/PREORDER", "apple-pay/preOrder/", "nothing"] {
            let reply = try await shop.call(endpoint, [:])
            #expect(reply.result == "INVALID_API F" && reply.httpStatus == 404 && reply.isSigned)
        }
    }

    @Test(arguments: [HTTPRequest.Method.get, .put, .delete, .head])
    func refusesAnotherMethod(method: HTTPRequest.Method) async throws {
        let shop = try await TestShop.open()
        let reply = try await shop.call("apple-pay/preOrder", [:]) { $0.method = method }
        #expect(reply.result == "METHOD_NOT_SUPPORTED F" && reply.httpStatus == 405 && reply.isSigned)
        #expect(reply.headers[.allow] == "POST")
    }

    @Test func refusesABodyThatIsTooLarge() async throws {
        let shop = try await TestShop.open()
        let body = TestShop.orderBody("1", id: "a").serialized()
        let padded = body + Array(repeating: UInt8(ascii: " "), count: 65536 - body.count)
        #expect(try await shop.call("apple-pay/preOrder", bytes: padded).code == "PAYMENT_IN_PROCESS")
        let reply = try await shop.call("apple-pay/preOrder", bytes: padded + [UInt8(ascii: " ")])
        #expect(reply.result == "REQUEST_TOO_LARGE F" && reply.httpStatus == 413 && reply.isSigned)
        #expect(reply.message == "The body must have at most 65536 bytes.")
    }

    @Test(arguments: [
        (WireFailure.bodyIncomplete, "REQUEST_INCOMPLETE F", 408, true), (.timedOut, "UNKNOWN_EXCEPTION U", 200, true),
        (.overloaded, "SYSTEM_BUSY F", 503, false),
    ])
    func answersInItsOwnShape(failure: WireFailure, result: String, status: Int, isSigned: Bool) async throws {
        let shop = try await TestShop.open()
        let request = WireRequest(
            method: .post, path: "/api/v2.0/payments/cancel",
            headers: [.known("Merchant-Code"): TestShop.merchantCode])
        let reply = try Reply(await shop.alphaPay.answer(to: failure, request: request), to: request)
        #expect(reply.result == result && reply.httpStatus == status && reply.isSigned == isSigned)
    }

    @Test func answersACallerWhomNobodyKnowsUnsigned() async throws {
        let shop = try await TestShop.open()
        let request = WireRequest(method: .get, path: "/api/v2.0/payments/cancel")
        let reply = try Reply(await shop.alphaPay.respond(to: request), to: request)
        #expect(reply.result == "METHOD_NOT_SUPPORTED F" && !reply.isSigned)
    }

    @Test func ownsItsPrefixAndNothingElse() async throws {
        let shop = try await TestShop.open()
        #expect(shop.alphaPay.owns("/api/v2.0/payments"))
        #expect(shop.alphaPay.owns("/api/v2.0/payments/x"))
        #expect(!shop.alphaPay.owns("/api/v2.0/paymentsx"))
        #expect(!shop.alphaPay.owns("/api/v2.0"))
        #expect(shop.alphaPay.routes.count == 8)
    }
}
