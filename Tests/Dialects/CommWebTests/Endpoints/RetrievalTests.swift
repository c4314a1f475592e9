//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes
import StrictJSON
import TestGateway
import Testing

@Suite struct RetrievalTests {
    @Test func retrievesATransactionAsItStands() async throws {
        let shop = try await CommWebShop.open()
        let paid = try await shop.pay("AUTHORIZE", "o1", "a", amount: "10.00")
        let retrieved = try await shop.get("order/o1/transaction/a")
        #expect(retrieved.status == 200 && retrieved.fields == paid.fields)
        try await shop.follow("CAPTURE", "o1", "c", amount: "10.00")
        let later = try await shop.get("order/o1/transaction/a")
        #expect(later["order.status"] == "CAPTURED" && later["transaction.type"] == "AUTHORIZATION")
        #expect(try await shop.get("order/o1/transaction/c")["transaction.type"] == "CAPTURE")
    }

    @Test func retrievesAnOrderWithItsTransactions() async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("AUTHORIZE", "o1", "a", amount: "10.00") { $0["device.ani"] = "12341234" }
        try await shop.follow("CAPTURE", "o1", "c", amount: "10.00")
        try await shop.follow("REFUND", "o1", "r", amount: "57.57")
        try await shop.follow("REFUND", "o1", "r", amount: "4.00")
        let order = try await shop.get("order/o1")
        #expect(order.status == 200 && order["result"] == "SUCCESS" && order["id"] == "o1")
        #expect(order.order == "10.00/4.00 of 10.00: PARTIALLY_REFUNDED" && order["amount"] == "10.00")
        #expect(order["merchant"] == CommWebShop.merchantID && order["currency"] == "USD")
        #expect(order["device.ani"] == "12341234" && order["walletProvider"] == "APPLE_PAY")
        #expect(order["sourceOfFunds.provided.card.deviceSpecificNumber"] == "520424xxxxxx5679")
        let types = (0..<4).map { order["transaction[\($0)].transaction.type"] }
        #expect(types == ["AUTHORIZATION", "CAPTURE", "REFUND", nil])
        #expect(order["transaction[1].order.status"] == "PARTIALLY_REFUNDED")
        #expect(order["transaction[1].transaction.id"] == "c" && order["transaction[1].version"] == "71")
    }

    /// The order is one thing: what is said of it does not depend on which of its attempts is asked for.
    @Test(arguments: [("PAY", "57.57", "DECLINED"), ("VERIFY", "10.00", "APPROVED")])
    func showsTheOrderOfAnEarlierAttemptAsItStands(first: String, amount: String, code: String) async throws {
        let shop = try await CommWebShop.open()
        let earlier = try await shop.pay(first, "o1", "1", amount: amount)
        try await shop.pay("PAY", "o1", "2", amount: "12.00")
        let paid = try await shop.get("order/o1/transaction/2")
        let retrieved = try await shop.get("order/o1/transaction/1")
        // The transaction stays what it was.
        #expect(retrieved["response.gatewayCode"] == code && retrieved["transaction.id"] == "1")
        #expect(retrieved["transaction.amount"] == earlier["transaction.amount"])
        let order = try await shop.get("order/o1")
        for name in ["amount", "lastUpdatedTime", "status", "totalAuthorizedAmount", "totalCapturedAmount"] {
            let value = try #require(order[name])
            #expect(paid["order.\(name)"] == value && retrieved["order.\(name)"] == value, "\(name)")
            #expect(order["transaction[0].order.\(name)"] == value, "\(name)")
            #expect(order["transaction[1].order.\(name)"] == value, "\(name)")
        }
        #expect(order["status"] == "CAPTURED" && order["totalCapturedAmount"] == "12.00")
        #expect(order["transaction[0].response.gatewayCode"] == code)
    }

    /// A repeat is its first answer, whatever became of the order.
    @Test func repeatsAnEarlierAttemptAsItWas() async throws {
        let shop = try await CommWebShop.open()
        let body = try shop.body("PAY", amount: "57.57").json
        let declined = try await shop.put("o1", "1", body)
        try await shop.pay("PAY", "o1", "2", amount: "12.00")
        let repeated = try await shop.put("o1", "1", body)
        #expect(repeated.bytes == declined.bytes && repeated["order.status"] == "FAILED")
    }

    @Test func findsNothing() async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("AUTHORIZE", "o1", "a")
        let transaction = try await shop.get("order/o1/transaction/nonexistent")
        #expect(
            transaction.summary == "INVALID_REQUEST TRANSACTION_NOT_FOUND transaction.id INVALID"
                && transaction.status == 400)
        let order = try await shop.get("order/o2")
        #expect(order.summary == "INVALID_REQUEST ORDER_NOT_FOUND order.id INVALID" && order.status == 400)
    }

    /// "a/b" and "c" are not "a" and "b/c".
    @Test func keepsIDsWithSlashesApart() async throws {
        let shop = try await CommWebShop.open()
        try await shop.pay("AUTHORIZE", "a%2Fb", "c")
        #expect(try await shop.get("order/a%2Fb/transaction/c")["order.id"] == "a/b")
        #expect(try await shop.get("order/a/transaction/b%2Fc").summary.contains("TRANSACTION_NOT_FOUND"))
        #expect(try await shop.pay("AUTHORIZE", "a", "b%2Fc").summary == "SUCCESS APPROVED")
    }

    @Test func checksTheGatewayWithoutCredentials() async throws {
        var shop = try await CommWebShop.open()
        shop.authorization = nil
        let reply = try await shop.send(.get, "/api/rest/version/71/information")
        #expect(reply.status == 200 && reply["status"] == "OPERATING")
        #expect((5...32).contains(reply["gatewayVersion"]?.count ?? 0))
        let nvp = try await shop.send(.get, "/api/nvp/version/71/information")
        #expect(nvp.json == nil && nvp["status"] == "OPERATING")
        #expect(try await shop.send(.post, "/api/nvp/version/71/information")["status"] == "OPERATING")
        // The vendor's instructions ask in version 1.
        #expect(try await shop.send(.get, "/api/rest/version/1/information")["status"] == "OPERATING")
    }

    @Test(arguments: [
        ("45", "INVALID_REQUEST VERSION_NOT_SUPPORTED version UNSUPPORTED"),
        ("101", "INVALID_REQUEST VERSION_NOT_SUPPORTED version UNSUPPORTED"),
        ("latest", "INVALID_REQUEST VERSION_NOT_SUPPORTED version INVALID"),
        ("071", "INVALID_REQUEST VERSION_NOT_SUPPORTED version INVALID"),
        ("46", "INVALID_REQUEST ORDER_NOT_FOUND order.id INVALID"),
        ("100", "INVALID_REQUEST ORDER_NOT_FOUND order.id INVALID"),
    ])
    func knowsItsVersions(text: String, summary: String) async throws {
        let shop = try await CommWebShop.open()
        let reply = try await shop.send(
            .get, "/api/rest/version/\(text)/merchant/\(CommWebShop.merchantID)/order/o1")
        #expect(reply.summary == summary)
        guard summary.contains("VERSION_NOT_SUPPORTED") else { return }
        #expect(reply.status == 400 && reply["error.explanation"]?.contains("46 to 100") == true)
        #expect(try await shop.send(.post, "/api/nvp/version/\(text)").summary == summary)
    }
}
