//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import HTTPTypes
import Testing

@testable import Radial

@Suite struct WireTests {
    private static let body = Sample.cardAuthorization("4111111111111111")
    private static let path = "creditcard/auth/VC.xml"

    @Test func reportsAFaultAsTheVendorDoes() async throws {
        let shop = try await RadialShop.open()
        let reply = try await shop.send(Self.path, "<a/>")
        let expected = """
            <?xml version="1.0" encoding="UTF-8"?>
            <Fault xmlns="http://api.gsicommerce.com/schema/checkout/1.0">
              <CreateTimestamp>2026-06-15T12:00:00Z</CreateTimestamp>
              <Code>UnexpectedMessageException</Code>
              <Description>The body must be a CreditCardAuthRequest of the namespace http://api.gsicommerce.com/schema/checkout/1.0.</Description>
            </Fault>

            """
        #expect(reply.status == 400 && reply.text == expected)
    }

    @Test(
        arguments: [
            (nil, "401 ApiKeyMissingException"), ("", "401 ApiKeyMissingException"),
            ("wrong", "403 InvalidApiKeyException"),
            (RadialShop.apiKey.uppercased(), "403 InvalidApiKeyException"),
            (RadialShop.apiKey + "0", "403 InvalidApiKeyException"),
            (String(repeating: "0", count: 300), "403 InvalidApiKeyException"),
            (RadialShop.apiKey, "200 CreditCardAuthReply"),
        ] as [(String?, String)])
    func authenticatesByTheKey(key: String?, outcome: String) async throws {
        let shop = try await RadialShop.open()
        let reply = try await shop.send(Self.path, Self.body) { $0.headers[.apiKey] = key }
        #expect(reply.fault == outcome)
        #expect((reply.response.headers[.wwwAuthenticate] != nil) == (reply.status == 401))
    }

    @Test(arguments: [
        "creditcard/auth/VC.xml", "creditcard/auth/DW.xml", "funds/confirm/VC.xml", "funds/confirm/async/VC.xml",
        "settlement/create/VC.xml", "auth/cancel/VC.xml", "decryptblob", "decryptblob.xml", "tendertype/lookup.xml",
    ])
    func everyOperationAsksForTheKeyFirst(path: String) async throws {
        let shop = try await RadialShop.open()
        #expect(try await shop.send(path, "") { $0.headers[.apiKey] = nil }.fault == "401 ApiKeyMissingException")
        #expect(try await shop.send(path, "") { $0.headers[.apiKey] = "x" }.fault == "403 InvalidApiKeyException")
        #expect(try await shop.send(path, "").fault == "400 MalformedXmlException")
        #expect(try await shop.send(path, "<a/>").fault == "400 UnexpectedMessageException")
    }

    @Test func anUnknownStoreIsAnsweredLikeAWrongKey() async throws {
        let shop = try await RadialShop.open()
        let reply = try await shop.send(Self.path, Self.body) { $0.path = $0.path.replacing("TMSUS", with: "NOSUCH") }
        let wrong = try await shop.send(Self.path, Self.body) { $0.headers[.apiKey] = "wrong" }
        #expect(reply.fault == "403 InvalidApiKeyException" && reply.response.body == wrong.response.body)
    }

    @Test(arguments: [
        ("/v1.0/stores/TMSUS/payments/creditcard/auth/VC.xml", true),
        ("/v1.1/stores/TMSUS/payments/creditcard/auth/VC.xml", true),
        ("/v3.9/stores/TMSUS/payments/creditcard/auth/VC.xml", true),
        ("/v2.13/stores/TMSUS/payments/creditcard/auth/VC.xml", true),
        ("/v1/stores/TMSUS/payments/creditcard/auth/VC.xml", false),
        ("/1.0/stores/TMSUS/payments/creditcard/auth/VC.xml", false),
        ("/v1.0.0/stores/TMSUS/payments/creditcard/auth/VC.xml", false),
        ("/v1.x/stores/TMSUS/payments/creditcard/auth/VC.xml", false),
        ("/v.0/stores/TMSUS/payments/creditcard/auth/VC.xml", false),
        ("/v1.0/stores/TMSUS/payments/creditcard/auth/VC", false),
        ("/v1.0/stores/TMSUS/payments/creditcard/auth/.xml", false),
        ("/v1.0/stores/TMSUS/payments/creditcard/auth/VC.json", false),
        ("/v1.0/stores/TMSUS/payments/creditcard/auth", false),
        ("/v1.0/stores/TMSUS/payments/creditcard/auth/VC.xml/", false), ("/v1.0/stores/TMSUS/payments", false),
        ("/v1.0", false),
        ("/v1.0/stores//payments/creditcard/auth/VC.xml", false),
        ("/v1.0/stores/TMSUS/payments/storedvalue/balance/SP.xml", false),
    ])
    func knowsItsPaths(path: String, isKnown: Bool) async throws {
        let shop = try await RadialShop.open()
        let reply = try await shop.send(Self.path, Self.body) { $0.path = path }
        #expect(reply.fault == (isKnown ? "200 CreditCardAuthReply" : "404 UnknownResourceException"))
    }

    @Test func ownsItsVersions() async throws {
        let shop = try await RadialShop.open()
        for path in ["/v1.0/stores/x", "/v1.2/anything", "/v1.0"] { #expect(shop.radial.owns(path)) }
        for path in ["/v1.00", "/api/v2.0/payments/pay", "/", "/v1", "/x/v1/stores/x", "/w1/stores", "/v1/storesx"] {
            #expect(!shop.radial.owns(path))
        }
        #expect(Set(shop.radial.pathPrefixes).count == shop.radial.pathPrefixes.count)
    }

    /// A version or an operation that there is not is answered by this dialect, and not by the server.
    @Test(arguments: [
        "/v1/stores/TMSUS/payments/creditcard/auth/VC.xml", "/v9.9/stores/TMSUS/payments/creditcard/auth/VC.xmlx",
        "/v9.0/stores/TMSUS/payments/creditcard/auth/VC.xml", "/v0.0/stores/TMSUS/payments/creditcard/auth/VC.xml",
        "/v1.100/stores/TMSUS/payments/creditcard/auth/VC.xml", "/v1.x0/stores", "/v10.0/stores/TMSUS/payments",
        "/v1.0.0/stores/TMSUS/payments/creditcard/auth/VC.xml", "/vNext/stores/TMSUS",
        "/v4.0/stores", "/v/stores/", "/v1.0/stores/TMSUS/inventory/quantity/get.xml",
    ])
    func everythingBelowTheStoresGetsAFault(path: String) async throws {
        let shop = try await RadialShop.open()
        #expect(shop.radial.owns(path))
        #expect(
            try await shop.send(Self.path, Self.body) { $0.path = path }.fault == "404 UnknownResourceException")
        let other = try await shop.send(Self.path, Self.body) {
            $0.path = path
            $0.method = .get
        }
        #expect(["404 UnknownResourceException", "405 MethodNotAllowedException"].contains(other.fault))
    }

    @Test(
        arguments: [
            ("text/xml", true), ("application/xml", true), ("Text/XML; charset=utf-8", true),
            ("application/xml;charset=\"UTF-8\"", true),
            ("text/xml; charset=iso-8859-1", false), ("application/json", false), ("text/plain", false),
            ("text/xmlx", false), ("", false),
            (nil, false),
        ] as [(String?, Bool)])
    func takesXMLOnly(contentType: String?, isTaken: Bool) async throws {
        let shop = try await RadialShop.open()
        let reply = try await shop.send(Self.path, Self.body) { $0.headers[.contentType] = contentType }
        #expect(reply.fault == (isTaken ? "200 CreditCardAuthReply" : "415 UnsupportedMediaTypeException"))
    }

    /// RFC 9110, section 8.4.
    @Test func saysThatCompressedBodiesAreNotTaken() async throws {
        let shop = try await RadialShop.open()
        let reply = try await shop.send(Self.path, Self.body) { $0.headers[.contentEncoding] = "gzip" }
        #expect(reply.fault == "415 UnsupportedMediaTypeException")
        #expect(reply["Description"]?.contains("Content-Encoding") == true)
        #expect(reply.response.headers[.acceptEncoding] == "identity")
    }

    @Test(arguments: [
        (WireFailure.pathUnknown, "404 UnknownResourceException"),
        (.methodNotAllowed(allowed: [.post]), "405 MethodNotAllowedException"),
        (.bodyTooLarge(bytesMax: 7), "413 RequestTooLargeException"),
        (.bodyIncomplete, "408 RequestIncompleteException"),
        (.timedOut, "504 RequestTimedOutException"), (.overloaded, "503 ServiceOverloadedException"),
    ])
    func reportsEveryFailureOfTheWire(failure: WireFailure, fault: String) async throws {
        let shop = try await RadialShop.open()
        let reply = try Reply(await shop.radial.answer(to: failure, request: WireRequest(method: .post, path: "/v1.0")))
        #expect(reply.fault == fault)
        #expect((reply.response.headers[.allow] == "POST") == (reply.status == 405))
        #expect((reply.response.headers[.retryAfter] != nil) == (reply.status == 503))
    }

    @Test func refusesOtherMethodsAndLargeBodies() async throws {
        let shop = try await RadialShop.open()
        #expect(try await shop.send(Self.path, Self.body) { $0.method = .get }.fault == "405 MethodNotAllowedException")
        let large = Self.body + String(repeating: " ", count: 64 * 1024)
        #expect(try await shop.send(Self.path, large).fault == "413 RequestTooLargeException")
    }

    @Test func saysWhereTheXMLIsWrong() async throws {
        let shop = try await RadialShop.open()
        let reply = try await shop.send(Self.path, "<!DOCTYPE a><a/>")
        #expect(reply.fault == "400 MalformedXmlException")
        #expect(
            reply["Description"]
                == "The body is not the XML that is expected: a document type declaration is not allowed (byte 0).")
    }

    @Test func saysWhichElementIsWrong() async throws {
        let shop = try await RadialShop.open()
        let blank = try await shop.send(Self.path, Self.body.replacing("<Line2>Building 123", with: "<Line2> "))
        #expect(blank.fault == "400 InvalidRequestException")
        #expect(
            blank["Description"]
                == "CreditCardAuthRequest/BillingAddress/Line2 must have 1 to 70 characters and not be blank.")
        let missing = try await shop.send(Self.path, Self.body.replacing("<OrderId>1</OrderId>", with: ""))
        #expect(missing["Description"] == "CreditCardAuthRequest/PaymentContext/OrderId is missing.")
    }
}
