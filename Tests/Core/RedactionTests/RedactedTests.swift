//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Redaction
import Testing

@Suite("Redacted values are never seen")
struct RedactedTests {
    static let pan = "4895370012345671"
    private let redacted = Redacted(RedactedTests.pan)

    /// A value that holds secrets as real ones do.
    private struct Token: Encodable {
        let name = "token"
        let pan = Redacted(RedactedTests.pan)
        let cryptogram: Redacted<[UInt8]>? = Redacted(Array(RedactedTests.pan.utf8))
        let history = [Redacted(RedactedTests.pan)]
        let byName = ["pan": Redacted(RedactedTests.pan)]
    }

    private enum Proof {
        case cryptogram(Redacted<String>)
        case pair(Redacted<String>, label: Redacted<String>)
    }

    private func dumped(_ value: Any) -> String {
        var text = ""
        dump(value, to: &text)
        return text
    }

    @Test func revealGivesTheValue() {
        #expect(self.redacted.reveal() == Self.pan)
        #expect(Redacted([1, 2, 3] as [Int]).reveal() == [1, 2, 3] as [Int])
    }

    @Test func everyTextIsTheSameWord() {
        #expect(redactionPlaceholder == "[redacted]")
        #expect("\(self.redacted)" == "[redacted]")
        #expect(self.redacted.description == "[redacted]")
        #expect(self.redacted.debugDescription == "[redacted]")
        #expect(String(describing: self.redacted) == "[redacted]")
        #expect(String(reflecting: self.redacted) == "[redacted]")
        #expect("\(Redacted(""))" == "[redacted]")
        #expect("\(Redacted(0))" == "[redacted]")
        #expect("\(Redacted([UInt8](repeating: 1, count: 10_000)))" == "[redacted]")
        #expect("\(Redacted(String?.none))" == "[redacted]")
    }

    @Test func mirrorHasNoChildren() {
        let mirror = Mirror(reflecting: self.redacted)
        #expect(mirror.children.isEmpty)
        #expect(mirror.displayStyle == .struct)
        #expect(mirror.superclassMirror == nil)
    }

    @Test func nothingPrintsTheValueInsideOthers() throws {
        let token = Token()
        let optional: Redacted<String>? = self.redacted
        let nested = Redacted(Redacted(Self.pan))
        let proofs = [Proof.cryptogram(self.redacted), .pair(self.redacted, label: self.redacted)]
        let texts: [String] = [
            "\(token)", String(describing: token), String(reflecting: token), self.dumped(token),
            "\([self.redacted, self.redacted])", self.dumped([self.redacted]), self.dumped(["key": self.redacted]),
            "\(Set([self.redacted]))", String(describing: optional), String(reflecting: optional),
            self.dumped(optional as Any), "\((self.redacted, 1))", self.dumped((self.redacted, 1)), "\(proofs)",
            String(reflecting: proofs), self.dumped(proofs), "\(nested)", self.dumped(nested),
            String(describing: Result<Redacted<String>, any Error>.success(self.redacted)),
            self.dumped(self.redacted), "\(self.redacted.map { $0 + $0 })",
        ]
        for text in texts {
            #expect(text.contains("[redacted]"), "\(text)")
            #expect(!text.contains(Self.pan), "\(text)")
            #expect(!text.contains("489537"), "\(text)")
            // The bytes, as an array prints them.
            #expect(!text.contains("52, 56, 57"), "\(text)")
        }
    }

    @Test func childrenOfMirrorsFindNothing() {
        var found: [String] = []
        func walk(_ value: Any, depth: Int) {
            if let text = value as? String { found.append(text) }
            if let bytes = value as? [UInt8] { found.append(String(decoding: bytes, as: UTF8.self)) }
            guard depth < 8 else { return }
            for child in Mirror(reflecting: value).children { walk(child.value, depth: depth + 1) }
        }
        walk(Token(), depth: 0)
        #expect(found.contains("token"))
        #expect(!found.contains(Self.pan))
    }

    @Test func encodesAsTheWord() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let text = String(decoding: try encoder.encode(Token()), as: UTF8.self)
        #expect(
            text == """
                {"byName":{"pan":"[redacted]"},"cryptogram":"[redacted]","history":["[redacted]"],"name":"token",\
                "pan":"[redacted]"}
                """)
        #expect(String(decoding: try encoder.encode([Redacted(42)]), as: UTF8.self) == #"["[redacted]"]"#)
        let list = try PropertyListEncoder().encode(Token())
        #expect(!list.contains(Array(Self.pan.utf8)))
    }

    /// What is decoded is made by whoever reveals; a type that could be decoded could be encoded by mistake elsewhere.
    @Test func cannotBeDecoded() {
        #expect(!(self.redacted is any Decodable))
    }

    @Test func comparesAndHashesByTheValue() {
        #expect(Redacted(1) == Redacted(1))
        #expect(Redacted(1) != Redacted(2))
        #expect(Set([Redacted("a"), Redacted("a"), Redacted("b")]).count == 2)
    }

    @Test func mapStaysRedacted() throws {
        #expect(self.redacted.map(\.utf8.count).reveal() == 16)
        struct Refused: Error {}
        #expect(throws: Refused.self) { try self.redacted.map { (_: String) throws -> Int in throw Refused() } }
    }

    @Test func matchesTheSecretAlone() {
        let secret = Redacted("s3cret-ä")
        #expect(secret.matches("s3cret-ä"))
        for index in 0..<Array("s3cret-ä".utf8).count {
            var bytes = Array("s3cret-ä".utf8)
            bytes[index] ^= 0x01
            #expect(!secret.matches(String(decoding: bytes, as: UTF8.self)), "\(index)")
        }
        for other in ["", "s3cret-", "s3cret-ä ", " s3cret-ä", "S3CRET-Ä", "s3cret-äs3cret-ä"] {
            #expect(!secret.matches(other), "\(other)")
        }
    }

    /// What looks alike and is written in other bytes is another text.
    @Test func matchesByBytes() {
        #expect("\u{E4}" == "a\u{308}")
        #expect(!Redacted("\u{E4}").matches("a\u{308}"))
    }

    /// An account without a secret has none that could be guessed.
    @Test func nothingMatchesAnEmptySecret() {
        #expect(!Redacted("").matches(""))
        #expect(!Redacted("").matches("a"))
    }
}
