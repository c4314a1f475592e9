//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StrictJSON
import TestGateway
import Testing
import Time

@testable import Administration

/// What the people of one merchant are shown of an alarm.
struct SeenAlarmTests {
    @Test(arguments: [
        ("pears, plums", "pears, plums/shop.example", "shop.example"),
        ("pears", "gate1:/srv/pears/data/pears/bank", "bank"), ("pears", "pears/pears", "pears"),
        ("pears", "pears/shop.example/certificate", "shop.example/certificate"), ("pears", "4711", "4711"),
    ])
    func isOfTheMerchantAlone(owners: String, subject: String, seen: String) async throws {
        let test = try await TestGateway.open()
        let merchant = try await test.gateway.administration.createMerchant(
            name: "pears", displayName: "Pears", mode: .live, countryCode: "DE")
        let alarm = Alarm(
            id: AlarmID(at: test.clock.now, random: [UInt8](repeating: 1, count: 10)), kind: .acquirer,
            subject: subject, merchant: owners, severity: .failure, code: "x", text: "It is away.",
            begunAt: test.clock.now)
        let view = alarm.asSeen(by: merchant).view
        #expect(view["subject"] == .string(seen) && view["merchant"] == "pears")
        #expect(view["text"] == "It is away." && view["code"] == "x")
    }
}
