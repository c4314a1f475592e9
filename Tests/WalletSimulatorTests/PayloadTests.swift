//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import StrictJSON
import Testing
import WalletSimulator

@Suite struct PayloadTests {
    @Test func keysStandInTheOrderOfDevices() throws {
        var request = Sandbox.request()
        request.cardholderName = "Ada Lovelace"
        request.authenticationResponses = [
            .init(merchantIdentifier: "merchant.hotel", authenticationData: [1, 2, 3], amountMinorUnits: 500)
        ]
        request.merchantToken = .sample(card: .visa)
        let payload = try MerchantServer.open(try Sandbox.mint(request).paymentData)
        #expect(
            payload.object?.names == [
                "applicationPrimaryAccountNumber", "applicationExpirationDate", "currencyCode", "transactionAmount",
                "cardholderName", "deviceManufacturerIdentifier", "paymentDataType", "paymentData",
                "authenticationResponses", "merchantTokenIdentifier", "merchantTokenMetadata",
            ])
        #expect(payload["cardholderName"] == "Ada Lovelace")
        #expect(payload["deviceManufacturerIdentifier"] == "040010030273")
        #expect(
            payload["authenticationResponses"]?.array == [
                ["merchantIdentifier": "merchant.hotel", "authenticationData": "AQID", "transactionAmount": "500"]
            ])
        #expect(payload["merchantTokenIdentifier"] == "DSMTSIMULATOR0001")
        #expect(payload["merchantTokenMetadata"]?["cardMetadata"]?["fpanSuffix"] == "1234")
        #expect(payload["merchantTokenMetadata"]?["cardArt"]?.array?.first?["type"] == "image/png")
    }

    @Test func optionalKeysAreAbsentUnlessAsked() throws {
        let payload = try MerchantServer.open(try Sandbox.mint(Sandbox.request()).paymentData)
        #expect(
            payload.object?.names == [
                "applicationPrimaryAccountNumber", "applicationExpirationDate", "currencyCode", "transactionAmount",
                "deviceManufacturerIdentifier", "paymentDataType", "paymentData",
            ])
    }

    @Test(arguments: SimulatedCard.allCases)
    func cryptogramHasTwentyBytes(card: SimulatedCard) throws {
        let payload = try MerchantServer.open(try Sandbox.mint(Sandbox.request(), card: card).paymentData)
        let data = try #require(payload["paymentData"])
        #expect(try MerchantServer.bytes(data["onlinePaymentCryptogram"]).count == 20)
        #expect(data.object?.names == ["onlinePaymentCryptogram"] + (card.eci == nil ? [] : ["eciIndicator"]))
    }

    @Test func sizeIsThatOfGenuinePayloads() throws {
        for card in [SimulatedCard.visa, .mastercard] {
            let count = try Sandbox.mint(Sandbox.request(), card: card).parts.plaintext.count
            #expect((270...310).contains(count))
        }
    }

    @Test func chipDataHoldsAmountCurrencyAndDate() throws {
        let payload = try MerchantServer.open(try Sandbox.mint(Sandbox.request(kind: .emv)).paymentData)
        let data = try #require(payload["paymentData"])
        #expect(data.object?.names == ["emvData"])
        let fields = try self.fields(Array(try MerchantServer.bytes(data["emvData"])))
        #expect(fields[0x9F02] == [0, 0, 0, 0, 0x10, 0x99])
        #expect(fields[0x5F2A] == [0x01, 0x24])
        #expect(fields[0x9A] == [0x26, 0x03, 0x01])
        #expect(fields[0x9F26]?.count == 8)
        #expect(fields[0x9F36]?.count == 2)
        #expect(fields[0x95]?.count == 5)
    }

    @Test func encryptedPINIsHexadecimalWhenThereIsOne() throws {
        var request = Sandbox.request(.rsaV1, kind: .emv)
        request.encryptedPINData = [0x0A, 0xFF]
        let payload = try MerchantServer.open(try Sandbox.mint(request).paymentData)
        #expect(payload["paymentData"]?["encryptedPINData"] == "0AFF")
    }

    private func fields(_ bytes: [UInt8]) throws -> [Int: [UInt8]] {
        var fields: [Int: [UInt8]] = [:]
        var position = 0
        while position < bytes.count {
            var tag = Int(bytes[position])
            position += 1
            if tag & 0x1F == 0x1F {
                tag = tag << 8 | Int(bytes[position])
                position += 1
            }
            let end = position + 1 + Int(bytes[position])
            try #require(end <= bytes.count)
            fields[tag] = Array(bytes[position + 1..<end])
            position = end
        }
        return fields
    }
}
