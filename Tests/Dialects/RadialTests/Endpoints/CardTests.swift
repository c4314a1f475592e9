//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import SimulatorAcquirer
import StrictJSON
import TestGateway
import Testing
import WalletSimulator

@testable import Radial

/// Authorizations by card number.
@Suite struct CardTests {
    @Test(arguments: [
        ("VC", "4111111111111111"), ("MC", "5442981111111114"), ("AM", "370000000000101"), ("DC", "6011000994462780"),
    ])
    func authorizesACardOfItsTender(tender: String, pan: String) async throws {
        let shop = try await RadialShop.open()
        let reply = try await shop.send("creditcard/auth/\(tender).xml", Sample.cardAuthorization(pan))
        #expect(
            reply["ResponseCode"] == "APPROVED" && reply["TenderType"] == tender && reply["CVV2ResponseCode"] == "M")
        #expect(reply["AVSResponseCode"] == "Y" && reply["AmountAuthorized"] == "50.00")
        #expect(reply.accountToken.hasPrefix(pan.prefix(6)) && reply.accountToken.hasSuffix(pan.suffix(4)))
        #expect(reply.accountToken != pan && !reply.text.contains(pan))
        #expect(
            try await shop.settle(reply.accountToken, "50.00", request: "s", tender: tender)["ResponseCode"]
                == "Success")
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    @Test(arguments: [
        ("VC", "4111111111111112", "400 PanDoesNotPassLuhnCheckException"),
        ("MC", "4111111111111111", "400 UnknownPanBinRangeException"),
        ("VC", "411111111111111a", "400 InvalidRequestException"), ("VC", "41111111111", "400 InvalidRequestException"),
        ("VC", "41111111111111111111", "400 InvalidRequestException"),
        ("PY", "4111111111111111", "400 InvalidTenderTypeException"),
        ("vc", "4111111111111111", "400 InvalidTenderTypeException"),
    ])
    func refusesAWrongCard(tender: String, pan: String, fault: String) async throws {
        let shop = try await RadialShop.open()
        let reply = try await shop.send("creditcard/auth/\(tender).xml", Sample.cardAuthorization(pan))
        #expect(reply.fault == fault && !reply.text.contains(pan))
        #expect(try await shop.test.payments().isEmpty)
    }

    /// An order's name is kept and shown.
    @Test(arguments: ["4111111111111111", "4111-1111-1111-1111"])
    func refusesAnOrderThatIsNamedByTheCard(order: String) async throws {
        let shop = try await RadialShop.open()
        let reply = try await shop.send(
            "creditcard/auth/VC.xml", Sample.cardAuthorization("4111111111111111", order: order))
        #expect(reply.fault == "400 InvalidRequestException" && reply["Description"]?.contains("order's name") == true)
        #expect(!reply.text.contains(order))
        #expect(try await shop.test.payments().isEmpty)
        let other = try await shop.send(
            "creditcard/auth/VC.xml", Sample.cardAuthorization("4111111111111111", order: "4111"))
        #expect(other["ResponseCode"] == "APPROVED")
    }

    /// Years go to the issuer with two digits: one of another century would be taken for one of this.
    @Test(arguments: ["1930-03", "2130-03", "9930-03", "0030-03"])
    func refusesAnExpiryOfAnotherCentury(expiry: String) async throws {
        let shop = try await RadialShop.open()
        let reply = try await shop.send(
            "creditcard/auth/VC.xml", Sample.cardAuthorization("4111111111111111", expiry: expiry))
        #expect(reply.fault == "400 InvalidRequestException" && reply["Description"]?.contains("Expiration") == true)
        #expect(try await shop.test.payments().isEmpty)
    }

    /// An open type takes them unread: they are not what the rules have looked at.
    @Test(arguments: [
        ("PaymentContext", ""), ("ExpirationDate", "2020-01"), ("ExpirationDate", "x"), ("CardSecurityCode", "000"),
        ("Amount", "1.00"), ("EncryptedCardSecurityCode", "x"), ("BillingAddress", ""), ("SchemaVersion", "1.0"),
    ])
    func readsNothingOfAnotherNamespace(name: String, text: String) async throws {
        let shop = try await RadialShop.open()
        let foreign = "<x:\(name) xmlns:x=\"urn:other\" currencyCode=\"USD\">\(text)</x:\(name)>"
        let body = Sample.cardAuthorization("4111111111111111").replacing(
            "<PaymentContext>", with: foreign + "<PaymentContext>")
        let reply = try await shop.send("creditcard/auth/VC.xml", body)
        #expect(reply["ResponseCode"] == "APPROVED" && reply["AmountAuthorized"] == "50.00")
        #expect(reply["CVV2ResponseCode"] == "M" && reply["AVSResponseCode"] == "Y" && reply["TenderType"] == "VC")
    }

    @Test func refusesTokensAndEncryptedCards() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(1499)
        let card = Sample.cardAuthorization(token, isToken: "true", order: "2")
        #expect(try await shop.send("creditcard/auth/VC.xml", card).fault == "400 AccountTokenNotSupportedException")
        let encrypted = Sample.cardAuthorization("4111111111111111").replacing(
            "<PaymentAccountUniqueId isToken=\"false\">4111111111111111</PaymentAccountUniqueId>",
            with: "<EncryptedPaymentAccountUniqueId>$bt4|abc</EncryptedPaymentAccountUniqueId>")
        #expect(
            try await shop.send("creditcard/auth/VC.xml", encrypted).fault
                == "400 EncryptedAccountNotSupportedException")
        let code = Sample.cardAuthorization("4111111111111111").replacing(
            "CardSecurityCode>", with: "EncryptedCardSecurityCode>")
        #expect(
            try await shop.send("creditcard/auth/VC.xml", code).fault == "400 EncryptedAccountNotSupportedException")
        let none = Sample.cardAuthorization("4111111111111111").replacing(
            "<PaymentAccountUniqueId isToken=\"false\">4111111111111111</PaymentAccountUniqueId>", with: "")
        #expect(try await shop.send("creditcard/auth/VC.xml", none).fault == "400 InvalidRequestException")
    }

    @Test(arguments: [("737", "M"), ("000", "N"), ("", "P"), (nil, "P")] as [(String?, String)])
    func reportsTheSecurityCodesCheck(code: String?, check: String) async throws {
        let shop = try await RadialShop.open()
        let reply = try await shop.send(
            "creditcard/auth/VC.xml", Sample.cardAuthorization("4111111111111111", code: code))
        #expect(reply["CVV2ResponseCode"] == check && reply["ResponseCode"] == "APPROVED")
    }

    @Test(
        arguments: [("19019", "Y"), ("00000", "N"), ("00001", "A"), ("00002", "Z"), ("00003", "R"), (nil, "U")]
            as [(String?, String)])
    func reportsTheAddressCheck(postalCode: String?, check: String) async throws {
        let shop = try await RadialShop.open()
        let element = postalCode.map { "<PostalCode>\($0)</PostalCode>" } ?? ""
        let body = Sample.cardAuthorization("4111111111111111").replacing(
            "<PostalCode>19019</PostalCode>", with: element)
        #expect(try await shop.send("creditcard/auth/VC.xml", body)["AVSResponseCode"] == check)
    }

    /// American Express answers about the name too, in letters of its own; phone, name and e-mail are empty for others.
    @Test(
        arguments: [
            ("AM", "370000000000101", "19019", "Y", "U", "U"), ("AM", "370000000000101", "00004", "AW", "N", "U"),
            ("AM", "370000000000101", "00005", "AE", "N", "U"), ("AM", "370000000000101", "00006", "AM", "Y", "U"),
            ("AM", "370000000000101", "00000", "N", "U", "U"), ("VC", "4111111111111111", "00004", "Y", "", ""),
            ("MC", "5442981111111114", "00006", "Y", "", ""), ("VC", "4111111111111111", "00000", "N", "", ""),
        ] as [(String, String, String, String, String, String)])
    func reportsTheNameForAmericanExpress(
        tender: String, pan: String, postalCode: String, check: String, name: String, phone: String
    ) async throws {
        let shop = try await RadialShop.open()
        let code = tender == "AM" ? "7373" : "737"
        let body = Sample.cardAuthorization(pan, code: code).replacing("19019", with: postalCode)
        let reply = try await shop.send("creditcard/auth/\(tender).xml", body)
        #expect(reply["AVSResponseCode"] == check && reply["NameResponseCode"] == name)
        #expect(reply["PhoneResponseCode"] == phone && reply["EmailResponseCode"] == phone)
    }

    /// "AW" asks the customer to correct the address, as "N" does.
    @Test(arguments: [("00004", "AVS"), ("00005", "DECL"), ("19019", "DECL")])
    func anAmericanExpressDeclineSaysWhetherTheAddressFailed(postalCode: String, response: String) async throws {
        let shop = try await RadialShop.open()
        let body = Sample.cardAuthorization("370000000000101", code: "7373", amount: "57.57").replacing(
            "19019", with: postalCode)
        #expect(try await shop.send("creditcard/auth/AM.xml", body)["ResponseCode"] == response)
    }

    @Test(arguments: [
        ("19019", "Y", "U"), ("00004", "AW", "N"), ("00006", "AM", "Y"),
    ])
    func reportsTheSameForAWallet(postalCode: String, check: String, name: String) async throws {
        let shop = try await RadialShop.open()
        let reply = try await shop.authorize(1499, card: .amex) { $0.replacing("19019", with: postalCode) }
        #expect(reply["TenderType"] == "AM" && reply["CVV2ResponseCode"] == "0")
        #expect(reply["AVSResponseCode"] == check && reply["NameResponseCode"] == name)
    }

    @Test(arguments: [
        ("737", "19019", "DECL"), ("000", "19019", "CSC"), ("737", "00000", "AVS"), ("000", "00000", "AVSCSC"),
    ])
    func aDeclineSaysWhichCheckFailed(code: String, postalCode: String, response: String) async throws {
        let shop = try await RadialShop.open()
        let body = Sample.cardAuthorization("4111111111111111", code: code, amount: "57.57").replacing(
            "19019", with: postalCode)
        let reply = try await shop.send("creditcard/auth/VC.xml", body)
        #expect(reply["AuthorizationResponseCode"] == "ND01" && reply["ResponseCode"] == response)
    }

    /// The two-step flow of the seed: decrypt, then authorize with what came out.
    @Test func authorizesWhatWasDecrypted() async throws {
        let shop = try await RadialShop.open()
        let token = try shop.token(1499)
        let opened = try await shop.send("decryptblob", Sample.decryptBlob(token))
        let cryptogram = try #require(opened["SecureVerificationData/CavvUcaf"])
        let body = Sample.cardAuthorization(
            try #require(opened["PaymentAccountUniqueId"]), code: nil, amount: try #require(opened["Amount"]),
            expiry: try #require(opened["ExpirationDate"]), verification: Sample.verification(cryptogram))
        let reply = try await shop.send("creditcard/auth/VC.xml", body)
        #expect(reply["ResponseCode"] == "APPROVED" && reply["CVV2ResponseCode"] == "P")
        // A cryptogram pays once, whichever way it comes.
        let again = body.replacing("requestId=\"a1\"", with: "requestId=\"a2\"").replacing(
            "<OrderId>1<", with: "<OrderId>2<")
        #expect(try await shop.send("creditcard/auth/VC.xml", again).fault == "409 ApplePayTokenReplayedException")
    }

    @Test func refusesACryptogramThatIsNotBase64() async throws {
        let shop = try await RadialShop.open()
        let body = Sample.cardAuthorization("4111111111111111", verification: Sample.verification("!!!"))
        let reply = try await shop.send("creditcard/auth/VC.xml", body)
        #expect(reply.fault == "400 InvalidRequestException" && reply["Description"]?.contains("CavvUcaf") == true)
        let empty = Sample.cardAuthorization("4111111111111111", verification: Sample.verification(""))
        #expect(try await shop.send("creditcard/auth/VC.xml", empty)["ResponseCode"] == "APPROVED")
    }

    /// A digest of a card number, kept beside what is public of it, could be guessed: it is not made.
    @Test func theDigestOfARequestLeavesTheCardOut() throws {
        let digest = { (pan: String, code: String, city: String) in
            let body = Sample.cardAuthorization(pan, code: code).replacing("Philadelphia", with: city)
            return RequestContents.digest(try XMLReader.read(Array(body.utf8)), path: "VC")
        }
        let first = try digest("4111111111111111", "737", "Ä")
        #expect(try digest("4111119999991111", "999", "Ä") == first)
        #expect(try digest("4111111111111111", "737", "B") != first)
        #expect(try digest("4111121111111111", "737", "Ä") != first)
    }

    @Test func expiredCardsAreDeclined() async throws {
        let shop = try await RadialShop.open()
        let reply = try await shop.send(
            "creditcard/auth/VC.xml", Sample.cardAuthorization("4111111111111111", expiry: "2026-05"))
        #expect(reply["ResponseCode"] == "DECL" && reply["AuthorizationResponseCode"] == "ND01")
    }
}
