//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import DialectConformance
import DialectKit
import Gateway
import HTTPTypes
import Money
import Payments
import Redaction
import StrictJSON
import TestGateway

@testable import TapPay

/// TapPay as the suite of all dialects drives it: an app that makes a prime of the token, and a server that pays with
/// it. In US cents, so that every amount of the suite is one of the wire's.
struct TapPayDriver: DialectDriver {
    let lacks: [DialectCapability: String] = [
        .sale: "a trade is authorized, and captured later that day, or by cap",
        .partialCapture: "cap captures all of a trade",
        .captureAmount: "cap takes no amount",
        .voidOfItsOwn: "refund without an amount takes the authorization back, and after the capture refunds it",
        .retryAfterDecline: "an order_number may be repeated and holds nothing together",
    ]
    let currency: Currency
    let foreignCurrency: Currency
    let taiwanDollar: Currency

    init() {
        guard let american = Currency.alphabetic("USD"), let hongKongs = Currency.alphabetic("HKD"),
            let taiwanese = Currency.alphabetic("TWD")
        else { preconditionFailure("ISO 4217 has USD, HKD and TWD") }
        self.currency = american
        self.foreignCurrency = hongKongs
        self.taiwanDollar = taiwanese
    }

    func makeDialect(_ gateway: Gateway, limits: CallerLimits) -> any Dialect {
        TapPay(gateway: gateway, limits: limits)
    }

    func addMerchant(to test: TestGateway, name: String) async throws -> TestMerchant {
        try await BackEndShop.addMerchant(
            to: test, appID: name == "shop" ? 12345 : 54321,
            merchantID: Self.merchantID(appID: name == "shop" ? 12345 : 54321),
            merchantIdentifier: "merchant.com.example.\(name)")
    }

    static func merchantID(appID: Int) -> String { appID == 12345 ? BackEndShop.merchantID : "Other_CTBC" }

    // MARK: - Calls

    func client(in shop: DialectShop) -> TapPayClient {
        let appID = Int(shop.merchant.key) ?? 0
        var credentials = TapPayClient.Credentials(
            appID: appID, appKey: Redacted(BackEndShop.appKey(appID)),
            partnerKey: Redacted(BackEndShop.partnerKey(appID)), merchantID: Self.merchantID(appID: appID),
            merchantIdentifier: shop.merchant.merchantIdentifier)
        credentials.appName = "shop.example"
        return TapPayClient(credentials)
    }

    /// As a shop that says nothing of it, it has the trade captured in the evening.
    func complete(_ charge: inout ChargeFields) {
        charge.capturesAtOnce = true
        charge.description = "Six apples"
        charge.customer.givenName = "Lin"
        charge.customer.familyName = "Mei"
        charge.customer.email = "mei@example.com"
        charge.customer.phone = "+886912345678"
    }

    /// A token that is refused leaves the server with a prime that nobody has made.
    func take(_ preparation: Reading, into charge: inout ChargeFields, in shop: DialectShop) {
        let mode = shop.merchant.merchant.mode == .sandbox ? "test_" : "prod_"
        charge.instrument =
            preparation.instrument ?? .prime(Redacted(mode + String(repeating: "f", count: 56)))
    }

    func read(
        _ response: WireResponse, to request: WireRequest, of call: DialectCall?, in shop: DialectShop
    ) throws -> DialectAnswer {
        let reading = try shop.read(response, to: request)
        guard response.headers[.contentType] == "application/json; charset=utf-8",
            let code = Int(reading.code).flatMap(TapPayCode.init(rawValue:)), reading["msg"] == code.message
        else { throw ShapeBroken("the answer says no JSON, or has no status of the table with its msg") }
        // The vendor's clients read the body of no other than 200.
        guard call == nil || response.status == .ok else { throw ShapeBroken("an answer to a call has status 200") }
        if case .query = call?.action { return try self.readTrade(reading, of: call) }
        var answer = try DialectAnswer(reading, of: call)
        if Self.declines.contains(reading.code) { answer.verdict = .declined }
        // A trade was made, whose token the bank does not take: no refusal of this gateway's.
        if reading.code == "\(TapPayCode.invalidPrime.rawValue)", !(reading["rec_trade_id"] ?? "").isEmpty {
            answer.verdict = .declined
        }
        return answer
    }

    /// What this gateway says of a decline alone (docs/dialects/tappay.md), and a client cannot be sure of.
    private static let declines: Set = ["422", "10006", "10008", "10013"]

    private func readTrade(_ reading: Reading, of call: DialectCall?) throws -> DialectAnswer {
        // Another merchant's trade is no trade.
        guard let record = reading.body.json?["trade_records"]?.array?.first else {
            return DialectAnswer(.refused, code: reading.code)
        }
        guard reading.code == "2", let isCaptured = record["is_captured"]?.bool,
            let original = record["original_amount"]?.integer, let refunded = record["refunded_amount"]?.integer,
            record["amount"]?.integer == original - refunded
        else { throw ShapeBroken("a record's amounts don't add up") }
        var answer = try DialectAnswer(reading, of: call)
        // What was taken back before its capture has come to nothing.
        if record["record_status"]?.integer == 3, !isCaptured { answer.verdict = .declined }
        answer.captured = reading.captured ?? .zero(self.currency)
        answer.refunded = isCaptured ? reading.refunded : .zero(self.currency)
        return answer
    }

    /// A request with other fields in its body.
    func changed(_ request: WireRequest, _ change: (inout JSONObject) -> Void) throws -> WireRequest {
        guard var object = try JSON.parse(request.body).object else { throw ShapeBroken("the request is no object") }
        change(&object)
        var request = request
        request.body = JSON.object(object).serialized()
        return request
    }

    // MARK: - Wrong requests

    func withWrongCredentials(_ request: WireRequest, in shop: DialectShop) throws -> [NamedRequest] {
        func with(_ name: String, header: String?, body: String?) throws -> NamedRequest {
            var request = try self.changed(request) { $0["partner_key"] = body.map(JSON.string) }
            request.headers[.apiKey] = header
            return NamedRequest(name, request)
        }
        let good = BackEndShop.partnerKey(Int(shop.merchant.key) ?? 0)
        let unknown = "partner_nobody"
        return try [
            with("no partner key", header: nil, body: nil), with("empty keys", header: "", body: ""),
            with("an unknown partner key", header: unknown, body: unknown),
            with("an unknown partner key in the body", header: good, body: unknown),
            with("an unknown partner key in the header", header: unknown, body: good),
            with("the app key", header: BackEndShop.appKey(12345), body: BackEndShop.appKey(12345)),
        ]
    }

    func conflicting(
        with request: WireRequest, of call: DialectCall, in shop: DialectShop
    ) async throws -> [NamedRequest] {
        guard let units = try JSON.parse(request.body)["amount"]?.integer else { return [] }
        return [NamedRequest("another amount", try self.changed(request) { $0["amount"] = JSON(units + 1) })]
    }

    /// A prime says which mode it is of.
    func crossed(_ request: WireRequest, in shop: DialectShop) throws -> [NamedRequest] {
        guard let prime = try JSON.parse(request.body)["prime"]?.string else { return [] }
        let other = prime.hasPrefix("test_") ? "prod_" : "test_"
        return [
            NamedRequest(
                "a prime of the other mode",
                try self.changed(request) { $0["prime"] = .string(other + prime.dropFirst(5)) })
        ]
    }

    let unknownPaths = ["/tpc/nothing", "/tpc/payment/pay-by-prime/", "/tpc/transaction/REFUND", "/tpc"]
    let unknownMethods: [HTTPRequest.Method] = [.get, .put, .delete, .patch]

    // MARK: - Transcripts

    var placeholders: [TranscriptPlaceholder] {
        [
            TranscriptPlaceholder("trade", "(?:D|TP)([0-9]{8}[A-HJ-NP-Za-km-z2-9]{10})"),
            TranscriptPlaceholder("refund", "RF([0-9]{8}[A-HJ-NP-Za-km-z2-9]{10})"),
            TranscriptPlaceholder("prime", "(?:test|prod)_([0-9a-f]{56})"),
            TranscriptPlaceholder("signature", "v1=([0-9a-f]{64})"),
            TranscriptPlaceholder("card", "\"card_identifier\":\"([0-9a-f]{32})\""),
        ]
    }
}
