//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import Redaction
import Testing

/// Credentials as a sandbox announces them: one reading for the demo shop, tests and benchmarks.
struct AnnouncedAccountTests {
    private struct Unannounced: Error {}

    private static func account(_ values: [String: String]) -> AnnouncedAccount {
        let find = { (name: String) throws -> String in
            guard let value = values[name] else { throw Unannounced() }
            return value
        }
        return AnnouncedAccount(find: find, read: { name, isSecret in "\(isSecret ? "secret " : "")\(try find(name))" })
    }

    private static let tapPay = [
        "appId": "12345", "appKey": "a", "partnerKey": "b", "merchantId": "c", "merchantIdentifier": "d",
    ]

    @Test func everyLanguageReadsItsOwn() throws {
        let alphaPay = try AlphaPayClient.Credentials(
            Self.account(["merchantCode": "M", "keyVersion": "2", "privateKey": "p", "gatewayPublicKey": "g"]))
        #expect(alphaPay.merchantCode == "M" && alphaPay.keyVersion == "2")
        #expect(alphaPay.privateKeyPEM.reveal() == "secret p" && alphaPay.gatewayPublicKeyPEM == "g")
        let commWeb = try CommWebClient.Credentials(
            Self.account(["merchantId": "M", "password": "p", "notificationSecret": "n"]))
        #expect(commWeb.merchantID == "M" && commWeb.password?.reveal() == "p")
        #expect(commWeb.notificationSecret?.reveal() == "n")
        let payone = try PAYONEClient.Credentials(
            Self.account(["mid": "1", "aid": "2", "portalid": "3", "key": "k"]))
        #expect(payone.mid == "1" && payone.aid == "2" && payone.portalID == "3" && payone.key.reveal() == "k")
        let radial = try RadialClient.Credentials(Self.account(["storeId": "S", "apikey": "k"]))
        #expect(radial.storeID == "S" && radial.apiKey.reveal() == "k")
        let tapPay = try TapPayClient.Credentials(Self.account(Self.tapPay))
        #expect(tapPay.appID == 12_345 && tapPay.appKey.reveal() == "a" && tapPay.partnerKey.reveal() == "b")
        #expect(tapPay.merchantID == "c" && tapPay.merchantIdentifier == "d")
    }

    @Test func refusesAnAccountThatLacksOne() {
        let account = Self.account([:])
        #expect(throws: Unannounced.self) { try AlphaPayClient.Credentials(account) }
        #expect(throws: Unannounced.self) { try CommWebClient.Credentials(account) }
        #expect(throws: Unannounced.self) { try PAYONEClient.Credentials(account) }
        #expect(throws: Unannounced.self) { try RadialClient.Credentials(account) }
        #expect(throws: Unannounced.self) { try TapPayClient.Credentials(account) }
    }

    @Test func refusesANumberThatIsNone() {
        var values = Self.tapPay
        values["appId"] = "twelve"
        let error = #expect(throws: ClientError.self) { try TapPayClient.Credentials(Self.account(values)) }
        #expect(error?.code == .fieldMissing)
    }
}
