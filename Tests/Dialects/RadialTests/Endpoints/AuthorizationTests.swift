//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import HTTPTypes
import Payments
import SimulatorAcquirer
import StrictJSON
import TestGateway
import Testing
import WalletSimulator

@testable import Radial

@Suite struct AuthorizationTests {
    /// The seed's request example with a new token gets the seed's reply example, element by element.
    @Test func theSeedsRequestGetsTheSeedsReply() async throws {
        let shop = try await RadialShop.open()
        let reply = try await shop.authorize(1499)
        #expect(
            reply.status == 200 && reply.root.name == "CreditCardAuthReply"
        )
        #expect(
            reply.root.children.map(\.name) == [
                "PaymentContext", "ResponseCode", "AuthorizationResponseCode", "BankAuthorizationCode",
                "CVV2ResponseCode",
                "AVSResponseCode", "PhoneResponseCode", "NameResponseCode", "EmailResponseCode", "AmountAuthorized",
                "TenderType",
                "PaymentAccountInformation",
            ])
        #expect(reply.root.child("PaymentContext")?.children.map(\.name) == ["OrderId", "PaymentAccountUniqueId"])
        #expect(reply["PaymentContext/OrderId"] == "1")
        #expect(reply.root.descendant("PaymentContext/PaymentAccountUniqueId")?.attributes == ["isToken": "true"])
        #expect(reply.accountToken.wholeMatch(of: /489537[0-9][A-Za-z]{5}5671/) != nil)
        #expect(reply["ResponseCode"] == "APPROVED" && reply["AuthorizationResponseCode"] == "AP01")
        #expect(reply["BankAuthorizationCode"]?.count == 6)
        #expect(reply["CVV2ResponseCode"] == "0" && reply["AVSResponseCode"] == "Y")
        for name in ["PhoneResponseCode", "NameResponseCode", "EmailResponseCode"] {
            #expect(reply.text.contains("<\(name)></\(name)>"))
        }
        #expect(reply["AmountAuthorized"] == "14.99")
        #expect(reply.root.child("AmountAuthorized")?.attributes == ["currencyCode": "USD"])
        #expect(reply["TenderType"] == "VC")
        let information = try #require(reply.root.child("PaymentAccountInformation"))
        #expect(information.children.map(\.name) == ["BinPrefix", "PanSuffix", "OriginalPanSuffix"])
        #expect(information.children.map(\.text).prefix(2) == ["489537", "5671"])
        #expect(information.child("OriginalPanSuffix")?.text.count == 4)
        #expect(try await shop.test.bookProblems().isEmpty)
    }

    @Test func theSamplesOwnLinesAreSent() async throws {
        // A client's base64 comes wrapped over lines, with comments and CDATA, and is read alike.
        let shop = try await RadialShop.open()
        let token = try shop.token(1499)
        let signature = token.paymentData["signature"]?.string ?? ""
        let body = Sample.walletAuthorization(token)
            .replacing(signature, with: Sample.wrapped(signature))
            .replacing("<OrderId>1<", with: "<!-- the order --><OrderId><![CDATA[A&B <1>]]><")
        let reply = try await shop.send("creditcard/auth/DW.xml", body) {
            $0.headers[.contentType] = "application/xml; charset=\"UTF-8\""
        }
        #expect(reply["ResponseCode"] == "APPROVED" && reply["PaymentContext/OrderId"] == "A&B <1>")
    }

    @Test func withoutTheFeatureThereIsNoAccountInformation() async throws {
        let shop = try await RadialShop.open()
        let flag = "<IncludePaymentAccountInformation>true</IncludePaymentAccountInformation>"
        let reply = try await shop.authorize(1499) { $0.replacing(flag, with: flag.replacing("true", with: "false")) }
        #expect(reply["ResponseCode"] == "APPROVED" && reply.root.child("PaymentAccountInformation") == nil)
        let without = try await shop.authorize(1499, order: "2", request: "2") {
            $0.replacing("<Features>\n\(flag)\n</Features>", with: "")
        }
        #expect(without["ResponseCode"] == "APPROVED" && without.root.child("PaymentAccountInformation") == nil)
    }

    @Test(arguments: [
        ("1.0", false, true), ("1", false, true), ("1.1", true, true), ("1.2", true, true), ("1.10", true, true),
        ("2.0", true, true),
    ])
    func aWalletsReplyMindsTheSchemaVersion(version: String, hasCode: Bool, hasTender: Bool) async throws {
        let shop = try await RadialShop.open()
        let reply = try await shop.authorize(1499) {
            $0.replacing("<Features>", with: "<SchemaVersion>\(version)</SchemaVersion><Features>")
        }
        #expect(reply["AuthorizationResponseCode"] == "AP01")
        #expect((reply["ResponseCode"] != nil) == hasCode && (reply["TenderType"] != nil) == hasTender)
    }

    @Test(arguments: [
        ("", true, true), ("<SchemaVersion>1.0</SchemaVersion>", false, false),
        ("<SchemaVersion>1.1</SchemaVersion>", true, false),
        ("<SchemaVersion>1.2</SchemaVersion>", true, true),
    ])
    func aCardsReplyMindsTheSchemaVersion(flags: String, hasCode: Bool, hasTender: Bool) async throws {
        let shop = try await RadialShop.open()
        let reply = try await shop.send(
            "creditcard/auth/VC.xml", Sample.cardAuthorization("4111111111111111", flags: flags))
        #expect(reply["AuthorizationResponseCode"] == "AP01")
        #expect((reply["ResponseCode"] != nil) == hasCode && (reply["TenderType"] != nil) == hasTender)
    }

    @Test func anAmountMustBeTheTokens() async throws {
        let shop = try await RadialShop.open()
        let amount = { (text: String) in
            { (body: String) in
                body.replacing(
                    "</OrderId>",
                    with: "</OrderId><Amount currencyCode=\"\(text.prefix(3))\">\(text.dropFirst(3))</Amount>")
            }
        }
        #expect(try await shop.authorize(1499, change: amount("USD15.00")).fault == "400 AmountMismatchException")
        #expect(try await shop.authorize(1499, change: amount("CAD14.99")).fault == "400 CurrencyMismatchException")
        #expect(try await shop.authorize(1499, change: amount("USD14.99"))["AmountAuthorized"] == "14.99")
    }

    /// girocard has no number range of its own, and WalletPaymentInformation does not name the network.
    @Test(arguments: [
        (SimulatedCard.visa, "VC"), (.mastercard, "MC"), (.amex, "AM"), (.discover, "DC"), (.jcb, "JC"),
        (.unionPay, "CU"), (.girocard, "OC"),
    ])
    func reportsTheTenderType(card: SimulatedCard, tender: String) async throws {
        let shop = try await RadialShop.open()
        let reply = try await shop.authorize(1499, card: card)
        #expect(reply["TenderType"] == tender && reply.accountToken.hasSuffix(card.dpan.suffix(4)))
        #expect(
            try await shop.settle(reply.accountToken, "14.99", request: "s", tender: tender)["ResponseCode"]
                == "Success")
    }

    @Test(arguments: [
        (DeclineReason.doNotHonor, "DECL ND01"), (.insufficientFunds, "DECLF ND01"), (.expiredCard, "DECL ND01"),
        (.invalidCard, "DECL NC03"),
        (.lostOrStolenCard, "DECL ND01"), (.suspectedFraud, "DECL ND01"), (.exceedsLimit, "DECL ND01"),
        (.notPermitted, "DECL NC03"),
        (.issuerUnavailable, "TIMEOUT NR01"), (.timedOut, "TIMEOUT NR01"), (.systemError, "DECL NC03"),
        (.invalidOperation, "DECL NC03"),
        (.unspecified, "DECL NC03"),
    ])
    func reportsADecline(reason: DeclineReason, codes: String) async throws {
        let shop = try await RadialShop.open()
        shop.test.script.append(.init(.authorize, .nth(1), fault: .decline(reason)))
        let reply = try await shop.authorize(1499)
        #expect(reply.status == 200)
        #expect("\(reply["ResponseCode"] ?? "") \(reply["AuthorizationResponseCode"] ?? "")" == codes)
        #expect(reply["BankAuthorizationCode"] == "" && reply["AmountAuthorized"] == "0.00")
        // A declined order may be tried again, with a new request and a new token.
        #expect(try await shop.authorize(1499, request: "again")["ResponseCode"] == "APPROVED")
    }

    /// A reply with `TIMEOUT` would have the client accept the order, and authorize the same token again later.
    @Test func tokenThatTheAcquirerDoesNotTakeIsAFault() async throws {
        let shop = try await RadialShop.open()
        shop.test.script.append(.init(.authorize, .nth(1), fault: .refuse(.tokenRefused)))
        let body = Sample.walletAuthorization(try shop.token(1499))
        for _ in 1...2 {
            let reply = try await shop.send("creditcard/auth/DW.xml", body)
            #expect(reply.fault == "400 ApplePayTokenRefusedException")
        }
        #expect(try await shop.test.payments().map(\.state) == [.notProcessed])
        #expect(try await shop.authorize(1499, request: "again")["ResponseCode"] == "APPROVED")
    }

    @Test(arguments: [NotProcessedReason.notSent, .busy, .notAuthorized, .requestRefused])
    func whatElseWasNotProcessedIsAuthorizedLater(reason: NotProcessedReason) async throws {
        let shop = try await RadialShop.open()
        shop.test.script.append(.init(.authorize, .nth(1), fault: .refuse(reason)))
        let reply = try await shop.authorize(1499)
        #expect(reply["ResponseCode"] == "TIMEOUT" && reply["AuthorizationResponseCode"] == "NR01")
    }

    @Test func anUnknownOutcomeIsATimeoutUntilItIsKnown() async throws {
        let shop = try await RadialShop.open()
        let body = Sample.walletAuthorization(try shop.token(5858))
        let reply = try await shop.send("creditcard/auth/DW.xml", body)
        #expect(
            reply.status == 200 && reply["ResponseCode"] == "TIMEOUT" && reply["AuthorizationResponseCode"] == "TO01")
        #expect(
            reply["AVSResponseCode"] == "R" && reply["CVV2ResponseCode"] == "0" && reply["AmountAuthorized"] == "58.58")
        #expect(try await shop.confirm(reply.accountToken, "58.58")["FundsAvailable"] == "Timeout")
        #expect(
            try await shop.settle(reply.accountToken, "58.58", request: "s").fault == "409 OperationInProcessException")
        #expect(try await shop.authorize(1499, request: "other").fault == "409 AuthorizationInProcessException")
        await shop.test.recover()
        let later = try await shop.send("creditcard/auth/DW.xml", body)
        #expect(
            later["ResponseCode"] == "APPROVED" && later.accountToken == reply.accountToken
                && later["AmountAuthorized"] == "58.58")
        #expect(try await shop.confirm(reply.accountToken, "58.58")["FundsAvailable"] == "Success")
    }

    @Test func whatIsTakenBackIsDeclined() async throws {
        let shop = try await RadialShop.open()
        let body = Sample.walletAuthorization(try shop.token(6363))
        let unknown = try await shop.send("creditcard/auth/DW.xml", body)
        #expect(unknown["AuthorizationResponseCode"] == "TO01" && unknown["AmountAuthorized"] == "63.63")
        await shop.test.recover()
        let later = try await shop.send("creditcard/auth/DW.xml", body)
        #expect(later["ResponseCode"] == "DECL" && later["AuthorizationResponseCode"] == "NC03")
        #expect(later["AmountAuthorized"] == "0.00")
        #expect(try await shop.confirm(later.accountToken, "63.63")["FundsAvailable"] == "Fail")
        // A part of the amount is no approval for this dialect.
        let partly = try await shop.authorize(6161, order: "2", request: "2")
        #expect(partly["ResponseCode"] == "DECL" && partly["AmountAuthorized"] == "0.00")
    }

    @Test func anOrderIsAuthorizedOnce() async throws {
        let shop = try await RadialShop.open()
        _ = try await shop.authorized(1499)
        #expect(try await shop.authorize(1499, request: "2").fault == "409 OrderAlreadyAuthorizedException")
        #expect(try await shop.authorize(1499, order: "2", request: "3")["ResponseCode"] == "APPROVED")
    }

    @Test func theSameRequestIsTheSameAuthorization() async throws {
        let shop = try await RadialShop.open()
        let body = Sample.walletAuthorization(try shop.token(1499))
        let first = try await shop.send("creditcard/auth/DW.xml", body)
        shop.test.clock.advance(seconds: 86_400)
        let second = try await shop.send("creditcard/auth/DW.xml", body)
        #expect(first.response.body == second.response.body && first.status == 200)
        // Written otherwise, it is still the same.
        let third = try await shop.send(
            "creditcard/auth/DW.xml", body.replacing("\n", with: "\r\n").replacing("<City>", with: "<!-- x --><City>"))
        #expect(third.response.body == first.response.body)
        let changed = try await shop.send("creditcard/auth/DW.xml", body.replacing("<City>Phil", with: "<City>Fil"))
        #expect(changed.fault == "409 RequestIdConflictException")
        #expect(try await shop.authorize(1499).fault == "409 RequestIdConflictException")
        #expect(try await shop.test.bookedCount(.authorization) == 1)
    }

    /// The random source gives the same name a few times over.
    @Test(arguments: [(3, "200 CreditCardAuthReply"), (100, "503 ServiceUnavailableException")])
    func aNameThatIsTakenIsNotUsedAgain(repeatsCount: Int, outcome: String) async throws {
        let calls = CallsCount()
        let shop = try await RadialShop.open { parts in
            let random = parts.random
            parts.random = { count in
                guard count == AccountToken.randomBytesCount else { return random(count) }
                return [UInt8](repeating: calls.next() <= repeatsCount ? 0 : 9, count: count)
            }
        }
        let first = try await shop.authorized(100)
        let body = Sample.walletAuthorization(try shop.token(100), order: "2", request: "2")
        let second = try await shop.send("creditcard/auth/DW.xml", body)
        #expect(second.fault == outcome && second.accountToken != first)
        // What was refused for want of a name has used nothing up.
        guard second.status == 503 else { return }
        calls.reset(to: repeatsCount)
        #expect(try await shop.send("creditcard/auth/DW.xml", body)["ResponseCode"] == "APPROVED")
    }

    // MARK: - Tokens

    @Test(arguments: [
        (Forgery.foreignRoot, "ApplePayTokenNotTrustedException"),
        (.messageDigestWrong, "ApplePayTokenNotTrustedException"),
        (.authenticationTagCorrupt, "ApplePayTokenNotDecryptableException"),
    ])
    func refusesForgedTokens(forgery: Forgery, code: String) async throws {
        let shop = try await RadialShop.open()
        let token = try shop.token(1499, options: .forged(forgery))
        let reply = try await shop.send("creditcard/auth/DW.xml", Sample.walletAuthorization(token))
        #expect(reply.fault == "400 \(code)")
        #expect(try await shop.test.payments().isEmpty)
    }

    @Test func refusesAUsedToken() async throws {
        let shop = try await RadialShop.open()
        let token = try shop.token(1499)
        #expect(try await shop.send("creditcard/auth/DW.xml", Sample.walletAuthorization(token)).status == 200)
        let again = Sample.walletAuthorization(token, order: "2", request: "2")
        #expect(try await shop.send("creditcard/auth/DW.xml", again).fault == "409 ApplePayTokenReplayedException")
    }

    @Test(arguments: [
        ("<Version>EC_v1", "<Version>EC_v9", "400 ApplePayTokenMalformedException"),
        ("<Data>", "<Data>A", "400 ApplePayTokenMalformedException"),
        ("<PublicKeyHash>", "<PublicKeyHash>AAAA", "400 ApplePayTokenMalformedException"),
        ("<Data>", "<Data>*", "400 InvalidRequestException"),
    ])
    func refusesWhatIsNoToken(part: String, replacement: String, fault: String) async throws {
        let shop = try await RadialShop.open()
        #expect(try await shop.authorize(1499) { $0.replacing(part, with: replacement) }.fault == fault)
    }

    @Test func refusesATokenForAnotherKey() async throws {
        let shop = try await RadialShop.open()
        let other = try await shop.test.addMerchant(
            dialect: Radial.dialectName, key: "OTHER", merchantIdentifier: "merchant.com.example.other")
        let token = try shop.test.mint(try RadialShop.money(1499), for: other)
        let reply = try await shop.send("creditcard/auth/DW.xml", Sample.walletAuthorization(token))
        #expect(reply.fault == "400 ApplePayTokenNotDecryptableException")
    }

    @Test func refusesATokenOfTheOtherMode() async throws {
        let shop = try await RadialShop.open()
        let token = try shop.test.mint(try RadialShop.money(1499), for: shop.merchant, mode: .live)
        let reply = try await shop.send("creditcard/auth/DW.xml", Sample.walletAuthorization(token))
        #expect(
            reply.status == 400 && reply["Code"] == "ApplePayTokenModeException"
                || reply["Code"] == "ApplePayTokenNotTrustedException")
    }

    @Test func aStoreWithoutACertificateIsNotReady() async throws {
        let shop = try await RadialShop.open()
        let bare = try await RadialShop.open(certified: false)
        let body = Sample.walletAuthorization(try shop.token(1499))
        #expect(try await bare.send("creditcard/auth/DW.xml", body).fault == "500 MerchantConfigurationException")
    }

    @Test func takesOnlyTheTendersThatTheAccountNames() async throws {
        let shop = try await RadialShop.open(allowedTenders: ["VC", "AM"])
        #expect(try await shop.authorize(1499)["ResponseCode"] == "APPROVED")
        #expect(
            try await shop.authorize(1499, order: "2", request: "2", card: .mastercard).fault
                == "400 TenderGatewayConfigurationException")
        let card = Sample.cardAuthorization("5442981111111114", order: "3")
        #expect(try await shop.send("creditcard/auth/MC.xml", card).fault == "400 TenderGatewayConfigurationException")
        // A repeat is answered although its token has grown too old to be opened.
        let body = Sample.walletAuthorization(try shop.token(1499), order: "4", request: "4")
        let first = try await shop.send("creditcard/auth/DW.xml", body)
        shop.test.clock.advance(seconds: 86_400)
        #expect(try await shop.send("creditcard/auth/DW.xml", body).response.body == first.response.body)
    }

    /// The message has no place for a wrapped key, and so its errors name no version that needs one.
    @Test(arguments: ["RSA_v1", "EC_v2", "x"])
    func namesNoVersionThatCannotBeTaken(version: String) async throws {
        let shop = try await RadialShop.open()
        let reply = try await shop.authorize(1499) {
            $0.replacing("<Version>EC_v1</Version>", with: "<Version>\(version)</Version>")
        }
        #expect(reply.fault == "400 ApplePayTokenMalformedException")
        #expect(reply["Description"] == "The version is not supported; known is EC_v1.")
    }
}
