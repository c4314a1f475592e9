//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import StrictJSON
import TestGateway
import Testing
import WalletSimulator

@testable import Radial

@Suite struct LookupTests {
    @Test(arguments: ["decryptblob", "decryptblob.xml"])
    func decryptsATokenForTheMerchant(path: String) async throws {
        let shop = try await RadialShop.open()
        let token = try shop.token(1499)
        let reply = try await shop.send(path, Sample.decryptBlob(token))
        #expect(reply.status == 200 && reply.root.name == "DecryptBlobReply")
        #expect(reply["PaymentAccountUniqueId"] == SimulatedCard.visa.dpan)
        #expect(reply.root.child("PaymentAccountUniqueId")?.attributes == ["isToken": "false"])
        #expect(reply["ExpirationDate"] == "2031-12" && reply["Amount"] == "14.99" && reply["TenderType"] == "VC")
        #expect(reply["PaymentDataType"] == "3DSecure" && reply["SecureVerificationData/ECI"] == "7")
        let payload = try JSON.parse(token.parts.plaintext)
        #expect(reply["SecureVerificationData/CavvUcaf"] == payload["paymentData"]?["onlinePaymentCryptogram"]?.string)
        #expect(reply["DeviceManufacturerIdentifier"] == payload["deviceManufacturerIdentifier"]?.string)
        // It pays nothing.
        #expect(try await shop.test.payments().isEmpty)
        #expect(reply.response.headers[.cacheControl] == "no-store")
    }

    @Test func decryptsChipData() async throws {
        let shop = try await RadialShop.open()
        let reply = try await shop.send("decryptblob", Sample.decryptBlob(try shop.token(1499, kind: .emv)))
        #expect(reply["PaymentDataType"] == "EMV" && reply["EmvData"]?.isEmpty == false)
        #expect(reply.root.child("SecureVerificationData") == nil)
    }

    @Test func decryptsOnlyForStoresThatMay() async throws {
        let shop = try await RadialShop.open(allowsDecryption: false)
        let reply = try await shop.send("decryptblob", Sample.decryptBlob(try shop.token(1499)))
        #expect(reply.fault == "403 DecryptBlobNotAllowedException")
    }

    @Test func decryptsOnlyGoodTokens() async throws {
        let shop = try await RadialShop.open()
        let forged = try shop.token(1499, options: .forged(.foreignRoot))
        #expect(
            try await shop.send("decryptblob", Sample.decryptBlob(forged)).fault
                == "400 ApplePayTokenNotTrustedException")
        let broken = Sample.decryptBlob(try shop.token(1499)).replacing("<Version>EC_v1", with: "<Version>EC_v0")
        #expect(try await shop.send("decryptblob", broken).fault == "400 ApplePayTokenMalformedException")
        let other = Sample.decryptBlob(try shop.token(1499)).replacing("apd", with: "gpd")
        #expect(try await shop.send("decryptblob", other).fault == "400 InvalidRequestException")
        let old = try shop.token(1499)
        shop.test.clock.advance(seconds: 86_400)
        #expect(try await shop.send("decryptblob", Sample.decryptBlob(old)).status == 400)
    }

    @Test(
        arguments: [
            ("4111111111111111", "VC", "TENDER_TYPE_FOUND"), ("5442981111111114", "MC", "TENDER_TYPE_FOUND"),
            ("370000000000101", "AM", "TENDER_TYPE_FOUND"), ("6011000994462780", nil, "PAN_NOT_CONFIGURED_TO_STORE"),
            ("4111111111111112", nil, "PAN_FAILS_LUHN_CHECK"), ("abc", nil, "PAN_FAILS_LUHN_CHECK"),
            ("1234567890123452", nil, "NO_TENDER_TYPE_FOUND"),
        ] as [(String, String?, String)])
    func looksUpTheTenderOfACard(pan: String, tender: String?, code: String) async throws {
        let shop = try await RadialShop.open(allowedTenders: ["VC", "MC", "AM"])
        let reply = try await shop.send("tendertype/lookup.xml", Sample.tenderLookup(pan))
        #expect(
            reply.root.name == "TenderTypeLookupReply" && reply["TenderType"] == tender && reply["ResponseCode"] == code
        )
    }

    @Test func looksUpTheTenderOfAToken() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(1499, card: .amex)
        let found = try await shop.send("tendertype/lookup.xml", Sample.tenderLookup(token, isToken: "true"))
        #expect(found["TenderType"] == "AM" && found["ResponseCode"] == "TENDER_TYPE_FOUND")
        let unknown = try await shop.send(
            "tendertype/lookup.xml", Sample.tenderLookup("4111110PASeK1111", isToken: "true"))
        #expect(unknown["ResponseCode"] == "NO_TENDER_TYPE_FOUND")
        let gift = try await shop.send(
            "tendertype/lookup.xml", Sample.tenderLookup("4111111111111111", tenderClass: "StoredValue"))
        #expect(gift["ResponseCode"] == "NO_TENDER_TYPE_FOUND")
        let currency = Sample.tenderLookup("4111111111111111").replacing("USD", with: "XXX")
        #expect(try await shop.send("tendertype/lookup.xml", currency).fault == "400 InvalidRequestException")
        let encrypted = Sample.tenderLookup("x").replacing(
            "PaymentAccountUniqueId", with: "EncryptedPaymentAccountUniqueId")
        #expect(
            try await shop.send("tendertype/lookup.xml", encrypted).fault == "400 EncryptedAccountNotSupportedException"
        )
    }
}
