//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import Testing

@testable import DialectConformance

@Suite struct TranscriptTests {
    private func text(
        of exchanges: [Exchange], _ placeholders: [TranscriptPlaceholder] = [], known: [KnownText] = []
    ) throws -> String {
        var layout = TranscriptText(replacer: try TranscriptReplacer(placeholders, known: known))
        return layout.text(of: TranscriptScene("scene", "What is shown.") { _ in }, exchanges)
    }

    private func exchange(_ body: String, _ mediaType: String, answer: [UInt8]) -> Exchange {
        .call(
            WireRequest(
                method: .post, path: "/pay", query: "a=1", headers: [.contentType: mediaType], body: Array(body.utf8)),
            WireResponse(status: .ok, body: answer))
    }

    @Test func formsHaveALineForEachFieldAndElementsToo() throws {
        let form = self.exchange(
            "mid=1&key=2", "application/x-www-form-urlencoded", answer: Array("<a><b>c</b></a>".utf8))
        #expect(
            try self.text(of: [form]) == """
                # What is shown.

                ### 1

                POST /pay?a=1 HTTP/1.1
                Content-Type: application/x-www-form-urlencoded

                mid=1
                &key=2

                HTTP/1.1 200 OK

                <a>
                <b>c</b>
                </a>

                """)
    }

    @Test func whatIsNoTextCanBeReadToo() throws {
        let text = try self.text(of: [self.exchange("x", "text/plain", answer: [0x00, 0x0D, 0xFC, 0x41])])
        #expect(text.hasSuffix("\n<0x0><CR>üA\n"))
        let long = try self.text(of: [self.exchange("x", "text/plain", answer: Array(repeating: 0x61, count: 20_000))])
        #expect(long.hasSuffix("\n<20000 bytes>\n"))
    }

    @Test func sameValueHasSamePlaceholder() throws {
        let text = try self.text(
            of: [self.exchange("id=7;id=8;id=7;op_01JXYZ01JXYZ01JXYZ01JXYZ01", "text/plain", answer: [])],
            [TranscriptPlaceholder("id", "id=([0-9])")])
        #expect(text.contains("id=<id-1>;id=<id-2>;id=<id-1>;<id-3>"))
    }

    @Test func knownTextsAreReplacedInEveryEncoding() throws {
        let known = [
            KnownText(text: "a/b+c==", placeholder: "<token>", isWord: false),
            KnownText(text: "123456", placeholder: "<stan>", isWord: true),
        ]
        let text = try self.text(
            of: [self.exchange("%22a%2Fb%2Bc%3D%3D%22 a\\/b+c== 123456 91234567", "text/plain", answer: [])],
            known: known)
        #expect(text.contains("%22<token>%22 <token> <stan> 91234567"))
    }

    @Test func differencesAreShownLineByLine() {
        let diff = TranscriptDiffers(file: "01-a.http", recorded: "a\nb\nc\n", found: "a\nx\nc\nd\n").description
        #expect(diff.hasSuffix("\n-2: b\n+2: x\n+4: d"))
    }

    @Test func whatIsNotReplacedDiffers() async throws {
        var driver = SpoiledDriver()
        driver.placeholders = []
        let suite = DialectConformance(driver, testFile: #filePath)
        guard !DialectConformance.isRecording else { return }
        await #expect(throws: TranscriptDiffers.self) { try await suite.compareTranscript("01-payment") }
        await #expect(throws: TranscriptDiffers.self) { try await suite.compareTranscript("99-nothing") }
    }

    /// A dialect that shows what it was sent.
    @Test func aTokenInAnAnswerIsFoundByTheScrub() async throws {
        var driver = SpoiledDriver()
        driver.wrapping = { EchoingDialect(base: $0) }
        await #expect(throws: SecretShown.self) { try await DialectConformance(driver).checkScrub() }
    }
}
