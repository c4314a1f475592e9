//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON
import TestRandom
import Testing

/// Seeded, so that what is found once is found again.
@Suite("Bytes that nobody meant")
struct FuzzTests {
    /// Whatever the bytes: a value that is written and read back alike, or an error at a byte of the text.
    private func check(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) -> Bool {
        do throws(JSONError) {
            let value = try JSON.parse(bytes, limits: limits)
            guard let again = try? JSON.parse(value.serialized()), again == value else {
                Issue.record("\(bytes) is read, but not what is written of it")
                return true
            }
            return true
        } catch {
            #expect((0...bytes.count).contains(error.offset), "\(bytes)")
            return false
        }
    }

    @Test func neverTrapsOnRandomBytes() {
        var random = SeededRandom(seed: 6)
        var readCount = 0
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0..<24, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            if self.check(bytes) { readCount += 1 }
        }
        // A single digit is a text of its own.
        #expect(readCount > 0)
    }

    @Test func neverTrapsOnRandomTokens() {
        var random = SeededRandom(seed: 7)
        let tokens = [
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "d800", "dc00", "\\ud83d\\ude00", "null", "true", "false",
            "0",
            "-", "1", ".", "e", "E+", " ", "\n", "\"a\"", "\"b\"", "é", "\u{0}",
        ].map { Array($0.utf8) }
        var readCount = 0
        for _ in 0..<20_000 {
            let count = Int.random(in: 1..<16, using: &random)
            let bytes = (0..<count).flatMap { _ in tokens.randomElement(using: &random) ?? [] }
            if self.check(bytes) { readCount += 1 }
        }
        #expect(readCount > 100)
    }

    @Test func neverTrapsOnTextsWithAWrongByte() {
        var random = SeededRandom(seed: 8)
        var readCount = 0
        for _ in 0..<3000 {
            var bytes = WritingTests.value(depth: 0, &random).serialized()
            for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: index)
                case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
                default: bytes.removeSubrange(index...)
                }
            }
            if self.check(bytes) { readCount += 1 }
        }
        #expect(readCount > 100)
    }

    /// Every beginning of a text is refused for its end, and never read as something else.
    @Test func everyBeginningEndsEarly() throws {
        let text = Array(#"{"a":[true,false,null,-1.5e+3,"\u00e9\ud83d\ude00\n"],"é":{"b":[[]]}}"#.utf8)
        #expect(throws: Never.self) { try JSON.parse(text) }
        for count in 0..<text.count {
            let error = #expect(throws: JSONError.self) { try JSON.parse(text[..<count]) }
            // A number that is cut after its point, its exponent or its sign is malformed as far as it goes.
            #expect(error?.code == .endsEarly || error?.code == .malformedNumber)
            #expect(error?.offset == count)
        }
    }

    @Test func keepsItsLimitsOnRandomTexts() {
        var random = SeededRandom(seed: 9)
        let limits = JSONLimits(bytesMax: 64, depthMax: 2, valuesMax: 5)
        var readCount = 0
        for _ in 0..<2000 {
            let bytes = WritingTests.value(depth: 2, &random).serialized()
            if self.check(bytes, limits: limits) {
                readCount += 1
                #expect(bytes.count <= 64)
            }
        }
        #expect(readCount > 100)
    }
}
