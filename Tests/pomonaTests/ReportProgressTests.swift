//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization
import Testing
import Time

@testable import pomona

/// What a long report says of itself while it is written.
struct ReportProgressTests {
    private final class Terminal: Sendable {
        let bytes = Mutex<[UInt8]>([])
    }

    /// What a terminal was written, line over line.
    private static func lines(_ isTerminal: Bool = true, _ report: (Console) -> Void) -> [String] {
        let terminal = Terminal()
        report(
            Console(
                isColored: false, showsProgress: isTerminal, writeOutput: { _ in },
                writeError: { written in terminal.bytes.withLock { $0 += written } }))
        return String(decoding: terminal.bytes.withLock { $0 }, as: UTF8.self)
            .split(separator: "\r\u{1B}[2K").map(String.init)
    }

    private static func moment(_ seconds: Int64) -> Timestamp { Timestamp(seconds: 1_700_000_000 + seconds) }

    @Test func barIsTheShareOfTheTimeThatIsBehindIt() {
        let lines = Self.lines { console in
            var progress = ReportProgress(
                console, "transaction", over: .init(from: Self.moment(0), to: Self.moment(1000)))
            for second in [0, 250, 999, 1000, 5000] as [Int64] {
                progress.add(500, in: (Self.moment(second), Self.moment(second)))
            }
            progress.finish()
        }
        #expect(
            lines.map { $0.prefix(33) }
                == [
                    "[------------------------]   0 %  ", "[######------------------]  25 %  ",
                    "[#######################-]  99 %  ", "[########################] 100 %  ",
                    "[########################] 100 %  ",
                ].map { $0.prefix(33) })
        #expect(lines.last?.contains("2500 transactions") == true)
    }

    /// Without a first day the first line is the beginning.
    @Test func beginsWithTheFirstLine() {
        let lines = Self.lines { console in
            var progress = ReportProgress(console, "transaction", over: .init(to: Self.moment(200)))
            progress.add(1, in: (Self.moment(100), Self.moment(150)))
            progress.add(1, in: (Self.moment(150), Self.moment(200)))
        }
        #expect(lines.count == 2 && lines.first?.contains(" 50 %") == true && lines.last?.contains("100 %") == true)
    }

    @Test func countsWhereThereIsNoEndToWaitFor() {
        let lines = Self.lines { console in
            var progress = ReportProgress(console, "fee")
            progress.add(1)
            progress.add(2, at: "2026-11-22")
            var none = ReportProgress(console, "transaction", over: .init(from: Self.moment(5), to: Self.moment(5)))
            none.add(1, in: (Self.moment(5), Self.moment(5)))
        }
        #expect(lines.first == "1 fee …" && lines[1] == "3 fees, 2026-11-22 …")
        #expect(lines.last?.hasPrefix("1 transaction, ") == true)
    }

    @Test func saysNothingWhereNobodyWatches() {
        let lines = Self.lines(false) { console in
            var progress = ReportProgress(console, "transaction", over: .init(to: Self.moment(9)))
            progress.add(1, in: (Self.moment(1), Self.moment(2)))
            progress.finish()
        }
        #expect(lines.isEmpty)
    }
}
