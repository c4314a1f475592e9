//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

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

    @discardableResult
    private static func say(
        _ path: String, _ body: String, in shop: DialectShop, change: (inout WireRequest) -> Void = { _ in }
    ) async throws -> XMLElement {
        var request = self.request(path, body, in: shop)
        change(&request)
        return try XMLReader.read(await shop.send(request).body)
    }

    /// Authorizes with Apple Pay; the token of the reply.
    @discardableResult
    private static func authorize(
        _ minorUnits: Int64, order: String = "1", request: String = "a1", card: SimulatedCard = .visa,
        in shop: DialectShop
    ) async throws -> String {
        let token = try shop.token(shop.money(minorUnits), card: card)
        let reply = try await self.say(
            "creditcard/auth/DW.xml", Sample.walletAuthorization(token, order: order, request: request), in: shop)
        return reply.descendant("PaymentContext/PaymentAccountUniqueId")?.text ?? ""
    }

    private static func settle(
        _ token: String, _ amount: String, _ request: String, kind: String = "Debit", isFinal: String = "",
        order: String = "1", tender: String = "VC", in shop: DialectShop
    ) async throws {
        try await self.say(
            "settlement/create/\(tender).xml",
            Sample.settlement(token, amount, kind, order: order, request: request, isFinal: isFinal), in: shop)
    }

    // MARK: - Cards

    private var cards: [TranscriptScene] {
        [
            TranscriptScene("seed-sample", "The vendor's request example with a new token.") { shop in
                try await Self.authorize(1499, request: "1234567", in: shop)
            },
            TranscriptScene("card-authorization", "Authorizations by card number, and the checks of address and code.")
            { shop in
                let pan = "4111111111111111"
                try await Self.say("creditcard/auth/VC.xml", Sample.cardAuthorization(pan), in: shop)
                for (order, code, postalCode) in [("2", "000", "19019"), ("3", "737", "00000"), ("4", "000", "00000")] {
                    let body = Sample.cardAuthorization(
                        pan, code: code, amount: "57.57", order: order, request: "a\(order)")
                    try await Self.say(
                        "creditcard/auth/VC.xml", body.replacing("19019", with: postalCode), in: shop)
                }
            },
            TranscriptScene("schema-versions", "Replies to clients of older schemas.") { shop in
                for (order, version) in [("1", "1.0"), ("2", "1.1"), ("3", "1.2")] {
                    let flags = "<SchemaVersion>\(version)</SchemaVersion>"
                    try await Self.say(
                        "creditcard/auth/VC.xml",
                        Sample.cardAuthorization("4111111111111111", order: order, request: "a\(order)", flags: flags),
                        in: shop)
                }
            },
            TranscriptScene("wrong-cards", "Card numbers that are refused.") { shop in
                for (tender, pan) in [
                    ("VC", "4111111111111112"), ("MC", "4111111111111111"), ("PY", "4111111111111111"), ("VC", "4111"),
                ] {
                    try await Self.say("creditcard/auth/\(tender).xml", Sample.cardAuthorization(pan), in: shop)
                }
                let token = Sample.cardAuthorization("4111110PASeK1111", isToken: "true")
                try await Self.say("creditcard/auth/VC.xml", token, in: shop)
                let encrypted = Sample.cardAuthorization("4111111111111111").replacing(
                    "CardSecurityCode>", with: "EncryptedCardSecurityCode>")
                try await Self.say("creditcard/auth/VC.xml", encrypted, in: shop)
            },
        ]
    }

    // MARK: - What follows an authorization

    private var followUps: [TranscriptScene] {
        [
            TranscriptScene("confirm-funds", "What is left of an authorization, before and after its settlement.") {
                shop in
                let token = try await Self.authorize(1499, in: shop)
                let body = Sample.confirmFunds(token, "14.99", request: "f1")
                try await Self.say("funds/confirm/VC.xml", body, in: shop)
                try await Self.settle(token, "14.99", "s1", in: shop)
                try await Self.say("funds/confirm/async/VC.xml", body, in: shop)
            },
            TranscriptScene("repeated-settlement", "A settlement that is sent twice, and one with its requestId.") {
                shop in
                let token = try await Self.authorize(1499, in: shop)
                for amount in ["10.00", "10.00", "4.99"] { try await Self.settle(token, amount, "s1", in: shop) }
            },
            TranscriptScene("cancel-events", "What the store is told of a cancellation and of one that is declined.") {
                shop in
                let first = try await Self.authorize(1499, in: shop)
                try await Self.say("auth/cancel/VC.xml", Sample.cancel(first, "14.99", request: "c1"), in: shop)
                let second = try await Self.authorize(1499, order: "2", request: "a2", in: shop)
                shop.test.script.append(.init(.reverse, .nth(1), fault: .decline(.invalidOperation)))
                try await Self.say(
                    "auth/cancel/VC.xml", Sample.cancel(second, "14.99", order: "2", request: "c2"), in: shop)
                try await shop.deliverAll()
            },
            TranscriptScene("refused-settlements", "Settlements that can't be.") { shop in
                let token = try await Self.authorize(1499, in: shop)
                try await Self.settle(token, "1.00", "s1", kind: "Credit", in: shop)
                try await Self.settle(token, "15.00", "s2", in: shop)
                try await Self.settle(token, "5.00", "s3", isFinal: "1", in: shop)
                try await Self.settle(token, "1.00", "s4", in: shop)
                try await Self.settle(token, "6.00", "s5", kind: "Credit", in: shop)
                try await Self.settle(token, "5.00", "s6", kind: "Credit", in: shop)
                try await Self.settle(token, "1.00", "s7", kind: "Credit", in: shop)
                try await Self.say("auth/cancel/VC.xml", Sample.cancel(token, "14.99", request: "c1"), in: shop)
            },
            TranscriptScene("refused-cancellations", "Cancellations that can't be.") { shop in
                let token = try await Self.authorize(1499, in: shop)
                for (amount, request) in [("10.00", "c1"), ("14.99", "c2"), ("14.99", "c3")] {
                    try await Self.say("auth/cancel/VC.xml", Sample.cancel(token, amount, request: request), in: shop)
                }
                let declined = try await Self.authorize(5757, order: "2", request: "a2", in: shop)
                try await Self.settle(declined, "57.57", "s1", order: "2", in: shop)
                let unknown = try await Self.authorize(5858, order: "3", request: "a3", in: shop)
                try await Self.settle(unknown, "58.58", "s2", order: "3", in: shop)
                try await Self.authorize(1499, order: "3", request: "a4", in: shop)
            },
            TranscriptScene(
                "wrong-accounts", "Accounts that name no authorization, and tender types that are not the card's."
            ) { shop in
                let token = try await Self.authorize(1499, in: shop)
                try await Self.settle("4111110PASeK1111", "1.00", "s1", in: shop)
                try await Self.settle(token, "1.00", "s2", order: "2", in: shop)
                try await Self.settle(token, "1.00", "s3", tender: "DW", in: shop)
                let raw = Sample.settlement("4111111111111111", "1.00", request: "s4").replacing(
                    "\"true\"", with: "\"false\"")
                try await Self.say("settlement/create/VC.xml", raw, in: shop)
            },
        ]
    }

    // MARK: - Lookups

    private var lookups: [TranscriptScene] {
        [
            TranscriptScene("tender-lookup", "The tender types of card numbers and tokens.") { shop in
                let token = try await Self.authorize(1499, card: .amex, in: shop)
                try await Self.say("tendertype/lookup.xml", Sample.tenderLookup(token, isToken: "true"), in: shop)
                for pan in ["5442981111111114", "4111111111111112", "1234567890123452"] {
                    try await Self.say("tendertype/lookup.xml", Sample.tenderLookup(pan), in: shop)
                }
            },
            TranscriptScene("decrypt-blob-refused", "A store that may not have tokens decrypted.") { shop in
                let other = try await self.addMerchant(
                    to: shop.test, name: "second", certified: true, allowsDecryption: false)
                let token = try shop.token(shop.money(1499))
                try await Self.say("decryptblob", Sample.decryptBlob(token, wraps: false), in: shop.at(other))
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
                    try await Self.say("creditcard/auth/VC.xml", good.replacing(part, with: replacement), in: shop)
                }
            },
            TranscriptScene("illegal-xml", "What is no XML, or more of it than is taken.") { shop in
                for body in ["", "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", "<a><b></a>", "<AckReply/>"] {
                    try await Self.say("creditcard/auth/VC.xml", body, in: shop)
                }
                try await Self.say("creditcard/auth/VC.xml", "{}", in: shop) {
                    $0.headers[.contentType] = "application/json"
                }
            },
            TranscriptScene("malformed-token", "A token whose parts are none.") { shop in
                let body = Sample.walletAuthorization(try shop.token(shop.money(1499)))
                try await Self.say("creditcard/auth/DW.xml", body.replacing("EC_v1", with: "EC_v9"), in: shop)
            },
            TranscriptScene("paid-order", "An order that has been authorized.") { shop in
                try await Self.authorize(1499, in: shop)
                try await Self.authorize(1499, request: "a2", in: shop)
            },
            TranscriptScene("failures", "Requests that did not arrive in full, took too long, or were too many.") {
                shop in
                let request = Self.request("creditcard/auth/VC.xml", "", in: shop)
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
                let body = Sample.walletAuthorization(try shop.token(shop.money(1499)))
                try await Self.say("creditcard/auth/DW.xml", body, in: shop.at(other))
            },
            TranscriptScene("tender-not-configured", "A store that takes Visa alone.") { shop in
                let other = try await self.addMerchant(
                    to: shop.test, name: "second", certified: true, allowedTenders: ["VC"])
                try await Self.say(
                    "creditcard/auth/MC.xml", Sample.cardAuthorization("5442981111111114"), in: shop.at(other))
            },
        ]
    }
}
