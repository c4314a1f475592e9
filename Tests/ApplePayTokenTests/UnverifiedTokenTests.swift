//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import StrictJSON
import Testing

@testable import ApplePayToken

@Suite struct UnverifiedTokenTests {
    private let genuine: GenuineToken

    init() throws {
        self.genuine = try GenuineToken()
    }

    /// The genuine token with one member of paymentData, or of its header, replaced or removed.
    private func changed(_ name: String, to value: JSON?, inHeader: Bool = false) throws -> JSON {
        var object = try #require(self.genuine.json.object)
        if inHeader {
            var header = try #require(object["header"]?.object)
            header[name] = value
            object["header"] = .object(header)
        } else {
            object[name] = value
        }
        return .object(object)
    }

    @Test func readsPaymentData() throws {
        let token = self.genuine.token
        #expect(token.version == .ecV1)
        #expect(token.data.count == 320)
        #expect(token.signature.count == 2_168)
        #expect(token.header.transactionIdentifier.count == 32)
        #expect(token.paymentMethod == nil)
    }

    @Test func readsThePaymentTokenAndThePaymentObject() throws {
        let paymentToken: JSON = [
            "paymentData": self.genuine.json,
            "paymentMethod": ["displayName": "Visa 1234", "network": "Visa", "type": "credit"],
            "transactionIdentifier": "84A7E17570C940F6A268D9121A4C090F1D2E22BAB4DA0F2054C7BA53035DC79A",
        ]
        let payment: JSON = ["billingContact": ["givenName": "John"], "token": paymentToken]
        for json in [paymentToken, payment] {
            for text in [json.text(), json.text(pretty: true), json.text().replacing("/", with: "\\/")] {
                let token = try UnverifiedToken(parsing: text.utf8)
                #expect(token.header == self.genuine.token.header)
                #expect(token.signature == self.genuine.token.signature)
                #expect(
                    token.paymentMethod
                        == TokenPaymentMethod(displayName: "Visa 1234", network: "Visa", type: "credit"))
            }
        }
    }

    /// PKPaymentMethodType is a number, and apps send it as it is. Nobody has signed any of it.
    @Test(
        arguments: [
            (1, "debit"), (2, "credit"), (3, "prepaid"), (4, "store"), (0, nil), (5, nil), (-1, nil), (true, nil),
            (["credit"], nil), (.null, nil), (.number("1.5"), nil), ("prepaid", "prepaid"),
        ] as [(JSON, String?)])
    func readsThePaymentMethodAsFarAsItFits(type: JSON, name: String?) throws {
        let method: JSON = ["displayName": 1234, "network": ["Visa"], "type": type]
        let token = try UnverifiedToken(json: ["paymentData": self.genuine.json, "paymentMethod": method])
        #expect(token.paymentMethod == TokenPaymentMethod(type: name))
    }

    @Test func refusesTwoTransactionIdentifiersThatDiffer() throws {
        for other in ["84A7", "", "zz", String(repeating: "0", count: 64)] {
            let json: JSON = ["paymentData": self.genuine.json, "transactionIdentifier": .string(other)]
            expectRefusal(.transactionIdentifierMismatch, .parse) { _ = try UnverifiedToken(json: json) }
        }
    }

    @Test(arguments: [
        "", "{", "[]garbage", "{\"a\":1,\"a\":2}", "{\"data\":\"\\ud800\"}", "\u{FEFF}{}", "nul",
    ])
    func refusesWhatIsNoJSON(_ text: String) {
        expectRefusal(.jsonMalformed, .parse) { _ = try UnverifiedToken(parsing: text.utf8) }
    }

    @Test func refusesTooLargeATextBeforeReadingIt() {
        let text = "{\"version\":\"" + String(repeating: "x", count: 1 << 17) + "\"}"
        expectRefusal(.jsonMalformed, .parse) { _ = try UnverifiedToken(parsing: text.utf8) }
    }

    @Test(arguments: [
        "[]", "\"\"", "1", "null", "{}", "{\"token\":{}}", "{\"token\":\"x\"}", "{\"token\":{\"version\":\"EC_v1\"}}",
        "{\"data\":\"\"}",
    ])
    func refusesOtherShapes(_ text: String) {
        expectRefusal(.tokenShapeUnknown, .parse) { _ = try UnverifiedToken(parsing: text.utf8) }
    }

    @Test(arguments: ["{\"paymentData\":null}", "{\"paymentData\":{}}", "{\"paymentData\":\"\"}"])
    func namesTheEmptyTokenOfTheIOSSimulator(_ text: String) {
        expectRefusal(.paymentDataEmpty, .parse) { _ = try UnverifiedToken(parsing: text.utf8) }
        expectRefusal(.paymentDataEmpty, .parse) { _ = try UnverifiedToken(parsing: "{\"token\":\(text)}".utf8) }
    }

    @Test(arguments: ["data", "signature", "header"])
    func refusesAMissingMember(_ name: String) throws {
        let json = try self.changed(name, to: nil)
        let error = expectRefusal(.memberMissing, .parse) { _ = try UnverifiedToken(json: json) }
        #expect(error?.message.contains(name) == true)
        let wrong = try self.changed(name, to: 5)
        expectRefusal(.memberWrongType, .parse) { _ = try UnverifiedToken(json: wrong) }
    }

    @Test(arguments: ["ephemeralPublicKey", "publicKeyHash", "transactionId"])
    func refusesAMissingHeaderMember(_ name: String) throws {
        for value in [nil, JSON.null] {
            let json = try self.changed(name, to: value, inHeader: true)
            let error = expectRefusal(.memberMissing, .parse) { _ = try UnverifiedToken(json: json) }
            #expect(error?.message.contains("header.\(name)") == true)
        }
        let wrong = try self.changed(name, to: [], inHeader: true)
        expectRefusal(.memberWrongType, .parse) { _ = try UnverifiedToken(json: wrong) }
    }

    @Test(arguments: ["EC_v2", "ec_v1", "", "RSA_V1"])
    func refusesAnotherVersion(_ version: String) throws {
        let json = try self.changed("version", to: .string(version))
        expectRefusal(.versionUnsupported, .parse) { _ = try UnverifiedToken(json: json) }
    }

    @Test func refusesTheKeyOfTheOtherVersion() throws {
        let asRSA = try self.changed("version", to: "RSA_v1")
        expectRefusal(.headerKeyConflict, .parse) { _ = try UnverifiedToken(json: asRSA) }
        let both = try self.changed("wrappedKey", to: "AAAA", inHeader: true)
        expectRefusal(.headerKeyConflict, .parse) { _ = try UnverifiedToken(json: both) }
        expectRefusal(.headerKeyConflict, .parse) {
            _ = try UnverifiedToken(
                version: .rsaV1, data: self.genuine.token.data, signature: [1], header: self.genuine.token.header)
        }
    }

    @Test(arguments: [("data", false), ("signature", false), ("publicKeyHash", true), ("ephemeralPublicKey", true)])
    func refusesLenientBase64(name: String, isInHeader: Bool) throws {
        let value = isInHeader ? self.genuine.json["header"]?[name] : self.genuine.json[name]
        let text = try #require(value?.string)
        var wrong = [
            " " + text, text + "\n", text.replacing("+", with: "-").replacing("/", with: "_"), text + "==", text + "AA",
            String(text.prefix(64)) + "\r\n" + String(text.dropFirst(64)), String(text.dropLast(3)) + "é",
        ]
        if name != "signature", text.hasSuffix("=") { wrong.append(String(text.prefix { $0 != "=" })) }
        for text in wrong where text != value?.string {
            let json = try self.changed(name, to: .string(text), inHeader: isInHeader)
            do {
                let token = try UnverifiedToken(json: json)
                // Another text that is base64 all the same, e.g. AA appended: then the bytes are not the same.
                #expect(token != self.genuine.token, "\(name)")
                #expect(text.hasSuffix("AA"))
            } catch {
                #expect([.base64Malformed, .publicKeyHashLength, .ephemeralPublicKeyMalformed].contains(error.code))
            }
        }
    }

    @Test(arguments: ["transactionId", "applicationData"])
    func refusesLenientHex(_ name: String) throws {
        for text in ["0x" + String(repeating: "0", count: 64), String(repeating: "0", count: 63), "zz", " 00", "AAA="] {
            let json = try self.changed(name, to: .string(text), inHeader: true)
            expectRefusal(.hexMalformed, .parse) { _ = try UnverifiedToken(json: json) }
        }
    }

    @Test(
        arguments: [
            ("transactionId", 0, .transactionIdentifierLength), ("transactionId", 1, .transactionIdentifierLength),
            ("transactionId", 31, .transactionIdentifierLength), ("transactionId", 33, .transactionIdentifierLength),
            ("transactionId", 64, .transactionIdentifierLength), ("applicationData", 0, .applicationDataHashLength),
            ("applicationData", 31, .applicationDataHashLength), ("applicationData", 33, .applicationDataHashLength),
        ] as [(String, Int, TokenError.Code)])
    func refusesHexOfAnotherLength(name: String, bytesCount: Int, code: TokenError.Code) throws {
        let json = try self.changed(name, to: .string(String(repeating: "00", count: bytesCount)), inHeader: true)
        expectRefusal(code, .parse) { _ = try UnverifiedToken(json: json) }
    }

    @Test(
        arguments: [
            ("publicKeyHash", 31, .publicKeyHashLength), ("publicKeyHash", 33, .publicKeyHashLength),
            ("ephemeralPublicKey", 91, .ephemeralPublicKeyMalformed),
            ("ephemeralPublicKey", 65, .ephemeralPublicKeyMalformed),
        ] as [(String, Int, TokenError.Code)])
    func refusesBase64OfAnotherLength(name: String, bytesCount: Int, code: TokenError.Code) throws {
        let text = Base64.encode([UInt8](repeating: 0, count: bytesCount))
        let json = try self.changed(name, to: .string(text), inHeader: true)
        expectRefusal(code, .parse) { _ = try UnverifiedToken(json: json) }
    }

    @Test func refusesDataThatIsNoLongerThanItsTag() throws {
        let json = try self.changed("data", to: .string(Base64.encode([UInt8](repeating: 0, count: 16))))
        expectRefusal(.dataTooShort, .parse) { _ = try UnverifiedToken(json: json) }
    }

    @Test func refusesAnEmptySignature() throws {
        let json = try self.changed("signature", to: "")
        expectRefusal(.signatureEmpty, .parse) { _ = try UnverifiedToken(json: json) }
    }

    @Test func refusesAWrappedKeyOfAnotherLength() {
        expectRefusal(.wrappedKeyLength, .parse) {
            _ = try TokenHeader(
                publicKeyHash: [UInt8](repeating: 0, count: 32),
                transactionIdentifier: [UInt8](repeating: 1, count: 32),
                key: .wrappedKey([UInt8](repeating: 1, count: 255)))
        }
    }

    @Test func nullMeansAbsentForApplicationData() throws {
        let json = try self.changed("applicationData", to: .null, inHeader: true)
        #expect(try UnverifiedToken(json: json) == self.genuine.token)
    }
}
