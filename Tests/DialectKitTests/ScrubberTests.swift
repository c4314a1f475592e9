//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Testing

/// What looks like a secret, wherever it stands in a text and whatever stands around it.
@Suite struct ScrubberTests {
    private static let sealed = String(repeating: "QUJD", count: 12)

    @Test(arguments: [
        ("", ""), ("no digit at all", "no digit at all"), ("4111111111111111", "4111…"),
        ("4111111111111111.", "4111…."), (".4111111111111111", ".4111…"),
        // Two beside each other, and one beside digits that are none of its own.
        ("4111111111111111 4895370012345671", "4111… 4895…"), ("4111111111111111,4111111111111111", "4111…,4111…"),
        ("12 4111111111111111 12", "12 4111… 12"), ("4111 1111 1111 1111-4111 1111 1111 1111", "4111…-4111…"),
        // Letters do not hide one, and what is no ASCII stays whole.
        ("pan4111111111111111x", "pan4111…x"), ("é4111111111111111é…", "é4111…é…"),
        // In the middle of a run it is no number of its own.
        ("94111111111111111", "94111111111111111"), ("41111111111111111111", "41111111111111111111"),
    ])
    func cardNumbersAreFoundWhereverTheyStand(_ text: String, _ shown: String) {
        #expect(Scrubber([]).scrub(text) == shown)
    }

    @Test(arguments: [
        // The digits of the groups before are no reason to miss it, nor is a long run behind it.
        ("2345 4111 1111 1111 1111", "2345 4111…"), ("4111 1111 1111 1111 99999999999", "4111… 99999999999"),
        ("4111 1111 1111 1111 1111 1111", "4111… 1111 1111"), ("4111 1111 1111 1111 ", "4111… "),
        ("4111-1111 1111-1111", "4111…"), ("4111 1111 1111 111", "4111 1111 1111 111"),
        // A group of seven is none of a card's, and a first one is of four.
        ("4111 1111111 11111", "4111 1111111 11111"), ("411 1111 1111 11111 1", "411 1111 1111 11111 1"),
    ])
    func groupsAreReadAsOneNumber(_ text: String, _ shown: String) {
        #expect(Scrubber([]).scrub(text) == shown)
    }

    @Test func sealedBytesAreFoundWhereverTheyStand() {
        let sealed = Self.sealed
        #expect(Scrubber([]).scrub(sealed) == "QUJD…")
        #expect(Scrubber([]).scrub("\(sealed)==,\(sealed)") == "QUJD…,QUJD…")
        #expect(Scrubber([]).scrub("é\(sealed)é") == "éQUJD…é")
        let short = String(sealed.dropLast())
        #expect(Scrubber([]).scrub("a \(short) z") == "a \(short) z")
        // One solidus of sixteen is base64, more is a path.
        #expect(Scrubber([]).scrub("QUJ/" + sealed) == "QUJ/…")
        let path = String(repeating: "abcdefg/", count: 8)
        #expect(Scrubber([]).scrub(path) == path)
    }

    @Test func bothStandInOneText() {
        let text = "card 4111 1111 1111 1111, key \(Self.sealed), card 4895370012345671"
        #expect(Scrubber([]).scrub(text) == "card 4111…, key QUJD…, card 4895…")
    }

    /// A text of which each byte was looked at again for each before it would take hours.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: ["5", "2346 ", "2346 2346 2346 1346 1346555555 ", "a/", "QUJD", "4111111111111111 "])
    func aLongTextTakesAsLongAsItIs(_ part: String) {
        let text = String(repeating: part, count: 2_000_000 / part.utf8.count)
        let shown = Scrubber([]).scrub(text)
        switch part {
        case "5", "QUJD": #expect(shown == text.prefix(4) + "…")
        case "4111111111111111 ": #expect(shown.hasPrefix("4111… 4111… ") && !shown.contains("1111"))
        default: #expect(shown == text)
        }
    }
}
