//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON
import Testing

/// Texts that were made to be slow to compare: equivalent ones in all orders of their marks, and endless ones.
@Suite struct StreamSafeTests {
    /// A letter with marks of different combining classes, in every order: all equal to `==`.
    private static let equivalent: [String] = Self.orders(["\u{0301}", "\u{0323}", "\u{0327}", "\u{031B}", "\u{0345}"])
        .map { "a" + $0.joined() }

    private static func orders(_ marks: [String]) -> [[String]] {
        guard let first = marks.first else { return [[]] }
        return self.orders(Array(marks.dropFirst())).flatMap { rest in
            (0...rest.count).map { Array(rest[..<$0]) + [first] + Array(rest[$0...]) }
        }
    }

    @Test func equivalentNamesAreNamesOfTheirOwn() throws {
        let names = Self.equivalent
        #expect(names.count == 120 && Set(names).count == 1)
        let text = "{" + names.map { "\"\($0)\":1" }.joined(separator: ",") + "}"
        #expect(try JSON.parse(text).object?.count == 120)
        #expect(Set(names.map(ExactText.init)).count == 120)
        // Nor do they lie in one place of a set.
        #expect(Set(names.map { ExactText($0).hashValue }).count > 100)
        #expect(throws: JSONError.self) { try JSON.parse(text.dropLast() + ",\"\(names[0])\":2}") }
    }

    @Test func textsThatAreLeftOutAreOnlyEachOther() {
        let composed: String? = "\u{E9}"
        #expect(composed.isExactly("\u{E9}") && !composed.isExactly("e\u{301}") && composed == "e\u{301}")
        #expect(!composed.isExactly(nil) && !String?.none.isExactly("") && String?.none.isExactly(nil))
    }

    @Test(arguments: ["", "caf\u{E9}", "e\u{301}", "\u{1100}\u{1161}", "\u{6F22}\u{5B57}"])
    func takesWhatLanguagesWrite(text: String) throws {
        #expect(text.isStreamSafe)
        #expect(try JSON.parse("\"\(text)\"").string?.isExactly(text) == true)
    }

    @Test func refusesEndlessMarks() throws {
        let thirty = "a" + String(repeating: "\u{301}", count: 30)
        #expect(thirty.isStreamSafe && (thirty + thirty).isStreamSafe)
        let more = thirty + "\u{327}"
        #expect(!more.isStreamSafe)
        #expect(!String(repeating: "\u{F73}", count: 16).isStreamSafe)
        for text in ["[\"\(more)\"]", "{\"\(more)\":1}", "[\"\(thirty)\\u0327\"]"] {
            let error = #expect(throws: JSONError.self) { try JSON.parse(text) }
            #expect(error?.code == .tooManyMarks)
        }
    }

    @Test func noCaseIsAsLongAsThat() {
        enum Word: String { case a }
        #expect(Word(exactly: "a") == .a)
        #expect(Word(exactly: String(repeating: "a", count: 129)) == nil)
    }
}
