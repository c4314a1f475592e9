//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import Foundation
import Money
import NIOCore
import NIOHTTP1
import StrictJSON
import Testing

@testable import pomona

/// `pomona payments capture`, `void` and `refund`.
@Suite(.serialized)
struct CliPaymentActTests {
    @Test(arguments: [
        ["capture"], ["refund", "pay_1", "--capture", "pay_1"], ["refund", ""], ["void", "pay_1", "--amount", "1"],
        ["void", "pay_1", "--final"],
    ])
    func refusesWhatIsNoCommandLine(_ arguments: [String]) async throws {
        let folder = try CliFolder()
        let result = try await CliTool.pomona(["payments"] + arguments + ["--data", folder.file("data")])
        #expect(result.exitCode == 64, "\(result.stdout)\(result.stderr)")
    }

    /// What is shown as an example is an amount of the currency.
    @Test(arguments: [("JPY", "12"), ("EUR", "12.50"), ("KWD", "12.500"), ("CLF", "12.5000")])
    func malformedAmountIsAnsweredWithOneOfItsCurrency(_ code: String, _ example: String) throws {
        let currency = try #require(Currency.alphabetic(code))
        let failure = #expect(throws: CommandFailure.self) { try PaymentAct.money("1.23456", of: currency) }
        #expect(failure?.message == "--amount must be an amount of \(code), like \(example).")
        #expect(try PaymentAct.money(example, of: currency).decimalText == example)
    }

    /// The shop authorizes at a running gateway, an operator captures and refunds beside it, and the shop sees that at once.
    @Test func actsBesideARunningGateway() async throws {
        let folder = try CliFolder()
        let data = folder.file("data")
        let sandbox = try await SandboxProcess(
            data: data, arguments: ["--port", "0", "--tls-port", "0", "--no-shop"])
        let shop = try ShopOverHTTP(url: sandbox.http, data: data)
        #expect(try await shop.authorize("o1", "100.00")["result"] == "SUCCESS")
        let show = try await CliTool.pomona(["payments", "show", "o1", "--data", data, "--json"]).json()
        #expect(show["possible"]?["capture"]?["upTo"]?.string == "100.00", "\(show.text())")
        #expect(show["possible"]?["void"]?["amount"]?.string == "100.00")
        #expect(show["possible"]?["refund"]?["refused"]?.string == "notCaptured")

        let capture = try await Self.act("capture", "o1", ["--amount", "60.00", "--reason", "Ann, ticket 7"], data)
        #expect(capture.exitCode == 0, "\(capture.stdout)\(capture.stderr)")
        #expect(try capture.json()["operation"]?["state"]?.string == "succeeded")
        let refund = ["--amount", "20.00", "--key", "ticket-8"]
        let first = try await Self.act("refund", "o1", refund, data)
        #expect(try first.json()["repeated"] == false && first.exitCode == 0)
        let second = try await Self.act("refund", "o1", refund, data)
        #expect(try second.json()["repeated"] == true && second.exitCode == 0)
        #expect(try second.json()["operation"]?["id"] == first.json()["operation"]?["id"])
        let order = try await shop.order("o1")
        #expect(order["totalCapturedAmount"]?.numberText == "60.00", "\(order.text())")
        #expect(order["totalRefundedAmount"]?.numberText == "20.00")
        #expect(order["status"] == "PARTIALLY_REFUNDED")

        for (arguments, code) in [
            (["--amount", "20.01", "--key", "ticket-8"], "key_used"), (["--amount", "40.01"], "act_not_possible"),
            (["--amount", "1.234"], "amount_malformed"), (["--merchant", "payone"], "payment_unknown"),
            (["--key", ""], "key_malformed"), (["--acquirer", "nowhere"], "acquirer_malformed"),
        ] {
            let refused = try await Self.act("refund", "o1", arguments, data)
            #expect(refused.exitCode == 1 && refused.errorCode == code, "\(arguments): \(refused.stdout)")
        }
        #expect(try await shop.authorize("o2", "10.00")["result"] == "SUCCESS")
        let void = try await CliTool.pomona(["payments", "void", "o2", "--data", data])
        #expect(void.exitCode == 0 && void.stdout.contains("voided now"), "\(void.stdout)\(void.stderr)")
        #expect(try await shop.order("o2")["status"] == "CANCELLED")

        let log = try await CliTool.pomona(["audit", "list", "--data", data, "--json"])
        for text in ["payment.capture", "payment.refund", "payment.void", "Ann, ticket 7"] {
            #expect(log.stdout.contains(text), "\(text)")
        }
        #expect(log.stdout.components(separatedBy: "payment.refund").count == 2)
        #expect(try await CliTool.pomona(["ledger", "check", "--data", data]).exitCode == 0)
        #expect(await sandbox.stop() == 0)
    }

    /// What is declined and what is not known yet have exit statuses of their own.
    @Test func exitStatusSaysHowItEnded() async throws {
        let folder = try CliFolder()
        let data = folder.file("data")
        let sandbox = try await SandboxProcess(
            data: data, arguments: ["--port", "0", "--tls-port", "0", "--no-shop"])
        let shop = try ShopOverHTTP(url: sandbox.http, data: data)
        #expect(try await shop.authorize("o1", "1000.00")["result"] == "SUCCESS")
        #expect(await sandbox.stop() == 0)
        // Also without a gateway. The amounts are the simulator's for a decline and a lost answer.
        let declined = try await Self.act("capture", "o1", ["--amount", "57.57"], data)
        #expect(try declined.exitCode == 1 && declined.json()["operation"]?["failure"]?.string == "doNotHonor")
        let lost = try await CliTool.pomona([
            "payments", "capture", "o1", "--amount", "58.58", "--key", "k", "--data", data,
        ])
        #expect(lost.exitCode == 2 && lost.stdout.contains("No gateway runs on this directory"), "\(lost.stdout)")
        // A gateway that is started finds out what has become of it.
        let next = try await SandboxProcess(
            data: data, arguments: ["--port", "0", "--tls-port", "0", "--no-shop"])
        let shopAgain = try ShopOverHTTP(url: next.http, data: data)
        // There is nothing to wait on but what it says; the suite's time limit ends it.
        while try await shopAgain.order("o1")["totalCapturedAmount"]?.numberText != "58.58" {}
        let found = try await Self.act("capture", "o1", ["--amount", "58.58", "--key", "k"], data)
        #expect(try found.exitCode == 0 && found.json()["repeated"] == true)
        #expect(await next.stop() == 0)
    }

    private static func act(
        _ act: String, _ payment: String, _ arguments: [String], _ data: String
    ) async throws -> CliResult {
        try await CliTool.pomona(["payments", act, payment, "--data", data, "--json"] + arguments)
    }
}

/// The demo merchant's server, in CommWeb, at a running sandbox.
private struct ShopOverHTTP {
    private let url: String
    private let data: String
    private let authorization: String

    init(url: String, data: String) throws {
        let card = try DataDirectory(path: data).loadMerchant("commweb")
        let merchant = try card.value("merchantId")
        self.url = "\(url)/api/rest/version/71/merchant/\(merchant)"
        self.data = data
        let credentials = "merchant.\(merchant):\(try card.value("password"))"
        self.authorization = "Basic " + Data(credentials.utf8).base64EncodedString()
    }

    func authorize(_ order: String, _ amount: String) async throws -> JSON {
        let token = try await CliTool.pomona([
            "token", "mint", "--data", self.data, "--merchant", "commweb", "--amount", amount, "--currency", "USD",
        ]).stdout
        return try await self.send(
            .PUT, "/order/\(order)/transaction/1",
            [
                "apiOperation": "AUTHORIZE",
                "order": ["amount": .string(amount), "currency": "USD", "walletProvider": "APPLE_PAY"],
                "sourceOfFunds": [
                    "type": "CARD", "provided": ["card": ["devicePayment": ["paymentToken": .string(token)]]],
                ],
                "transaction": ["source": "INTERNET"],
            ])
    }

    func order(_ order: String) async throws -> JSON { try await self.send(.GET, "/order/\(order)", nil) }

    private func send(_ method: HTTPMethod, _ path: String, _ body: JSON?) async throws -> JSON {
        var request = HTTPClientRequest(url: self.url + path)
        request.method = method
        request.headers.add(name: "Authorization", value: self.authorization)
        request.headers.add(name: "Content-Type", value: "application/json")
        if let body { request.body = .bytes(ByteBuffer(bytes: body.serialized())) }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        return try JSON.parse(Array(try await response.body.collect(upTo: 1 << 20).readableBytesView))
    }
}
