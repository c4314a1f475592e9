//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Testing

@Suite struct ASCIITests {
    /// Every byte there is, by a list of the characters themselves.
    @Test func bytesAreWhatTheirCharactersAre() {
        let digits = Set("0123456789".utf8)
        let capitals = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        let small = Set("abcdefghijklmnopqrstuvwxyz".utf8)
        let hexadecimal = Set("0123456789ABCDEFabcdef".utf8)
        let marks = Set("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~".utf8)
        let letters = capitals.union(small)
        for byte in UInt8.min...UInt8.max {
            #expect(ASCII.isDigit(byte) == digits.contains(byte), "\(byte)")
            #expect(ASCII.isCapital(byte) == capitals.contains(byte), "\(byte)")
            #expect(ASCII.isSmallLetter(byte) == small.contains(byte), "\(byte)")
            #expect(ASCII.isLetter(byte) == letters.contains(byte), "\(byte)")
            #expect(ASCII.isAlphanumeric(byte) == letters.union(digits).contains(byte), "\(byte)")
            #expect(ASCII.isNameCharacter(byte) == letters.union(digits).union("-_".utf8).contains(byte), "\(byte)")
            #expect(ASCII.isHexDigit(byte) == hexadecimal.contains(byte), "\(byte)")
            let value = hexadecimal.contains(byte) ? UInt8(String(UnicodeScalar(byte)), radix: 16) : nil
            #expect(ASCII.hexValue(byte) == value, "\(byte)")
            #expect(ASCII.isVisible(byte) == letters.union(digits).union(marks).contains(byte), "\(byte)")
        }
    }

    @Test func digitsOfOtherScriptsAreNone() {
        #expect(ASCII.isDigits("0123456789"))
        #expect(ASCII.isDigits("12345".dropFirst(2), 3...3))
        #expect(!ASCII.isDigits(""))
        #expect(!ASCII.isDigits("12", 3...4))
        #expect(!ASCII.isDigits("12345", 3...4))
        for text in ["٣", "３", "1\u{301}", "1 ", "-1", "1.0", "12a"] { #expect(!ASCII.isDigits(text), "\(text)") }
    }

    /// As Unicode has them.
    @Test func controlCharactersAreUnicodes() {
        for value in UInt32(0)...0x2FF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            #expect(ASCII.isControl(scalar) == (scalar.properties.generalCategory == .control), "\(value)")
        }
        #expect(!ASCII.isControl("\u{FEFF}"))
    }
}

@Suite struct WholeTextTests {
    /// Short texts lie in their own place, long ones elsewhere, and bridged ones in pieces.
    @Test(arguments: [0, 1, 7, 8, 15, 16, 17, 5000]) func looksAtEveryByte(_ count: Int) {
        let digits = String(repeating: "7", count: count)
        #expect(ASCII.isWholly(digits, ASCII.isDigit))
        for index in Set([0, count / 2, count - 1]) where index >= 0 && count > 0 {
            var bytes = Array(digits.utf8)
            bytes[index] = UInt8(ascii: " ")
            #expect(!ASCII.isWholly(String(decoding: bytes, as: UTF8.self), ASCII.isDigit))
        }
        #expect(!ASCII.isWholly(digits + "ä", ASCII.isDigit))
    }
}

@Suite struct ForeignTextTests {
    /// As Unicode has them.
    @Test func whatIsObeyedIsWhatIsNotShown() {
        for scalar in (UInt32(0)...0xFFFF).compactMap(Unicode.Scalar.init) {
            let category = scalar.properties.generalCategory
            let isNotShown = [.control, .format, .lineSeparator, .paragraphSeparator].contains(category)
            #expect(ForeignText.isObeyed(scalar) == isNotShown, "\(scalar.value)")
        }
    }

    @Test(arguments: [
        ("Visa 1234", "Visa 1234"), ("", ""), ("Größe 5 €", "Größe 5 €"), ("a\u{1B}[2Jb\nc", "a [2Jb c"),
        ("a\u{7F}b\u{80}c\u{9B}2Jd\u{0}", "a b c 2Jd"), ("\u{202E}4321 asiV\u{2028}x", "4321 asiV x"),
        (" \t a \r\n", "a"), ("\u{7}\u{200B}", ""), ("a\u{FEFF}b\u{E0041}", "ab"),
    ])
    func aLineHasNothingThatIsObeyed(_ text: String, _ line: String) {
        #expect(ForeignText.line(text) == line)
    }

    /// What is left out is not counted; a character may have any number of code points.
    @Test func aLineIsCut() {
        #expect(ForeignText.line("abcdef", scalarsMax: 3) == "abc")
        #expect(ForeignText.line("ab cd", scalarsMax: 3) == "ab")
        #expect(ForeignText.line("\u{200D}äöü", scalarsMax: 3) == "äöü")
        #expect(ForeignText.line("äöü", bytesMax: 5) == "äö")
        let piled = "e" + String(repeating: "\u{301}", count: 1000)
        #expect(ForeignText.line(piled, scalarsMax: 64).unicodeScalars.count == 64)
        #expect(ForeignText.line(piled, bytesMax: 64).utf8.count == 63)
    }
}

@Suite struct LuhnTests {
    @Test(arguments: [
        "4111111111111111", "5555555555554444", "378282246310005", "6011111111111117", "3530111333300000",
        "5442981111111114", "370000000000101", "6011000994462780", "79927398713", "0",
    ])
    func passesNumbersWithTheirCheckDigit(_ number: String) {
        #expect(Luhn.passes(number.utf8))
        #expect(Luhn.passes(Array(number.utf8)[...]))
    }

    /// The standard's promise: a digit that is wrong, wherever, is found.
    @Test func findsEveryWrongDigit() {
        let number = Array("4111111111111111".utf8)
        for index in number.indices {
            for digit in UInt8(ascii: "0")...UInt8(ascii: "9") where digit != number[index] {
                var wrong = number
                wrong[index] = digit
                #expect(!Luhn.passes(wrong), "\(String(decoding: wrong, as: UTF8.self))")
            }
        }
    }

    @Test(arguments: ["", "4111 1111 1111 1111", "4111-1111", "٤", "x"])
    func refusesWhatIsNoNumber(_ text: String) {
        #expect(!Luhn.passes(text.utf8))
    }
}
