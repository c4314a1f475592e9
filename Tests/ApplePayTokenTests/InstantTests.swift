//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Testing
import Time

@testable import ApplePayToken

@Suite struct InstantTests {
    @Test(
        arguments: [
            ("151210174410Z", 2, 1_449_769_450), ("500101000000Z", 2, -631_152_000),
            ("491231235959Z", 2, 2_524_607_999),
            ("20500101000000Z", 4, 2_524_608_000),
        ] as [(String, Int, Int64)])
    func readsTimesOfASN1(text: String, yearDigits: Int, seconds: Int64) {
        #expect(CivilTime(asn1: ArraySlice(text.utf8), yearDigits: yearDigits)?.timestamp().seconds == seconds)
    }

    @Test(arguments: [
        "1512101744Z", "151210174410", "151210174410+0000", "151210174410z", "151310174410Z", "151200174410Z",
        "151232174410Z", "150229174410Z", "151210244410Z", "151210176010Z", "151210174460Z", "15121017441aZ",
        "15121017441-Z", "",
    ])
    func refusesMalformedTimes(_ text: String) {
        #expect(CivilTime(asn1: ArraySlice(text.utf8), yearDigits: 2) == nil)
    }

    @Test func instantsAreWrittenInUTC() {
        #expect(Instant(seconds: 1_449_769_450).text == "2015-12-10T17:44:10Z")
        #expect(Instant(seconds: .min).text == "0001-01-01T00:00:00Z")
        #expect(Instant(seconds: .max).text == "9999-12-31T23:59:59Z")
    }

    @Test func datesBeyondTimeAreHeldFast() {
        #expect(Instant(Date(timeIntervalSince1970: .infinity)).seconds == .max)
        #expect(Instant(Date(timeIntervalSince1970: -.infinity)).seconds == .min)
        #expect(Instant(Date(timeIntervalSince1970: -0.5)).seconds == -1)
        #expect(Instant(seconds: .min).seconds(until: Instant(seconds: .max)) == .max)
        #expect(Instant(seconds: .max).seconds(until: Instant(seconds: .min)) == .min)
    }
}
