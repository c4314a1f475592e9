//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Foundation
import Money
import Payments
import TestUpstream
import Testing
import Time

@testable import RadialUpstream

/// What is sent, word for word: Requests/*.json.
@Suite struct RequestTests {
    private static let golden = GoldenRequests(
        folder: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Requests"), masked: ["apikey"])

    private static let names: Set = [
        "authorize", "authorize-amount-jpy", "authorize-defaults", "authorize-details", "capture", "capture-final",
        "capture-no-reauthorization", "check", "confirm", "refund", "reverse", "sale-cancel", "sale-debit", "void",
    ]

    @Test func everyFileIsATests() { #expect(Self.golden.names == Self.names) }

    /// What one operation sends, where the answer ends it.
    private static func sent(
        settings: [String: String] = [:], _ request: AcquirerRequest
    ) async throws -> [StubRequest] {
        let script = TestReply.confirming(StubAnswer(status: 404, body: ""))
        return try await Bench.with(settings: settings, script: script) { acquirer, stub in
            _ = await acquirer.perform(preparing: request)
            return stub.requests
        }
    }

    @Test func authorize() async throws {
        let requests = try await Self.sent(Bench.request(.authorize(Bench.charge()), try Bench.money(3010)))
        try Self.golden.compare(requests, with: "authorize")
    }

    @Test func amountWithoutDecimals() async throws {
        let requests = try await Self.sent(Bench.request(.authorize(Bench.charge()), try Bench.money(3010, "JPY")))
        try Self.golden.compare(requests, with: "authorize-amount-jpy")
    }

    /// Markup, control characters, what is too long, and an address elsewhere for the goods.
    @Test func details() async throws {
        let details = ChargeDetails(
            orderReference: "ORDER-1234",
            customer: Customer(
                firstName: "Zoë <b>", lastName: "O'Neil & \"Sons\"\u{7}", email: "zoe@shop.example",
                phone: "+1 610 123 4567", ipAddress: "203.0.113.7"),
            billing: PostalAddress(
                company: "Shoes", lines: [String(repeating: "1 Main St ", count: 9), "2", "", "3", "4", "5"],
                city: "Sydney", mainDivision: "NSW",
                postalCode: "2000", countryCode: "AUS"),
            shipping: PostalAddress(
                firstName: "Bo", lastName: "Jones", phone: "+61 8 9876 5432", lines: ["2 High St", "Dock 4"],
                city: "Perth", countryCode: "AU"))
        let requests = try await Self.sent(
            Bench.request(.authorize(Bench.charge(details: details)), try Bench.money(3010)))
        try Self.golden.compare(requests, with: "authorize-details")
    }

    /// Of a shop that knows no more than a postal code and a country.
    @Test func defaultsFillWhatIsMissing() async throws {
        let details = ChargeDetails(billing: PostalAddress(postalCode: "19104", countryCode: "US"))
        let requests = try await Self.sent(
            settings: PayerTests.defaults,
            Bench.request(.authorize(Bench.charge(details: details)), try Bench.money(3010)))
        try Self.golden.compare(requests, with: "authorize-defaults")
    }

    @Test func followUps() async throws {
        let amount = try Bench.money(1250)
        let authorization = Bench.original(.authorization, try Bench.money(3010))
        for (name, action) in [
            ("capture", .capture(of: authorization, isFinal: false)),
            ("capture-final", .capture(of: authorization, isFinal: true)),
            ("refund", .refund(of: authorization, capture: nil)), ("void", .void(authorization)),
            ("reverse", .reverse(authorization)),
        ] as [(String, AcquirerRequest.Action)] {
            try Self.golden.compare(try await Self.sent(Bench.request(action, amount)), with: name)
        }
        let capture = Bench.request(.capture(of: authorization, isFinal: false), amount)
        let without = try await Self.sent(settings: ["reauthorize": "false"], capture)
        try Self.golden.compare(without, with: "capture-no-reauthorization")
    }

    /// What is asked after an authorization that nobody answered, and what is left of a sale.
    @Test func queries() async throws {
        let amount = try Bench.money(3010)
        let script: StubUpstream.Script = { _, _ in StubAnswer(status: 404, body: "") }
        for (name, noted) in [
            ("confirm", ["Standing": "unanswered"]),
            ("sale-debit", ["Standing": "approved", "FundsAvailable": "Success"]),
            ("sale-cancel", ["Refusal": "doNotHonor"]),
        ] {
            let requests = try await Bench.with(script: script) { acquirer, stub in
                _ = await acquirer.query(Bench.query(amount, isSale: name != "confirm", noted))
                return stub.requests
            }
            try Self.golden.compare(requests, with: name)
        }
    }

    @Test func check() async throws {
        let stub = try await StubUpstream { _, _ in StubAnswer(status: 404, body: "") }
        let client = Bench.client()
        _ = await RadialConnector(client: client).check(Bench.account(host: "http://127.0.0.1:\(stub.port)"))
        await client.shutdown()
        await stub.close()
        try Self.golden.compare(stub.requests, with: "check")
    }

    /// The service's limits, which the ids of this gateway must keep.
    @Test func namesFit() {
        #expect(Bench.orderID.utf8.count <= 20)
        #expect(Bench.operationID.shortName.utf8.count <= 20)
        let latest = Timestamp(seconds: 4_102_444_800).milliseconds
        for suffix in ["-funds", "-cancel", SaleContext.suffix, "-" + String(latest, radix: 36)] {
            #expect((Bench.operationID.text + suffix).utf8.count <= 40)
        }
    }
}
