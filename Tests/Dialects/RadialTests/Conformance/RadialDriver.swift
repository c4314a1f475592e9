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
import Redaction
import StrictJSON
import TestGateway

@testable import Radial

/// Radial's Payment Service as the suite of all dialects drives it.
struct RadialDriver: DialectDriver {
    let lacks: [DialectCapability: String] = [
        .sale: "an authorization is settled by a call of its own",
        .query: "there is no call that asks; the same request again, and ConfirmFunds, say how it stands",
        .queryTotals: "there is no call that asks",
        .notificationProof: "an event is neither signed nor has a secret in it",
    ]
    let currency: Currency
    let foreignCurrency: Currency

    init() {
        guard let american = Currency.alphabetic("USD"), let canadian = Currency.alphabetic("CAD") else {
            preconditionFailure("ISO 4217 has USD and CAD")
        }
        self.currency = american
        self.foreignCurrency = canadian
    }

    func makeDialect(_ gateway: Gateway, limits: CallerLimits) -> any Dialect {
        Radial(gateway: gateway, limits: limits)
    }

    func withoutTime(_ body: [UInt8]) -> [UInt8] {
        Array(String(decoding: body, as: UTF8.self).replacing(/<CreateTimestamp>[^<]*/, with: "").utf8)
    }

    func addMerchant(to test: TestGateway, name: String) async throws -> TestMerchant {
        try await self.addMerchant(to: test, name: name, certified: true)
    }

    func addMerchant(
        to test: TestGateway, name: String, certified: Bool, allowsDecryption: Bool = true,
        allowedTenders: [String]? = nil, acquirer: String? = "simulator"
    ) async throws -> TestMerchant {
        let draft = Radial.accountDraft(
            apiKey: Redacted(Self.apiKey(of: Self.store(name))), webhookURL: "https://\(name).example/radial",
            allowedTenders: allowedTenders,
            allowsDecryption: allowsDecryption)
        return try await test.addMerchant(
            dialect: Radial.dialectName, key: Self.store(name), settings: draft.settings, secrets: draft.secrets,
            certified: certified, merchantIdentifier: "merchant.com.example.\(name)", acquirer: acquirer,
            countryCode: "US")
    }

    static func store(_ name: String) -> String { name == "shop" ? RadialShop.storeID : name.uppercased() }

    static func apiKey(of store: String) -> String { "2ab1c7d4e5f60718293a4b5c6d7e8f90-\(store.lowercased())" }

    // MARK: - Calls

    func client(in shop: DialectShop) -> RadialClient {
        RadialClient(
            RadialClient.Credentials(
                storeID: shop.merchant.key, apiKey: Redacted(Self.apiKey(of: shop.merchant.key))))
    }

    /// The customer of the vendor's example.
    func complete(_ charge: inout ChargeFields) {
        charge.customer.givenName = "John"
        charge.customer.familyName = "Smith"
        charge.customer.email = "customer@sample.com"
        charge.customer.phone = "6101234567"
        charge.customer.ipAddress = "208.247.73.130"
        var address = AddressFields()
        address.lines = ["123 Main St", "Building 123", "4th Floor", "Apt 12"]
        address.city = "Philadelphia"
        address.region = "PA"
        address.postalCode = "19019"
        address.countryCode = "US"
        charge.billing = address
        charge.extra = [ExtraField("Features/IncludePaymentAccountInformation", "true")]
    }

    func read(
        _ response: WireResponse, to request: WireRequest, of call: DialectCall?, in shop: DialectShop
    ) throws -> DialectAnswer {
        let root = try Reply(response).root
        let answer = try DialectAnswer(shop.read(response, to: request), of: call)
        let status = root.name == "Fault" ? FaultCode(rawValue: answer.code)?.status : .ok
        guard response.status == status else { throw ShapeBroken("a \(root.name) with another status") }
        guard root.name != "Fault" || root.children.map(\.name) == ["CreateTimestamp", "Code", "Description"] else {
            throw ShapeBroken("a Fault without its parts")
        }
        return answer
    }

    // MARK: - Wrong requests

    func withWrongCredentials(_ request: WireRequest, in shop: DialectShop) throws -> [NamedRequest] {
        let changed = { (name: String, change: (inout WireRequest) -> Void) in
            var wrong = request
            change(&wrong)
            return NamedRequest(name, wrong)
        }
        return [
            changed("no key") { $0.headers[.apiKey] = nil },
            changed("a wrong key") { $0.headers[.apiKey] = "2ab1c7d4e5f60718293a4b5c6d7e8f91" },
            changed("an unknown store") { $0.path = $0.path.replacing(shop.merchant.key, with: "NOBODY") },
        ]
    }

    var unknownPaths: [String] {
        ["/v1.0", "/v1.0/stores/TMSUS/payments", "/v1.1/stores/TMSUS/payments/storedvalue/balance"].map {
            $0 + "/nothing"
        }
            + ["/v1.0/stores/TMSUS/payments/creditcard/auth"]
    }

    let unknownMethods: [HTTPRequest.Method] = [.get, .put, .delete, .patch]

    func discloses(_ request: WireRequest) -> Bool { request.path.contains("/decryptblob") }
}
