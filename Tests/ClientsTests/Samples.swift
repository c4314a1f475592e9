//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import Foundation
import HTTPTypes
import Money
import Redaction
import StrictJSON
import Testing

/// What the tests of all languages ask for.
enum Samples {
    static let paymentData: JSON = [
        "version": "EC_v1", "data": "REFUQQ==", "signature": "U0lHTg==",
        "header": ["ephemeralPublicKey": "RVBI", "publicKeyHash": "SEFTSA==", "transactionId": "abcdef01"],
    ]
    static let token = SealedToken(
        token: [
            "paymentData": Samples.paymentData,
            "paymentMethod": ["displayName": "Visa 1234", "network": "Visa", "type": "debit"],
            "transactionIdentifier": "ABCDEF01",
        ])

    static func money(_ text: String = "10.99", _ currency: String = "USD") throws -> Money {
        try Money(decimalText: text, currency: #require(Currency.alphabetic(currency)))
    }

    static func charge(
        _ instrument: WireInstrument = .sealed(Samples.token), _ amount: Money? = nil
    ) throws -> ChargeFields {
        var charge = ChargeFields(
            order: "order-1", key: "order-1-1", amount: try amount ?? Samples.money(), instrument: instrument)
        charge.description = "Six <apples> & \"pears\""
        charge.customer.givenName = "Mei"
        charge.customer.familyName = "Lin"
        charge.customer.email = "mei@example.com"
        charge.customer.phone = "6101234567"
        var address = AddressFields()
        address.lines = ["123 Main St", "Floor 2"]
        address.city = "Philadelphia"
        address.region = "PA"
        address.postalCode = "19019"
        address.countryCode = "US"
        charge.billing = address
        charge.notifyURL = "https://shop.example/notify"
        return charge
    }

    static func followUp(_ handle: [String: String], _ amount: Money? = nil) throws -> FollowUpFields {
        FollowUpFields(
            order: "order-1", key: "order-1-2", ordinal: 1, amount: try amount ?? Samples.money(), handle: handle)
    }
}

extension ClientRequest {
    var json: JSON { get throws { try JSON.parse(self.body.reveal()) } }

    var text: String { String(decoding: self.body.reveal(), as: UTF8.self) }

    func header(_ name: String) -> String? { self.headers.first { $0.name == name }?.value.reveal() }

    /// The parameters of a form.
    var form: [String: String] {
        Dictionary(
            self.text.split(separator: "&").map { pair in
                let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    .map { String($0).removingPercentEncoding ?? "?" }
                return (halves[0], halves.count > 1 ? halves[1] : "")
            }, uniquingKeysWith: { "\($0) twice \($1)" })
    }
}

extension WireClient {
    /// The reading of an answer with that body.
    func reading(_ body: String, status: Int = 200) -> Reading {
        self.read(ClientReply(status: status, body: Array(body.utf8)), to: ClientRequest(.post, "/"))
    }

    func notice(_ body: String, headers: HTTPFields = HTTPFields(), path: String = "/notify") -> Notice {
        self.read(ClientNotification(path: path, headers: headers, body: Array(body.utf8)))
    }
}
