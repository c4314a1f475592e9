//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StrictJSON
import Testing

@testable import TapPay

/// Who pays, as pay-by-prime says it.
@Suite struct CardholderTests {
    private static func cardholder(_ fields: JSONObject) throws -> WireCardholder {
        var cardholder = fields
        for name in ["phone_number", "name", "email"] { cardholder[name] = "" }
        var body = JSONObject()
        body["cardholder"] = .object(cardholder)
        return try WireCardholder(reading: BackEndBody(body))
    }

    @Test func addressIsForTheAcquirer() throws {
        var fields = JSONObject()
        fields["zip_code"] = "100"
        fields["address"] = "台北市天龍區芝麻街1號1樓"
        fields["national_id"] = "A123456789"
        #expect(
            try Self.cardholder(fields).billing == PostalAddress(lines: ["台北市天龍區芝麻街1號1樓"], postalCode: "100"))
        fields["address"] = nil
        #expect(try Self.cardholder(fields).billing == PostalAddress(postalCode: "100"))
    }

    @Test func addressThatIsNotGivenIsNone() throws {
        #expect(try Self.cardholder(JSONObject()).billing == nil)
        var empty = JSONObject()
        empty["zip_code"] = ""
        empty["address"] = ""
        #expect(try Self.cardholder(empty).billing == nil)
    }
}
