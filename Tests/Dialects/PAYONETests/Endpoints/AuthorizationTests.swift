//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectConformance
import DialectKit
import Gateway
import HTTPTypes
import Money
import PAYONE
import Payments
import SimulatorAcquirer
import TestGateway
import Testing
import WalletSimulator

@Suite struct AuthorizationTests {
    @Test(arguments: [("preauthorization", PaymentState.authorized), ("authorization", .captured)])
    func pays(request: String, state: PaymentState) async throws {
        let shop = try await TestShop.open()
        let reply = try await shop.send(shop.preauthorization(request: request))
        #expect(reply.status == "APPROVED" && reply.txid.count == 9 && reply["userid"]?.count == 9)
        #expect(reply.txid != reply["userid"])
        let payment = try await shop.payment()
        #expect(payment.state == state && payment.amount == TestShop.euros(1000) && payment.mode == .sandbox)
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    /// Everything that the vendor's tables list, at once; and a basket, which is ignored.
    @Test func takesEveryParameter() async throws {
        let shop = try await TestShop.open()
        var form = try shop.preauthorization().merging([
            "company": "Äpfel & Birnen GmbH", "street": "Fraunhoferstraße 2-4", "zip": "24118", "city": "Kiel",
            "email": "john.appleseed@apple.com", "birthday": "19991231", "telephonenumber": "+49 431 25968500",
            "add_paydata[b2b]": "yes", "language": "de", "narrative_text": "Zwei Pfund\nÄpfel", "customerid": "K-17",
            "param": "basket 9", "sequencenumber": "0", "solution_name": "shop", "ip": "192.0.2.7", "cardtype": "?",
        ])
        for article in 1...400 { form["id[\(article)]"] = "\(article)" }
        #expect(try await shop.send(form).status == "APPROVED")
        #expect(try await shop.payment().authorization?.labels.memo == "Zwei Pfund\nÄpfel")
    }

    @Test(
        arguments: [
            (["lastname": nil, "firstname": nil], "{lastname}", 1302), (["lastname": nil], "{lastname}", 1302),
            (["add_paydata[b2b]": "yes"], "{company}", 1303),
            (["lastname": "D", "company": "Shop"], "{lastname}", 1302),
        ] as [([String: String?], String, Int)])
    func wantsAPersonOrACompany(changes: [String: String?], name: String, code: Int) async throws {
        let shop = try await TestShop.open()
        let reply = try await shop.send(shop.preauthorization().merging(changes))
        #expect(reply.errorCode == code && reply.message.contains(name))
    }

    @Test(
        arguments: [
            ["firstname": nil], ["firstname": nil, "lastname": nil, "company": "Shop"],
            ["lastname": nil, "company": "Shop", "add_paydata[b2b]": "yes"], ["company": "Shop"],
        ] as [[String: String?]])
    func takesAPersonOrACompany(changes: [String: String?]) async throws {
        let shop = try await TestShop.open()
        #expect(try await shop.send(shop.preauthorization().merging(changes)).status == "APPROVED")
    }

    /// "Some countries require additional information in parameter state."
    @Test(
        arguments: [
            ("US", nil, 1339), ("US", "", 1339), ("US", "NY", nil), ("US", "US-NY", nil), ("US", "ny", 1339),
            ("US", "New York", 1339), ("US", "N\u{7}", 2013), ("CA", nil, 1339), ("CA", "ON", nil), ("CN", nil, 1339),
            ("JP", nil, 1339), ("JP", "13", nil), ("MX", nil, 1339), ("MX", "AGU", nil), ("MX", "AGUA", 1339),
            ("BR", nil, 1339), ("AR", nil, 1339), ("ID", nil, 1339), ("TH", nil, 1339), ("IN", nil, 1339),
            ("DE", nil, nil), ("DE", "Bayern", nil), ("GB", nil, nil),
        ] as [(String, String?, Int?)])
    func wantsTheStateWhereTheCountryNeedsIt(country: String, state: String?, code: Int?) async throws {
        let shop = try await TestShop.open()
        let reply = try await shop.send(shop.preauthorization().with("country", country).with("state", state))
        #expect(reply.errorCode == code && (code == nil || reply.message.contains("{state}")))
    }

    /// What the account's contract does not have is refused, whatever `cardtype` says.
    @Test(
        arguments: [
            (.visa, [.visa, .mastercard], nil), (.mastercardDebit, [.visa, .mastercard], nil),
            (.amex, [.visa, .mastercard], 31),
            (.amex, [.amex], nil), (.visa, [.girocard], 31), (.girocard, [.girocard], nil), (.girocard, [.visa], 31),
            (.discover, [.discoverAndDiners], nil), (.jcb, [.jcb], nil), (.unionPay, [.unionPay], nil),
            (.jcb, nil, nil),
        ] as [(SimulatedCard, [PAYONE.CardType]?, Int?)])
    func takesTheCardTypesOfTheContract(card: SimulatedCard, types: [PAYONE.CardType]?, code: Int?) async throws {
        let shop = try await TestShop.open(cardTypes: types)
        let form = try shop.preauthorization(card: card)
        let reply = try await shop.send(form)
        #expect(reply.errorCode == code)
        if code != nil {
            #expect(
                reply.message
                    == "Invalid card type. The merchant's account or acquirer does not take cards of this network.")
            #expect(try await shop.test.payments().isEmpty)
        }
        #expect(try await shop.send(form) == reply)
    }

    @Test(arguments: ["0", "-1000"])
    func wantsAPositiveAmount(amount: String) async throws {
        let shop = try await TestShop.open()
        let reply = try await shop.send(shop.preauthorization().with("amount", amount))
        #expect(reply.errorCode == 1016)
    }

    @Test(arguments: ["SEK", "GBP", "JPY", "KWD"])
    func paysInTheCurrencyOfTheToken(code: String) async throws {
        let shop = try await TestShop.open()
        let reply = try await shop.send(shop.preauthorization(TestShop.money(1000, code), request: "authorization"))
        #expect(reply.status == "APPROVED")
        let debit = ShopForm.debit(reply.txid, -400, sequenceNumber: 1).with("currency", code)
        #expect(try await shop.send(debit.with("currency", "EUR")).errorCode == 910)
        #expect(try await shop.send(debit).status == "APPROVED")
        let price = try await shop.sent().first?["price"]
        #expect(price == ["SEK": "10.00", "GBP": "10.00", "JPY": "1000", "KWD": "1.000"][code])
    }

    @Test func aReferenceIsForOnePayment() async throws {
        let shop = try await TestShop.open()
        _ = try await shop.preauthorized(reference: "1")
        let again = try await shop.send(shop.preauthorization(reference: "1"))
        #expect(again.errorCode == 911)
        let message = "Reference number already exists. The order has been authorized or paid. Use a new {reference}."
        #expect(again.message == message)
        #expect(try await shop.test.payments().count == 1)
    }

    @Test func aReferenceMayBeTriedAgainAfterADecline() async throws {
        let shop = try await TestShop.open()
        shop.direct(.authorize, .decline(.insufficientFunds))
        #expect(try await shop.send(shop.preauthorization()).errorCode == 51)
        #expect(try await shop.send(shop.preauthorization()).status == "APPROVED")
        #expect(try await shop.send(shop.preauthorization()).errorCode == 911)
    }

    @Test func aReferenceInProcessIsTaken() async throws {
        let shop = try await TestShop.open()
        let pending = try await shop.send(shop.preauthorization(TestShop.euros(6363)))
        #expect(pending.status == "PENDING" && !pending.txid.isEmpty)
        #expect(try await shop.send(shop.preauthorization(TestShop.euros(6363))).errorCode == 911)
        await shop.test.recover()
        #expect(try await shop.send(shop.preauthorization()).status == "APPROVED")
    }

    /// Part payments are never taken: the half that the bank approves is given back.
    @Test func takesNoPartOfTheAmount() async throws {
        let shop = try await TestShop.open()
        let reply = try await shop.send(shop.preauthorization(TestShop.euros(6161)))
        #expect(reply.errorCode == 21)
        #expect(try await shop.payment().state == .reversed)
        // It was answered with its end, and without a txid: there is nothing to notify of.
        #expect(try await shop.sent().isEmpty)
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    /// The table of test amounts in docs/dialects/payone.md.
    @Test(
        arguments: [
            (5656, "APPROVED", nil), (5757, "ERROR", 5), (5858, "PENDING", nil), (5959, "ERROR", 2),
            (6161, "ERROR", 21),
            (6262, "ERROR", 103), (6363, "PENDING", nil), (1234, "APPROVED", nil),
        ] as [(Int64, String, Int?)])
    func answersByTheTestAmounts(amount: Int64, status: String, code: Int?) async throws {
        let shop = try await TestShop.open()
        let reply = try await shop.send(shop.preauthorization(TestShop.euros(amount)))
        #expect(reply.status == status && reply.errorCode == code)
    }

    /// A base64 "+" that was not percent-encoded arrives as a blank.
    @Test func readsBlanksInTheTokenAsPlus() async throws {
        let shop = try await TestShop.open()
        var form = try shop.preauthorization()
        for name in ["data", "signature", "ephemeral_publickey", "publickey_hash"] {
            let name = "add_paydata[paymentdata_token_\(name)]"
            form[name] = form[name]?.replacing("+", with: " ")
        }
        #expect(try await shop.send(form).status == "APPROVED")
    }

    @Test func anotherTxidIsTakenWhenOneExists() async throws {
        // The same "random" bytes again and again, until others come.
        let bytes = RepeatingBytes()
        let shop = try await TestShop.open { parts in
            let random = parts.random
            parts.random = { count in count == 8 ? bytes.next() : random(count) }
        }
        let first = try await shop.preauthorized(reference: "1")
        let second = try await shop.preauthorized(reference: "2")
        #expect(first != second)
    }
}
