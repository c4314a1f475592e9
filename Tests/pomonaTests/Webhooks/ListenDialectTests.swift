//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import Clients
import DialectKit
import Foundation
import HTTPTypes
import Money
import Storefront
import StrictJSON
import SwiftASN1
import Synchronization
import Testing
import Time
import WalletSimulator
import X509

@testable import pomona

/// A sandbox, the listener and a shop, each a server of its own: what the gateway sends comes to the shop byte by byte,
/// and what the shop answers comes to the gateway.
@Suite("pomona webhooks listen, in every dialect", .serialized)
struct ListenDialectTests {
    /// A merchant's own server: knows its dialect and its secrets, and answers as it should.
    private struct Reader: Sendable {
        let account: ShopAccount
        let secret: String
    }

    @Test func webhooksOfEveryDialectComeToTheShopAndItsAnswersToTheGateway() async throws {
        let sandbox = try await CliSandbox.copy()
        let readers = Mutex<[String: Reader]>([:])
        let stub = ShopStub { request in
            let reader = Self.dialect(of: request).flatMap { name in readers.withLock { $0[name] } }
            guard let reader, Self.isSigned(request, by: reader.secret) else { return .init(status: 401) }
            let webhook = WireRequest(
                method: .post, path: "/hooks", headers: request.headers, body: request.body)
            let reading = reader.account.client.read(webhook)
            guard reading.isGenuine != false else { return .init(status: 403) }
            let answer = reading.acknowledgement
            return .init(
                status: answer.status.code, contentType: answer.headers[.contentType], body: answer.body)
        }
        try await stub.run { url in
            let listen = try await ListenProcess(["--data", sandbox.data, "--forward-to", "\(url)/hooks", "--verbose"])
            let address = "\(listen.url)/hooks"
            let server = try await SandboxProcess(
                data: sandbox.data,
                arguments: ["--port", "0", "--tls-port", "0", "--no-shop", "--notify-url", address])
            let directory = DataDirectory(path: sandbox.data)
            var expectedCount = 0
            for (name, count) in [("alphapay", 1), ("commweb", 2), ("payone", 3), ("radial", 1), ("tappay", 1)] {
                let card = try directory.loadMerchant(name)
                let account = try #require(try card.shopAccount(.system))
                let secret = try card.value(MerchantCard.webhookSecretName)
                #expect(server.ready["merchants"]?[name]?["webhookSecret"]?.string == secret)
                readers.withLock { $0[name] = Reader(account: account, secret: secret) }
                try await Self.pay(account, card, directory, server.http, notifyURL: address)
                expectedCount += count
            }
            var reported: [JSON] = []
            for await line in listen.lines {
                reported.append(line)
                if reported.count == expectedCount { break }
            }
            try Self.expect(reported, sandbox.data)
            // The shop's answers have come to the gateway: nothing waits to be sent again.
            try await Self.allDelivered(reported, sandbox)
            #expect(stub.received.count == expectedCount)
            #expect(await listen.stop() == 0)
            #expect(await server.stop() == 0)
        }
    }

    private static func expect(_ reported: [JSON], _ data: String) throws {
        let dialects = reported.compactMap { $0["dialect"]?.string }
        #expect(Set(dialects) == ["alphapay", "commweb", "payone", "radial", "tappay"])
        for line in reported {
            #expect(line["signature"]?.string == "valid", "\(line.text())")
            #expect(line["merchant"] == line["dialect"])
            #expect(line["attempt"]?.integer == 1 && line["answered"]?.integer == 200)
            #expect(line["forward"]?["status"]?.integer == 200)
            #expect(line["payment"]?.string?.hasPrefix("pay_") == true && line["kind"]?.string != nil)
            #expect(line["path"]?.string == "/hooks")
        }
        let payone = reported.filter { $0["dialect"]?.string == "payone" }.compactMap { $0["event"]?.string }
        #expect(payone.contains { $0.hasSuffix("-2") } && Set(payone).count == 3)
        // What whoever reads this could speak for the gateway with is left out.
        let card = try DataDirectory(path: data).loadMerchant("commweb")
        let text = reported.map { $0.text() }.joined()
        for secret in [try card.value("webhookSecret"), try card.value("notificationSecret")] {
            #expect(!text.contains(secret))
        }
        #expect(text.contains("key=[redacted]") && text.contains("txaction=paid"))
    }

    // MARK: -

    private static func dialect(of request: ShopStub.Received) -> String? {
        ReceivedWebhook(
            receivedAt: .now(), method: "POST", target: request.path,
            headers: request.headers.map { .init($0.name.rawName, $0.value) }, body: request.body
        ).dialect
    }

    /// By the document's own code.
    private static func isSigned(_ request: ShopStub.Received, by secret: String) -> Bool {
        verifyPomona(
            body: Data(request.body), eventID: request.header("Pomona-Event-Id") ?? "",
            signature: request.header("Pomona-Signature") ?? "", secret: secret)
    }

    private static func pay(
        _ account: ShopAccount, _ card: MerchantCard, _ directory: DataDirectory, _ url: String, notifyURL: String
    ) async throws {
        let wire = ShopWire.http(HTTPClient.shared) { () throws(ShopWireError) in url }
        let text = account.currency.exponent == 0 ? "350" : "35.00"
        let amount = try Money(decimalText: text, currency: account.currency)
        let certificate = try Certificate(
            pemEncoded: String(contentsOfFile: card.processingCertificatePath, encoding: .utf8))
        let token = try SimulatedDevice(authority: try directory.loadAuthority()).mint(
            PaymentRequest(
                merchantIdentifier: card.merchantIdentifier, amountMinorUnits: amount.minorUnits,
                currencyCode: amount.currency.numericText),
            card: .visa, recipient: try ProcessingPublicKey(certificate: certificate), signingTime: .now)
        var purchase = Purchase(
            reference: "L" + UUID().uuidString.filter { $0 != "-" }.prefix(15), amount: amount, summary: "One apple",
            countryCode: card.countryCode, notifyURL: notifyURL)
        let authorized = try await account.client.authorize(
            &purchase, with: .token(token.paymentToken), on: wire)
        #expect(authorized.status == .approved, "\(card.name): \(authorized.message)")
        guard !account.client.capturesAtOnce else { return }
        let captured = try await account.client.capture(&purchase, on: wire)
        #expect(captured.status == .approved, "\(card.name): \(captured.message)")
    }

    /// As soon as the gateway has recorded all that were reported here.
    private static func allDelivered(_ reported: [JSON], _ sandbox: CliSandbox) async throws {
        let ids = Set(reported.compactMap { $0["event"]?.string.map { String($0.prefix { $0 != "-" }) } })
        for _ in 0..<50 {
            let list = try await CliTool.pomona([
                "webhooks", "list", "--state", "delivered", "--limit", "1000", "--json", "--data", sandbox.data,
            ]).json()
            if ids.isSubset(of: list["events"]?.array?.compactMap { $0["id"]?.string } ?? []) { return }
        }
        Issue.record("something is still to be sent")
    }
}
