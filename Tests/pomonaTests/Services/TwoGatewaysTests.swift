//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import StrictJSON
import Testing

/// A gateway whose acquirer is another gateway, which speaks CommWeb: what a merchant of a bank has.
@Suite("Two gateways", .serialized) struct TwoGatewaysTests {
    private func call(
        _ method: HTTPMethod, _ url: String, user: String, password: String, _ body: JSON
    ) async throws -> (status: Int, body: JSON) {
        var request = HTTPClientRequest(url: url)
        request.method = method
        let credentials = Data("\(user):\(password)".utf8).base64EncodedString()
        request.headers.add(name: "Authorization", value: "Basic \(credentials)")
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(ByteBuffer(string: body.text()))
        let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(40))
        let bytes = try await answer.body.collect(upTo: 1 << 20)
        return (Int(answer.status.code), try JSON.parse(Array(bytes.readableBytesView)))
    }

    @Test func paymentGoesThroughBothAndBothBooksAgree() async throws {
        let folder = try CliFolder()
        let bank = try await SandboxProcess(
            data: folder.file("bank"), arguments: ["--port", "0", "--tls-port", "0", "--no-shop"])
        let held = try #require(bank.ready["merchants"]?["commweb"])
        let setup: JSON = [
            "merchant": ["name": "shop", "displayName": "Shop", "mode": "sandbox", "countryCode": "AU"],
            "accounts": [["dialect": "commweb"]],
            "acquirers": [
                [
                    "name": "bank", "connector": "mpgs",
                    "settings": [
                        "host": .string(bank.http), "version": "71", "merchantId": held["merchantId"] ?? .null,
                    ],
                    "secrets": ["password": held["password"] ?? .null],
                ]
            ],
            "routes": [["acquirer": "bank"]],
            "applePay": [["merchantIdentifier": "merchant.com.example.shop"]],
        ]
        let data = folder.file("shop")
        let made = try await CliTool.pomona(
            ["setup", "--data", data, "--file", try folder.write("setup.json", setup.text()), "--json"])
        #expect(made.exitCode == 0, "\(made.stdout)\(made.stderr)")
        let account = try #require(try made.json()["accounts"]?["commweb"])
        let check = try await CliTool.pomona([
            "acquirer", "check", "--data", data, "--merchant", "shop", "--name", "bank", "--json",
        ])
        #expect(check.exitCode == 0, "\(check.stdout)")

        let shop = try await GatewayProcess("pomona", data: data, in: folder)
        let address = shop.url
        let merchantID = try #require(account["merchantId"]?.string)
        let password = try #require(account["password"]?.string)
        let base = "\(address)/api/rest/version/71/merchant/\(merchantID)/order/first/transaction"
        let token = try await CliTool.pomona([
            "token", "mint", "--data", data, "--merchant", "shop", "--amount", "10.99", "--currency", "AUD",
        ]).stdout
        let authorize: JSON = [
            "apiOperation": "AUTHORIZE",
            "order": ["amount": "10.99", "currency": "AUD", "walletProvider": "APPLE_PAY"],
            "sourceOfFunds": [
                "type": "CARD",
                "provided": ["card": ["devicePayment": ["paymentToken": .string(token)]]],
            ],
            "transaction": ["source": "INTERNET"],
        ]
        let steps: [(String, JSON)] = [
            ("1", authorize),
            ("2", ["apiOperation": "CAPTURE", "transaction": ["amount": "7.00", "currency": "AUD"]]),
            ("3", ["apiOperation": "REFUND", "transaction": ["amount": "2.00", "currency": "AUD"]]),
        ]
        for (id, body) in steps {
            let answer = try await self.call(
                .PUT, "\(base)/\(id)", user: "merchant.\(merchantID)", password: password, body)
            #expect(answer.body["result"] == "SUCCESS", "\(id): \(answer.body.text())")
        }
        let own = try await CliTool.pomona(["ledger", "check", "--data", data, "--json"])
        let theirs = try await CliTool.pomona(["ledger", "check", "--data", folder.file("bank"), "--json"])
        #expect(own.exitCode == 0 && theirs.exitCode == 0)
        func sums(_ report: JSON) -> [String] {
            (report["balances"]?.array ?? []).map { balance in
                ["layer", "debits", "credits"].map { balance[$0]?.text() ?? "" }.joined(separator: " ")
            }.sorted()
        }
        #expect(try sums(own.json()) == sums(theirs.json()))
        #expect(try !sums(own.json()).isEmpty)
        // A bank that cannot be reached has done nothing: the shop is answered so, and nothing stays open.
        #expect(await bank.stop() == 0)
        let later = try await CliTool.pomona([
            "token", "mint", "--data", data, "--merchant", "shop", "--amount", "5.00", "--currency", "AUD",
        ]).stdout
        let second: JSON = [
            "apiOperation": "PAY",
            "order": ["amount": "5.00", "currency": "AUD", "walletProvider": "APPLE_PAY"],
            "sourceOfFunds": [
                "type": "CARD", "provided": ["card": ["devicePayment": ["paymentToken": .string(later)]]],
            ],
            "transaction": ["source": "INTERNET"],
        ]
        let unreached = try await self.call(
            .PUT, "\(address)/api/rest/version/71/merchant/\(merchantID)/order/second/transaction/1",
            user: "merchant.\(merchantID)", password: password, second)
        #expect(unreached.body["result"] == "FAILURE", "\(unreached.body.text())")
        #expect(unreached.body["response"]?["gatewayCode"] == "ACQUIRER_SYSTEM_ERROR")
        let after = try await CliTool.pomona(["ledger", "check", "--data", data, "--json"])
        #expect(try sums(after.json()) == sums(own.json()))
        #expect(await shop.stop() == 0)
        let log = shop.log
        #expect(!log.contains(password) && !log.contains(held["password"]?.string ?? "?"))
    }
}
