//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON
import TestRandom
import Testing

@testable import Administration

/// CSV is written so that every reader reads it back, and read so that nothing is guessed.
@Suite struct ReportTextTests {
    @Test(arguments: [
        ("=1+2", "'=1+2"), ("+49 30", "'+49 30"), ("-2+3", "'-2+3"), ("@SUM(A1)", "'@SUM(A1)"), ("\tx", "'\tx"),
        ("-10.50", "-10.50"), ("-7", "-7"), ("-", "'-"), ("-1.", "'-1."), ("a=b", "a=b"), ("", ""), ("\r=1", "'\r=1"),
        // Spreadsheets of many countries end a cell at a semicolon.
        ("a;=HYPERLINK(A1);b", "a;'=HYPERLINK(A1);b"), ("=1;-2", "'=1;'-2"), ("a;b=c", "a;b=c"), ("a;", "a;"),
    ])
    func formulaIsMadeHarmless(_ text: String, _ shown: String) {
        #expect(CSVLine.cell(.string(text)) == shown)
    }

    @Test func cellsAreQuotedWhereTheyMustBe() {
        #expect(CSVLine.text(["a", "b,c", "d\"e", "f\r\ng", ""]) == "a,\"b,c\",\"d\"\"e\",\"f\r\ng\",\r\n")
    }

    @Test func whatIsWrittenIsReadBack() throws {
        var random = SeededRandom(seed: 41)
        let pieces = ["a", "ü", "\"", ",", "\r\n", "\n", ";", "€", " ", "'"]
        for _ in 0..<500 {
            let width = Int.random(in: 2...6, using: &random)
            let records = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                (0..<width).map { _ in
                    (0..<Int.random(in: 0...6, using: &random)).map { _ in
                        pieces[Int.random(in: 0..<pieces.count, using: &random)]
                    }.joined()
                }
            }
            var reader = CSVReader(
                Array(records.map(CSVLine.text).joined().utf8), separator: UInt8(ascii: ","), encoding: .utf8)
            for record in records { #expect(try reader.next() == record) }
            #expect(try reader.next() == nil)
        }
    }

    @Test(arguments: [
        ("a,b\n\"c", 2, 1, "the closing quotation mark is missing"),
        ("a,b\nc,d\"e", 2, 2, "a quotation mark stands within a field"),
        ("a,b\n\"c\"d,e", 2, 1, "something stands after the closing quotation mark"),
        ("a,b\nc", 2, 1, "the record has 1 fields, and the first has 2"),
        ("a,b\nc,d,e", 2, 3, "the record has 3 fields, and the first has 2"),
        ("a,b\rc,d", 1, 2, "a carriage return stands without its line feed"),
        ("a,b\n\"x\ny\",z\nc", 4, 1, "the record has 1 fields, and the first has 2"),
    ])
    func refusesWhatIsNoCSV(_ text: String, _ line: Int, _ field: Int, _ problem: String) {
        var reader = CSVReader(Array(text.utf8), separator: UInt8(ascii: ","), encoding: .utf8)
        let failure = #expect(throws: CSVReader.Failure.self) { while try reader.next() != nil {} }
        #expect(failure == CSVReader.Failure(line: line, field: field, problem: problem))
    }

    @Test func recordIsBounded() {
        for text in [String(repeating: "a", count: 70_000), "\"" + String(repeating: "\n", count: 70_000)] {
            var reader = CSVReader(Array(text.utf8), separator: UInt8(ascii: ","), encoding: .utf8)
            #expect(throws: CSVReader.Failure.self) { try reader.next() }
        }
        var wide = CSVReader(
            Array(repeating: UInt8(ascii: ","), count: 300), separator: UInt8(ascii: ","), encoding: .utf8)
        #expect(throws: CSVReader.Failure.self) { try wide.next() }
    }

    @Test func encodingsAreThoseThatWereSaid() throws {
        let latin: [UInt8] = [0x57, 0xE4, 0x68, 0x72]
        var reader = CSVReader(latin, separator: UInt8(ascii: ";"), encoding: .latin1)
        #expect(try reader.next() == ["Währ"])
        var strict = CSVReader(latin, separator: UInt8(ascii: ";"), encoding: .utf8)
        #expect(throws: CSVReader.Failure.self) { try strict.next() }
        var marked = CSVReader([0xEF, 0xBB, 0xBF, 0x61], separator: UInt8(ascii: ";"), encoding: .utf8)
        #expect(try marked.next() == ["a"])
    }
}
