//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import Payments
import StrictJSON
import Testing

@Suite struct FieldTests {
    private static let sound =
        #"{"paymentRequestId":"a","order":{"orderAmount":{"value":"1","currency":"CAD"},"description":"d"}}"#

    private static func amount(_ value: String, currency: String = #""CAD""#) -> String {
        #"{"paymentRequestId":"a","order":{"orderAmount":{"value":\#(value),"currency":\#(currency)},"description":"d"}}"#
    }

    private static func order(_ more: String) -> String {
        #"{"paymentRequestId":"a","order":{"orderAmount":{"value":"1","currency":"CAD"},\#(more)}}"#
    }

    private static let digits = "must be a string of digits without leading zeros"
    private static let whole = "order.orderAmount.value: must be a string of digits or a whole number"

    private static let preOrders: [(body: String, code: String, message: String)] = [
        ("", "JSON_MALFORMED", "ends in the middle"),
        ("{", "JSON_MALFORMED", "ends in the middle"),
        (#"{"a":1,"a":2}"#, "JSON_MALFORMED", "the same name twice"),
        (sound + "x", "JSON_MALFORMED", "something follows"),
        ("[]", "PARAM_ILLEGAL", "the body must be a JSON object"),
        ("{}", "PARAM_ILLEGAL", "paymentRequestId: is required"),
        (#"{"paymentRequestId":""}"#, "PARAM_ILLEGAL", "paymentRequestId: must not be empty"),
        (#"{"paymentRequestId":1}"#, "PARAM_ILLEGAL", "paymentRequestId: must be a string"),
        (#"{"paymentRequestId":"\#(String(repeating: "x", count: 256))"}"#, "PARAM_ILLEGAL", "at most 255"),
        (#"{"paymentRequestId":"a"}"#, "PARAM_ILLEGAL", "order: is required"),
        (#"{"paymentRequestId":"a","merchantIdentifier":7}"#, "PARAM_ILLEGAL", "merchantIdentifier: must be a string"),
        (#"{"paymentRequestId":"a","order":{}}"#, "PARAM_ILLEGAL", "order.orderAmount: is required"),
        (amount("true"), "PARAM_ILLEGAL", whole), (amount("[1]"), "PARAM_ILLEGAL", whole),
        (amount("0"), "PARAM_ILLEGAL", digits), (amount("-1"), "PARAM_ILLEGAL", digits),
        (amount("1.00"), "PARAM_ILLEGAL", whole),
        (amount("1e3"), "PARAM_ILLEGAL", whole), (amount("100.0"), "PARAM_ILLEGAL", whole),
        (amount("1000000000000"), "PARAM_ILLEGAL", whole),
        (amount(#""""#), "PARAM_ILLEGAL", "order.orderAmount.value: must not be empty"),
        (amount(#""0""#), "PARAM_ILLEGAL", digits), (amount(#""01""#), "PARAM_ILLEGAL", digits),
        (amount(#""-1""#), "PARAM_ILLEGAL", digits), (amount(#""+1""#), "PARAM_ILLEGAL", digits),
        (amount(#""1.00""#), "PARAM_ILLEGAL", digits), (amount(#""1e3""#), "PARAM_ILLEGAL", digits),
        (amount(#"" 1""#), "PARAM_ILLEGAL", digits), (amount(#""١""#), "PARAM_ILLEGAL", digits),
        (amount(#""1000000000000""#), "PARAM_ILLEGAL", "at most 12"),
        (amount(#""1""#, currency: "null"), "PARAM_ILLEGAL", "order.orderAmount.currency: is required"),
        (amount(#""1""#, currency: #""USD""#), "CURRENCY_NOT_SUPPORT", "CAD"),
        (amount(#""1""#, currency: #""cad""#), "CURRENCY_NOT_SUPPORT", "CAD"),
        (order(#""description":"""#), "PARAM_ILLEGAL", "order.description: must not be empty"),
        (order(#""description":"\#(String(repeating: "é", count: 4097))""#), "PARAM_ILLEGAL", "at most 4096"),
        (order(#""description":"d","notifyUrl":"http://shop.example/""#), "PARAM_ILLEGAL", "must begin with https://"),
        (order(#""description":"d","notifyUrl":"shop.example""#), "PARAM_ILLEGAL", "must be an https URL"),
        (order(#""description":"d","notifyUrl":"https://a@shop.example/""#), "PARAM_ILLEGAL", "must be an https URL"),
    ]

    @Test(arguments: preOrders)
    func refusesAWrongPreOrder(body: String, code: String, message: String) async throws {
        let shop = try await TestShop.open()
        let reply = try await shop.call("apple-pay/preOrder", bytes: Array(body.utf8))
        #expect(reply.result == "\(code) F" && reply.httpStatus == 200 && reply.isSigned)
        #expect(reply.message.contains(message))
    }

    @Test func takesWhatIsAtItsBounds() async throws {
        let shop = try await TestShop.open(settings: ["allowInsecureNotify": "true"])
        let body = """
            {"paymentRequestId":"\(String(repeating: "x", count: 255))","unknown":{"deep":[1]},"merchantIdentifier":null,
            "order":{"orderAmount":{"value":"999999999999","currency":"CAD"},
            "description":"\(String(repeating: "é", count: 127))\\n","notifyUrl":"http://127.0.0.1:8080/n"}}
            """
        #expect(try await shop.call("apple-pay/preOrder", bytes: Array(body.utf8)).code == "PAYMENT_IN_PROCESS")
    }

    /// AlphaPay cuts an order's description off, and a shop that sends a whole cart sells.
    @Test func cutsALongDescription() async throws {
        let shop = try await TestShop.open()
        let text = String(repeating: "é", count: 128)
        let order = try await shop.call(
            "apple-pay/preOrder", bytes: Array(Self.order(#""description":"\#(text) and more""#).utf8))
        #expect(order.code == "PAYMENT_IN_PROCESS")
        let inquired = try await shop.inquire(order.paymentID).json
        #expect(inquired["order"]?["description"]?.string == text)
        let again = try await shop.call(
            "apple-pay/preOrder", bytes: Array(Self.order(#""description":"\#(text)""#).utf8))
        #expect(again.paymentID == order.paymentID)
    }

    /// Clients whose amounts are numbers write them so.
    @Test func takesAWholeNumberForAnAmount() async throws {
        let shop = try await TestShop.open()
        let order = try await shop.call("apple-pay/preOrder", bytes: Array(Self.amount("1099").utf8))
        #expect(order.code == "PAYMENT_IN_PROCESS")
        let again = try await shop.call("apple-pay/preOrder", bytes: Array(Self.amount(#""1099""#).utf8))
        #expect(again.paymentID == order.paymentID)
    }

    @Test func aLiveMerchantIsNeverNotifiedOverHTTP() async throws {
        let shop = try await TestShop.open(settings: ["allowInsecureNotify": "true"], mode: .live)
        let reply = try await shop.order("1", notifyURL: "http://shop.example/notify")
        #expect(reply.result == "PARAM_ILLEGAL F" && reply.message == "order.notifyUrl: must begin with https://")
    }

    private static func keyless(version: String) -> String {
        #"{"paymentId":"a","token":{"paymentData":{"version":"\#(version)","data":"AA==","signature":"AA==","#
            + #""header":{"publicKeyHash":"AA=="}}}}"#
    }

    private static let others: [(endpoint: String, body: String, message: String)] = [
        ("apple-pay/pay", "{}", "paymentId: is required"),
        ("apple-pay/pay", #"{"paymentId":"a"}"#, "token: is required"),
        ("apple-pay/pay", #"{"paymentId":"a","token":"t"}"#, "token: must be a JSON object"),
        ("apple-pay/pay", #"{"paymentId":"a","customerId":1,"token":{}}"#, "customerId: must be a string"),
        ("apple-pay/pay", #"{"paymentId":"a","token":{}}"#, "token.paymentData: is required"),
        ("apple-pay/pay", #"{"paymentId":"a","token":{"paymentMethod":1}}"#, "token.paymentMethod: must be"),
        ("apple-pay/pay", #"{"paymentId":"a","token":{"paymentData":{}}}"#, "token.paymentData.header: is required"),
        (
            "apple-pay/pay", #"{"paymentId":"a","token":{"paymentData":{"header":{}}}}"#,
            "token.paymentData.version: is required"
        ),
        (
            "apple-pay/pay", #"{"paymentId":"a","token":{"paymentData":{"version":"EC_v1","header":{}}}}"#,
            "token.paymentData.data: is required"
        ),
        (
            "apple-pay/pay",
            #"{"paymentId":"a","token":{"paymentData":{"version":"EC_v1","data":"AA==","header":{}}}}"#,
            "token.paymentData.signature: is required"
        ),
        (
            "apple-pay/pay",
            #"{"paymentId":"a","token":{"paymentData":{"version":"EC_v1","data":"AA==","signature":"AA==","header":{}}}}"#,
            "token.paymentData.header.publicKeyHash: is required"
        ),
        ("apple-pay/pay", Self.keyless(version: "EC_v1"), "token.paymentData.header.ephemeralPublicKey: is required"),
        ("apple-pay/pay", Self.keyless(version: "RSA_v1"), "token.paymentData.header.wrappedKey: is required"),
        ("inquiryPayment", #"{"paymentId":7}"#, "paymentId: must be a string"),
        ("inquiryPayment", "{}", "paymentId: is required, unless paymentRequestId is given"),
        ("inquiryPayment", #"{"paymentRequestId":7}"#, "paymentRequestId: must be a string"),
        ("cancel", "{}", "paymentId: is required"),
        ("cancel", #"{"paymentRequestId":"a"}"#, "paymentId: is required"),
        ("refund", #"{"paymentId":"a"}"#, "refund: is required"),
        ("refund", #"{"paymentId":"a","refund":{}}"#, "refund.refundAmount: is required"),
        ("refund", #"{"paymentId":"a","refund":{"refundAmount":{"value":"0"}}}"#, "refund.refundAmount.value: must be"),
        (
            "refund", #"{"paymentId":"a","refundRequestId":"\#(String(repeating: "x", count: 256))"}"#,
            "refundRequestId: must have at most 255"
        ),
        ("refund", #"{"paymentId":"a","refundRequestId":"","refund":{}}"#, "refundRequestId: must not be empty"),
        ("inquiryRefund", "{}", "refundId: is required, unless refundRequestId is given"),
        ("inquiryRefund", #"{"refundId":"","refundRequestId":""}"#, "refundId: is required, unless"),
        ("transactions", "{}", "date: is required"),
        ("transactions", #"{"date":"20260230"}"#, "date: must be a day as yyyymmdd"),
        ("transactions", #"{"date":"2026-2-3"}"#, "date: must be a day as yyyymmdd"),
        ("transactions", #"{"date":"20260615","page":0}"#, "page: must be an integer from 1"),
        ("transactions", #"{"date":"20260615","page":"1"}"#, "page: must be an integer from 1"),
        ("transactions", #"{"date":"20260615","pageLimit":101}"#, "pageLimit: must be an integer from 10 to 100"),
        ("transactions", #"{"date":"20260615","pageLimit":9}"#, "pageLimit: must be an integer from 10 to 100"),
        ("transactions", #"{"date":"20260615","transactionType":"None"}"#, "transactionType: must be All"),
        ("settlements", #"{"date":"x"}"#, "date: must be a day as yyyymmdd"),
    ]

    @Test(arguments: others)
    func refusesAWrongField(endpoint: String, body: String, message: String) async throws {
        let shop = try await TestShop.open()
        let reply = try await shop.call(endpoint, bytes: Array(body.utf8))
        #expect(reply.result == "PARAM_ILLEGAL F" && reply.httpStatus == 200 && reply.isSigned)
        #expect(reply.message.contains(message))
    }

    @Test(
        arguments: [
            nil, "text/plain", "application/xml", "application/jsonp", "application/json; charset=ISO-8859-1",
        ] as [String?])
    func refusesAnotherContentType(contentType: String?) async throws {
        let shop = try await TestShop.open()
        let reply = try await shop.call("apple-pay/preOrder", bytes: Array(Self.sound.utf8)) {
            $0.contentType = contentType
        }
        #expect(reply.result == "MEDIA_TYPE_NOT_SUPPORTED F" && reply.isSigned)
    }

    /// Also where the body was signed before it was compressed.
    @Test func saysThatCompressedBodiesAreNotTaken() async throws {
        let shop = try await TestShop.open()
        let reply = try await shop.call("apple-pay/preOrder", bytes: Array(Self.sound.utf8)) {
            $0.tamper = {
                $0.headers[.contentEncoding] = "gzip"
                $0.body = [0x1F, 0x8B, 0x08]
            }
        }
        #expect(reply.result == "MEDIA_TYPE_NOT_SUPPORTED F" && reply.message.contains("Content-Encoding"))
    }

    @Test(arguments: ["application/json", "Application/JSON;charset=utf-8", "application/json; charset=\"UTF-8\"; x=y"])
    func takesJSONHoweverItIsNamed(contentType: String) async throws {
        let shop = try await TestShop.open()
        let reply = try await shop.call("apple-pay/preOrder", bytes: Array(Self.sound.utf8)) {
            $0.contentType = contentType
        }
        #expect(reply.code == "PAYMENT_IN_PROCESS")
    }

    @Test func refusesABodyThatNestsTooDeep() async throws {
        let shop = try await TestShop.open()
        let deep = String(repeating: "[", count: 20_000)
        let reply = try await shop.call("apple-pay/preOrder", bytes: Array(deep.utf8))
        #expect(reply.result == "JSON_MALFORMED F" && reply.message.contains("nests deeper"))
        let many = "[" + String(repeating: "1,", count: 3000) + "1]"
        #expect(
            try await shop.call("apple-pay/preOrder", bytes: Array(many.utf8)).message.contains("more values"))
    }
}
