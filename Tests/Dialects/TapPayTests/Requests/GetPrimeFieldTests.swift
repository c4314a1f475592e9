//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import StrictJSON
import TestGateway
import Testing
import Time
import WalletSimulator

@testable import TapPay

/// Every field of getprime with every number that it is refused with.
@Suite struct GetPrimeFieldTests {
    private static func long(_ count: Int) -> JSON { .string(String(repeating: "x", count: count)) }

    /// What is changed, and the number that it gives.
    private static let fields: [(field: String, value: JSON?, code: TapPayCode)] = [
        ("app_id", nil, .invalidAppID), ("app_id", "abc", .invalidAppID), ("app_id", 0, .invalidAppID),
        ("app_id", 2_147_483_648, .invalidAppID), ("app_id", "", .invalidAppID), ("app_id", [], .invalidAppID),
        ("app_id", 12346, .appIDNotFound), ("app_id", "12346", .appIDNotFound),
        ("app_key", nil, .missingAppKey), ("app_key", "", .missingAppKey), ("app_key", 7, .missingAppKey),
        ("app_key", long(129), .appKeyOutOfRange), ("app_key", "a\u{1}", .appKeyOutOfRange),
        ("app_key", long(128), .appKeyMismatch), ("app_key", .string(FrontEndShop.partnerKey), .appKeyMismatch),
        ("app_name", nil, .missingAppName), ("app_name", "", .missingAppName),
        ("app_name", long(129), .appNameOutOfRange), ("app_name", 7, .appNameOutOfRange),
        ("platform_type", nil, .invalidPlatformType), ("platform_type", "web", .invalidPlatformType),
        ("platform_type", true, .invalidPlatformType),
        ("platform_type", "0", .unsupportedPlatformType), ("platform_type", 3, .unsupportedPlatformType),
        ("platform_type", 1, .sdkVersionNotSent), ("tappay_sdk_version", "two", .invalidSDKVersion),
        ("tappay_sdk_version", "2", .invalidSDKVersion), ("tappay_sdk_version", "2..1", .invalidSDKVersion),
        ("tappay_sdk_version", long(33), .invalidSDKVersion), ("sdkversion", "2.x", .invalidSDKVersion),
        ("apple_merchant_id", nil, .missingAppleMerchantID), ("apple_merchant_id", "", .missingAppleMerchantID),
        ("apple_merchant_id", long(129), .appleMerchantIDOutOfRange),
        ("apple_merchant_id", "merchant.of.another", .appleMerchantIDDisabled),
        ("pay_token_data", nil, .missingPayTokenData), ("pay_token_data", "", .missingPayTokenData),
        ("pay_token_data", "text", .missingPayTokenData), ("pay_token_data", [], .missingPayTokenData),
        ("pay_token_data", JSON.object(JSONObject()), .missingPayTokenData),
        ("pay_token_data", ["paymentData": ""], .missingPayTokenData),
        ("pay_token_data", ["paymentData": nil], .missingPayTokenData),
        ("fraud_id", long(257), .fraudIDOutOfRange), ("devicetype", "phone", .invalidDeviceType),
        ("devicetype", 10, .invalidDeviceType),
        ("deviceInfo", ["deviceIdentifier": long(129)], .deviceIdentifierOutOfRange),
        ("deviceInfo", ["deviceModel": long(129)], .deviceModelOutOfRange),
        ("deviceInfo", ["deviceOsVersion": long(65)], .deviceOSVersionOutOfRange),
        ("geoloc", long(129), .geolocationOutOfRange), ("is_amount_pending", "perhaps", .wrongJSONFormat),
    ]

    @Test(arguments: fields)
    func refusesAWrongField(field: String, value: JSON?, code: TapPayCode) async throws {
        let shop = try await FrontEndShop.open()
        let answer = try await shop.getPrime(try shop.token(), changing: [field: value])
        #expect(answer.status == code.rawValue && answer.message == code.message)
        #expect(answer.response.status == .ok && answer.prime.isEmpty)
    }

    /// Clients write booleans as texts and as numbers, too, here as in the back end's calls.
    @Test(
        arguments: [
            (true, true), ("true", true), ("TRUE", true), ("1", true), (1, true), (false, false), ("false", false),
            (0, false), ("", false), (nil, false),
        ] as [(JSON?, Bool)])
    func takesAFlagHoweverItIsWritten(value: JSON?, isPending: Bool) async throws {
        let shop = try await FrontEndShop.open(settings: [AccountSettings.amountPendingName: "true"])
        let answer = try await shop.getPrime(try shop.token(), changing: ["is_amount_pending": value])
        let seconds = isPending ? Prime.lifetimeSecondsPending : Prime.lifetimeSeconds
        let end = shop.test.clock.now.adding(seconds: seconds)
        #expect(answer.status == 0 && answer.json["prime_expiry_millis"]?.integer == end.milliseconds)
    }

    private static let tokenFields: [(path: [String], value: JSON?, code: TapPayCode)] = [
        (["data"], nil, .missingTokenData), (["data"], "", .missingTokenData), (["data"], 1, .missingTokenData),
        (["data"], long(16_385), .tokenDataOutOfRange),
        (["version"], nil, .missingTokenVersion), (["version"], long(17), .tokenVersionOutOfRange),
        (["signature"], nil, .missingTokenSignature), (["signature"], long(16_385), .tokenSignatureOutOfRange),
        (["header"], nil, .missingTokenHeader), (["header"], "h", .missingTokenHeader),
        (["header", "ephemeralPublicKey"], nil, .missingTokenEphemeralPublicKey),
        (["header", "ephemeralPublicKey"], long(1025), .tokenEphemeralPublicKeyOutOfRange),
        (["header", "publicKeyHash"], nil, .missingTokenPublicKeyHash),
        (["header", "publicKeyHash"], long(129), .tokenPublicKeyHashOutOfRange),
        (["header", "transactionId"], nil, .missingTokenTransactionID),
        (["header", "transactionId"], long(129), .tokenTransactionIDOutOfRange),
    ]

    @Test(arguments: tokenFields)
    func refusesAWrongPartOfTheToken(path: [String], value: JSON?, code: TapPayCode) async throws {
        let shop = try await FrontEndShop.open()
        var data = try #require(try shop.token().paymentData.object)
        if path.count == 2 {
            var header = try #require(data["header"]?.object)
            header[path[1]] = value
            data["header"] = .object(header)
        } else {
            data[path[0]] = value
        }
        for token in [JSON.object(data), ["paymentData": .object(data)]] {
            let answer = try await shop.call(shop.body(token))
            #expect(answer.status == code.rawValue && answer.message == code.message)
        }
    }

    /// RSA_v1 has its wrapped key where EC_v1 has the ephemeral one, and the vendor no number of its own for it.
    @Test(arguments: [(nil, 608), (long(1025), 613)] as [(JSON?, Int64)])
    func theWrappedKeyStandsForTheEphemeralOne(wrappedKey: JSON?, code: Int64) async throws {
        let shop = try await FrontEndShop.open()
        var header = JSONObject()
        header["publicKeyHash"] = "aGFzaA=="
        header["transactionId"] = "ab"
        header["wrappedKey"] = wrappedKey
        let data: JSON = ["version": "RSA_v1", "data": "ZGF0YQ==", "signature": "c2ln", "header": .object(header)]
        #expect(try await shop.call(shop.body(data)).status == code)
    }

    @Test(arguments: ["", "{", "[]", "\"text\"", "{\"app_id\":1,\"app_id\":2}", "{}x"])
    func refusesWhatIsNoJSONObject(_ body: String) async throws {
        let shop = try await FrontEndShop.open()
        let answer = try await shop.call(bytes: Array(body.utf8))
        #expect(answer.status == 5 && answer.message == "Wrong JSON format")
    }

    @Test func theAppKeyInTheHeaderMustBeTheAppKey() async throws {
        let shop = try await FrontEndShop.open()
        for key in ["wrong", FrontEndShop.partnerKey] {
            let body = shop.body(try shop.token().paymentData)
            let answer = try await shop.call(body, headers: [.known("x-api-key"): key])
            #expect(answer.status == 80 && answer.message == "Invaild x-api-key or app key")
        }
    }

    @Test func thePartnerKeyInAnAppIsReportedAsWhatItIs() async throws {
        let shop = try await FrontEndShop.open()
        let answer = try await shop.getPrime(
            try shop.token(), changing: ["app_key": .string(FrontEndShop.partnerKey)])
        #expect(answer.detail.contains("partner key") && !answer.detail.contains(FrontEndShop.partnerKey))
    }

    @Test func anAccountWithoutAnAppKeyServesNoApp() async throws {
        let shop = try await FrontEndShop.open(hasAppKey: false)
        #expect(try await shop.getPrime(try shop.token()).status == 13)
    }

    @Test func anAccountMayListItsAppsNames() async throws {
        let shop = try await FrontEndShop.open(settings: ["allowedAppNames": "shop.example, Fruit Shop"])
        #expect(try await shop.getPrime(try shop.token()).status == 0)
        #expect(try await shop.getPrime(try shop.token(), changing: ["app_name": "Fruit Shop"]).status == 0)
        let answer = try await shop.getPrime(try shop.token(), changing: ["app_name": "FruitShop"])
        #expect(answer.status == 12 && answer.message == "App name mismatch")
    }

    @Test func anAccountMayRefuseOldSDKs() async throws {
        let shop = try await FrontEndShop.open(settings: ["iosSDKVersionMin": "2.6.0"])
        for (version, code) in [("2.5.9", 31), ("1.99", 31), ("2.6", 0), ("2.10.0", 0)] as [(JSON, Int64)] {
            let changes: [String: JSON?] = ["platform_type": "1", "tappay_sdk_version": version]
            #expect(try await shop.getPrime(try shop.token(), changing: changes).status == code)
        }
        // Pages are of their own age.
        #expect(try await shop.getPrime(try shop.token(), changing: ["tappay_sdk_version": "1.0"]).status == 0)
    }

    @Test func anOperatorMaySwitchAMerchantIdentifierOff() async throws {
        let shop = try await FrontEndShop.open(
            settings: ["disabledMerchantIdentifiers": "merchant.other, merchant.com.example.shop"])
        let answer = try await shop.getPrime(try shop.token())
        #expect(answer.status == 13002 && answer.message == "This apple pay merchant identifier is disabled")
    }

    /// A page may name another identifier than its token is for.
    @Test func anIdentifierThatIsOffIsOffWhateverThePageSays() async throws {
        let shop = try await FrontEndShop.open(settings: ["disabledMerchantIdentifiers": "merchant.com.example.shop"])
        _ = try await shop.test.addMerchantIdentifier("merchant.other", to: shop.merchant)
        let answer = try await shop.getPrime(
            try shop.token(), changing: ["apple_merchant_id": "merchant.other"])
        #expect(answer.status == 13002 && answer.prime.isEmpty)
    }

    @Test func aBodyThatIsTooLargeIsRefused() async throws {
        let shop = try await FrontEndShop.open()
        let answer = try await shop.call(bytes: Array(repeating: 0x20, count: TapPay.frontEndBodyBytesMax + 1))
        #expect(answer.response.status == .contentTooLarge)
    }
}
