//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Testing
import Time

@testable import pomona

/// What is shown of a webhook.
@Suite struct WebhookTextTests {
    private static func text(
        _ body: String, _ contentType: String, _ headers: [OutgoingNotification.Header] = []
    ) -> WebhookText {
        WebhookText(
            ReceivedWebhook(
                receivedAt: Timestamp(seconds: 0), method: "POST", target: "/",
                headers: [.init("Content-Type", contentType)] + headers, body: Array(body.utf8)))
    }

    @Test func bodiesAreLaidOut() {
        #expect(Self.text(#"{"a":{"b":[1]}}"#, "application/json;charset=UTF-8").body.contains("\n"))
        #expect(Self.text("a=b%20c+d&e=%FCber", "application/x-www-form-urlencoded").body == "a=b c d\ne=über")
        #expect(Self.text("a=%&b=%4&c=%zz", "application/x-www-form-urlencoded").body == "a=%\nb=%4\nc=%zz")
        #expect(Self.text("<a>\n</a>", "application/xml").body == "<a>\n</a>")
        #expect(Self.text("{not JSON", "application/json").body == "{not JSON")
    }

    @Test func secretsAreLeftOut() {
        let text = Self.text(
            "key=0123456789abcdef&txaction=paid", "application/x-www-form-urlencoded",
            [
                .init("Authorization", "Basic c2VjcmV0"), .init("X-NOTIFICATION-SECRET", "hush"),
                .init("Cookie", "session=1"), .init("Signature", "shown"),
            ])
        #expect(text.body == "key=[redacted]\ntxaction=paid")
        #expect(text.headers.map(\.value).dropFirst() == ["[redacted]", "[redacted]", "[redacted]", "shown"])
    }

    /// A terminal would obey them.
    @Test func controlCharactersAreWrittenOut() {
        #expect(
            Self.text("a\u{1B}[2Jb\u{7}\u{202E}\u{85}c\td\r\n", "text/plain").body
                == "a\\u{1b}[2Jb\\u{7}\\u{202e}\\u{85}c\td\n")
        #expect(Self.text("a=%1B%5B2J", "application/x-www-form-urlencoded").body == "a=\\u{1b}[2J")
        #expect(Self.text(#"{"a":"\u001b[2J"}"#, "application/json").body.contains("\u{1B}") == false)
        #expect(Self.text("", "text/plain", [.init("X-A", "b\u{9B}c")]).headers.last?.value == "b\\u{9b}c")
    }

    @Test func longBodiesAreCut() {
        let text = Self.text(String(repeating: "x", count: 16 * 1024 + 5), "text/plain").body
        #expect(text.hasSuffix("\n… (5 bytes more)") && text.utf8.count < 16 * 1024 + 30)
    }
}
