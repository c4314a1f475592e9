//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import DialectKit
import HTTPTypes
import Money
import Payments
import Redaction
import StrictJSON
import TestGateway
import Testing
import WalletSimulator

@testable import Storefront

/// The demo shop pays through every dialect: real requests, real tokens, a real gateway.
struct ShopPaymentTests {
    static let names = ShopFixture.names

    @Test(arguments: ShopFixture.names)
    func paysCapturesAndRefunds(_ name: String) async throws {
        let shop = try await ShopFixture.open(name)
        let order = try await shop.order(name)
        let paid = try await shop.perform("pay", order, ["token": try shop.token(order, name)])
        #expect(paid.status == "approved", "\(paid)")
        #expect(paid["reference"]?.string?.isEmpty == false)
        if name == "alphapay" {
            // It takes the money with the payment.
            #expect(try await shop.exchange(order).status == "captured")
            let response = await shop.post("/shop/api/orders/\(order["orderId"]?.string ?? "")/capture", [:])
            #expect(response.status == .conflict)
        } else {
            #expect(try await shop.exchange(order).status == "authorized")
            #expect(try await shop.perform("capture", order).status == "approved")
        }
        #expect(try await shop.exchange(order).status == "captured")
        #expect(try await shop.perform("refund", order).status == "approved")
        #expect(try await shop.exchange(order).status == "refunded")
        let payments = try await shop.test.payments()
        #expect(payments.map(\.state) == [.refunded])
        #expect(payments.first?.refundedAmount.decimalText == (name == "tappay" ? "950.00" : Self.total(name)))
        #expect(try await shop.test.bookProblems() == [])
    }

    private static func total(_ name: String) -> String {
        switch name {
        case "alphapay": "43.50"
        case "payone": "30.00"
        default: "32.00"
        }
    }

    @Test(arguments: ["tappay", "commweb", "payone", "radial"])
    func voidsWhatIsNotCaptured(_ name: String) async throws {
        let shop = try await ShopFixture.open(name)
        let order = try await shop.order(name)
        #expect(try await shop.perform("pay", order, ["token": try shop.token(order, name)]).status == "approved")
        #expect(try await shop.perform("void", order).status == "approved")
        #expect(try await shop.exchange(order).status == "voided")
        #expect(try await shop.test.payments().map(\.state) == [.voided])
    }

    @Test(arguments: ShopFixture.names)
    func declinesCardThatTheBankDeclines(_ name: String) async throws {
        let shop = try await ShopFixture.open(name)
        for card in WalletCard.all where card.outcome == .declines {
            let order = try await shop.order(name)
            let declined = try await shop.perform("pay", order, ["token": try shop.token(order, name, card: card.card)])
            #expect(declined.status == "declined", "\(card.id): \(declined)")
            #expect(try await shop.exchange(order).status == "declined", "\(card.id): \(declined)")
        }
    }

    @Test(arguments: ShopFixture.names)
    func triesAgainAfterDecline(_ name: String) async throws {
        let shop = try await ShopFixture.open(name)
        let order = try await shop.order(name)
        let bad = try #require(WalletCard.all.first { $0.outcome == .declines })
        let declined = try await shop.perform("pay", order, ["token": try shop.token(order, name, card: bad.card)])
        #expect(declined.status == "declined", "\(declined)")
        let paid = try await shop.perform("pay", order, ["token": try shop.token(order, name, card: .mastercard)])
        #expect(paid.status == "approved", "\(paid)")
    }

    /// In CommWeb a timeout is a failure, and what was booked is taken back.
    @Test func reportsALostAnswerOfCommWebAsDeclined() async throws {
        let shop = try await ShopFixture.open("commweb")
        let order = try await shop.order("commweb")
        let card = try #require(WalletCard.all.first { $0.outcome == .timesOut })
        let token = try shop.token(order, "commweb", card: card.card)
        #expect(try await shop.perform("pay", order, ["token": token]).status == "declined")
        let again = try await shop.perform("pay", order, ["token": try shop.token(order, "commweb", card: .mastercard)])
        #expect(again.status == "approved")
    }

    @Test(arguments: ShopFixture.names.filter { $0 != "commweb" })
    func findsOutWhatLostAnswerSaid(_ name: String) async throws {
        let shop = try await ShopFixture.open(name)
        let order = try await shop.order(name)
        let card = try #require(WalletCard.all.first { $0.outcome == .timesOut })
        let unknown = try await shop.perform("pay", order, ["token": try shop.token(order, name, card: card.card)])
        #expect(unknown.status == "unknown", "\(unknown)")
        #expect(try await shop.exchange(order).status == "unknown")
        await shop.test.recover()
        let known = name == "alphapay" ? "captured" : "authorized"
        let exchange = try await shop.exchange(order)
        #expect(exchange.status == known)
        #expect(exchange.titles("note").contains("The gateway has found out: \(known)"))
    }

    @Test(arguments: ShopFixture.names)
    func showsTheWholeExchange(_ name: String) async throws {
        let shop = try await ShopFixture.open(name)
        let order = try await shop.order(name)
        _ = try await shop.perform("pay", order, ["token": try shop.token(order, name)])
        let exchange = try await shop.exchange(order)
        #expect(exchange.titles("token") == TokenStages.all)
        #expect(exchange["entries"]?.array?.allSatisfy { $0["ok"]?.bool == true } == true, "\(exchange)")
        #expect(exchange.titles("request").count == (name == "tappay" || name == "alphapay" ? 2 : 1))
        #expect(exchange.titles("response").allSatisfy { ["HTTP 200", "HTTP 201"].contains($0) })
        let ledger = exchange.titles("ledger")
        #expect(ledger.first?.hasPrefix("Payment ") == true)
        #expect(ledger.contains("Ledger: hold"))
        // Only what is new comes again.
        let last = exchange["entries"]?.array?.last?["seq"]?.integer ?? 0
        #expect(try await shop.exchange(order, after: Int(last))["entries"]?.array?.isEmpty == true)
        let follow = name == "alphapay" ? "refund" : "capture"
        _ = try await shop.perform(follow, order)
        #expect(try await shop.exchange(order, after: Int(last)).titles("ledger").contains("Ledger: \(follow)"))
    }

    @Test func paysWithPrimeFromThePage() async throws {
        let shop = try await ShopFixture.open("tappay")
        let order = try await shop.order("tappay")
        let client = try #require(Self.tapPay)
        let wire = ShopWire { request throws(ShopWireError) in
            let dialect = shop.dialects.first { $0.owns(request.path) }
            let response = await dialect?.respond(
                to: .init(method: request.method, path: request.path, body: request.body.reveal()))
            return ClientReply(status: 200, body: response?.body ?? [])
        }
        let request = client.getPrime(SealedToken(token: try shop.token(order, "tappay")))
        let answer = client.read(try await wire.call(request), to: request)
        let prime = try #require(answer["prime"])
        let paid = try await shop.perform("pay", order, ["prime": .string(prime)])
        #expect(paid.status == "approved", "\(paid)")
        #expect(!(try await shop.shown(order)).contains(prime))
        let exchange = try await shop.exchange(order)
        #expect(exchange.titles("token") == TokenStages.all)
    }

    private static var tapPay: TapPayClient? {
        TapPayClient(
            .init(
                appID: 12345, appKey: .init(ShopFixture.appKey), partnerKey: .init(ShopFixture.partnerKey),
                merchantID: "GlobalTesting_CTBC", merchantIdentifier: "merchant.com.example.tappay"))
    }

    @Test(arguments: ["alphapay", "commweb", "payone", "radial"])
    func primeIsForTapPayAlone(_ name: String) async throws {
        let shop = try await ShopFixture.open(name)
        let order = try await shop.order(name)
        let refused = try await shop.perform("pay", order, ["prime": "test_0123456789abcdef0123456789abcdef"])
        #expect(refused.status == "error")
        #expect(try await shop.exchange(order).status == "open")
    }

    @Test func refusesWhatAlphaPayCannotDo() async throws {
        let shop = try await ShopFixture.open("alphapay")
        var purchase = Purchase(
            reference: "S1", amount: try Money(decimalText: "1.00", currency: #require(.alphabetic("CAD"))),
            summary: "x", countryCode: "CA")
        let client = try #require(shop.account("alphapay")?.client)
        let wire = ShopWire { _ throws(ShopWireError) in throw ShopWireError("not to be called") }
        #expect(try await client.capture(&purchase, on: wire).status == .error)
        #expect(try await client.void(&purchase, on: wire).status == .error)
    }

    @Test(arguments: ShopFixture.names)
    func unreachableServiceLeavesThePaymentUnknown(_ name: String) async throws {
        let shop = try await ShopFixture.open(name)
        let order = try await shop.order(name)
        shop.network.fail(.unreachable)
        let failed = try await shop.perform("pay", order, ["token": try shop.token(order, name)])
        #expect(failed.status == "unknown")
        let exchange = try await shop.exchange(order)
        #expect(exchange.titles("response") == ["No answer"])
        #expect(exchange.status == "unknown")
    }

    @Test(arguments: ShopFixture.names)
    func answerThatIsNoneOfTheServicesIsReported(_ name: String) async throws {
        let shop = try await ShopFixture.open(name)
        let order = try await shop.order(name)
        shop.network.fail(.answers(502, "<html>Bad gateway</html>"))
        let failed = try await shop.perform("pay", order, ["token": try shop.token(order, name)])
        #expect(["unknown", "error"].contains(failed.status), "\(failed)")
        shop.network.fail(nil)
        #expect(try await shop.exchange(order).titles("response") == ["HTTP 502"])
    }

    @Test(arguments: ShopFixture.names)
    func refusedTokenIsAnErrorAndItsStageSaysWhy(_ name: String) async throws {
        let shop = try await ShopFixture.open(name)
        let order = try await shop.order(name)
        let merchant = try #require(shop.merchants[name])
        let currency = try #require(order["currency"]?.string.flatMap(Currency.alphabetic))
        let amount = try Money(decimalText: order["amount"]?.string ?? "", currency: currency)
        let forged = try shop.test.mint(amount, for: merchant, options: .forged(.foreignRoot))
        let refused = try await shop.perform("pay", order, ["token": forged.paymentToken])
        #expect(refused.status == "error", "\(refused)")
        let entries = try await shop.exchange(order)["entries"]?.array ?? []
        let failed = entries.filter { $0["kind"]?.string == "token" && $0["ok"]?.bool == false }
        #expect(failed.contains { $0["title"]?.string == "Certificate chain" })
        #expect(failed.contains { $0["title"]?.string == "Merchant's key" })
        #expect(failed.contains { $0["title"]?.string == "Amount" })
        #expect(try await shop.test.payments().isEmpty)
    }
}

extension ShopFixture {
    func account(_ name: String) -> ShopAccount? { self.accounts.first { $0.name == name } }
}
