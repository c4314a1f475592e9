//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Redaction
import Testing

@Suite("Masked PANs")
struct MaskedPANTests {
    @Test(arguments: [
        ("4111111111111111", "411111xxxxxx1111"), ("5204240012345679", "520424xxxxxx5679"),
        ("379999001234562", "379999xxxxx4562"), ("6725990000123456780", "672599xxxxxxxxx6780"),
        ("123456789012", "123456xx9012"), ("1234567890123", "123456xxx0123"),
    ])
    func showsBothEnds(_ pan: String, _ text: String) {
        let masked = MaskedPAN(Redacted(pan))
        #expect(masked.description == text)
        #expect(masked.prefix == String(pan.prefix(6)))
        #expect(masked.suffix == String(pan.suffix(4)))
        #expect(masked.length == pan.count)
    }

    /// What isn't a PAN shows nothing: not even how long it is.
    @Test(arguments: [
        "", "4", "41111111111", "41111111111111111111", "4111 1111 1111 1111", "411111111111111x",
        "4111-1111-1111-1111",
        "٤١١١١١١١١١١١١١١١", " 4111111111111111", "4111111111111111\n", "+411111111111111", "password",
        "４１１１１１１１１１１１１１１１",
    ])
    func masksWholeWhatIsNoPAN(_ text: String) {
        let masked = MaskedPAN(Redacted(text))
        #expect(masked.description == "[redacted]")
        #expect(masked.prefix.isEmpty)
        #expect(masked.suffix.isEmpty)
        #expect(masked.length == 0)
    }

    @Test func readsStoredMask() {
        let masked = MaskedPAN(prefix: "411111", suffix: "1111", length: 16)
        #expect(masked == MaskedPAN(Redacted("4111111111111111")))
        #expect(masked.description == "411111xxxxxx1111")
    }

    @Test(arguments: [
        ("41111", "1111", 16), ("4111111", "1111", 16), ("411111", "111", 16), ("411111", "11111", 16),
        ("411111", "1111", 11), ("411111", "1111", 20), ("411111", "1111", 0), ("411111", "1111", -16), ("", "", 0),
        ("41111x", "1111", 16), ("411111", "111x", 16), ("٤١١", "1111", 16),
    ])
    func masksWholeWhatWasNotStoredByIt(_ prefix: String, _ suffix: String, _ length: Int) {
        let masked = MaskedPAN(prefix: prefix, suffix: suffix, length: length)
        #expect(masked.description == "[redacted]")
        #expect(masked == MaskedPAN(Redacted("")))
    }

    @Test func printsAndMirrorsOnlyTheEnds() {
        let masked = MaskedPAN(Redacted("4895370012345671"))
        var text = ""
        dump(masked, to: &text)
        for shown in ["\(masked)", String(reflecting: masked), text] {
            #expect(!shown.contains("4895370012345671"))
            #expect(!shown.contains("001234"))
        }
    }
}
