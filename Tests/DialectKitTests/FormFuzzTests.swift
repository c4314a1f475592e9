//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Testing

/// Seeded, so that what is found once is found again.
@Suite struct FormFuzzTests {
    private struct Random: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            self.state = self.state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return self.state ^ (self.state >> 29)
        }
    }

    private static let contentTypes = [
        "application/x-www-form-urlencoded", "multipart/form-data; boundary=b", "multipart/form-data; boundary=\"b b\"",
    ]

    @Test func neverTrapsOnRandomBytes() {
        var random = Random(state: 1)
        var readCount = 0
        for _ in 0..<20_000 {
            let body = (0..<Int.random(in: 0..<40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random)
            }
            for contentType in Self.contentTypes {
                if (try? FormFields(body: body, contentType: contentType)) != nil { readCount += 1 }
            }
        }
        #expect(readCount > 1000)
    }

    @Test func neverTrapsOnRandomPieces() {
        var random = Random(state: 2)
        let pieces = [
            "\r\n", "\r", "\n", "--b", "--b--", "--", "b", " ", "\t", "Content-Disposition:", " form-data;", "name=",
            "\"",
            "a", ";", "\\", "%22", "%", "&", "=", "+", "\r\n\r\n", "\r\n--b", "Content-Disposition: form-data; name=a",
            "Content-Transfer-Encoding: 8bit", ":", "é",
        ].map { Array($0.utf8) }
        var readCount = 0
        for _ in 0..<30_000 {
            let count = Int.random(in: 1..<14, using: &random)
            let body = (0..<count).flatMap { _ in pieces.randomElement(using: &random) ?? [] }
            for contentType in Self.contentTypes {
                if (try? FormFields(body: body, contentType: contentType)) != nil { readCount += 1 }
            }
        }
        #expect(readCount > 1000)
    }

    @Test func neverTrapsOnRandomContentTypes() {
        var random = Random(state: 3)
        let pieces = [
            "multipart/form-data", "application/x-www-form-urlencoded", ";", " ", "boundary=", "boundary", "=", "\"",
            "b",
            "\\", "charset=utf-8", "\u{0}", "é", "\r\n", "/", ";;",
        ]
        for _ in 0..<20_000 {
            let count = Int.random(in: 0..<8, using: &random)
            let contentType = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            let form = try? FormFields(body: Array("--b--".utf8), contentType: contentType)
            #expect(form.map { $0.names.count <= 1 } ?? true)
        }
    }

    @Test func writingAndReadingAreInverse() throws {
        var random = Random(state: 4)
        for charset in [FormCharset.utf8, .latin1] {
            for _ in 0..<500 {
                let value = String(
                    String.UnicodeScalarView(
                        (0..<8).map { _ in Unicode.Scalar(UInt8.random(in: 0...255, using: &random)) }))
                let body = FormWriter.urlEncoded([(name: "a[b]", value: value), (name: "c", value: "")], as: charset)
                let form = try FormFields(
                    body: body, contentType: "application/x-www-form-urlencoded", limits: FormLimits(allowsNUL: true))
                #expect(form.names == ["a[b]", "c"])
                #expect(try form.text("a[b]", as: charset)?.unicodeScalars.elementsEqual(value.unicodeScalars) == true)
            }
        }
    }
}
