//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Payments
import SQLiteStore
import StrictJSON
import Testing

@testable import pomona

/// `pomona webhooks` beside a running gateway, with a merchant's server that takes what comes.
@Suite("pomona webhooks", .serialized)
struct CliWebhooksTests {
    /// The event was not recorded as delivered.
    private struct NotDelivered: Error {}

    @Test func deadEventsAreListedResentAndArrive() async throws {
        let sandbox = try await CliSandbox.copy()
        let server = try await SandboxProcess(data: sandbox.data)
        try await DemoInbox.withInbox { inbox, address in
            let shop = try Shop(url: server.http, data: sandbox.data)
            let payment = try await Self.paid(shop, notifyURL: "\(address)?secret=hush", sandbox)
            #expect(try await inbox.notifications(atLeast: 1).count == 1)
            let event = try await Self.delivered(payment, sandbox)
            #expect(event["host"]?.string == "127.0.0.1")
            #expect(event["payment"]?.string == payment)
            #expect(event["merchant"]?.string == "alphapay")
            #expect(event["dialect"]?.string == "alphapay")
            #expect(event["kind"]?.string == "authorizationSucceeded" || event["kind"]?.string == "captureSucceeded")
            #expect(event["attempts"]?.integer == 1)
            #expect(event["lastResult"]?.string == "http_200")
            let id = try #require(event["id"]?.string)
            let eventID = try #require(EventID(id))

            try await Self.markDead([eventID], sandbox)
            for arguments in [["--state", "dead"], ["--state", "dead", "--merchant", "alphapay"]] {
                let dead = try await Self.webhooks(["list"] + arguments, sandbox)
                #expect(try dead.json()["events"]?.array?.compactMap { $0["id"]?.string } == [id])
                #expect(!dead.stdout.contains("hush") && !dead.stdout.contains("notify"))
            }
            let people = try await CliTool.pomona(["webhooks", "list", "--state", "dead", "--data", sandbox.data])
            #expect(people.stdout.contains(id) && people.stdout.contains("127.0.0.1"))
            #expect(!people.stdout.contains("hush") && !people.stdout.contains("notify"))

            let other = try await Self.webhooks(["resend", "--dead", "--merchant", "commweb"], sandbox)
            #expect(try other.json()["resent"]?.array?.isEmpty == true)
            let resent = try await Self.webhooks(["resend", "--dead", "--merchant", "alphapay"], sandbox)
            #expect(try resent.json()["resent"]?.array?.compactMap(\.string) == [id])
            #expect(try await inbox.notifications(atLeast: 2).count == 2)
            _ = try await Self.delivered(payment, sandbox)

            // What was delivered goes out once more by its name.
            let again = try await CliTool.pomona(["webhooks", "resend", id, "--data", sandbox.data])
            #expect(again.exitCode == 0 && again.stdout.contains(id), "\(again.stdout)\(again.stderr)")
            #expect(try await inbox.notifications(atLeast: 3).count == 3)
        }
        #expect(await server.stop() == 0)
    }

    @Test func listIsTheNewestFirstAndSaysWhetherThereAreMore() async throws {
        let sandbox = try await CliSandbox.shared()
        let all = try await Self.webhooks(["list", "--limit", "1000"], sandbox).json()
        let ids = try #require(all["events"]?.array).compactMap { $0["id"]?.string }
        #expect(ids.count > 3)
        #expect(ids == ids.sorted(by: >))
        #expect(all["hasMore"]?.bool == false)
        let two = try await Self.webhooks(["list", "--limit", "2"], sandbox).json()
        #expect(two["events"]?.array?.compactMap { $0["id"]?.string } == Array(ids.prefix(2)))
        #expect(two["hasMore"]?.bool == true)
        let people = try await CliTool.pomona(["webhooks", "list", "--limit", "2", "--data", sandbox.data])
        #expect(people.stdout.contains("The newest 2."))
    }

    @Test(arguments: [
        (["list", "--merchant", "nobody"], "merchant_unknown"),
        (["list", "--payment", "pay_01KAJ4T5C8RZ0G3V7M2W9XQY4B"], "payment_unknown"),
        (["resend", "evt_01KAJ4T5C8RZ0G3V7M2W9XQY4B"], "event_unknown"),
        (["resend", "--dead", "--merchant", "nobody"], "merchant_unknown"),
    ])
    func refusesWhatTheStoreDoesNotKnow(_ arguments: [String], _ code: String) async throws {
        let sandbox = try await CliSandbox.copy()
        let result = try await Self.webhooks(arguments, sandbox)
        #expect(result.exitCode == 1)
        #expect(result.errorCode == code)
        #expect(result.errorStage == "store")
    }

    @Test func oneUnknownEventLeavesTheOthersAsTheyWere() async throws {
        let sandbox = try await CliSandbox.copy()
        let listed = try await Self.webhooks(["list"], sandbox)
        let id = try #require(try listed.json()["events"]?.array?.first?["id"]?.string)
        let result = try await Self.webhooks(["resend", id, "evt_01KAJ4T5C8RZ0G3V7M2W9XQY4B"], sandbox)
        #expect(result.errorCode == "event_unknown")
        #expect(try await Self.webhooks(["list"], sandbox).stdout == listed.stdout)
    }

    @Test(arguments: [
        ["resend"], ["resend", "--dead", "evt_01KAJ4T5C8RZ0G3V7M2W9XQY4B"], ["resend", "pay_1"],
        ["resend", "evt_01KAJ4T5C8RZ0G3V7M2W9XQY4B", "--merchant", "alphapay"], ["list", "--limit", "0"],
        ["list", "--limit", "1001"], ["list", "--payment", "evt_1"], ["list", "--state", "lost"],
    ])
    func refusesArgumentsThatMakeNoSense(_ arguments: [String]) async throws {
        let sandbox = try await CliSandbox.shared()
        #expect(try await Self.webhooks(arguments, sandbox).exitCode == 64)
    }

    // MARK: -

    private static func webhooks(_ arguments: [String], _ sandbox: CliSandbox) async throws -> CliResult {
        try await CliTool.pomona(["webhooks"] + arguments + ["--data", sandbox.data, "--json"])
    }

    /// Pays 10.99 CAD through AlphaPay.
    /// - Returns: the payment's id in the store.
    private static func paid(_ shop: Shop, notifyURL: String, _ sandbox: CliSandbox) async throws -> String {
        let ordered = try await shop.call(
            "apple-pay/preOrder",
            [
                "paymentRequestId": .string(UUID().uuidString),
                "merchantIdentifier": .string(shop.card.merchantIdentifier),
                "order": [
                    "orderAmount": ["value": "1099", "currency": "CAD"], "description": "Apples",
                    "notifyUrl": .string(notifyURL),
                ],
            ])
        let order = try #require(ordered["paymentId"]?.string, "\(ordered.text())")
        let answer = try await shop.pay(order, amount: 1099)
        #expect(answer["result"]?["resultStatus"]?.string == "S", "\(answer.text())")
        let shown = try await CliTool.pomona(["payments", "show", order, "--data", sandbox.data, "--json"]).json()
        return try #require(shown["id"]?.string)
    }

    /// The payment's one event, as soon as the gateway has recorded that it was taken.
    private static func delivered(_ payment: String, _ sandbox: CliSandbox) async throws -> JSON {
        for _ in 0..<50 {
            let listed = try await self.webhooks(["list", "--payment", payment, "--state", "delivered"], sandbox)
            if let event = try listed.json()["events"]?.array?.first { return event }
        }
        throw NotDelivered()
    }

    /// As if every try of the schedule had failed, which takes a day.
    private static func markDead(_ ids: [EventID], _ sandbox: CliSandbox) async throws {
        let store = try SQLiteStore.openBeside(path: sandbox.data + "/pomona.sqlite")
        try await store.write { transaction in
            for id in ids {
                guard var event = try transaction.event(id) else { continue }
                event.state = .dead
                event.lastResult = "http_500"
                try transaction.update(event)
            }
        }
        try await store.close()
    }
}
