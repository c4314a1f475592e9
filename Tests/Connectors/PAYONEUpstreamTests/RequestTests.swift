//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Foundation
import Money
import Payments
import Redaction
import Settings
import TestUpstream
import Testing

@testable import PAYONEUpstream

/// What is sent, word for word: Requests/*.json.
@Suite struct RequestTests {
    private static let golden = GoldenRequests(
        folder: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Requests"))

    /// What one operation sends, where nothing is answered that could be understood.
    private static func sent(
        settings: [String: String?] = [:], acceptor: CardAcceptor = CardAcceptor(), _ request: AcquirerRequest
    ) async throws -> [StubRequest] {
        try await Bench.with(settings: settings, acceptor: acceptor, answer: "") {
            acquirer, stub in
            _ = await acquirer.perform(request)
            return stub.requests
        }
    }

    private static let networks: [CardNetwork] = [
        .visa, .mastercard, .girocard, .amex, .discover, .jcb, .unionPay, .other,
    ]
    private static let everything = ChargeDetails(
        orderReference: "ORDER-1234", description: "Two pairs of shoes", statementDescriptor: "SHOES ONLINE",
        certainty: .estimated,
        customer: Customer(
            id: "customer-7", firstName: "Zoë", lastName: "Müller & Söhne", email: "zoe@shop.example",
            phone: "+49 431 12345", ipAddress: "203.0.113.7", userAgent: "Mozilla/5.0 (iPhone)"),
        billing: PostalAddress(
            company: "Schuhe GmbH", lines: ["Fraunhoferstraße 2-4", "Hinterhof", "2. Stock"], city: "Kiel",
            mainDivision: "SH", postalCode: "24118", countryCode: "DE"),
        shipping: PostalAddress(
            firstName: "Bo", lastName: "Jones", company: "Jones Inc", email: "bo@shop.example", phone: "+1 775 5550199",
            lines: ["2 High St", "Dock 4"], city: "Reno", mainDivision: "NV", postalCode: "89501", countryCode: "USA"))

    private static let names: Set = [
        "authorize-visa", "authorize-mastercard", "authorize-girocard", "authorize-amex", "authorize-discover",
        "authorize-jcb", "authorize-unionPay", "authorize-other",
        "sale", "authorize-details", "authorize-united-states",
        "authorize-descriptor", "authorize-md5", "authorize-jpy", "capture", "capture-final", "capture-of-the-rest",
        "capture-descriptor",
        "refund", "void", "reverse", "reverse-sale", "check",
    ]

    @Test func everyFileIsATests() { #expect(Self.golden.names == Self.names) }

    @Test(arguments: networks) func authorize(_ network: CardNetwork) async throws {
        let requests = try await Self.sent(Bench.authorize(Bench.money(1000), Bench.charge(network)))
        try Self.golden.compare(requests, with: "authorize-\(network.rawValue)")
    }

    @Test func operations() async throws {
        for (name, request) in Bench.operations(try Bench.money(1000))
        where name != "authorize" && name != "capture" {
            try Self.golden.compare(try await Self.sent(request), with: name)
        }
    }

    @Test func details() async throws {
        let requests = try await Self.sent(Bench.authorize(Bench.money(1000), Bench.charge(details: Self.everything)))
        try Self.golden.compare(requests, with: "authorize-details")
    }

    /// Countries with states need one; a country in three letters is the same in two.
    @Test func unitedStates() async throws {
        let details = ChargeDetails(
            customer: Customer(lastName: "Appleseed"),
            billing: PostalAddress(
                lines: ["1 Street"], city: "New York", mainDivision: "NY", postalCode: "10001", countryCode: "USA"))
        let requests = try await Self.sent(Bench.authorize(Bench.money(1000), Bench.charge(details: details)))
        try Self.golden.compare(requests, with: "authorize-united-states")
    }

    @Test func descriptorOfTheAccount() async throws {
        let requests = try await Self.sent(
            acceptor: CardAcceptor(descriptor: "THE SHOP"), Bench.authorize(Bench.money(1000)))
        try Self.golden.compare(requests, with: "authorize-descriptor")
    }

    @Test func keyAsMD5() async throws {
        let requests = try await Self.sent(settings: ["keyDigest": "md5"], Bench.authorize(Bench.money(1000)))
        try Self.golden.compare(requests, with: "authorize-md5")
    }

    @Test func amountWithoutDecimals() async throws {
        let requests = try await Self.sent(
            settings: ["currencies": "EUR, JPY"], Bench.authorize(Bench.money(1000, "JPY")))
        try Self.golden.compare(requests, with: "authorize-jpy")
    }

    @Test func captureOfAPart() async throws {
        let original = Bench.original(try Bench.money(1000))
        let requests = try await Self.sent(
            Bench.request(.capture(of: original, isFinal: false), Bench.money(600)))
        try Self.golden.compare(requests, with: "capture")
    }

    /// What the merchant says of the capture, and not what he said of the payment; in the order of the lines, and no longer
    /// than there is room.
    @Test func captureWithItsOwnText() async throws {
        let request = AcquirerRequest(
            operationID: Bench.operationID, paymentID: Bench.paymentID, merchantID: Bench.id(8),
            amount: try Bench.money(600), begunAt: Bench.at,
            action: .capture(of: Bench.original(try Bench.money(1000)), isFinal: false), ordinal: 2,
            statementDescriptor: "SHOES ONLINE\r\nPART 1 " + String(repeating: "x", count: 81))
        try Self.golden.compare(try await Self.sent(request), with: "capture-descriptor")
    }

    /// The second capture, which leaves nothing: the last one, though nobody has said so.
    @Test func captureOfTheRest() async throws {
        let original = Bench.original(try Bench.money(1000), captured: try Bench.money(600))
        let requests = try await Self.sent(
            Bench.request(.capture(of: original, isFinal: false), Bench.money(400), ordinal: 3))
        try Self.golden.compare(requests, with: "capture-of-the-rest")
    }

    @Test func check() async throws {
        let stub = try await StubUpstream { _, _ in Bench.answer("") }
        let client = Bench.client()
        _ = await PAYONEConnector(client: client).check(Bench.account(host: "http://127.0.0.1:\(stub.port)"))
        try Self.golden.compare(stub.requests, with: "check")
        await client.shutdown()
        await stub.close()
    }

    /// The mode is the account's, and no setting's.
    @Test(arguments: [(Mode.sandbox, "test"), (.live, "live")])
    func modeIsTheAccounts(_ mode: Mode, _ word: String) throws {
        let account = try PAYONEAccount(Bench.account(mode: mode))
        #expect(account.address.origin == "https://api.pay1.de")
        let body = account.keys.entries[0].client.call("capture", []).body.reveal()
        #expect(String(decoding: body, as: UTF8.self).split(separator: "&").contains("mode=\(word)"))
        #expect(!PAYONEAccount.settings.contains { $0.name == "mode" })
    }
}
