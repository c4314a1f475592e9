//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import DialectConformance
import DialectKit
import HTTPTypes
import Money
import Payments
import SimulatorAcquirer
import TestGateway
import WalletSimulator

@testable import Radial

extension RadialDriver {
    var scenes: [TranscriptScene] { self.cards + self.followUps + self.lookups + self.faults + self.stores }

    /// Posts a document that the client does not write.
    private func post(_ operation: String, _ xml: String, in shop: DialectShop) async throws {
        try await shop.send(self.client(in: shop).call(operation, xml))
    }

    private func authorized(
        _ minorUnits: Int64, order: String = "1", key: String = "a1", in shop: DialectShop
    ) async throws -> ShopPayment {
        var payment = shop.payment(order)
        try await payment.make(shop.chargeAction(minorUnits), key: key)
        return payment
    }

    // MARK: - Cards

    private var cards: [TranscriptScene] {
        [
            TranscriptScene("seed-sample", "The vendor's request example with a new token.") { shop in
                let token = try shop.token(shop.money(1499))
                try await self.post("creditcard/auth/DW.xml", Sample.walletAuthorization(token), in: shop)
            },
            TranscriptScene("card-authorization", "Authorizations by card number, and the checks of address and code.")
            { shop in
                let pan = "4111111111111111"
                try await self.post("creditcard/auth/VC.xml", Sample.cardAuthorization(pan), in: shop)
                for (order, code, postalCode) in [("2", "000", "19019"), ("3", "737", "00000"), ("4", "000", "00000")] {
                    let body = Sample.cardAuthorization(
                        pan, code: code, amount: "57.57", order: order, request: "a\(order)")
                    try await self.post("creditcard/auth/VC.xml", body.replacing("19019", with: postalCode), in: shop)
                }
            },
            TranscriptScene("schema-versions", "Replies to clients of older schemas.") { shop in
                for (order, version) in [("1", "1.0"), ("2", "1.1"), ("3", "1.2")] {
                    let flags = "<SchemaVersion>\(version)</SchemaVersion>"
                    try await self.post(
                        "creditcard/auth/VC.xml",
                        Sample.cardAuthorization("4111111111111111", order: order, request: "a\(order)", flags: flags),
                        in: shop)
                }
            },
            TranscriptScene("wrong-cards", "Card numbers that are refused.") { shop in
                for (tender, pan) in [
                    ("VC", "4111111111111112"), ("MC", "4111111111111111"), ("PY", "4111111111111111"), ("VC", "4111"),
                ] {
                    try await self.post("creditcard/auth/\(tender).xml", Sample.cardAuthorization(pan), in: shop)
                }
                let token = Sample.cardAuthorization("4111110PASeK1111", isToken: "true")
                try await self.post("creditcard/auth/VC.xml", token, in: shop)
                let encrypted = Sample.cardAuthorization("4111111111111111").replacing(
                    "CardSecurityCode>", with: "EncryptedCardSecurityCode>")
                try await self.post("creditcard/auth/VC.xml", encrypted, in: shop)
            },
        ]
    }

    // MARK: - What follows an authorization

    private var followUps: [TranscriptScene] {
        [
            TranscriptScene("confirm-funds", "What is left of an authorization, before and after its settlement.") {
                shop in
                var payment = try await self.authorized(1499, in: shop)
                let confirm = try self.client(in: shop).confirmFunds(
                    payment.call(.query, key: "f1").followUp(shop.money(1499)), reauthorizes: true)
                try await shop.send(confirm)
                try await payment.make(.capture(shop.money(1499), isFinal: false), key: "s1")
                var again = confirm
                again.path = confirm.path.replacing("funds/confirm", with: "funds/confirm/async")
                try await shop.send(again)
            },
            TranscriptScene("repeated-settlement", "A settlement that is sent twice, and one with its requestId.") {
                shop in
                var payment = try await self.authorized(1499, in: shop)
                for minorUnits in [1000, 1000, 499] as [Int64] {
                    try await payment.make(.capture(shop.money(minorUnits), isFinal: false), key: "s1")
                }
            },
            TranscriptScene("cancel-events", "What the store is told of a cancellation and of one that is declined.") {
                shop in
                var first = try await self.authorized(1499, in: shop)
                try await first.make(.void, key: "c1")
                var second = try await self.authorized(1499, order: "2", key: "a2", in: shop)
                shop.test.script.append(.init(.reverse, .nth(1), fault: .decline(.invalidOperation)))
                try await second.make(.void, key: "c2")
                try await shop.deliverAll()
            },
            TranscriptScene("refused-settlements", "Settlements that can't be.") { shop in
                var payment = try await self.authorized(1499, in: shop)
                let settlements: [DialectCall.Action] = [
                    .refund(shop.money(100)), .capture(shop.money(1500), isFinal: false),
                    .capture(shop.money(500), isFinal: true), .capture(shop.money(100), isFinal: false),
                    .refund(shop.money(600)), .refund(shop.money(500)), .refund(shop.money(100)),
                ]
                for (index, settlement) in settlements.enumerated() {
                    try await payment.make(settlement, key: "s\(index + 1)")
                }
                try await payment.make(.void, key: "c1")
            },
            TranscriptScene("refused-cancellations", "Cancellations that can't be.") { shop in
                var payment = try await self.authorized(1499, in: shop)
                let part = payment.call(.void, key: "c1").followUp(shop.money(1000))
                try await shop.send(self.client(in: shop).void(part))
                for key in ["c2", "c3"] { try await payment.make(.void, key: key) }
                var declined = try await self.authorized(5757, order: "2", key: "a2", in: shop)
                try await declined.make(.capture(shop.money(5757), isFinal: false), key: "s1")
                var unknown = try await self.authorized(5858, order: "3", key: "a3", in: shop)
                try await unknown.make(.capture(shop.money(5858), isFinal: false), key: "s2")
                _ = try await self.authorized(1499, order: "3", key: "a4", in: shop)
            },
            TranscriptScene(
                "wrong-accounts", "Accounts that name no authorization, and tender types that are not the card's."
            ) { shop in
                var payment = try await self.authorized(1499, in: shop)
                let changes: [(inout FollowUpFields) -> Void] = [
                    { $0.handle[RadialClient.account] = "4111110PASeK1111" }, { $0.order = "2" },
                    { $0.handle[RadialClient.tenderType] = "DW" },
                    { $0.handle[RadialClient.account] = "4111111111111111" },
                ]
                for (index, change) in changes.enumerated() {
                    var settlement = payment.call(.query, key: "s\(index + 1)").followUp(shop.money(100))
                    change(&settlement)
                    var request = WireRequest(try self.client(in: shop).capture(settlement))
                    if index == 3 { request.replace("isToken=\"true\"", with: "isToken=\"false\"") }
                    await shop.send(request)
                }
            },
        ]
    }

    // MARK: - Lookups

    private var lookups: [TranscriptScene] {
        [
            TranscriptScene("tender-lookup", "The tender types of card numbers and tokens.") { shop in
                var payment = shop.payment("1")
                try await payment.charge(1499, card: .amex)
                try await shop.send(
                    self.client(in: shop).lookUpTender(
                        account: payment.handle[RadialClient.account] ?? "", currency: self.currency))
                for pan in ["5442981111111114", "4111111111111112", "1234567890123452"] {
                    try await self.post("tendertype/lookup.xml", Sample.tenderLookup(pan), in: shop)
                }
            },
            TranscriptScene("decrypt-blob-refused", "A store that may not have tokens decrypted.") { shop in
                let other = try await self.addMerchant(
                    to: shop.test, name: "second", certified: true, allowsDecryption: false)
                let token = try shop.token(shop.money(1499))
                try await self.post("decryptblob", Sample.decryptBlob(token, wraps: false), in: shop.at(other))
            },
        ]
    }

    // MARK: - Faults

    private var faults: [TranscriptScene] {
        [
            TranscriptScene("illegal-elements", "Elements that are missing, blank, misplaced or malformed.") { shop in
                let good = Sample.cardAuthorization("4111111111111111")
                for (part, replacement) in [
                    ("<OrderId>1</OrderId>", ""), ("Building 123", " "), ("208.247.73.130", "208.247.73.256"),
                    ("<SchemaVersion>1.2", "<SchemaVersion>v1"), (">50.00<", ">50.001<"), ("requestId=\"a1\"", ""),
                    ("<City>", "<District>Center City</District><City>"),
                ] {
                    try await self.post("creditcard/auth/VC.xml", good.replacing(part, with: replacement), in: shop)
                }
            },
            TranscriptScene("illegal-xml", "What is no XML, or more of it than is taken.") { shop in
                for body in ["", "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", "<a><b></a>", "<AckReply/>"] {
                    try await self.post("creditcard/auth/VC.xml", body, in: shop)
                }
                var json = WireRequest(self.client(in: shop).call("creditcard/auth/VC.xml", "{}"))
                json.headers[.contentType] = "application/json"
                await shop.send(json)
            },
            TranscriptScene("malformed-token", "A token whose parts are none.") { shop in
                var payment = shop.payment("1")
                var request = try await payment.request(shop.chargeAction(1499))
                request.replace("EC_v1", with: "EC_v9")
                await shop.send(request)
            },
            TranscriptScene("paid-order", "An order that has been authorized.") { shop in
                for key in ["a1", "a2"] { _ = try await self.authorized(1499, key: key, in: shop) }
            },
            TranscriptScene("failures", "Requests that did not arrive in full, took too long, or were too many.") {
                shop in
                let request = WireRequest(self.client(in: shop).call("creditcard/auth/VC.xml", ""))
                for failure in [WireFailure.bodyIncomplete, .timedOut, .overloaded] {
                    await shop.send(request, failing: failure)
                }
            },
        ]
    }

    // MARK: - Stores

    private var stores: [TranscriptScene] {
        [
            TranscriptScene("store-not-ready", "A store without a certificate.") { shop in
                let other = try await self.addMerchant(to: shop.test, name: "second", certified: false)
                var payment = shop.at(other).payment("1")
                try await payment.charge(shop.money(1499), try shop.token(shop.money(1499)))
            },
            TranscriptScene("tender-not-configured", "A store that takes Visa alone.") { shop in
                let other = try await self.addMerchant(
                    to: shop.test, name: "second", certified: true, allowedTenders: ["VC"])
                try await self.post(
                    "creditcard/auth/MC.xml", Sample.cardAuthorization("5442981111111114"), in: shop.at(other))
            },
        ]
    }
}

extension WireRequest {
    /// Spoils a request that was made.
    fileprivate mutating func replace(_ text: String, with other: String) {
        self.body = Array(String(decoding: self.body, as: UTF8.self).replacing(text, with: other).utf8)
    }
}
