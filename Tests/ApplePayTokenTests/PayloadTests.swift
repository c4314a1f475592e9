//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Redaction
import StrictJSON
import Testing
import WalletSimulator

@testable import ApplePayToken

@Suite struct PayloadTests {
    private static let sample: JSON = [
        "applicationPrimaryAccountNumber": "4111111111111111", "applicationExpirationDate": "291231",
        "currencyCode": "840",
        "transactionAmount": 1099, "deviceManufacturerIdentifier": "040010030273", "paymentDataType": "3DSecure",
        "paymentData": ["onlinePaymentCryptogram": "AAECAwQFBgcICQoLDA0ODxAREhM=", "eciIndicator": "7"],
    ]

    private static let emv: JSON = ["emvData": "nyYI", "encryptedPINData": "0A0B"]

    private func payload(_ json: JSON) throws -> ApplePayToken.PaymentPayload {
        try PaymentPayload(parsing: json.serialized())
    }

    /// The sample with a member set or removed; the path goes into objects and may have one index.
    private func changed(_ name: String, to value: JSON?, in parent: String? = nil) throws -> JSON {
        var object = try #require(PayloadTests.sample.object)
        if let parent {
            var inner = object[parent]?.object ?? JSONObject()
            inner[name] = value
            object[parent] = .object(inner)
        } else {
            object[name] = value
        }
        return .object(object)
    }

    @Test func readsThreeDSecure() throws {
        let payload = try self.payload(PayloadTests.sample)
        #expect(payload.applicationPrimaryAccountNumber == Redacted("4111111111111111"))
        #expect(payload.applicationExpirationDate.year == 2029)
        #expect(payload.applicationExpirationDate.month == 12)
        #expect(payload.applicationExpirationDate.day == 31)
        #expect(payload.applicationExpirationDate.yearAndMonth == "2912")
        #expect("\(payload.applicationExpirationDate)" == "291231")
        #expect(payload.currencyCode.numericCode == "840")
        #expect(payload.transactionAmount.text == "1099")
        #expect(payload.transactionAmount.integer == 1_099)
        #expect(payload.cardholderName == nil)
        #expect(payload.deviceManufacturerIdentifier == "040010030273")
        #expect(payload.authenticationResponses.isEmpty)
        #expect(payload.merchantTokenIdentifier == nil)
        #expect(payload.merchantTokenMetadata == nil)
        guard case .threeDSecure(let proof) = payload.paymentData else {
            Issue.record("not 3-D Secure")
            return
        }
        #expect(proof.cryptogram == Redacted(Array(UInt8(0)..<20)))
        #expect(proof.cryptogramText == Redacted("AAECAwQFBgcICQoLDA0ODxAREhM="))
        #expect(proof.eciIndicator == "7")
        #expect(payload.paymentData.type == .threeDSecure)
    }

    @Test(arguments: [nil, "", "5", "07"])
    func eciIndicatorIsOptional(_ value: String?) throws {
        let json = try self.changed("eciIndicator", to: value.map { .string($0) }, in: "paymentData")
        guard case .threeDSecure(let proof) = try self.payload(json).paymentData else {
            Issue.record("not 3-D Secure")
            return
        }
        #expect(proof.eciIndicator == (value == "" ? nil : value))
    }

    @Test(arguments: [true, false])
    func readsEMVWithAndWithoutPIN(hasPIN: Bool) throws {
        var object = try #require(PayloadTests.sample.object)
        object["paymentDataType"] = "EMV"
        object["paymentData"] = hasPIN ? PayloadTests.emv : ["emvData": "nyYI"]
        object["transactionAmount"] = 0
        let payload = try self.payload(.object(object))
        guard case .emv(let proof) = payload.paymentData else {
            Issue.record("not EMV")
            return
        }
        #expect(proof.emvData == Redacted([0x9F, 0x26, 0x08]))
        #expect(proof.emvDataText == Redacted("nyYI"))
        #expect(proof.encryptedPINData == (hasPIN ? Redacted("0A0B") : nil))
        #expect(payload.transactionAmount.integer == 0)
    }

    @Test func readsEveryOptionalMember() throws {
        var object = try #require(PayloadTests.sample.object)
        object["cardholderName"] = "John Appleseed"
        object["authenticationResponses"] = [
            ["merchantIdentifier": "0aff", "authenticationData": "AAAIAKng*=", "transactionAmount": "250"],
            ["merchantIdentifier": "bfc9", "authenticationData": "AAAIANBE", "transactionAmount": "2.50"],
        ]
        object["merchantTokenIdentifier"] = "DSMT1"
        object["merchantTokenMetadata"] = [
            "cardArt": [["name": "a.png", "type": "image/png", "url": "https://example.com/a.png"], [:]],
            "cardMetadata": [
                "cardCountry": "US", "expirationDate": "2912", "fpanSuffix": "1234", "longDescription": "Long",
                "shortDescription": "Short",
            ],
        ]
        let payload = try self.payload(.object(object))
        #expect(payload.cardholderName == Redacted("John Appleseed"))
        #expect(payload.authenticationResponses.map(\.merchantIdentifier) == ["0aff", "bfc9"])
        #expect(payload.authenticationResponses.map(\.transactionAmount) == ["250", "2.50"])
        #expect(payload.authenticationResponses[0].authenticationData == Redacted("AAAIAKng*="))
        #expect(payload.merchantTokenIdentifier == "DSMT1")
        let metadata = try #require(payload.merchantTokenMetadata)
        #expect(metadata.cardArt.map(\.name) == ["a.png", nil])
        #expect(metadata.cardArt[0].type == "image/png")
        #expect(metadata.cardArt[0].url == "https://example.com/a.png")
        #expect(metadata.cardMetadata?.cardCountry == "US")
        #expect(metadata.cardMetadata?.expirationDate == "2912")
        #expect(metadata.cardMetadata?.fpanSuffix == "1234")
        #expect(metadata.cardMetadata?.longDescription == "Long")
        #expect(metadata.cardMetadata?.shortDescription == "Short")
    }

    @Test func ignoresUnknownMembers() throws {
        var object = try #require(PayloadTests.sample.object)
        object["somethingNew"] = ["deep": [1, 2, 3]]
        object["paymentData"] = ["onlinePaymentCryptogram": "AAEC", "somethingNew": true]
        #expect(try self.payload(.object(object)).currencyCode.numericCode == "840")
    }

    @Test(arguments: [("36", "036"), ("8", "008"), ("036", "036"), ("840", "840")])
    func currencyCodeGetsItsLeadingZerosBack(written: String, numeric: String) throws {
        let code = try self.payload(try self.changed("currencyCode", to: .string(written))).currencyCode
        #expect(code.numericCode == numeric)
        #expect(code.asWritten == written)
    }

    @Test(
        arguments: [
            ("0", 0), ("9223372036854775807", .max), ("9223372036854775808", nil), ("10.99", nil), ("1e3", nil),
        ] as [(String, Int64?)])
    func amountKeepsItsText(text: String, integer: Int64?) throws {
        let amount = try self.payload(try self.changed("transactionAmount", to: .number(text))).transactionAmount
        #expect(amount.text == text)
        #expect(amount.integer == integer)
    }

    static let refusals: [(String, JSON?, TokenError.Code)] = [
        ("applicationPrimaryAccountNumber", nil, .payloadMemberMissing),
        ("applicationPrimaryAccountNumber", 4_111_111_111_111_111, .payloadMemberWrongType),
        ("applicationPrimaryAccountNumber", "41111111111", .accountNumberMalformed),
        ("applicationPrimaryAccountNumber", "41111111111111111111", .accountNumberMalformed),
        ("applicationPrimaryAccountNumber", "4111 1111 1111 1111", .accountNumberMalformed),
        ("applicationExpirationDate", nil, .payloadMemberMissing),
        ("applicationExpirationDate", "2912", .expirationDateMalformed),
        ("applicationExpirationDate", "291331", .expirationDateMalformed),
        ("applicationExpirationDate", "290031", .expirationDateMalformed),
        ("applicationExpirationDate", "291200", .expirationDateMalformed),
        ("applicationExpirationDate", "291232", .expirationDateMalformed),
        ("applicationExpirationDate", "29-12-31", .expirationDateMalformed),
        ("applicationExpirationDate", "2912３1", .expirationDateMalformed),
        ("currencyCode", nil, .payloadMemberMissing),
        ("currencyCode", 840, .payloadMemberWrongType),
        ("currencyCode", "", .currencyCodeMalformed),
        ("currencyCode", "USD", .currencyCodeMalformed),
        ("currencyCode", "0840", .currencyCodeMalformed),
        ("transactionAmount", nil, .payloadMemberMissing),
        ("transactionAmount", "1099", .payloadMemberWrongType),
        ("transactionAmount", -1, .amountMalformed),
        ("deviceManufacturerIdentifier", nil, .payloadMemberMissing),
        ("deviceManufacturerIdentifier", "", .deviceManufacturerMalformed),
        ("deviceManufacturerIdentifier", "xyz0", .deviceManufacturerMalformed),
        ("paymentDataType", nil, .payloadMemberMissing),
        ("paymentDataType", "3dsecure", .paymentDataTypeUnsupported),
        // The data of the other kind.
        ("paymentDataType", "EMV", .payloadMemberMissing),
        ("paymentData", nil, .payloadMemberMissing),
        ("paymentData", [], .payloadMemberWrongType),
        ("paymentData", [:], .payloadMemberMissing),
        ("paymentData", ["onlinePaymentCryptogram": ""], .cryptogramMalformed),
        ("paymentData", ["onlinePaymentCryptogram": "A A="], .cryptogramMalformed),
        ("paymentData", ["onlinePaymentCryptogram": "AAEC", "eciIndicator": 7], .payloadMemberWrongType),
        ("paymentData", ["onlinePaymentCryptogram": "AAEC", "eciIndicator": "007"], .eciIndicatorMalformed),
        ("paymentData", ["onlinePaymentCryptogram": "AAEC", "eciIndicator": "x"], .eciIndicatorMalformed),
    ]

    /// The customer has paid with the rest.
    @Test(
        arguments: [
            ("cardholderName", 1), ("authenticationResponses", [:]), ("authenticationResponses", ["x", [:]]),
            ("authenticationResponses", [["merchantIdentifier": 1, "authenticationData": "b"]]),
            (
                "authenticationResponses",
                [["merchantIdentifier": "a", "authenticationData": "b", "transactionAmount": "-1"]]
            ),
            ("merchantTokenIdentifier", 1), ("merchantTokenMetadata", "x"),
        ] as [(String, JSON)])
    func whatDecidesNothingAndDoesNotFitIsAbsent(name: String, value: JSON) throws {
        #expect(try self.payload(try self.changed(name, to: value)) == (try self.payload(PayloadTests.sample)))
    }

    @Test func readsWhatFitsOfTheRest() throws {
        var object = try #require(PayloadTests.sample.object)
        object["authenticationResponses"] = [
            5, ["merchantIdentifier": "0aff", "authenticationData": "AAAA", "transactionAmount": 250],
        ]
        object["merchantTokenMetadata"] = [
            "cardArt": ["name": "a.png"], "cardMetadata": ["fpanSuffix": 1234, "cardCountry": "US"],
        ]
        let payload = try self.payload(.object(object))
        #expect(payload.authenticationResponses.map(\.merchantIdentifier) == ["0aff"])
        #expect(payload.authenticationResponses.map(\.transactionAmount) == ["250"])
        #expect(payload.merchantTokenMetadata?.cardArt == [])
        #expect(payload.merchantTokenMetadata?.cardMetadata?.fpanSuffix == nil)
        #expect(payload.merchantTokenMetadata?.cardMetadata?.cardCountry == "US")
    }

    @Test(arguments: PayloadTests.refusals.indices)
    func refuses(_ index: Int) throws {
        let (name, value, code) = PayloadTests.refusals[index]
        let json = try self.changed(name, to: value)
        let error = expectRefusal(code, .payload, "\(name)") { _ = try self.payload(json) }
        #expect(error?.message.contains("4111") == false)
    }

    @Test(
        arguments: [
            (["emvData": ""], .emvDataMalformed), (["emvData": "n"], .emvDataMalformed), ([:], .payloadMemberMissing),
            (["emvData": "nyYI", "encryptedPINData": "0x"], .encryptedPINDataMalformed),
        ] as [(JSON, TokenError.Code)])
    func refusesEMV(data: JSON, code: TokenError.Code) throws {
        var object = try #require(PayloadTests.sample.object)
        object["paymentDataType"] = "EMV"
        object["paymentData"] = data
        expectRefusal(code, .payload) { _ = try self.payload(.object(object)) }
    }

    @Test(arguments: ["", "[]", "4111111111111111", "{\"a\":1,\"a\":2}", "{}x"])
    func refusesWhatIsNoObject(_ text: String) {
        let error = expectRefusal(.payloadMalformed, .payload) { _ = try PaymentPayload(parsing: Array(text.utf8)) }
        #expect(error?.message.contains("4111") == false)
    }

    @Test(arguments: SimulatedCard.allCases)
    func readsWhatTheSimulatorMints(card: SimulatedCard) throws {
        let fixture = try Fixture.get()
        for version in PaymentRequest.Version.allCases {
            for kind in PaymentRequest.Kind.allCases {
                var request = fixture.request(version, kind: kind)
                request.merchantToken = .sample(card: card)
                request.cardholderName = "Jane Appleseed"
                request.authenticationResponses = [
                    .init(merchantIdentifier: "sub", authenticationData: [1, 2], amountMinorUnits: 5)
                ]
                let minted = try fixture.device.mint(
                    request, card: card, recipient: version == .ecV1 ? fixture.ecRecipient : fixture.rsaRecipient,
                    signingTime: Fixture.now)
                let payload = try fixture.open(minted).payload
                #expect(payload.applicationPrimaryAccountNumber == Redacted(card.dpan))
                #expect("\(payload.applicationExpirationDate)" == card.expirationDate)
                #expect(payload.currencyCode.numericCode == "124")
                #expect(payload.cardholderName == Redacted("Jane Appleseed"))
                #expect(payload.paymentData.type.rawValue == kind.rawValue)
                #expect(payload.merchantTokenMetadata?.cardMetadata?.fpanSuffix == card.fpanSuffix)
                #expect(payload.authenticationResponses.first?.transactionAmount == "5")
                if case .threeDSecure(let proof) = payload.paymentData { #expect(proof.eciIndicator == card.eci) }
            }
        }
    }
}
