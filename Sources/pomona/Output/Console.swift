//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// Standard output and standard error of one command.
///
/// What a command is asked for goes to standard output; progress and complaints go to standard error. Color and
/// progress are for people: they are written only where a terminal is, so that a pipe or a file gets plain text.
struct Console: Sendable {
    /// Whether standard output may be colored.
    let isColored: Bool
    /// Whether standard error is a terminal, where a line may be written over.
    let showsProgress: Bool
    private let writeOutput: @Sendable ([UInt8]) -> Void
    private let writeError: @Sendable ([UInt8]) -> Void

    init(
        isColored: Bool, showsProgress: Bool, writeOutput: @escaping @Sendable ([UInt8]) -> Void,
        writeError: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.isColored = isColored
        self.showsProgress = showsProgress
        self.writeOutput = writeOutput
        self.writeError = writeError
    }

    /// The console of this process. NO_COLOR (no-color.org) and TERM=dumb are respected.
    static let standard: Console = {
        let environment = ProcessInfo.processInfo.environment
        let isDumb = environment["TERM"] == "dumb"
        let wantsColor = environment["NO_COLOR", default: ""].isEmpty && !isDumb
        return Console(
            isColored: isatty(STDOUT_FILENO) == 1 && wantsColor,
            showsProgress: isatty(STDERR_FILENO) == 1 && !isDumb,
            writeOutput: { Console.write($0, to: STDOUT_FILENO) },
            writeError: { Console.write($0, to: STDERR_FILENO) })
    }()

    /// A line on standard output.
    func line(_ text: String = "") {
        self.writeOutput(Array((text + "\n").utf8))
    }

    /// Lines on standard output that have their ends.
    func text(_ lines: String) {
        self.writeOutput(Array(lines.utf8))
    }

    /// A line on standard error.
    func errorLine(_ text: String) {
        self.writeError(Array((text + "\n").utf8))
    }

    /// Writes over the last line of standard error; nothing where that is no terminal. An empty text removes it.
    func progress(_ text: String) {
        guard self.showsProgress else { return }
        self.writeError(Array(("\r\u{1B}[2K" + text).utf8))
    }

    /// The text in a style, or the bare text where color is not wanted.
    func styled(_ text: String, _ style: Style) -> String {
        self.isColored ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Styles by what they say; the raw value is the SGR parameter (ECMA-48, section 8.3.117).
    enum Style: String, Sendable, CaseIterable {
        case strong = "1"
        case faint = "2"
        case good = "32"
        case bad = "31"
        case title = "1;36"
    }

    /// A reader that went away (`| head`) ends the process by SIGPIPE, as it does every filter; other failures have
    /// nobody left to read it.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                guard errno == EINTR || errno == EAGAIN else { return }
                continue
            }
            rest = rest.dropFirst(count)
        }
    }
}
