//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Logging
import Synchronization
import Testing

@testable import Server

@Suite struct LogfmtHandlerTests {
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    private func logger(_ lines: Lines, level: Logger.Level = .info) -> Logger {
        Logger(label: "test") { label in
            LogfmtHandler(label: label, level: level, time: { "T" }) { line in lines.all.withLock { $0.append(line) } }
        }
    }

    @Test func writesOneLineWithMetadataByName() {
        let lines = Lines()
        var logger = self.logger(lines)
        logger[metadataKey: "b"] = "2"
        logger.info("all well", metadata: ["a": "1"])
        #expect(lines.all.withLock { $0 } == ["time=T level=info logger=test msg=\"all well\" a=1 b=2\n"])
    }

    @Test func leavesOutWhatIsBelowTheLevel() {
        let lines = Lines()
        self.logger(lines, level: .warning).info("not written")
        #expect(lines.all.withLock { $0.isEmpty })
    }

    @Test(arguments: [
        ("plain", "plain"), ("", "\"\""), ("two words", "\"two words\""), ("a=b", "\"a=b\""),
        ("say \"x\"", "\"say \\\"x\\\"\""),
        ("line\nfeed", "\"line\\nfeed\""), ("\u{1B}[31m", "\"\\u{1b}[31m\""), ("back\\slash", "\"back\\\\slash\""),
        ("\u{9B}31m\u{202E}", "\"\\u{9b}31m\\u{202e}\""), ("zwölf", "\"zwölf\""),
    ])
    func quotesWhatCouldLookLikeAnotherPair(value: String, written: String) {
        #expect(LogfmtHandler.quoted(value) == written)
    }
}
