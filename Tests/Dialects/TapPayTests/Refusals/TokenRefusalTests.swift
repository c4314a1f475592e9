//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments
import StrictJSON
import TestGateway
import Testing
import Time
import WalletSimulator

@testable import TapPay

@Suite struct TokenRefusalTests {
    @Test(arguments: [Forgery.foreignRoot, .signedByAnotherKey, .leafExpired, .signatureBitFlipped])
    func aTokenThatAppleDidNotSignIs917(_ forgery: Forgery) async throws {
        let shop = try await FrontEndShop.open()
        let answer = try await shop.getPrime(try shop.token(options: .forged(forgery)))
        #expect(answer.status == 917 && answer.message == "Signature verification error")
        #expect(answer.json["token_stage"] == "verification")
        #expect(answer.json["token_error"]?.string?.isEmpty == false)
        #expect(!answer.detail.isEmpty)
    }

    @Test func aTokenThatIsTooOldIs917() async throws {
        let shop = try await FrontEndShop.open()
        let signedAt = shop.test.clock.now.adding(seconds: -2 * 3600)
        let answer = try await shop.getPrime(try shop.token(signedAt: signedAt))
        #expect(answer.status == 917 && answer.json["token_error"] == "signing_time_too_old")
    }

    @Test func aTokenOfTheOtherEnvironmentIs917() async throws {
        let shop = try await FrontEndShop.open()
        let answer = try await shop.getPrime(try shop.token(mode: .live))
        #expect(answer.status == 917 && !answer.detail.isEmpty)
    }

    @Test(arguments: ["data", "signature"])
    func aTokenThatCannotBeReadIs916(_ part: String) async throws {
        let shop = try await FrontEndShop.open()
        var data = try #require(try shop.token().paymentData.object)
        data[part] = "not base64!"
        let answer = try await shop.call(shop.body(.object(data)))
        #expect(answer.status == 916 && answer.message == "Signature verification is not proceed")
        #expect(answer.json["token_stage"] == "parse" && answer.json["token_error"] == "base64_malformed")
    }

    @Test func aTokenForAnotherMerchantIs122() async throws {
        let shop = try await FrontEndShop.open()
        let other = try await shop.test.addMerchant(
            "other", dialect: TapPay.dialectName, key: "999", merchantIdentifier: "merchant.com.example.other")
        let token = try shop.test.mint(try FrontEndShop.amount(), for: other)
        let answer = try await shop.getPrime(token)
        #expect(answer.status == 122 && answer.message == "Card encrypt error")
        #expect(answer.json["token_stage"] == "decryption" && answer.json["token_error"] == "key_unknown")
    }

    /// The payload of a sound token with one of its members replaced.
    private func options(_ shop: FrontEndShop, _ member: String, _ value: JSON) throws -> MintOptions {
        var payload = try #require(try JSON.parse(try shop.token().parts.plaintext).object)
        payload[member] = value
        var options = MintOptions()
        options.plaintext = JSON.object(payload).serialized()
        return options
    }

    @Test(
        arguments: [
            ("applicationPrimaryAccountNumber", "12", 41), ("applicationExpirationDate", "31", 41),
            ("currencyCode", "x", 122), ("currencyCode", "000", 122), ("applicationExpirationDate", "200131", 2013),
        ] as [(String, String, Int64)])
    func whatIsInTheTokenHasItsNumbers(member: String, value: String, code: Int64) async throws {
        let shop = try await FrontEndShop.open()
        let token = try shop.token(options: try self.options(shop, member, .string(value)))
        let answer = try await shop.getPrime(token)
        #expect(answer.status == code && answer.prime.isEmpty)
    }

    @Test func aTokenOfAnExpiredCardIsNotKept() async throws {
        let shop = try await FrontEndShop.open()
        let options = try self.options(shop, "applicationExpirationDate", "260531")
        #expect(try await shop.getPrime(try shop.token(options: options)).message == "Expired Card")
        #expect(try await !shop.keepsAnything())
        #expect(try await shop.getPrime(try shop.token()).status == 0)
        #expect(try await shop.keepsAnything())
    }

    @Test func aNetworkThatTheAcquirerDoesNotTakeIs67() async throws {
        let shop = try await FrontEndShop.open {
            $0.connectors = [SharedAcquirerConnector(OneNetwork(network: .mastercard))]
        }
        let answer = try await shop.getPrime(try shop.token(.visa))
        #expect(answer.status == 67 && answer.message == "This merchant does not support this payment method")
        #expect(try await shop.getPrime(try shop.token(.mastercard)).status == 0)
    }

    @Test func aMerchantWithoutAnAcquirerIs915() async throws {
        let shop = try await FrontEndShop.open(acquirer: nil)
        let answer = try await shop.getPrime(try shop.token())
        #expect(answer.status == 915 && answer.detail.contains("acquirer"))
    }

    /// What getprime and getsession never meet has a number all the same.
    @Test(
        arguments: [
            (GatewayRefusal.tokenReplayed, 917), (.amountDiffersFromToken, 915), (.currencyDiffersFromToken, 915),
            (.tokenAmountUnreadable, 122), (.modeCrossed(merchant: .live, token: .sandbox), 917),
            (.merchantNotReady, 915), (.merchantSuspended, 915), (.merchantIdentifierUnknown, 13002),
            (.networkNotSupported, 67),
            (.acquirerNotConnected, 915), (.operationNotSupported, 915), (.merchantIdentityMissing, 403),
            (.merchantSessionFailed(.timedOut), 403), (.payment(.alreadyVoided), 915), (.paymentNotFound, 915),
            (.orderNotFound, 915), (.orderExpired, 915), (.orderCanceled, 915), (.orderPaid, 915),
            (.orderInProcess, 915), (.idempotencyConflict, 915), (.keptItemConflict, 915), (.keptTokenUnknown, 915),
            (.keptTokenExpired, 915), (.referenceTaken(kind: "x"), 915), (.storeUnavailable, 915),
            (.cardNumberInText(.other), 915),
        ] as [(GatewayRefusal, Int)])
    func everyRefusalHasANumber(_ refusal: GatewayRefusal, code: Int) {
        let failure = TapPayFailure(frontEnd: refusal)
        #expect(failure.code.rawValue == code && failure.detail == refusal.explanation)
    }
}

/// An acquirer that takes the cards of one network, and is never asked for more here.
private struct OneNetwork: Acquirer {
    let name = AcquirerName("simulator")
    let network: CardNetwork

    var capabilities: AcquirerCapabilities {
        AcquirerCapabilities(networks: [self.network], recovery: .reversal)
    }

    func perform(_ request: AcquirerRequest) async -> AcquirerOutcome { .unclear("not_offered") }
    func query(_ query: AcquirerQuery) async -> AcquirerQueryOutcome { .unknown(.unclear("not_offered")) }
}
