//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import TestRandom
import Testing
import Time

@Suite("RFC 3339")
struct RFC3339Tests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.001Z", 1), ("1969-12-31T23:59:59.999Z", -1),
        ("1969-12-31T23:59:59Z", -1000), ("2015-12-10T17:45:00Z", 1_449_769_500_000),
        ("2000-02-29T00:00:00Z", 951_782_400_000), ("2038-01-19T03:14:08Z", 2_147_483_648_000),
        ("0001-01-01T00:00:00Z", -62_135_596_800_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
        // RFC 3339, section 5.8, the examples without leap seconds.
        ("1985-04-12T23:20:50.52Z", 482_196_050_520), ("1996-12-19T16:39:57-08:00", 851_042_397_000),
        ("1937-01-01T12:00:27.87+00:20", -1_041_337_172_130),
        // Offsets, with and without the colon, and the small letters of section 5.6.
        ("2019-04-04T12:08:56.253+05:30", 1_554_359_936_253), ("2019-04-04T12:08:56.253+0530", 1_554_359_936_253),
        ("2019-04-04t06:38:56.253z", 1_554_359_936_253), ("2019-04-04T06:38:56-00:00", 1_554_359_936_000),
        ("2019-04-04T06:38:56+00:00", 1_554_359_936_000), ("2019-04-04T00:38:56-0600", 1_554_359_936_000),
        ("2019-04-05T06:37:56+23:59", 1_554_359_936_000), ("2019-04-03T06:39:56-23:59", 1_554_359_936_000),
        // Decimals: one to nine digits, cut off after the third.
        ("1970-01-01T00:00:00.5Z", 500), ("1970-01-01T00:00:00.05Z", 50), ("1970-01-01T00:00:00.005Z", 5),
        ("1970-01-01T00:00:00.0059Z", 5), ("1970-01-01T00:00:00.999999999Z", 999),
        ("1970-01-01T00:00:00.000000001Z", 0),
    ])
    func reads(_ text: String, _ milliseconds: Int64) {
        #expect(Timestamp(rfc3339: text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (5, "1970-01-01T00:00:00.005Z"), (-1, "1969-12-31T23:59:59.999Z"),
    ])
    func writesThreeDecimalsAlways(milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).rfc3339Milliseconds == text)
    }

    @Test(arguments: [
        "", "Z", "2019", "2019-04-04", "2019-04-04T12:08:56", "2019-04-04T12:08Z", "2019-04-04 12:08:56Z",
        "2019-4-04T12:08:56Z", "19-04-04T12:08:56Z", "02019-04-04T12:08:56Z", "+2019-04-04T12:08:56Z",
        "-2019-04-04T12:08:56Z", "2019/04/04T12:08:56Z", "20190404T120856Z", "2019-04-04T12.08.56Z",
        // No such date.
        "2019-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2020-02-30T00:00:00Z",
        "2019-04-31T00:00:00Z", "2019-06-31T00:00:00Z", "2019-09-31T00:00:00Z", "2019-11-31T00:00:00Z",
        "2019-01-32T00:00:00Z", "2019-01-00T00:00:00Z", "2019-00-01T00:00:00Z", "2019-13-01T00:00:00Z",
        "2019-12-99T00:00:00Z", "0000-01-01T00:00:00Z",
        // No such time of day; a leap second is refused.
        "2019-04-04T24:00:00Z", "2019-04-04T25:00:00Z", "2019-04-04T12:60:00Z", "2019-04-04T12:08:60Z",
        "1990-12-31T23:59:60Z", "2019-04-04T1a:08:56Z", "2019-04-04T-1:08:56Z",
        // No such decimals.
        "2019-04-04T12:08:56.Z", "2019-04-04T12:08:56,5Z", "2019-04-04T12:08:56.1234567890Z", "2019-04-04T12:08:56.-5Z",
        // No such offset.
        "2019-04-04T12:08:56+", "2019-04-04T12:08:56+5", "2019-04-04T12:08:56+05", "2019-04-04T12:08:56+5:30",
        "2019-04-04T12:08:56+05:3", "2019-04-04T12:08:56+24:00", "2019-04-04T12:08:56+05:60",
        "2019-04-04T12:08:56 05:30",
        "2019-04-04T12:08:56EST", "2019-04-04T12:08:56+0530 ", "2019-04-04T12:08:56ZZ", "2019-04-04T12:08:56Z ",
        " 2019-04-04T12:08:56Z", "2019-04-04T12:08:56+05::30", "2019-04-04T12:08:56\u{2212}05:30",
        "２０１９-04-04T12:08:56Z", "2019-04-04T12:08:56Z\u{0}", "2019-04-04T12:08:56Z\n",
    ])
    func refuses(_ text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "19700101"),
            (1, "1970-01-01T00:00:00.001Z", "1970-01-01T00:00:00Z", "19700101"),
            (-1, "1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59Z", "19691231"),
            (1_449_769_500_120, "2015-12-10T17:45:00.120Z", "2015-12-10T17:45:00Z", "20151210"),
            (-62_135_596_800_000, "0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "00010101"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59Z", "99991231"),
        ] as [(Int64, String, String, String)])
    func writes(_ milliseconds: Int64, _ text: String, _ seconds: String, _ date: String) {
        let timestamp = Timestamp(milliseconds: milliseconds)
        #expect(timestamp.description == text)
        #expect(timestamp.rfc3339Seconds == seconds)
        #expect(timestamp.compactDate == date)
    }

    @Test func readsWhatItWrites() {
        var random = SeededRandom(seed: 1)
        for _ in 0..<5000 {
            let milliseconds = Int64.random(in: -62_135_596_800_000...253_402_300_799_999, using: &random)
            let timestamp = Timestamp(milliseconds: milliseconds)
            #expect(Timestamp(rfc3339: timestamp.description) == timestamp)
            #expect(Timestamp(rfc3339: timestamp.rfc3339Seconds) == Timestamp(seconds: timestamp.seconds))
        }
    }

    /// Any bytes at all: read or refused, and what is read is written as the same moment.
    @Test func neverTrapsOnRandomText() {
        var random = SeededRandom(seed: 2)
        let alphabet = Array("0123456789-:.TZtz+ e".utf8)
        let model = Array("2019-04-04T12:08:56.253+05:30".utf8)
        var readCount = 0
        for _ in 0..<20_000 {
            var bytes = model
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = alphabet.randomElement(using: &random) ?? 0x30
                case 1: bytes.remove(at: index)
                default: bytes.insert(alphabet.randomElement(using: &random) ?? 0x30, at: index)
                }
            }
            guard let timestamp = Timestamp(rfc3339: String(decoding: bytes, as: UTF8.self)) else { continue }
            readCount += 1
            #expect(Timestamp(rfc3339: timestamp.description) == timestamp)
        }
        #expect(readCount > 1000)
    }
}
