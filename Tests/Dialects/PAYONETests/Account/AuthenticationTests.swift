//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectConformance
import DialectKit
import Gateway
import HTTPTypes
import PAYONE
import Payments
import Redaction
import TestGateway
import Testing

@Suite struct AuthenticationTests {
    @Test(arguments: [
        ShopForm.Account.keyMD5, ShopForm.Account.keyMD5.uppercased(), ShopForm.Account.keySHA384,
        ShopForm.Account.keySHA384.uppercased(),
    ])
    func takesTheKeyAsMD5OrSHA384(key: String) async throws {
        let shop = try await TestShop.open()
        #expect(try await shop.send(shop.preauthorization().with("key", key)).status == "APPROVED")
    }

    @Test(
        arguments: [
            (["portalid": "2999999"], 2005), (["portalid": nil], 1205), (["mid": "10002"], 2003),
            (["mid": nil], 1203), (["aid": "29999"], 2004), (["aid": nil], 1204), (["mode": "live"], 925),
            (["mode": nil], 1010), (["key": nil], 1206), (["key": ShopForm.Account.key], 1206),
            (["key": "00000000000000000000000000000000"], 2006), (["key": String(repeating: "0", count: 96)], 2006),
        ] as [([String: String?], Int)])
    func refusesWhoIsNotWhoHeSays(changes: [String: String?], code: Int) async throws {
        let shop = try await TestShop.open()
        let good = try shop.preauthorization()
        let refused = try await shop.send(good.merging(changes))
        let name = try #require(changes.keys.first)
        #expect(refused.errorCode == code && refused.message.contains("{\(name)}"))
        #expect(try await shop.send(good).status == "APPROVED")
    }

    /// Nobody but who knows the key learns more than that it is wrong.
    @Test func reportsTheKeyFirst() async throws {
        let shop = try await TestShop.open()
        let wrong = try shop.preauthorization().merging([
            "key": "00000000000000000000000000000000", "mid": "99999", "aid": "99999", "mode": "live", "amount": "x",
        ])
        #expect(try await shop.send(wrong).errorCode == 2006)
        #expect(try await shop.send(wrong.with("key", ShopForm.Account.keyMD5)).errorCode == 2003)
    }

    /// What is no parameter at all says nothing of any account, and comes before the key.
    @Test(arguments: [("mode", "nope", 1010), ("request", "nope", 1202), ("mid", "1", 1203), ("aid", "1", 1204)])
    func reportsWhatNeedsNoAccountBeforeTheKey(name: String, value: String, code: Int) async throws {
        let shop = try await TestShop.open()
        let wrong = try shop.preauthorization().with("key", "00000000000000000000000000000000")
        #expect(try await shop.send(wrong.with("amount", "x")).errorCode == 2006)
        #expect(try await shop.send(wrong.with(name, value)).errorCode == code)
    }

    @Test(arguments: ["20002", "20003"])
    func takesEverySubAccountOfThePortal(aid: String) async throws {
        let shop = try await TestShop.open()
        #expect(try await shop.send(shop.preauthorization().with("aid", aid)).status == "APPROVED")
        #expect(try await shop.sent().first?["aid"] == aid)
    }

    /// The vendor's own shop plugins send a sub-account with authorizations alone.
    @Test func followUpsNeedNoSubAccount() async throws {
        let shop = try await TestShop.open()
        let txid = try await shop.preauthorized()
        let forms = [
            ShopForm.capture(txid, 1000), ShopForm.debit(txid, -400, sequenceNumber: 2),
            ShopForm.debit(txid, -600, sequenceNumber: 3, request: "refund"),
        ]
        for form in forms {
            #expect(try await shop.send(form.with("aid", "29999")).errorCode == 2004)
            #expect(try await shop.send(form.with("aid", "2000")).errorCode == 1204)
            #expect(try await shop.send(form.with("aid", nil)).status == "APPROVED")
        }
        #expect(try await shop.sent().allSatisfy { $0["aid"] == ShopForm.Account.aid })
        // There is no identity certificate: the request has come as far as that.
        #expect(try await shop.send(ShopForm.session().with("aid", nil)).errorCode == 900405)
        #expect(try await shop.send(ShopForm.session().with("aid", "29999")).errorCode == 2004)
    }

    @Test func takesTheOtherSpellingOfThePortal() async throws {
        let shop = try await TestShop.open()
        let form = try shop.preauthorization().with("portalid", nil).with("portalId", ShopForm.Account.portalID)
        #expect(try await shop.send(form).status == "APPROVED")
    }

    @Test func aTestAccountTakesNoLiveToken() async throws {
        let shop = try await TestShop.open()
        let token = try shop.test.mint(TestShop.euros(1000), for: shop.merchant, mode: .live)
        let reply = try await shop.send(ShopForm.authorization(TestShop.euros(1000), reference: "1", token: token))
        #expect(reply.errorCode == 900401)
    }

    @Test func aLiveAccountWantsModeLive() async throws {
        let shop = try await TestShop.open(mode: .live)
        let form = try shop.preauthorization()
        let reply = try await shop.send(form.with("mode", "test"))
        #expect(reply.errorCode == 924 && reply.message.contains("{mode} must be live"))
        #expect(try await shop.send(form).status == "APPROVED")
        #expect(try await shop.sent().first?["mode"] == "live")
    }

    @Test(arguments: ["cancelation", "creditcardcheck", "Capture", "", nil])
    func refusesRequestsThatThereAreNot(request: String?) async throws {
        let shop = try await TestShop.open()
        let reply = try await shop.send(shop.preauthorization().with("request", request))
        #expect(reply.errorCode == 1202 && reply.message.hasPrefix("Parameter {request} faulty or missing"))
    }

    @Test func theDraftHoldsTheKeyAsASecret() {
        let draft = PAYONE.accountDraft(mid: "10001", aids: ["20002", "20003"], key: Redacted("hT7c2Kq9ZpLw4XvN"))
        #expect(draft.settings == ["mid": "10001", "aids": "20002,20003"])
        #expect(draft.secrets["key"]?.reveal() == "hT7c2Kq9ZpLw4XvN")
    }
}
