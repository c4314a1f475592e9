//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import CommWeb
import DialectKit
import Gateway
import HTTPTypes
import Money
import PAYONE
import Payments
import Redaction
import StrictJSON
import TestGateway
import Testing
import WalletSimulator

@testable import AdminAPI

/// Two merchants: one of the caller's, and one of whom he is to learn nothing, who has one of each thing that there is.
struct TwoShops: Sendable {
    static let foreign = "foreign-shop"
    static let foreignIdentifier = "merchant.com.example.foreign"

    let desk: Desk
    let own: Merchant
    let other: Merchant
    let ownPayment: Payment
    let payment: Payment
    /// The foreign merchant's things, by the places of paths.
    let things: [String: String]
    /// Of the foreign merchant's certificate, for which one of the own merchant's tokens was sealed.
    let certificate: String
    /// What no answer to the caller may have in it.
    let marks: [String]

    static func open() async throws -> TwoShops {
        let desk = try await Desk.open()
        let own = try await desk.test.addMerchant(
            "own", dialect: CommWeb.dialectName, key: "own", merchantIdentifier: "merchant.com.example.own")
        let other = try await desk.test.addMerchant(
            self.foreign, dialect: PAYONE.dialectName, key: "17", secrets: ["key": Redacted("payone-key")],
            merchantIdentifier: self.foreignIdentifier, displayName: "Foreign Display")
        let ownPayment = try await self.pay(desk, own)
        let payment = try await self.pay(desk, other)
        let path = "/merchants/\(self.foreign)"
        try await desk.expect(
            201, .post, "\(path)/acquirers", ["name": "foreign-bank", "connector": "simulator"], key: "acquirer")
        try await desk.expect(
            201, .post, "\(path)/domains", ["host": "foreign.example", "file": "theirs"], key: "domain")
        let file = try await desk.expect(
            201, .post, "\(path)/settlements", self.settlement(of: "simulator"), key: "file")
        let event = try #require(try await desk.test.store.read { try $0.events(of: payment.id) }.first)
        let certificate = try #require(
            try await desk.administration.credentials(of: other.id).first { $0.purpose == .paymentProcessing })
        let refusal = try #require(try await desk.refuse(1, of: other.id, text: "Foreign text.").first)
        let approval = try await desk.administration.askForApproval(
            ApprovalDraft(
                kind: .route, operation: "setRoutes", merchantID: other.id, summary: "Set foreign routes.",
                askKey: "foreign", act: Redacted(#"{"path":{"merchant":"foreign-shop"},"body":{"data":[]}}"#)),
            by: Approval.Party(identities: ["nobody"], actor: "nobody"))
        let person = try await desk.addPerson("foreign-clerk", .viewer, merchants: [other.id])
        var browser = Browser(desk)
        try await browser.signIn("foreign-clerk")
        let session = try await browser.expect(200, .get, "/me/sessions").json["data"]?.array?.first?["id"]?.string
        let token = try await desk.administration.makeAccessToken(
            AccessTokenDraft(name: "foreign-token", access: Access(.viewer, merchants: [other.id])),
            by: Access(.owner), madeBy: "foreign-clerk"
        ).token
        let things = [
            "{merchant}": self.foreign, "{payment}": payment.id.text, "{operation}": payment.operations[0].id.text,
            "{event}": event.id.text, "{dialect}": PAYONE.dialectName.text, "{credential}": "key",
            "{acquirer}": "foreign-bank", "{certificate}": certificate.id, "{day}": "2026-01-02",
            "{token}": token.id.text, "{refusal}": refusal.id.text,
            "{file}": try #require(file.json["file"]?["id"]?.string), "{number}": "1", "{approval}": approval.id.text,
            "{policy}": self.foreign, "{domain}": "foreign.example", "{person}": person.id.text,
            "{session}": try #require(session), "{alarm}": "alm_" + String(repeating: "0", count: 26),
        ]
        let isNobodys = ["{dialect}", "{credential}", "{certificate}", "{day}", "{number}", "{alarm}"]
        return TwoShops(
            desk: desk, own: own.merchant, other: other.merchant, ownPayment: ownPayment, payment: payment,
            things: things, certificate: certificate.id,
            marks: things.filter { !isNobodys.contains($0.key) }.map(\.value).sorted()
                + [self.foreignIdentifier, "Foreign", "foreign-clerk", "foreign-token"])
    }

    static func settlement(of acquirer: String) -> JSON {
        [
            "acquirer": .string(acquirer), "name": "foreign.csv",
            "mapping": [
                "name": "bank", "currency": "EUR",
                "columns": ["date": "date", "amount": "amount", "type": "type", "reference": "reference"],
                "types": ["sale": "payment", "refund": "refund"],
            ],
            "text": "date,amount,type,reference\r\n2026-01-02,1.00,sale,foreign-reference\r\n",
        ]
    }

    /// A sale that is reported to the shop.
    private static func pay(_ desk: Desk, _ merchant: TestMerchant) async throws -> Payment {
        let amount = Money(minorUnits: 10_00, currency: try #require(Currency.alphabetic("EUR")))
        let context = try #require(
            try await desk.test.gateway.account(dialect: merchant.dialect, key: merchant.key))
        return try await desk.test.gateway.authorize(
            AuthorizeCommand(
                context: CallContext(
                    merchant: context,
                    idempotency: .init(operation: "authorize", key: "p", digest: requestDigest("p".utf8))),
                instrument: .applePay(json: try desk.test.mint(amount, for: merchant).paymentToken), amount: amount,
                order: .named("order of \(merchant.merchant.name)"), purpose: .sale,
                labels: OperationLabels(
                    reference: "reference of \(merchant.merchant.name)",
                    notifyURL: "https://\(merchant.merchant.name).example/hook",
                    fields: ["txid": "1234", "transaction": "1"]))
        ).payment
    }

    /// A caller who is for the own merchant alone.
    func token(_ role: Role) async throws -> String {
        try await self.desk.token(Access(role, merchants: [self.own.id]))
    }

    /// A path with the foreign merchant's things in its places.
    func foreign(_ path: String) -> String { self.things.reduce(path) { $0.replacing($1.key, with: $1.value) } }

    /// The same with the own merchant, or the own payment, before them.
    func mixed(_ path: String) -> String {
        self.foreign(
            path.replacing("{merchant}", with: self.own.name).replacing("{payment}", with: self.ownPayment.id.text))
    }

    /// What an answer gives away beyond what the caller has said himself.
    func leaks(_ text: String, to said: String = "") -> [String] {
        self.marks.filter { text.contains($0) && !said.contains($0) }
    }
}
