//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CommWeb
import DialectKit
import HTTPTypes
import StrictJSON
import Testing

/// Whatever reaches no operation is answered in the dialect's shape, and in the flavor of its path.
@Suite struct WireFailureTests {
    @Test(arguments: [
        (WireFailure.pathUnknown, 404, "INVALID_REQUEST PATH_UNKNOWN"),
        (.methodNotAllowed(allowed: [.put, .get]), 405, "INVALID_REQUEST METHOD_NOT_ALLOWED"),
        (.bodyTooLarge(bytesMax: 65_536), 413, "INVALID_REQUEST BODY_TOO_LARGE"),
        (.bodyIncomplete, 408, "INVALID_REQUEST BODY_INCOMPLETE"),
        (.timedOut, 504, "SERVER_FAILED GATEWAY_TIMED_OUT"), (.overloaded, 503, "SERVER_BUSY GATEWAY_BUSY"),
    ])
    func answers(failure: WireFailure, status: Int, summary: String) async throws {
        let shop = try await CommWebShop.open()
        for (path, isForm) in [("/api/rest/version/71/x", false), ("/api/nvp/version/71", true), ("/api/nvp", true)] {
            let request = WireRequest(method: .post, path: path)
            let reply = try Reply(await shop.commWeb.answer(to: failure, request: request))
            #expect(reply.status == status && reply.summary == summary && (reply.json == nil) == isForm)
            #expect(reply["result"] == "ERROR" && reply["error.explanation"]?.isEmpty == false)
            if case .methodNotAllowed = failure { #expect(reply.headers[.allow] == "PUT, GET") }
            if failure == .overloaded { #expect(reply.headers[.retryAfter] == "1") }
        }
    }

    @Test func answersUnknownPathsAndMethods() async throws {
        let shop = try await CommWebShop.open()
        #expect(try await shop.get("token").status == 404)
        #expect(try await shop.get("order/o1/transaction").status == 404)
        #expect(try await shop.send(.delete, shop.merchantPath("session/x")).status == 405)
        #expect(try await shop.send(.post, shop.merchantPath("order/o1/transaction/1")).headers[.allow] == "PUT, GET")
        #expect(try await shop.send(.get, "/api/nvp/version/71").status == 405)
    }

    @Test func aSolidusTooManyChangesNoPath() async throws {
        let shop = try await CommWebShop.open()
        for path in ["order/o1//transaction//1", "order/o1/transaction/1/", "order//o1/", "/order/o1"] {
            #expect(try await shop.get(path).status == 400)
        }
        #expect(try await shop.send(.put, shop.merchantPath("order/o1//transaction//1")).status == 400)
        // As a setting that ends with one makes it.
        for path in [
            "/" + shop.merchantPath("order/o1"), shop.merchantPath("order/o1").replacing("/api", with: "/api/"),
        ] {
            #expect(shop.commWeb.owns(path))
            #expect(try await shop.send(.get, path).status == 400)
        }
        #expect(!shop.commWeb.owns("//api/restful") && !shop.commWeb.owns("//other"))
        for path in ["order//transaction/1", "order/", "order/o1/transaction//"] {
            #expect(try await shop.get(path).status == 404)
        }
    }

    @Test(arguments: [
        ("{", "application/json", "INVALID_REQUEST BODY_MALFORMED"),
        ("[]", "application/json", "INVALID_REQUEST BODY_MALFORMED"),
        ("{\"a\":1,\"a\":2}", "application/json", "INVALID_REQUEST BODY_MALFORMED"),
        ("{}", "text/html", "INVALID_REQUEST MEDIA_TYPE_NOT_SUPPORTED"),
        ("{}", "application/json; charset=utf-16", "INVALID_REQUEST MEDIA_TYPE_NOT_SUPPORTED"),
        (
            "{\"a\":\"\u{E9}\"}", "application/json; charset=latin1",
            "INVALID_REQUEST FIELD_MISSING apiOperation MISSING"
        ),
        ("{}", "text/plain; charset=UTF-8", "INVALID_REQUEST FIELD_MISSING apiOperation MISSING"),
        // As libcurl labels any body.
        ("{}", "application/x-www-form-urlencoded", "INVALID_REQUEST FIELD_MISSING apiOperation MISSING"),
        ("a=b", "application/x-www-form-urlencoded", "INVALID_REQUEST BODY_MALFORMED"),
        ("{}", "application/json", "INVALID_REQUEST FIELD_MISSING apiOperation MISSING"),
        ("{}", "application/json; charset=\"UTF-8\"", "INVALID_REQUEST FIELD_MISSING apiOperation MISSING"),
    ])
    func readsTheBodyStrictly(body: String, contentType: String, summary: String) async throws {
        let shop = try await CommWebShop.open()
        let reply = try await shop.send(
            .put, shop.merchantPath("order/o1/transaction/1"), Array(body.utf8), contentType: contentType)
        #expect(reply.summary == summary)
    }

    /// RFC 9110, section 8.4.
    @Test func saysThatCompressedBodiesAreNotTaken() async throws {
        let shop = try await CommWebShop.open()
        let form = CommWebShop.form(["apiOperation": "RETRIEVE_ORDER", "merchant": CommWebShop.merchantID])
        for (method, path, body, type) in [
            (
                HTTPRequest.Method.put, shop.merchantPath("order/o1/transaction/1"), Array("{}".utf8),
                "application/json"
            ),
            (.post, "/api/nvp/version/71", form, "application/x-www-form-urlencoded"),
        ] {
            var request = WireRequest(method: method, path: path, body: body)
            request.headers[.authorization] = shop.authorization
            request.headers[.contentType] = type
            request.headers[.contentEncoding] = "gzip"
            let reply = try Reply(await shop.commWeb.respond(to: request))
            #expect(reply.summary == "INVALID_REQUEST MEDIA_TYPE_NOT_SUPPORTED" && reply.status == 415)
            #expect(reply["error.explanation"]?.contains("Content-Encoding") == true)
            #expect(reply.headers[.acceptEncoding] == "identity")
        }
    }

    /// The vendor's gateway takes ISO-8859-1, and takes a body for it that declares no charset: what is not UTF-8 is.
    @Test(
        arguments: [
            ("application/json", true), ("application/json", false), (nil, true),
            ("application/json;charset=UTF-8", false),
            ("application/json; charset=ISO-8859-1", true), ("application/json; charset=utf8", false),
        ] as [(String?, Bool)])
    func readsNamesWithAccents(contentType: String?, isLatin1: Bool) async throws {
        let shop = try await CommWebShop.open()
        var body = try shop.body("PAY")
        body["order.description"] = "Zo\u{EB}"
        let bytes = body.json.serialized()
        let sent = isLatin1 ? FormCharset.latin1.bytes(of: String(decoding: bytes, as: UTF8.self)) : bytes
        let path = shop.merchantPath("order/o1/transaction/1")
        let reply = try await shop.send(.put, path, sent, contentType: contentType)
        #expect(reply.summary == "SUCCESS APPROVED")
        #expect(reply["order.description"] == "Zo\u{EB}")
    }

    @Test func whatIsDeclaredAsUTF8HasToBe() async throws {
        let shop = try await CommWebShop.open()
        let path = shop.merchantPath("order/o1/transaction/1")
        let reply = try await shop.send(
            .put, path, Array("{\"a\":\"".utf8) + [0xE9] + Array("\"}".utf8),
            contentType: "application/json;charset=UTF-8")
        #expect(reply.summary == "INVALID_REQUEST BODY_MALFORMED")
    }

    @Test func takesABodyWithoutAContentType() async throws {
        let shop = try await CommWebShop.open()
        let body = try shop.body("PAY").json.serialized()
        let path = shop.merchantPath("order/o1/transaction/1")
        #expect(try await shop.send(.put, path, body, contentType: nil).summary == "SUCCESS APPROVED")
    }

    @Test func refusesDeepAndLargeBodies() async throws {
        let shop = try await CommWebShop.open()
        let path = shop.merchantPath("order/o1/transaction/1")
        let deep = String(repeating: "{\"a\":", count: 5000) + "1" + String(repeating: "}", count: 5000)
        #expect(try await shop.send(.put, path, Array(deep.utf8)).summary == "INVALID_REQUEST BODY_MALFORMED")
        let large = Array(repeating: UInt8(ascii: " "), count: 65_537)
        #expect(try await shop.send(.put, path, large).summary == "INVALID_REQUEST BODY_TOO_LARGE")
    }
}
