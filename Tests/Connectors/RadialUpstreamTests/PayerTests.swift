//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Redaction
import TestUpstream
import Testing

@testable import RadialUpstream

/// What the service demands of every authorization: what comes from the charge, what from the account, and what is
/// refused before anything is sent.
@Suite struct PayerTests {
    static let defaults = [
        "defaultFirstName": "Online", "defaultLastName": "Customer", "defaultPhone": "6105550100",
        "defaultEmail": "orders@shop.example", "defaultIPAddress": "192.0.2.7", "defaultLine1": "1 Shop Street",
        "defaultCity": "Philadelphia", "defaultMainDivision": "PA", "defaultPostalCode": "19019",
        "defaultCountry": "US",
    ]

    private static func outcome(
        _ charge: Charge, settings: [String: String] = [:]
    ) async throws -> (AcquirerOutcome, [StubRequest]) {
        let amount = try Bench.money(3010)
        let script: StubUpstream.Script = { _, _ in StubAnswer(status: 200, body: TestReply.Authorization().text) }
        return try await Bench.with(settings: settings, script: script) { acquirer, stub in
            (await acquirer.perform(Bench.request(.authorize(charge), amount)), stub.requests)
        }
    }

    private static func details(_ change: (inout ChargeDetails) -> Void) -> ChargeDetails {
        var details = ChargeDetails(customer: Bench.customer, billing: Bench.billing)
        change(&details)
        return details
    }

    private static let incomplete: [(String, ChargeDetails)] = [
        ("customer_name_missing", Self.details { $0.customer.firstName = nil }),
        ("customer_name_missing", Self.details { $0.customer.lastName = " " }),
        ("customer_phone_missing", Self.details { $0.customer.phone = nil }),
        ("customer_email_missing", Self.details { $0.customer.email = nil }),
        ("customer_email_missing", Self.details { $0.customer.email = "nobody" }),
        (
            "customer_email_missing",
            Self.details { $0.customer.email = String(repeating: "a", count: 60) + "@shop.example" }
        ),
        ("customer_ipv4_address_missing", Self.details { $0.customer.ipAddress = nil }),
        ("customer_ipv4_address_missing", Self.details { $0.customer.ipAddress = "2001:db8::7" }),
        ("customer_ipv4_address_missing", Self.details { $0.customer.ipAddress = "203.0.113.256" }),
        ("customer_ipv4_address_missing", Self.details { $0.customer.ipAddress = "203.0.113.007" }),
        ("billing_address_missing", Self.details { $0.billing = nil }),
        ("billing_address_missing", Self.details { $0.billing?.lines = [""] }),
        ("billing_address_missing", Self.details { $0.billing?.city = nil }),
        ("billing_address_missing", Self.details { $0.billing?.countryCode = "XX" }),
    ]

    @Test(arguments: incomplete)
    func refusesWhatNobodyKnowsBeforeSending(_ word: String, _ details: ChargeDetails) async throws {
        let (outcome, requests) = try await Self.outcome(Bench.charge(details: details))
        #expect(outcome == .notProcessed(NotProcessed(.requestRefused, word)))
        #expect(requests.isEmpty)
    }

    @Test(arguments: incomplete.map(\.1))
    func takesDefaultsOfTheAccount(_ details: ChargeDetails) async throws {
        let (outcome, requests) = try await Self.outcome(Bench.charge(details: details), settings: Self.defaults)
        guard case .approved = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(requests.count == 1)
    }

    /// No postal code of the account beside a street of the customer's.
    @Test func defaultsOfAnAddressAreNotMixedWithACustomers() async throws {
        let details = Self.details { $0.billing = PostalAddress(lines: ["9 Side St"], city: "Reno", countryCode: "US") }
        let (_, requests) = try await Self.outcome(Bench.charge(details: details), settings: Self.defaults)
        let text = requests[0].text
        #expect(
            text.contains("<Line1>9 Side St</Line1><City>Reno</City><CountryCode>US</CountryCode></BillingAddress>"))
    }

    @Test(arguments: ["RSA_v1", "EC_v2", ""])
    func refusesTokensThatHaveNoElements(_ version: String) async throws {
        let (outcome, requests) = try await Self.outcome(Bench.charge(version: version))
        #expect(outcome == .notProcessed(NotProcessed(.requestRefused, "token_version_not_taken")))
        #expect(requests.isEmpty)
    }

    @Test func refusesOpenedTokens() async throws {
        let token = NetworkToken(
            pan: Redacted("4005519200000004"), expiryYearMonth: "3901", proof: .cryptogram(Redacted([1])), eci: nil)
        let charge = Charge(
            instrument: .networkToken(token), network: .visa,
            details: ChargeDetails(customer: Bench.customer, billing: Bench.billing))
        let (outcome, requests) = try await Self.outcome(charge)
        #expect(outcome == .notProcessed(NotProcessed(.requestRefused, "instrument_not_taken")))
        #expect(requests.isEmpty)
    }
}
