//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectConformance
import DialectKit
import HTTPTypes
import Money
import PAYONE
import Payments
import SimulatorAcquirer
import TestGateway
import Testing
import WalletSimulator

/// Errors 2700 to 2704 exactly where the vendor's page says.
@Suite struct TokenErrorTests {
    @Test func anotherAmountIs2700() async throws {
        let shop = try await TestShop.open()
        let reply = try await shop.send(shop.preauthorization().with("amount", "1001"))
        #expect(reply.errorCode == 2700)
        #expect(reply.message == "Request amount differs from apple pay token amount.")
    }

    @Test func anotherCurrencyIs2701() async throws {
        let shop = try await TestShop.open()
        let reply = try await shop.send(shop.preauthorization().with("currency", "CHF"))
        #expect(reply.errorCode == 2701)
        #expect(reply.message == "Request currency differs from apple pay token amount.")
    }

    @Test(arguments: [
        Forgery.authenticationTagCorrupt, .ciphertextCorrupt, .publicKeyHashUnknown, .keyDerivedForAnotherMerchant,
    ])
    func whatCannotBeDecryptedIs2702(forgery: Forgery) async throws {
        let shop = try await TestShop.open()
        let reply = try await shop.send(shop.preauthorization(options: .forged(forgery)))
        #expect(reply.errorCode == 2702)
        #expect(reply.message.hasPrefix("Failed to decrypt apple pay token. "))
    }

    @Test(arguments: [
        Forgery.foreignRoot, .signatureBitFlipped, .leafExpired, .messageDigestWrong, .transactionIdentifierReplaced,
    ])
    func whatAppleHasNotSignedIs2703(forgery: Forgery) async throws {
        let shop = try await TestShop.open()
        let reply = try await shop.send(shop.preauthorization(options: .forged(forgery)))
        #expect(reply.errorCode == 2703)
        #expect(reply.message.hasPrefix("Certificate service declined request because of validation errors. "))
    }

    /// Whoever looks at the token: the answer is the same, and the customer is asked to pay again.
    @Test func whatTheAcquirerDoesNotTakeIs2703() async throws {
        let shop = try await TestShop.open()
        shop.direct(.authorize, .refuse(.tokenRefused))
        let reply = try await shop.send(shop.preauthorization())
        #expect(reply.errorCode == 2703)
        let sentence = "Certificate service declined request because of validation errors. "
        #expect(reply.message.hasPrefix(sentence + "The merchant's acquirer does not take the token"))
        #expect(reply.pairs["customermessage"]?.contains("Apple Pay") == true)
        #expect(try await shop.payment().state == .notProcessed)
        #expect(try await shop.send(shop.preauthorization()).status == "APPROVED")
    }

    @Test(arguments: [(NotProcessedReason.notSent, 21), (.requestRefused, 901), (.notAuthorized, 901)])
    func whatElseTheAcquirerDidNothingWithIsNoToken(reason: NotProcessedReason, code: Int) async throws {
        let shop = try await TestShop.open()
        shop.direct(.authorize, .refuse(reason))
        #expect(try await shop.send(shop.preauthorization()).errorCode == code)
    }

    @Test(arguments: [
        "add_paydata[paymentdata_token_version]", "add_paydata[paymentdata_token_data]",
        "add_paydata[paymentdata_token_signature]", "add_paydata[paymentdata_token_ephemeral_publickey]",
        "add_paydata[paymentdata_token_publickey_hash]", "add_paydata[paymentdata_token_transaction_id]",
    ])
    func aPartThatIsMissingOrNoTokensIs2704(name: String) async throws {
        let shop = try await TestShop.open()
        let form = try shop.preauthorization()
        for value in [nil, "", "?!"] {
            let reply = try await shop.send(form.with(name, value))
            #expect(reply.errorCode == 2704, "\(value ?? "nil")")
            #expect(reply.message.hasPrefix("Required parameter in apple pay token is missing or empty"))
        }
        #expect(try await shop.send(form).status == "APPROVED")
    }

    /// "For mode=live PAYONE is obliged to reject expired tokens": after five minutes.
    @Test(arguments: [(300, "APPROVED", nil), (301, "ERROR", 2703)] as [(Int64, String, Int?)])
    func aLiveTokenLivesFiveMinutes(seconds: Int64, status: String, code: Int?) async throws {
        let shop = try await TestShop.open(mode: .live)
        let form = try shop.preauthorization()
        shop.test.clock.advance(seconds: seconds)
        let reply = try await shop.send(form)
        #expect(reply.status == status && reply.errorCode == code)
    }

    @Test func aTokenPaysOnce() async throws {
        let shop = try await TestShop.open()
        let form = try shop.preauthorization(reference: "1")
        #expect(try await shop.send(form).status == "APPROVED")
        #expect(try await shop.send(form.with("reference", "2")).errorCode == 900400)
    }

    @Test func aMerchantWithoutCertificateIsNotReady() async throws {
        let shop = try await TestShop.open(certified: false)
        let other = try await shop.test.addMerchant(
            "other", dialect: PAYONE.dialectName, key: "2030499", countryCode: "DE")
        let token = try shop.test.mint(TestShop.euros(1000), for: other)
        let reply = try await shop.send(ShopForm.authorization(TestShop.euros(1000), reference: "1", token: token))
        #expect(reply.errorCode == 2702 && reply.message.contains("Payment Processing Certificate"))
    }

    @Test func anAcquirerThatIsNotConnectedIsReported() async throws {
        let shop = try await TestShop.open(acquirer: nil)
        #expect(try await shop.send(shop.preauthorization()).errorCode == 901)
    }

    /// There is no parameter for a wrapped key, and so no version that needs one is named.
    @Test func namesNoVersionThatCannotBeTaken() async throws {
        let shop = try await TestShop.open()
        let form = try shop.preauthorization().with("add_paydata[paymentdata_token_version]", "RSA_v1")
        let reply = try await shop.send(form)
        #expect(reply.errorCode == 2704 && reply.message.hasSuffix("The version is not supported; known is EC_v1."))
    }
}
