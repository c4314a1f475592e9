//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CApplePayToken
import Crypto
import Foundation
import StrictJSON
import Testing
import WalletSimulator
import X509

@testable import ApplePayTokenC

/// The functions of applepaytoken.h, called as C calls them. From other languages: Tests/Scripts/c_library_test.py.
@Suite struct CLibraryTests {
    static let now = Date(timeIntervalSince1970: 1_790_000_000)
    static let merchantIdentifier = "merchant.com.example.shop"

    struct Answer {
        let status: Int32
        let json: JSON

        var code: String? { self.json["code"]?.string }
        var message: String { self.json["message"]?.string ?? "" }
    }

    private let authority: TestAuthority
    private let key = P256.KeyAgreement.PrivateKey()

    init() throws {
        self.authority = try TestAuthority.make(now: Self.now)
    }

    private func token(_ applicationData: [UInt8]? = nil) throws -> String {
        let request = PaymentRequest(
            merchantIdentifier: Self.merchantIdentifier, amountMinorUnits: 1_099, currencyCode: "036",
            applicationData: applicationData)
        return try SimulatedDevice(authority: self.authority).mint(
            request, card: .visa, recipient: ProcessingPublicKey(self.key.publicKey), signingTime: Self.now
        ).paymentDataText
    }

    private var options: JSON {
        [
            "keys": [
                [
                    "privateKey": .string(self.key.pemRepresentation),
                    "merchantIdentifier": .string(Self.merchantIdentifier),
                ]
            ],
            "trustRoots": [.string(self.authority.rootCertificatePEM)],
        ]
    }

    /// Takes the text that a call answered with and gives it back.
    private static func answer(_ status: Int32, _ text: UnsafeMutablePointer<CChar>?) throws -> Answer {
        defer { apple_pay_token_text_free(text) }
        guard let text else { return Answer(status: status, json: .null) }
        return Answer(status: status, json: try JSON.parse(Array(String(cString: text).utf8)))
    }

    /// Asks a verifier of these options, and gives it back.
    private func asked(
        _ ask: (OpaquePointer?, inout UnsafeMutablePointer<CChar>?) -> Int32
    ) throws -> Answer {
        var verifier: OpaquePointer?
        var text: UnsafeMutablePointer<CChar>?
        let options = self.options.text()
        #expect(apple_pay_token_verifier_create(options, options.utf8.count, &verifier, &text) == APPLE_PAY_TOKEN_OK)
        #expect(verifier != nil && text == nil)
        defer { apple_pay_token_verifier_free(verifier) }
        let status = ask(verifier, &text)
        return try Self.answer(status, text)
    }

    @Test func verifiesAndOpens() throws {
        let token = try self.token()
        let time = Int64(Self.now.timeIntervalSince1970)
        let opened = try self.asked { verifier, answer in
            apple_pay_token_open(verifier, token, token.utf8.count, time, nil, 0, &answer)
        }
        #expect(opened.status == Int32(APPLE_PAY_TOKEN_OK))
        #expect(opened.json["payload"]?["transactionAmount"]?.integer == 1_099)
        #expect(opened.json["payload"]?["applicationPrimaryAccountNumber"]?.string?.count == 16)
        let verified = try self.asked { verifier, answer in
            apple_pay_token_verify(verifier, token, token.utf8.count, time + 300, nil, 0, &answer)
        }
        #expect(verified.json["verified"]?.bool == true)
        #expect(verified.json["payload"] == nil)
        let late = try self.asked { verifier, answer in
            apple_pay_token_verify(verifier, token, token.utf8.count, time + 301, nil, 0, &answer)
        }
        #expect(late.status == Int32(APPLE_PAY_TOKEN_REFUSED))
        #expect(late.code == "signing_time_too_old")
    }

    @Test func applicationDataIsComparedWhereItIsGiven() throws {
        let data = Array("order 7".utf8)
        let token = try self.token(data)
        let time = Int64(Self.now.timeIntervalSince1970)
        let right = try self.asked { verifier, answer in
            apple_pay_token_open(verifier, token, token.utf8.count, time, data, data.count, &answer)
        }
        #expect(right.status == Int32(APPLE_PAY_TOKEN_OK))
        let wrong = try self.asked { verifier, answer in
            apple_pay_token_open(verifier, token, token.utf8.count, time, data, data.count - 1, &answer)
        }
        #expect(wrong.code == "application_data_mismatch")
    }

    @Test func whatIsMissingIsNamed() throws {
        let token = try self.token()
        let withoutVerifier = try self.asked { _, answer in
            apple_pay_token_open(nil, token, token.utf8.count, 0, nil, 0, &answer)
        }
        #expect(withoutVerifier.code == "argument_missing")
        #expect(withoutVerifier.message == "verifier is NULL.")
        let withoutToken = try self.asked { verifier, answer in
            apple_pay_token_verify(verifier, nil, 0, 0, nil, 0, &answer)
        }
        #expect(withoutToken.message == "token is NULL.")
        let negative = try self.asked { verifier, answer in
            apple_pay_token_verify(verifier, token, -1, 0, nil, 0, &answer)
        }
        #expect(negative.code == "length_too_large")
    }

    @Test(arguments: ["", "a", "é\u{1F34F}", String(repeating: "x", count: 10_000)])
    func textsEndWithNULAndAreGivenBack(text: String) {
        let copy = CText.allocated(text)
        #expect(String(cString: copy.pointer) == text)
        copy.erase()
    }
}
